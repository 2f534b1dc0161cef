// The cases of mpi4py-fft's test of its parallel transforms: shapes of even and odd lengths, groups
// of axes, slabs and pencils, with and without padding by 3/2, real and complex, in both
// precisions; here against the exact transform. Each number of ranks takes its share of the cases.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "support/pencils.hpp"
#include "weft/verify.hpp"

namespace weft::test {
namespace {

std::vector<Extents> shapes() {
  std::vector<Extents> result;
  for (const int axes : {2, 3}) {
    for (int number = 0; number < 1 << axes; ++number) {
      Extents shape;
      for (int axis = 0; axis < axes; ++axis) shape.push_back(number >> axis & 1 ? 23 : 14);
      result.push_back(shape);
    }
  }
  result.push_back({14, 14, 14, 14});
  result.push_back({14, 23, 14, 23});
  return result;
}

/// As mpi4py-fft numbers them: negative ones from the end; the last one is transformed first.
const std::vector<std::vector<int>> groups{{}, {-1}, {-2}, {-1, -2}, {-2, -1}, {-1, 0}, {0, -1}};

Problem problem_of(const Extents& shape, const std::vector<int>& group, bool real, bool padded) {
  const int axes = shape.size();
  std::vector<int> transformed;
  for (int axis : group) transformed.push_back(axis < 0 ? axes + axis : axis);
  for (int axis = 0; group.empty() && axis < axes; ++axis) transformed.push_back(axis);
  Problem problem;
  problem.shape = shape;
  auto kinds = Axes<Kind>::filled(axes, none);
  for (int axis : transformed) {
    kinds[axis] = c2c;
    if (padded) problem.shape[axis] = shape[axis] * 3 / 2;
  }
  if (real) kinds[transformed.back()] = r2c;
  if (padded) problem.modes = shape;
  problem.kinds = kinds;
  problem.input = pencil_along(transformed.back());
  problem.output = pencil_along(transformed.front());
  return problem;
}

/// Every rank transforms the whole array itself if it is no larger; otherwise points are sampled.
constexpr Index most_points = 8000;

/// The larger of both directions' errors, over their bounds.
double error_of(Plan& plan) {
  double worst = 0;
  for (const Direction direction : both) {
    double error = 0;
    if (product(plan.info().shape) <= most_points) {
      error = run_error(plan, direction);
    } else {
      const Bytes in = given_bytes(plan, direction, 1);
      Bytes out = poisoned(sink_of(plan, direction));
      execute(plan, direction, in.data(), out.data());
      error = sampled_error(plan, direction, in.data(), out.data()).relative_l2;
    }
    worst = std::isnan(error) ? error : std::max(worst, error / error_bound(plan));
  }
  return worst;
}

TEST(AxesAndPadding, AgreeWithExactTransform) {
  int number = 0;
  for (const Extents& shape : shapes()) {
    for (const auto& group : groups) {
      for (const bool real : {false, true}) {
        for (const bool padded : {false, true}) {
          for (const Algorithm algorithm : {Algorithm::slab, Algorithm::pencil}) {
            if (++number % 7 != world_size() % 7) continue;
            Problem problem = problem_of(shape, group, real, padded);
            problem.precision = number % 2 == 0 ? Precision::f32 : Precision::f64;
            Options options;
            options.algorithm = algorithm;
            options.threads = 1;
            Plan plan(MPI_COMM_WORLD, problem, options);
            EXPECT_LE(error_of(plan), 1) << plan.describe();
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace weft::test
