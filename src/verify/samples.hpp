#pragma once

#include <complex>
#include <cstdint>
#include <vector>

#include "device/stream.hpp"
#include "weft/verify.hpp"

namespace weft {

/// One point of the result of a transform.
struct Sample {
  Extents at;
  Index field = 0;
};

/// Random points of an array.
std::vector<Sample> choose_samples(const Extents& shape, Index batch, int count,
                                   std::uint64_t seed);

/// What elements `begin` to `end` along an axis of the input are multiplied with, as far as that
/// axis is concerned, in the sum for a sample. They count from the first element of this rank.
std::vector<std::complex<long double>> sample_factors(const TransformDescription& transform,
                                                      Direction direction, const Sample& sample,
                                                      int axis, Index begin, Index end);

/// The shares of this rank in the exact values of samples, without scale: sums over its part of
/// the input, by the host in long double, or by the device that has the input, in pairs of double.
std::vector<std::complex<long double>> sums_on_host(const TransformDescription& transform,
                                                    Direction direction,
                                                    const std::vector<Sample>& samples,
                                                    const std::byte* in);
std::vector<std::complex<long double>> sums_on_device(const TransformDescription& transform,
                                                      Direction direction,
                                                      const std::vector<Sample>& samples,
                                                      const std::byte* in, Stream& stream);

}  // namespace weft
