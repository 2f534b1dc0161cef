// Passes over lines on the emulated device: what threads of a GPU do, one after another.
#include "local/line_real_forms.hpp"
#include "local/line_transform.hpp"
#include "local/piece_forms.hpp"
#include "weft/error.hpp"
#include "weft/kernels/line_teams.hpp"

namespace weft {

namespace {

template <LineForm form, class Real>
void run_block(const LinePass& pass, const BlockLines& lines) {
  using Forms = stockham::Forms<form, Real>;
  stockham::emulate_block<stockham::ShapesOf<Real, form>, Real, typename Forms::Load,
                          typename Forms::Store>(pass, lines);
}

template <class Real>
void run_block_of(LineForm form, const LinePass& pass, const BlockLines& lines) {
  switch (form) {
    case LineForm::whole:
      return run_block<LineForm::whole, Real>(pass, lines);
    case LineForm::complex:
      return run_block<LineForm::complex, Real>(pass, lines);
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

template <class Real>
void run_of(LineForm form, const LinePass& pass) {
  for (std::uint64_t line = 0; line < pass.lines; line += pass.lanes.count) {
    run_block_of<Real>(form, pass, {static_cast<std::uint32_t>(line), pass.lines});
  }
}

template <LineForm form, class Real>
void run_pieces_of(const PieceLines& pass) {
  using Forms = stockham::PieceForms<form, Real>;
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

template <class Real>
void run_pieces_of(LineForm form, const PieceLines& pass) {
  if (form == LineForm::from_packed) return run_pieces_of<LineForm::from_packed, Real>(pass);
  if (form == LineForm::to_packed) return run_pieces_of<LineForm::to_packed, Real>(pass);
  run_pieces_of<LineForm::whole, Real>(pass);
}

/// Blocks would wait forever here, where none runs at the same time.
template <class Real>
void run_planes_of(const PlanePass<>& pass) {
  for (std::uint32_t number = 0; number < pass.blocks(); ++number) {
    const PlaneBlock block =
        pass.mixed ? mixed_plane_block(pass, number) : plane_block(pass, number);
    if (!block.exists) continue;
    std::uint32_t& finished = pass.finished[block.plane];
    if (block.is_second && finished < pass.first_blocks()) {
      throw Error("a block of threads works on a plane that is not ready", ErrorCode::device);
    }
    if (block.is_second) {
      run_block_of<Real>(pass.second_form, pass.second, block.lines);
    } else {
      run_block_of<Real>(pass.first_form, pass.first, block.lines);
    }
    finished = (finished + 1) % pass.blocks_of_plane();
  }
}

constexpr LineRunner runner{
    [] { return stockham::emulated_block_bytes; },
    [] { return std::uint32_t{0}; },
    [](LineForm, Precision, const LinePass&) {},
    [](Stream&, LineForm form, Precision precision, const LinePass& pass) {
      if (precision == Precision::f32) {
        run_of<float>(form, pass);
      } else {
        run_of<double>(form, pass);
      }
    },
    [](LineForm, Precision, const PieceLines&) {},
    [](Stream&, LineForm form, Precision precision, const PieceLines& pass) {
      if (precision == Precision::f32) {
        run_pieces_of<float>(form, pass);
      } else {
        run_pieces_of<double>(form, pass);
      }
    },
    [](Precision precision, PlanePass<>& pass) {
      pass.mixed = precision == Precision::f32;
      pass.lag = pass.mixed ? 1 : 2;
      pass.lag_blocks = pass.mixed ? pass.second_blocks() / 3 : 0;
      return true;
    },
    [](Stream&, Precision precision, const PlanePass<>& pass) {
      if (precision == Precision::f32) {
        run_planes_of<float>(pass);
      } else {
        run_planes_of<double>(pass);
      }
    },
    [](const detail::FusedCalls&, const detail::FusedPass& pass) {
      return pass.planes == nullptr && pass.has_whole_numbers();
    },
    [](Stream&, const detail::PointFunction& function, const detail::FusedPass& pass) {
      function.fused_calls()->run(function.object(), pass);
    }};

}  // namespace

LocalBackend emulated_lines_backend() {
  return {.name = "stockham",
          .description = "weft's own kernels for GPUs, emulated",
          .usable = [] { return true; },
          .recommended = [] { return true; },
          .supports = [](const LocalProblem& problem) { return supports_lines(runner, problem); },
          .make = [](const LocalProblem& problem) { return make_lines(runner, problem); },
          .in_place = true,
          .scales = true,
          .device = "emulated",
          .any_layout = true};
}

}  // namespace weft
