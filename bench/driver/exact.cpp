#include "driver/exact.hpp"

#include <cmath>
#include <complex>
#include <limits>

#include "kind/kind.hpp"
#include "verify/lines.hpp"
#include "verify/random.hpp"

#ifdef WEFT_BENCH_LONG_DOUBLE
#include <fftw3.h>
#endif

namespace weft::bench {

#ifdef WEFT_BENCH_LONG_DOUBLE

namespace {

using Wide = std::complex<long double>;

/// The random field that fill_random spreads over the ranks, rounded as there, all of it.
std::vector<Wide> whole_field(const TransformDescription& transform, std::uint64_t seed) {
  const Index points = product(transform.shape) * transform.batch;
  const ElementType type = transform.physical.type;
  std::vector<Wide> field(static_cast<std::size_t>(points));
  const auto value = [&](Index number) -> long double {
    const double full = random_value(static_cast<std::uint64_t>(number), seed);
    return type.precision == Precision::f32 ? static_cast<float>(full) : full;
  };
  for (Index i = 0; i < points; ++i) {
    field[static_cast<std::size_t>(i)] = {value(2 * i), type.complex ? value(2 * i + 1) : 0.0L};
  }
  return field;
}

/// Transforms the axes that are transformed, in place, all coefficients kept.
void transform_whole(const TransformDescription& transform, std::vector<Wide>& field) {
  std::vector<fftwl_iodim64> transformed, others;
  Index stride = 1;
  for (int axis = transform.shape.size() - 1; axis >= 0; --axis) {
    const fftwl_iodim64 dimension{transform.shape[axis], stride, stride};
    (traits(transform.kinds[axis]).transforms ? transformed : others).push_back(dimension);
    stride *= transform.shape[axis];
  }
  others.push_back({transform.batch, stride, stride});
  auto* data = reinterpret_cast<fftwl_complex*>(field.data());
  const fftwl_plan plan = fftwl_plan_guru64_dft(
      static_cast<int>(transformed.size()), transformed.data(), static_cast<int>(others.size()),
      others.data(), data, data, FFTW_FORWARD, FFTW_ESTIMATE);
  fftwl_execute(plan);
  fftwl_destroy_plan(plan);
}

template <class Real>
void add_squares(const TransformDescription& transform, const std::vector<Wide>& exact,
                 const Real* computed, double sums[2]) {
  const LocalArray& array = transform.spectral;
  const int last = transform.shape.size() - 1;
  for_each_line(array, transform.batch, [&](Index field, const Extents& start, Index position) {
    Index global = field;
    for (int axis = 0; axis <= last; ++axis) global = global * transform.shape[axis] + start[axis];
    for (Index i = 0; i < array.box.extent(last); ++i) {
      const Real* element = computed + 2 * (position + i * array.strides[last]);
      const Wide expected = exact[static_cast<std::size_t>(global + i)];
      sums[0] += static_cast<double>(std::norm(Wide(element[0], element[1]) - expected));
      sums[1] += static_cast<double>(std::norm(expected));
    }
  });
}

}  // namespace

double whole_error(const TransformDescription& transform, std::uint64_t seed,
                   const void* spectral) {
  std::vector<Wide> field = whole_field(transform, seed);
  transform_whole(transform, field);
  double sums[2] = {0, 0};
  if (transform.spectral.type.precision == Precision::f32) {
    add_squares(transform, field, static_cast<const float*>(spectral), sums);
  } else {
    add_squares(transform, field, static_cast<const double*>(spectral), sums);
  }
  MPI_Allreduce(MPI_IN_PLACE, sums, 2, MPI_DOUBLE, MPI_SUM, transform.comm);
  return std::sqrt(sums[0] / sums[1]);
}

#else

double whole_error(const TransformDescription&, std::uint64_t, const void*) {
  return std::numeric_limits<double>::quiet_NaN();
}

#endif

}  // namespace weft::bench
