#include "driver/checks.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>

#include "driver/exact.hpp"
#include "geometry/distribution.hpp"
#include "kind/kind.hpp"
#include "layouts.hpp"
#include "verify/lines.hpp"
#include "verify/random.hpp"

namespace weft::bench {

namespace {

/// Calls visit(element index in reals, global start, offset in the line) for all owned elements.
template <class Visit>
void for_each_element(const LocalArray& array, Index batch, const Visit& visit) {
  const int last = array.box.axes() - 1;
  const Index parts = array.type.complex ? 2 : 1;
  for_each_line(array, batch, [&](Index, const Extents& start, Index position) {
    for (Index i = 0; i < array.box.extent(last); ++i) {
      visit((position + i * array.strides[last]) * parts, start, i);
    }
  });
}

void add_over_ranks(double* values, int count, MPI_Comm comm) {
  MPI_Allreduce(MPI_IN_PLACE, values, count, MPI_DOUBLE, MPI_SUM, comm);
}

template <class Real>
Index count_poison(const TransformDescription& transform, const Real* data) {
  const Index parts = transform.spectral.type.complex ? 2 : 1;
  Real poison;
  std::memset(&poison, 0xff, sizeof poison);
  Index count = 0;
  for_each_element(transform.spectral, transform.batch, [&](Index at, const Extents&, Index) {
    for (Index part = 0; part < parts; ++part) {
      // NOLINTNEXTLINE(bugprone-suspicious-memory-comparison): poison, a NaN, equals nothing
      if (std::memcmp(&data[at + part], &poison, sizeof poison) == 0) {
        ++count;
        break;
      }
    }
  });
  MPI_Allreduce(MPI_IN_PLACE, &count, 1, MPI_INT64_T, MPI_SUM, transform.comm);
  return count;
}

/// Sum of squares of the field against that of its coefficients. Coefficients of a halved axis
/// stand for two, but for those at its ends.
template <class Real>
double parseval_error(const TransformDescription& transform, const Real* physical,
                      const Real* spectral) {
  const int halved = halved_axis(transform.kinds);
  const int last = transform.shape.size() - 1;
  // In double the rounding of the sum itself would exceed the error that is looked for.
  const auto square = [](Real value) { return static_cast<long double>(value) * value; };
  long double sums[2] = {0, 0};
  const Index parts = transform.physical.type.complex ? 2 : 1;
  for_each_element(transform.physical, transform.batch, [&](Index at, const Extents&, Index) {
    for (Index part = 0; part < parts; ++part) sums[0] += square(physical[at + part]);
  });
  for_each_element(transform.spectral, transform.batch,
                   [&](Index at, const Extents& start, Index i) {
                     int weight = 1;
                     if (halved >= 0) {
                       const Index k = start[halved] + (halved == last ? i : 0);
                       weight = k == 0 || 2 * k == transform.shape[halved] ? 1 : 2;
                     }
                     sums[1] += weight * (square(spectral[at]) + square(spectral[at + 1]));
                   });
  MPI_Allreduce(MPI_IN_PLACE, sums, 2, MPI_LONG_DOUBLE, MPI_SUM, transform.comm);
  const auto points = static_cast<long double>(logical_points(transform.shape, transform.kinds));
  return static_cast<double>(std::abs(sums[1] / points / sums[0] - 1));
}

/// Against the random field, made anew.
template <class Real>
void compare_with_field(Transform& transform, Checks& checks) {
  const TransformDescription layout = transform.layout();
  const LocalArray& array = layout.physical;
  std::vector<Real> expected(bytes_of(array) / sizeof(Real));
  fill_random(array, layout.shape, layout.batch, random_seed, expected.data());
  const auto* computed = static_cast<const Real*>(transform.physical());
  const double scale = transform.unscaled()
                           ? 1 / static_cast<double>(logical_points(layout.shape, layout.kinds))
                           : 1;
  const Index parts = array.type.complex ? 2 : 1;
  double sums[2] = {0, 0};
  double largest = 0;
  for_each_element(array, layout.batch, [&](Index at, const Extents&, Index) {
    for (Index i = at; i < at + parts; ++i) {
      const double wanted = expected[static_cast<std::size_t>(i)];
      const double difference = std::abs(scale * computed[i] - wanted);
      sums[0] += difference * difference;
      sums[1] += wanted * wanted;
      // NaN would vanish in a maximum.
      largest = std::isnan(difference) ? std::numeric_limits<double>::infinity()
                                       : std::max(largest, difference);
    }
  });
  add_over_ranks(sums, 2, layout.comm);
  MPI_Allreduce(MPI_IN_PLACE, &largest, 1, MPI_DOUBLE, MPI_MAX, layout.comm);
  checks.roundtrip_error = std::sqrt(sums[0] / sums[1]);
  checks.roundtrip_error_max = largest;
}

/// After a transform, for that is when libraries know what they have compressed.
void set_bounds(const Transform& transform, Checks& checks) {
  const TransformDescription layout = transform.layout();
  checks.promised_error = transform.promised_error();
  checks.error_bound =
      checks.promised_error + rounding_error_bound(layout.physical.type.precision,
                                                   transformed_points(layout.shape, layout.kinds));
}

template <class Real>
Checks check_pair_of(Transform& transform, Thoroughness thoroughness) {
  const TransformDescription layout = transform.layout();
  Checks checks;
  const bool in_place = transform.physical() == transform.spectral();
  if (!in_place) std::memset(transform.spectral(), 0xff, bytes_of(layout.spectral));
  fill(transform);
  std::vector<Real> input(bytes_of(layout.physical) / sizeof(Real));
  if (!input.empty()) {
    std::memcpy(input.data(), transform.physical(), input.size() * sizeof(Real));
  }
  if (!in_place) transform.upload(Direction::backward);  // the poison
  transform.forward();
  set_bounds(transform, checks);
  transform.download(Direction::forward);
  const auto* spectral = static_cast<const Real*>(transform.spectral());
  if (!in_place) checks.unwritten = count_poison(layout, spectral);
  if (layout.spectral.type.complex) {
    checks.parseval_error = parseval_error(layout, input.data(), spectral);
  }
  const bool full = thoroughness == Thoroughness::full;
  // A few points tell a right result from a wrong one, but not by how much a compressed one errs.
  const int samples = full || checks.promised_error > 0 ? 32 : 2;
  const SampledError error =
      sampled_error(layout, Direction::forward, input.data(), spectral, samples);
  checks.forward_error = error.relative_l2;
  checks.forward_error_max = error.largest;
  if (full && product(layout.shape) * layout.batch <= exact_limit) {
    checks.whole_error = whole_error(layout, random_seed, spectral);
  }
  if (!in_place) {
    std::memset(transform.physical(), 0xff, bytes_of(layout.physical));
    transform.upload(Direction::forward);
  }
  transform.backward();
  transform.download(Direction::backward);
  compare_with_field<Real>(transform, checks);
  return checks;
}

std::optional<Extents> parts_of(const std::vector<Box>& boxes) {
  Extents parts;
  Index present = 0, grid = 1;
  for (const Box& box : boxes) present += box.empty() ? 0 : 1;
  for (int axis = 0; axis < boxes[0].axes(); ++axis) {
    std::vector<Index> starts;
    for (const Box& box : boxes) {
      if (!box.empty()) starts.push_back(box.lower[axis]);
    }
    std::sort(starts.begin(), starts.end());
    starts.erase(std::unique(starts.begin(), starts.end()), starts.end());
    parts.push_back(static_cast<Index>(starts.size()));
    grid *= parts.back();
  }
  if (grid != present) return std::nullopt;
  return parts;
}

std::vector<Box> gather_boxes(const Box& mine, MPI_Comm comm) {
  int ranks = 1;
  MPI_Comm_size(comm, &ranks);
  const int axes = mine.axes();
  std::vector<Index> own, all(static_cast<std::size_t>(2 * axes * ranks));
  own.insert(own.end(), mine.lower.begin(), mine.lower.end());
  own.insert(own.end(), mine.upper.begin(), mine.upper.end());
  MPI_Allgather(own.data(), 2 * axes, MPI_INT64_T, all.data(), 2 * axes, MPI_INT64_T, comm);
  std::vector<Box> boxes(static_cast<std::size_t>(ranks));
  auto next = all.begin();
  for (Box& box : boxes) {
    for (int axis = 0; axis < axes; ++axis) box.lower.push_back(*next++);
    for (int axis = 0; axis < axes; ++axis) box.upper.push_back(*next++);
  }
  return boxes;
}

AxisList order_of(const LocalArray& array) {
  AxisList order;
  for (int axis = 0; axis < array.box.axes(); ++axis) order.push_back(axis);
  std::stable_sort(order.begin(), order.end(),
                   [&](int a, int b) { return array.strides[a] > array.strides[b]; });
  return order;
}

std::optional<Extents> checked_parts(const LocalArray& array, const Extents& shape,
                                     const std::string& asked, const char* name, MPI_Comm comm) {
  const std::vector<Box> boxes = gather_boxes(array.box, comm);
  check_tiling(boxes, shape);
  const std::optional<Extents> parts = parts_of(boxes);
  if (parts && !conforms(asked, *parts)) {
    throw Error(std::string(name) + " layout has " + to_string(*parts) +
                " parts, which is not the " + asked + " that was asked for");
  }
  return parts;
}

std::string above(const char* name, double value, double bound) {
  char text[160];
  std::snprintf(text, sizeof text, "%s error %.2g is above the bound %.2g", name, value, bound);
  return text;
}

}  // namespace

std::vector<std::string> Checks::failures() const {
  std::vector<std::string> all;
  if (unwritten > 0) {
    all.push_back(std::to_string(unwritten) + " elements of the output were not written");
  }
  const auto check = [&](const char* name, double value, double bound) {
    if (!(value <= bound)) all.push_back(above(name, value, bound));  // NaN is caught
  };
  // Where what was promised is just kept, a sample may lie above it.
  check("forward", forward_error, error_bound + promised_error);
  if (whole_error) check("whole forward", *whole_error, error_bound);
  // |X + e|^2 differs from |X|^2 by up to 2 |e| / |X|.
  if (parseval_error) check("Parseval", *parseval_error, 2 * error_bound);
  check("round trip", roundtrip_error, 2 * error_bound);
  return all;
}

void fill(Transform& transform) {
  const TransformDescription layout = transform.layout();
  fill_random(layout.physical, layout.shape, layout.batch, random_seed, transform.physical());
  transform.upload(Direction::forward);
}

Checks check_pair(Transform& transform, Thoroughness thoroughness) {
  return transform.layout().physical.type.precision == Precision::f32
             ? check_pair_of<float>(transform, thoroughness)
             : check_pair_of<double>(transform, thoroughness);
}

Checks check_roundtrip(Transform& transform) {
  const TransformDescription layout = transform.layout();
  Checks checks;
  set_bounds(transform, checks);
  transform.download(Direction::backward);
  if (layout.physical.type.precision == Precision::f32) {
    compare_with_field<float>(transform, checks);
  } else {
    compare_with_field<double>(transform, checks);
  }
  return checks;
}

LayoutFigures check_layout(const Case& problem, const TransformDescription& transform) {
  const Extents spectral = spectral_shape(problem);
  return {checked_parts(transform.physical, problem.shape, problem.in, "input", problem.comm),
          checked_parts(transform.spectral, spectral, problem.out, "output", problem.comm),
          order_of(transform.physical), order_of(transform.spectral)};
}

}  // namespace weft::bench
