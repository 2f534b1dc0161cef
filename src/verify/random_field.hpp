#pragma once

#include "device/stream.hpp"
#include "exchange/communicator.hpp"
#include "weft/plan.hpp"

namespace weft {

/// An array of random numbers that depend on their place in the whole array only. What this rank
/// owns lies in memory of the host, or of the device of a stream; the numbers are the same.
class RandomField {
 public:
  /// Of an array of lengths `shape`.
  RandomField(const LocalArray& array, const Extents& shape, Index batch, std::uint64_t seed);

  /// Leaves halo alone.
  void fill(std::byte* data, Stream& stream) const;
  /// Collective. The relative L2 difference of an array from this field, over all of its points;
  /// NaN where a number is not one. `threads`: of the host.
  double relative_difference(const std::byte* data, Stream& stream, const Communicator& comm,
                             int threads) const;

 private:
  PointBlock block(std::byte* data) const;

  LocalArray array_;
  Extents shape_;
  Index batch_;
  std::uint64_t seed_;
};

}  // namespace weft
