#include "device/engine_copies.hpp"

#include <utility>

namespace weft {

namespace {

/// Each one costs a call of the driver; a kernel needs one for all.
constexpr Index most_copies = 64;
/// Of a copy that is one of many: each takes some 6 us more than its bytes (H200: 64 copies of 1
/// MiB to another GPU move 125 GB/s, one of as many bytes 390, a kernel 300).
constexpr Index least_bytes = Index{8} << 20;
constexpr Index few_copies = 4;
/// Between rows, of CUDA and HIP.
constexpr Index largest_pitch = (Index{1} << 31) - 1;

}  // namespace

std::optional<EngineCopies> engine_copies(const Axes<CopyLoop>& loops, Index element_bytes) {
  EngineCopies result;
  int outer = loops.size();
  result.width = element_bytes;
  if (outer > 0 && loops.back().to == 1 && loops.back().from == 1) {
    result.width *= loops.back().count;
    --outer;
  }
  if (outer > 2) return std::nullopt;
  CopyLoop rows = outer > 0 ? loops[outer - 1] : CopyLoop{1, 0, 0};
  CopyLoop copies = outer > 1 ? loops[0] : CopyLoop{1, 0, 0};
  if (copies.count > rows.count) std::swap(rows, copies);
  result.copies = copies.count;
  result.to_step = copies.to * element_bytes;
  result.from_step = copies.from * element_bytes;
  result.rows = rows.count;
  result.to_pitch = rows.to * element_bytes;
  result.from_pitch = rows.from * element_bytes;
  const auto possible = [&](Index pitch) {
    return result.rows == 1 || (pitch >= result.width && pitch <= largest_pitch);
  };
  const bool small = result.copies > few_copies && result.rows * result.width < least_bytes;
  if (result.copies > most_copies || small || !possible(result.to_pitch) ||
      !possible(result.from_pitch)) {
    return std::nullopt;
  }
  return result;
}

}  // namespace weft
