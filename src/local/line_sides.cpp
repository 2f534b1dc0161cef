#include "local/line_sides.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>

#include "local/loops.hpp"

namespace weft {

namespace {

bool joins(LineNumbers numbers) {
  return numbers == LineNumbers::reals || numbers == LineNumbers::hermitian;
}

bool is_real(LineNumbers numbers) {
  return numbers == LineNumbers::reals || numbers == LineNumbers::pairs;
}

/// The loop whose first half goes with its second half. The fastest one stays whole where it can,
/// as its lines are neighbors; of the others it is the fastest of even length, so that pairs are
/// close together.
int joined_loop(const Axes<LocalAxis>& loops) {
  const auto is_even = [&](int i) { return loops[i].length % 2 == 0; };
  for (int i = loops.size() - 2; i >= 0; --i) {
    if (is_even(i)) return i;
  }
  if (is_even(loops.size() - 1)) return loops.size() - 1;
  return static_cast<int>(
      std::max_element(loops.begin(), loops.end(),
                       [](const LocalAxis& a, const LocalAxis& b) { return a.length < b.length; }) -
      loops.begin());
}

/// Whether loops lie like one in all pieces.
LieAlike in_all_pieces(const LocalProblem& problem) {
  return [&problem](int outer, int inner) {
    const auto alike = [&](const LocalPieces::Piece& piece) {
      return piece.batch[outer] == problem.batch[inner].length * piece.batch[inner];
    };
    const auto& in = problem.in_pieces.pieces;
    const auto& out = problem.out_pieces.pieces;
    return std::all_of(in.begin(), in.end(), alike) && std::all_of(out.begin(), out.end(), alike);
  };
}

/// The axis of real lines of complex data is a loop over real and imaginary parts.
LocalAxis in_reals(LocalAxis axis) {
  axis.in_stride *= 2;
  axis.out_stride *= 2;
  return axis;
}

}  // namespace

bool enter_lines(const LocalProblem& problem, LineNumbers in, LineNumbers out, LinePass& pass) {
  const bool by_parts = is_real(in) && is_real(out) && !problem.real_data;
  LocalAxis line = problem.transform[0];
  Axes<LocalAxis> loops =
      problem.has_pieces() ? merged_loops(problem.batch, in_all_pieces(problem)) : problem.batch;
  if (by_parts) {
    line = in_reals(line);
    for (LocalAxis& loop : loops) loop = in_reals(loop);
    if (in == LineNumbers::pairs) loops.push_back({2, 1, 1});
  }
  for (LocalAxis& loop : loops) {
    if (in == LineNumbers::packed) loop.in_stride /= 2;
    if (out == LineNumbers::packed) loop.out_stride /= 2;
  }
  if (!problem.has_pieces()) loops = merged_loops(loops);
  if (loops.empty()) loops.push_back({1, 0, 0});
  if (loops.size() > LineSide::max_loops) return false;
  if (joins(in) || joins(out)) {
    if (by_parts) {
      pass.in.second = pass.out.second = 1;
      pass.in.adjacent = pass.out.adjacent = !problem.any_alignment;
    } else {
      const int paired = joined_loop(loops);
      const Index length = loops[paired].length, half = (length + 1) / 2;
      loops[paired].length = half;
      pass.in.second = half * loops[paired].in_stride;
      pass.out.second = half * loops[paired].out_stride;
      if (length % 2 != 0) {
        pass.odd_loop = static_cast<std::uint32_t>(paired);
        pass.odd_place = static_cast<std::uint32_t>(half - 1);
      }
    }
  }
  Index lines = 1;
  pass.loops = static_cast<std::uint32_t>(loops.size());
  for (int i = 0; i < loops.size(); ++i) {
    lines *= loops[i].length;
    pass.loop[i] = make_divisor(static_cast<std::uint32_t>(loops[i].length));
    pass.in.loop_step[i] = loops[i].in_stride;
    pass.out.loop_step[i] = loops[i].out_stride;
  }
  if (lines >= divisor_limit) return false;
  pass.lines = static_cast<std::uint32_t>(lines);
  const LocalAxis& fastest = loops[loops.size() - 1];
  pass.in.step = line.in_stride;
  pass.out.step = line.out_stride;
  pass.in.across = std::abs(fastest.in_stride) < std::abs(line.in_stride);
  pass.out.across = std::abs(fastest.out_stride) < std::abs(line.out_stride);
  return true;
}

std::uint32_t pieces_of(const LocalPieces& side) {
  return side.empty() ? 1 : static_cast<std::uint32_t>(side.pieces.size());
}

bool enter_pieces(const LocalProblem& problem, const LinePass& pass, PieceSides& pieces) {
  if (pass.loops > SidePiece::max_loops) return false;
  const std::vector<MergedLoop> loops = merge_loops(problem.batch, in_all_pieces(problem));
  const auto enter = [&](const LocalPieces& given, const LineSide& whole, bool input,
                         SidePieces& side) {
    side.pieces = pieces_of(given);
    const bool is_real = input ? problem.real_input() : problem.real_output();
    if (!is_real) side.numbers = static_cast<std::uint32_t>(stored_points(problem, 0, input));
    if (given.empty()) {
      side.piece[0].step = whole.step;
      std::copy_n(whole.loop_step, SidePiece::max_loops, side.piece[0].loop_step);
      return;
    }
    Index first = 0;
    for (std::size_t i = 0; i < given.pieces.size(); ++i) {
      const LocalPieces::Piece& from = given.pieces[i];
      SidePiece& piece = side.piece[i];
      piece.first = static_cast<std::uint32_t>(first);
      piece.step = from.transform[0];
      for (std::size_t loop = 0; loop < loops.size(); ++loop) {
        piece.loop_step[loop] = from.batch[loops[loop].inner];
      }
      first = from.end;
    }
  };
  enter(problem.in_pieces, pass.in, true, pieces.in);
  enter(problem.out_pieces, pass.out, false, pieces.out);
  const auto fits = [&](const SidePieces& side) {
    const Index most =
        std::numeric_limits<std::uint32_t>::max() / bytes_of({problem.precision, true});
    return std::all_of(side.piece, side.piece + side.pieces, [most](const SidePiece& piece) {
      return piece.step >= 0 && piece.step <= most;
    });
  };
  return fits(pieces.in) && fits(pieces.out);
}

}  // namespace weft
