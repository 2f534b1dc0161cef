#include "driver/exact.hpp"

#include <cmath>
#include <complex>

#include "kind/kind.hpp"
#include "verify/lines.hpp"
#include "verify/random.hpp"

#ifdef WEFT_BENCH_LONG_DOUBLE
#include "local/fftw_kinds.hpp"
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

/// Transforms the Fourier axes in place, all coefficients kept.
void transform_fourier_axes(const TransformDescription& transform, std::vector<Wide>& field) {
  std::vector<fftwl_iodim64> transformed, others;
  Index stride = 1;
  for (int axis = transform.shape.size() - 1; axis >= 0; --axis) {
    const Kind kind = transform.kinds[axis];
    const fftwl_iodim64 dimension{transform.shape[axis], stride, stride};
    (kind == Kind::c2c || kind == Kind::r2c ? transformed : others).push_back(dimension);
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

/// Transforms the axes of cosine and sine transforms in place, real and imaginary parts alike.
void transform_real_axes(const TransformDescription& transform, std::vector<Wide>& field) {
  std::vector<fftwl_iodim64> transformed, others;
  std::vector<fftwl_r2r_kind> kinds;
  Index stride = 2;
  for (int axis = transform.shape.size() - 1; axis >= 0; --axis) {
    const auto kind = fftw_r2r_kind_of(transform.kinds[axis], Direction::forward);
    const fftwl_iodim64 dimension{transform.shape[axis], stride, stride};
    (kind ? transformed : others).push_back(dimension);
    if (kind) kinds.push_back(*kind);
    stride *= transform.shape[axis];
  }
  if (transformed.empty()) return;
  others.push_back({2 * transform.batch, 1, 1});
  if (transform.batch > 1) {
    others.back() = {transform.batch, stride, stride};
    others.push_back({2, 1, 1});
  }
  auto* data = reinterpret_cast<long double*>(field.data());
  const fftwl_plan plan = fftwl_plan_guru64_r2r(
      static_cast<int>(transformed.size()), transformed.data(), static_cast<int>(others.size()),
      others.data(), data, data, kinds.data(), FFTW_ESTIMATE);
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
      const Index element = position + i * array.strides[last];
      const Wide value = array.type.complex ? Wide(computed[2 * element], computed[2 * element + 1])
                                            : Wide(computed[element]);
      const Wide expected = exact[static_cast<std::size_t>(global + i)];
      sums[0] += static_cast<double>(std::norm(value - expected));
      sums[1] += static_cast<double>(std::norm(expected));
    }
  });
}

}  // namespace

std::optional<double> whole_error(const TransformDescription& transform, std::uint64_t seed,
                                  const void* spectral) {
  std::vector<Wide> field = whole_field(transform, seed);
  transform_fourier_axes(transform, field);
  transform_real_axes(transform, field);
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

std::optional<double> whole_error(const TransformDescription&, std::uint64_t, const void*) {
  return std::nullopt;
}

#endif

}  // namespace weft::bench
