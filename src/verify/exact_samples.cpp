#include "verify/exact_samples.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "device/device.hpp"
#include "exchange/agreement.hpp"
#include "kind/kind.hpp"

namespace weft {

namespace {

using Wide = std::complex<long double>;

/// An element of an array that the host reads, of one or two parts.
template <class Real>
Wide element(const Real* array, Index position, bool complex, Stream& stream) {
  const Index parts = complex ? 2 : 1;
  Real value[2] = {0, 0};
  stream.copy(reinterpret_cast<std::byte*>(value),
              reinterpret_cast<const std::byte*>(array + position * parts),
              static_cast<std::size_t>(parts) * sizeof(Real));
  stream.synchronize();
  return {value[0], value[1]};
}

}  // namespace

ExactSamples::ExactSamples(const TransformDescription& transform, Direction direction,
                           const std::byte* in, int count, std::uint64_t seed, Stream& stream)
    : transform_(transform), direction_(direction), stream_(stream) {
  const bool forward = direction == Direction::forward;
  const Extents shape = forward ? transform.spectral_shape() : transform.physical_shape();
  samples_ = choose_samples(shape, transform.batch, count, seed);
  collectively(Communicator::duplicate(transform.comm), [&] {
    values_ = on_host(stream) ? sums_on_host(transform, direction, samples_, in)
                              : sums_on_device(transform, direction, samples_, in, stream);
  });
  check_mpi(MPI_Allreduce(MPI_IN_PLACE, values_.data(), 2 * count, MPI_LONG_DOUBLE, MPI_SUM,
                          transform.comm),
            "MPI_Allreduce");
  const long double scale =
      scale_factor(transform.norm, direction, logical_points(transform.shape, transform.kinds));
  const bool complex = (forward ? transform.spectral : transform.physical).type.complex;
  for (Wide& value : values_) value = Wide(value.real(), complex ? value.imag() : 0) * scale;
}

template <class Real>
SampledError ExactSamples::compare(const Real* out) const {
  const LocalArray& sink =
      direction_ == Direction::forward ? transform_.spectral : transform_.physical;
  const Box& box = sink.box;
  // Squared difference, squared exact value; summed over the ranks that own the points.
  double sums[2] = {0, 0};
  double largest = 0;
  constexpr double infinity = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < samples_.size(); ++i) {
    const Sample& sample = samples_[i];
    bool mine = true;
    Index position = sink.offset;
    for (int axis = 0; axis < box.axes(); ++axis) {
      mine = mine && sample.at[axis] >= box.lower[axis] && sample.at[axis] < box.upper[axis];
      position += (sample.at[axis] - box.lower[axis]) * sink.strides[axis];
    }
    if (!mine) continue;
    if (transform_.batch > 1) position += sample.field * sink.strides[box.axes()];
    const Wide computed = element(out, position, sink.type.complex, stream_);
    const auto difference = static_cast<double>(std::abs(computed - values_[i]));
    sums[0] += difference * difference;
    sums[1] += static_cast<double>(std::norm(values_[i]));
    // NaN would vanish in a maximum.
    largest = std::max(largest, std::isnan(difference) ? infinity : difference);
  }
  check_mpi(MPI_Allreduce(MPI_IN_PLACE, sums, 2, MPI_DOUBLE, MPI_SUM, transform_.comm),
            "MPI_Allreduce");
  check_mpi(MPI_Allreduce(MPI_IN_PLACE, &largest, 1, MPI_DOUBLE, MPI_MAX, transform_.comm),
            "MPI_Allreduce");
  const double error = std::sqrt(sums[0]);
  return {sums[1] > 0 ? error / std::sqrt(sums[1]) : error, largest,
          static_cast<int>(samples_.size())};
}

SampledError ExactSamples::error_of(const std::byte* out) const {
  return transform_.physical.type.precision == Precision::f32
             ? compare(reinterpret_cast<const float*>(out))
             : compare(reinterpret_cast<const double*>(out));
}

}  // namespace weft
