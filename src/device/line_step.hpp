#pragma once

#include <cstddef>
#include <cstdint>

#include "device/line_entries.hpp"
#include "weft/kernels/line_pass.hpp"
#include "weft/kinds.hpp"

namespace weft {

// Cosine and sine transforms are Fourier transforms between two steps: before, lines of real
// numbers become lines of complex ones, and afterwards the other way round. Steps work on pairs of
// lines. Where the Fourier transform is one of real numbers, a pair is joined: one complex line,
// the first line as real and the second one as imaginary parts. Otherwise each has a complex line
// of its own.

enum class LineOperation {
  prepare_plain,  ///< by PlainEntry; joined
  prepare_pairs,  ///< by PairEntry
  finish_plain,   ///< by PlainEntry; joined
  finish_parts,   ///< by PartsEntry
};

/// Where pairs of lines lie: lines of reals in an array of the user, complex ones in memory that
/// Fourier transforms work on.
struct LinePairs {
  static constexpr int max_loops = 7;

  std::uint32_t count = 1;  ///< pairs
  /// So many pairs, with neighboring numbers, are closer together in the array than neighbors of
  /// a line.
  std::uint32_t inner = 1;

  /// In the array, in reals: from a number to the next one, and to that of the second line.
  std::int64_t number_step = 1;
  std::int64_t second = 0;
  /// Loops around the pairs, slowest first.
  std::int64_t loop_step[max_loops] = {};
  Divisor loop[max_loops];
  std::uint32_t loops = 0;
  /// The loop with a place where the pair has no second line, and that place.
  std::uint32_t odd_loop = max_loops;
  std::uint32_t odd_place = 0;

  /// In complex numbers: from a number to the next one, from a pair to the next one, and to the
  /// line of the second one; 0: they are joined.
  std::int64_t complex_step = 1;
  std::int64_t complex_pair = 1;
  std::int64_t complex_second = 0;
  std::uint32_t complex_points = 1;
};

/// A step, for a device to do. Real and complex lines do not overlap.
struct LineStep {
  LineOperation operation = LineOperation::prepare_plain;
  Precision precision = Precision::f64;
  LinePairs pairs;
  const std::byte* entries = nullptr;  ///< in memory of the device
  std::uint32_t entry_count = 0;
  const std::byte* from = nullptr;
  std::byte* to = nullptr;
};

}  // namespace weft
