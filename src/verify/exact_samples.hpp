#pragma once

#include <complex>
#include <vector>

#include "verify/samples.hpp"

namespace weft {

/// Exact values at random points of the result of a transform. They are computed before it runs, as
/// it may overwrite its input, where the arrays are: on the host, or on the device of the stream.
class ExactSamples {
 public:
  /// Collective. `in` is this rank's array, `count` the number of points, which `seed` chooses.
  ExactSamples(const TransformDescription& transform, Direction direction, const std::byte* in,
               int count, std::uint64_t seed, Stream& stream);

  /// Collective. The error of a result there. Of an array on a device nothing else is copied.
  SampledError error_of(const std::byte* out) const;

 private:
  template <class Real>
  SampledError compare(const Real* out) const;

  TransformDescription transform_;
  Direction direction_;
  Stream& stream_;
  std::vector<Sample> samples_;
  std::vector<std::complex<long double>> values_;
};

}  // namespace weft
