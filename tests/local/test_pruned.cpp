// Transforms of axes that exist in part: the first points, or the low modes.
#include <gtest/gtest.h>

#include <algorithm>
#include <complex>

#include "device/buffer.hpp"
#include "kind/definition.hpp"
#include "kind/kind.hpp"
#include "local/real_backends.hpp"
#include "support/heap_count.hpp"
#include "support/local_run.hpp"
#include "support/trials.hpp"

namespace weft {
namespace {

using test::LocalRun;
using test::Random;

class Pruned : public testing::TestWithParam<std::size_t> {
 protected:
  const LocalBackend& backend() const { return test::real_backends()[GetParam()]; }
  static const LocalBackend& reference() { return find_local_backend("reference"); }
};

/// Some number of the points of either side: one, all, or any.
void prune(LocalProblem& problem, Random& random) {
  for (int axis = 0; axis < problem.transform.size(); ++axis) {
    for (const bool input : {true, false}) {
      const Index whole = whole_points(problem, axis, input);
      const Index some = random.chance(20) ? 1 : 1 + random.below(whole);
      LocalAxis& given = problem.transform[axis];
      if (random.chance(60)) (input ? given.in_points : given.out_points) = some;
    }
  }
}

/// With strides for whichever side has more points.
void make_in_place(LocalProblem& problem, Random& random) {
  LocalProblem larger = problem;
  for (int axis = 0; axis < problem.transform.size(); ++axis) {
    const Index in = stored_points(problem, axis, true), out = stored_points(problem, axis, false);
    larger.transform[axis].in_points = std::max(in, out);
  }
  test::set_random_strides(larger, random);
  const auto same = [](LocalAxis& axis, const LocalAxis& as) {
    axis.in_stride = as.in_stride;
    axis.out_stride = as.in_stride;
  };
  for (int i = 0; i < larger.transform.size(); ++i) same(problem.transform[i], larger.transform[i]);
  for (int i = 0; i < larger.batch.size(); ++i) same(problem.batch[i], larger.batch[i]);
  problem.in_place = true;
  problem.preserve_input = false;
}

/// Any mix of kinds, strides, orders and batches, with up to three transformed axes.
LocalRun random_pruned_run(Random& random) {
  LocalRun run;
  LocalProblem& problem = run.problem;
  const Index axes = 1 + random.below(3), batches = random.below(4);
  const Index longest = axes == 1 ? 40 : (axes == 2 ? 12 : 7);
  problem.direction = random.chance(50) ? Direction::forward : Direction::backward;
  problem.precision = random.chance(50) ? Precision::f32 : Precision::f64;
  problem.preserve_input = random.chance(50);
  problem.orthogonal = random.chance(20);
  problem.any_alignment = random.chance(50);
  problem.threads = 1 + static_cast<int>(random.below(3));
  const bool all_real = random.chance(20), all_fourier = random.chance(40);
  for (Index axis = 0; axis < axes; ++axis) {
    const bool real_kind = all_real || (!all_fourier && random.chance(40));
    problem.transform.push_back({2 + random.below(longest - 1), 1, 1});
    problem.kinds.push_back(real_kind ? test::real_kinds[random.below(8)] : c2c);
  }
  if (all_real) {
    problem.real_data = random.chance(70);
  } else if (random.chance(50)) {
    problem.kinds[static_cast<int>(axes) - 1] = r2c;
  }
  for (Index axis = 0; axis < batches; ++axis) {
    problem.batch.push_back({1 + random.below(axis == 0 ? 20 : 4), 1, 1});
  }
  prune(problem, random);
  test::set_random_strides(problem, random);
  if (!problem.real() && random.chance(20)) make_in_place(problem, random);
  if (problem.any_alignment) {
    const std::size_t real = problem.precision == Precision::f32 ? 4 : 8;
    run.in_shift = real * static_cast<std::size_t>(random.below(8));
    run.out_shift = real * static_cast<std::size_t>(random.below(8));
  }
  return run;
}

TEST_P(Pruned, AnyPointsKindsStridesAndBatches) {
  Random random(81);
  unsigned done = 0;
  const unsigned tried = test::trials(3000);
  for (unsigned trial = 0; trial < tried; ++trial) {
    const LocalRun run = random_pruned_run(random);
    if (!is_pruned(run.problem)) continue;
    ++done;
    ASSERT_EQ(run.compare(backend(), reference(), trial), "") << "trial " << trial;
  }
  EXPECT_GT(done, tried / 2);
}

/// Lines of one axis with every number of points, contiguous and side by side.
TEST_P(Pruned, EveryNumberOfPoints) {
  for (const Kind kind : {c2c, r2c, Kind::dct2, Kind::dst1}) {
    for (const Index n : {8, 15}) {
      for (const Direction direction : {Direction::forward, Direction::backward}) {
        for (const bool contiguous : {true, false}) {
          LocalRun run;
          LocalProblem& problem = run.problem;
          constexpr Index lines = 19;
          problem.transform = {{n, contiguous ? 1 : lines, contiguous ? 1 : lines}};
          problem.kinds = {kind};
          problem.direction = direction;
          problem.real_data = kind != c2c && kind != r2c;
          problem.batch = {{lines, contiguous ? n : 1, contiguous ? n : 1}};
          for (Index in = 1; in <= whole_points(problem, 0, true); ++in) {
            for (Index out = 1; out <= whole_points(problem, 0, false); ++out) {
              problem.transform[0].in_points = in;
              problem.transform[0].out_points = out;
              ASSERT_EQ(run.compare(backend(), reference(), 3), "");
            }
          }
        }
      }
    }
  }
}

/// Many lines, so that there are groups of them, the last one smaller.
TEST_P(Pruned, PlanesInGroups) {
  for (const Direction direction : {Direction::forward, Direction::backward}) {
    for (const Kind last : {c2c, r2c, Kind::dct3}) {
      for (const int threads : {1, 3}) {
        LocalRun run;
        LocalProblem& problem = run.problem;
        const bool forward = direction == Direction::forward;
        const Index kept = last == r2c ? 9 : 21;
        const LocalAxis axis{30, 40, 41, forward ? 28 : 21, forward ? 21 : 28};
        const LocalAxis line{32, 1, 1, forward ? 30 : kept, forward ? kept : 30};
        problem.transform = {axis, line};
        problem.kinds = {c2c, last};
        problem.batch = {{5, 1300, 1400}};
        problem.direction = direction;
        problem.threads = threads;
        EXPECT_EQ(run.compare(backend(), reference(), 5), "");
        problem.transform = {{axis.length, 40 * 19, 41 * 19, axis.in_points, axis.out_points},
                             {line.length, 19, 19, line.in_points, line.out_points}};
        problem.batch = {{19, 1, 1}};
        EXPECT_EQ(run.compare(backend(), reference(), 6), "");
      }
    }
  }
}

TEST_P(Pruned, ExecutionAllocatesNothing) {
  if (backend().name == std::string("lowered_reference")) return;
  for (const Kind kind : {c2c, Kind::dct2}) {
    LocalProblem problem;
    problem.transform = {{30, 40, 40, 20, 7}, {40, 1, 1, 30, 9}};
    problem.kinds = {c2c, kind};
    problem.batch = {{3, 1200, 1200}};
    const auto transform = make_local(backend(), problem);
    const std::vector<std::complex<double>> in(3600);
    std::vector<std::complex<double>> out(3600);
    const Buffer work(transform->work_bytes());
    const auto run = [&] {
      transform->execute(reinterpret_cast<const std::byte*>(in.data()),
                         reinterpret_cast<std::byte*>(out.data()), work.data());
    };
    run();  // libraries may set up memory of their own
    test::reset_heap_count();
    run();
    EXPECT_EQ(test::heap_count().allocations, 0) << to_string(kind);
  }
}

INSTANTIATE_TEST_SUITE_P(All, Pruned, test::every_real_backend_of_the_host(),
                         test::real_backend_name);

/// The reference that others are compared with, against sums of its own input.
TEST(PrunedReference, AddsUpTheDefinition) {
  for (const KindTraits& row : kind_table()) {
    const Kind kind = row.kind;
    if (kind == none) continue;
    for (const Direction direction : {Direction::forward, Direction::backward}) {
      for (const Index n : {6, 7}) {
        const bool forward = direction == Direction::forward;
        LocalProblem problem;
        problem.kinds = {kind};
        problem.direction = direction;
        for (Index physical = 1; physical <= n; ++physical) {
          for (Index kept = 1; kept <= row.output_length(n); ++kept) {
            const Index in_points = forward ? physical : kept;
            const Index out_points = forward ? kept : physical;
            problem.transform = {{n, 1, 1, in_points, out_points}};
            std::vector<double> in, out(static_cast<std::size_t>(2 * out_points));
            for (Index i = 0; i < 2 * in_points; ++i) in.push_back(static_cast<double>(i * i % 7));
            test::execute(*find_local_backend("reference").make(problem), in, out);
            for (Index k = 0; k < out_points; ++k) {
              const auto place = [&](Index i, bool spectral) {
                return spectral ? coefficient_index(kind, i, n, kept) : i;
              };
              std::complex<long double> sum = 0;
              for (Index j = 0; j < in_points; ++j) {
                const auto at = static_cast<std::size_t>(j);
                const std::complex<long double> value =
                    problem.real_input() ? std::complex<long double>(in[at])
                                         : std::complex<long double>(in[2 * at], in[2 * at + 1]);
                sum += value *
                       definition_factor(kind, direction, place(j, !forward), place(k, forward), n);
              }
              const auto at = static_cast<std::size_t>(k);
              if (problem.real_output()) {
                EXPECT_NEAR(out[at], static_cast<double>(sum.real()), 1e-13);
              } else {
                EXPECT_NEAR(out[2 * at], static_cast<double>(sum.real()), 1e-13);
                EXPECT_NEAR(out[2 * at + 1], static_cast<double>(sum.imag()), 1e-13);
              }
            }
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace weft
