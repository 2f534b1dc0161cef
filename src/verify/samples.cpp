#include "verify/samples.hpp"

#include "kind/definition.hpp"
#include "kind/modes.hpp"
#include "verify/random_value.hpp"

namespace weft {

std::vector<Sample> choose_samples(const Extents& shape, Index batch, int count,
                                   std::uint64_t seed) {
  std::vector<Sample> samples(static_cast<std::size_t>(count));
  std::uint64_t number = 0;
  const auto draw = [&](Index below) {
    return static_cast<Index>(mixed_bits(mixed_bits(seed) + ++number) %
                              static_cast<std::uint64_t>(below));
  };
  for (Sample& sample : samples) {
    for (Index length : shape) sample.at.push_back(draw(length));
    sample.field = draw(batch);
  }
  return samples;
}

std::vector<std::complex<long double>> sample_factors(const TransformDescription& transform,
                                                      Direction direction, const Sample& sample,
                                                      int axis, Index begin, Index end) {
  const bool forward = direction == Direction::forward;
  const Kind kind = transform.kinds[axis];
  const Index n = transform.shape[axis], kept = transform.spectral_shape()[axis];
  const auto number = [&](Index i, bool in_spectrum) {
    return in_spectrum ? coefficient_index(kind, i, n, kept) : i;
  };
  const Index at = number(sample.at[axis], forward);
  const Index lower = (forward ? transform.physical : transform.spectral).box.lower[axis];
  std::vector<Index> inputs;
  inputs.reserve(static_cast<std::size_t>(end - begin));
  for (Index i = lower + begin; i < lower + end; ++i) inputs.push_back(number(i, !forward));
  return definition_factors(kind, direction, inputs, at, n, transform.orthogonal);
}

}  // namespace weft
