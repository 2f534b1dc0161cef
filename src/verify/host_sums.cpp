#include "kind/kind.hpp"
#include "verify/samples.hpp"

namespace weft {

namespace {

using Wide = std::complex<long double>;

/// The share of one rank in the exact value of a sample: a sum over its part of the input.
template <class Real>
class DirectSum {
 public:
  DirectSum(const TransformDescription& transform, Direction direction, const Sample& sample,
            const LocalArray& array, const Real* data)
      : array_(array), data_(data), sample_(sample) {
    for (int axis = 0; axis < array.box.axes(); ++axis) {
      factors_.push_back(
          sample_factors(transform, direction, sample, axis, 0, array.box.extent(axis)));
      transformed_.push_back(traits(transform.kinds[axis]).transforms);
    }
  }

  Wide value() const {
    if (array_.box.empty()) return 0;
    Index position = array_.offset;
    if (array_.strides.size() > array_.box.axes()) {
      position += sample_.field * array_.strides[array_.box.axes()];
    }
    return sum(0, position);
  }

 private:
  Wide element(Index position) const {
    if (!array_.type.complex) return data_[position];
    return {data_[2 * position], data_[2 * position + 1]};
  }

  Wide sum(int axis, Index position) const {
    const Box& box = array_.box;
    if (axis == box.axes()) return element(position);
    const Index stride = array_.strides[axis];
    if (!transformed_[axis]) {
      const Index at = sample_.at[axis];
      if (at < box.lower[axis] || at >= box.upper[axis]) return 0;
      return sum(axis + 1, position + (at - box.lower[axis]) * stride);
    }
    const auto& factors = factors_[static_cast<std::size_t>(axis)];
    long double re = 0, im = 0;
    const bool innermost = axis + 1 == box.axes();
    for (Index i = 0; i < box.extent(axis); ++i) {
      const Wide inner =
          innermost ? element(position + i * stride) : sum(axis + 1, position + i * stride);
      const Wide factor = factors[static_cast<std::size_t>(i)];
      re += inner.real() * factor.real() - inner.imag() * factor.imag();
      im += inner.real() * factor.imag() + inner.imag() * factor.real();
    }
    return {re, im};
  }

  const LocalArray& array_;
  const Real* data_;
  const Sample& sample_;
  std::vector<std::vector<Wide>> factors_;  // by axis, for the indices of the box
  Axes<bool> transformed_;
};

template <class Real>
std::vector<Wide> sums(const TransformDescription& transform, Direction direction,
                       const std::vector<Sample>& samples, const Real* in) {
  const LocalArray& source =
      direction == Direction::forward ? transform.physical : transform.spectral;
  std::vector<Wide> result(samples.size());
#pragma omp parallel for num_threads(transform.threads) schedule(dynamic)
  for (std::size_t i = 0; i < samples.size(); ++i) {
    result[i] = DirectSum<Real>(transform, direction, samples[i], source, in).value();
  }
  return result;
}

}  // namespace

std::vector<Wide> sums_on_host(const TransformDescription& transform, Direction direction,
                               const std::vector<Sample>& samples, const std::byte* in) {
  return transform.physical.type.precision == Precision::f32
             ? sums(transform, direction, samples, reinterpret_cast<const float*>(in))
             : sums(transform, direction, samples, reinterpret_cast<const double*>(in));
}

}  // namespace weft
