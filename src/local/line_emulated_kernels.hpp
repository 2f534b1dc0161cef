#pragma once

// What threads of a GPU do in passes over lines, one after another. Included by a file for each
// precision, as this takes minutes to compile.
#include <algorithm>

#include "local/line_emulated.hpp"
#include "local/line_real_forms.hpp"
#include "local/piece_forms.hpp"
#include "weft/error.hpp"
#include "weft/kernels/emulated_team.hpp"

namespace weft {

namespace {

template <LineForm form, class Real>
void run_block(const LinePass& pass, const BlockLines& lines) {
  using Forms = stockham::Forms<form, Real>;
  stockham::emulate_block<stockham::ShapesOf<Real, form>, Real, typename Forms::Load,
                          typename Forms::Store>(pass, lines);
}

template <class Real>
void run_block_of(const LinePass& pass, const BlockLines& lines) {
  switch (pass.form) {
    case LineForm::whole:
      return run_block<LineForm::whole, Real>(pass, lines);
    case LineForm::complex:
      return run_block<LineForm::complex, Real>(pass, lines);
    case LineForm::convolved:
      return run_block<LineForm::convolved, Real>(pass, lines);
    case LineForm::from_packed:
      return run_block<LineForm::from_packed, Real>(pass, lines);
    case LineForm::to_packed:
      return run_block<LineForm::to_packed, Real>(pass, lines);
    case LineForm::from_reals:
      return run_block<LineForm::from_reals, Real>(pass, lines);
    case LineForm::to_reals:
      return run_block<LineForm::to_reals, Real>(pass, lines);
    case LineForm::real_pairs:
      return run_block<LineForm::real_pairs, Real>(pass, lines);
  }
}

template <LineForm form, class Real, int per_lookup = 1>
void run_pieces_of(const PieceLines& pass) {
  using Forms = stockham::PieceForms<form, Real, per_lookup, per_lookup>;
  if (pass.shared_bytes(sizeof(stockham::Complex<Real>)) > stockham::emulated_block_bytes) {
    throw Error("a block of threads beyond what a device has", ErrorCode::device);
  }
  for (std::uint64_t line = 0; line < pass.lines; line += pass.lanes.count) {
    const BlockLines lines{static_cast<std::uint32_t>(line), pass.lines};
    stockham::enter_places<Real>(pass, lines, 0, 1);
    stockham::emulate_block<stockham::ShapesOf<Real, form>, Real, typename Forms::Load,
                            typename Forms::Store>(pass, lines);
  }
}

}  // namespace

template <class Real>
void EmulatedPasses<Real>::run(const LinePass& pass) {
  for (std::uint64_t line = 0; line < pass.lines; line += pass.lanes.count) {
    run_block_of<Real>(pass, {static_cast<std::uint32_t>(line), pass.lines});
  }
}

template <class Real>
void EmulatedPasses<Real>::run(const PieceLines& pass) {
  if (pass.form == LineForm::from_packed) return run_pieces_of<LineForm::from_packed, Real>(pass);
  if (pass.form == LineForm::to_packed) return run_pieces_of<LineForm::to_packed, Real>(pass);
  // GPUs have kernels for 1, 2, 4, 8 numbers of a lookup, or all; here 1 and 4 stand for them.
  if (std::min(pass.per_lookup(true), pass.per_lookup(false)) >= 4) {
    return run_pieces_of<LineForm::whole, Real, 4>(pass);
  }
  run_pieces_of<LineForm::whole, Real>(pass);
}

template <class Real>
void EmulatedPasses<Real>::run(const PlanePass<>& pass) {
  for (std::uint32_t number = 0; number < pass.blocks(); ++number) {
    const PlaneBlock block =
        pass.mixed ? mixed_plane_block(pass, number) : plane_block(pass, number);
    if (!block.exists) continue;
    std::uint32_t& finished = pass.finished[block.plane];
    if (block.is_second && finished < pass.first_blocks()) {
      throw Error("a block of threads works on a plane that is not ready", ErrorCode::device);
    }
    run_block_of<Real>(block.is_second ? pass.second : pass.first, block.lines);
    finished = (finished + 1) % pass.blocks_of_plane();
  }
}

}  // namespace weft
