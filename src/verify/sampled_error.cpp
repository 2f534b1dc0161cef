#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <vector>

#include "exchange/agreement.hpp"
#include "kind/definition.hpp"
#include "kind/kind.hpp"
#include "kind/modes.hpp"
#include "schedule/option_table.hpp"
#include "verify/random.hpp"
#include "weft/verify.hpp"

namespace weft {

namespace {

using Wide = std::complex<long double>;

/// One point of the result.
struct Sample {
  Extents at;
  Index field = 0;
};

/// The share of one rank in the exact value of a sample: a sum over its part of the input.
template <class Real>
class DirectSum {
 public:
  DirectSum(const TransformDescription& transform, Direction direction, const Sample& sample,
            const LocalArray& array, const Real* data)
      : array_(array), data_(data), sample_(sample) {
    const Box& box = array.box;
    const Extents spectral = transform.spectral_shape();
    for (int axis = 0; axis < box.axes(); ++axis) {
      const Kind kind = transform.kinds[axis];
      const Index n = transform.shape[axis];
      const auto number = [&](Index i, bool in_spectrum) {
        return in_spectrum ? coefficient_index(kind, i, n, spectral[axis]) : i;
      };
      const bool backward = direction == Direction::backward;
      const Index at = number(sample.at[axis], !backward);
      auto& factors = factors_.emplace_back();
      transformed_.push_back(traits(kind).transforms);
      for (Index i = box.lower[axis]; i < box.upper[axis]; ++i) {
        factors.push_back(
            definition_factor(kind, direction, number(i, backward), at, n, transform.orthogonal));
      }
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

template <class Real>
SampledError measure(const TransformDescription& transform, Direction direction, const Real* in,
                     const Real* out, int count, std::uint64_t seed) {
  const bool forward = direction == Direction::forward;
  const LocalArray& source = forward ? transform.physical : transform.spectral;
  const LocalArray& sink = forward ? transform.spectral : transform.physical;
  const Extents shape = forward ? transform.spectral_shape() : transform.physical_shape();
  const auto samples = choose_samples(shape, transform.batch, count, seed);
  std::vector<long double> exact(2 * samples.size());
#pragma omp parallel for num_threads(transform.threads) schedule(dynamic)
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const Wide value = DirectSum<Real>(transform, direction, samples[i], source, in).value();
    exact[2 * i] = value.real();
    exact[2 * i + 1] = sink.type.complex ? value.imag() : 0;
  }
  check_mpi(MPI_Allreduce(MPI_IN_PLACE, exact.data(), static_cast<int>(exact.size()),
                          MPI_LONG_DOUBLE, MPI_SUM, transform.comm),
            "MPI_Allreduce");
  const long double scale =
      scale_factor(transform.norm, direction, logical_points(transform.shape, transform.kinds));
  // Squared difference, squared exact value; summed over the ranks that own the points.
  double sums[2] = {0, 0};
  double largest = 0;
  constexpr double infinity = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const Sample& sample = samples[i];
    bool mine = true;
    Index position = sink.offset;
    for (int axis = 0; axis < shape.size(); ++axis) {
      mine =
          mine && sample.at[axis] >= sink.box.lower[axis] && sample.at[axis] < sink.box.upper[axis];
      position += (sample.at[axis] - sink.box.lower[axis]) * sink.strides[axis];
    }
    if (!mine) continue;
    if (transform.batch > 1) position += sample.field * sink.strides[shape.size()];
    const Wide value = Wide(exact[2 * i], exact[2 * i + 1]) * scale;
    const Wide computed =
        sink.type.complex ? Wide(out[2 * position], out[2 * position + 1]) : Wide(out[position]);
    const auto difference = static_cast<double>(std::abs(computed - value));
    sums[0] += difference * difference;
    sums[1] += static_cast<double>(std::norm(value));
    // NaN would vanish in a maximum.
    largest = std::max(largest, std::isnan(difference) ? infinity : difference);
  }
  check_mpi(MPI_Allreduce(MPI_IN_PLACE, sums, 2, MPI_DOUBLE, MPI_SUM, transform.comm),
            "MPI_Allreduce");
  check_mpi(MPI_Allreduce(MPI_IN_PLACE, &largest, 1, MPI_DOUBLE, MPI_MAX, transform.comm),
            "MPI_Allreduce");
  const double error = std::sqrt(sums[0]);
  return {sums[1] > 0 ? error / std::sqrt(sums[1]) : error, largest, count};
}

}  // namespace

Extents TransformDescription::spectral_shape() const {
  return weft::spectral_shape(shape, kinds, modes);
}

SampledError sampled_error(const TransformDescription& transform, Direction direction,
                           const void* in, const void* out, int samples, std::uint64_t seed) {
  collectively(Communicator::duplicate(transform.comm), [&] {
    if (samples < 1) throw Error("samples " + std::to_string(samples) + ": must be positive");
    if (transform.threads < 1 || transform.threads > most_threads) {
      throw Error("threads " + std::to_string(transform.threads) + ": must be between 1 and " +
                  std::to_string(most_threads));
    }
  });
  if (transform.physical.type.precision == Precision::f32) {
    return measure(transform, direction, static_cast<const float*>(in),
                   static_cast<const float*>(out), samples, seed);
  }
  return measure(transform, direction, static_cast<const double*>(in),
                 static_cast<const double*>(out), samples, seed);
}

TransformDescription description(const Plan& plan) {
  return {plan.info().shape,        plan.info().kinds,   plan.info().norm,
          plan.info().batch,        plan.input(),        plan.output(),
          plan.communicator(),      plan.info().threads, plan.info().orthogonal,
          plan.info().input_points, plan.info().modes};
}

double rounding_error_bound(Precision precision, Index points) {
  const double epsilon = precision == Precision::f32 ? std::numeric_limits<float>::epsilon()
                                                     : std::numeric_limits<double>::epsilon();
  return 5 * epsilon * std::log2(static_cast<double>(std::max<Index>(points, 2)));
}

}  // namespace weft
