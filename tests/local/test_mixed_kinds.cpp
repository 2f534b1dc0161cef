// Cosine and sine transforms along some axes and Fourier transforms along others.
#include <gtest/gtest.h>

#include "local/by_axes.hpp"
#include "local/real_backends.hpp"
#include "support/local_run.hpp"
#include "support/trials.hpp"

namespace weft {
namespace {

using test::LocalRun;
using test::Random;

class MixedKinds : public testing::TestWithParam<std::size_t> {
 protected:
  const LocalBackend& backend() const { return test::real_backends()[GetParam()]; }

  /// Whether a device takes these strides.
  bool is_possible(const LocalProblem& problem) const {
    const auto fourier = fourier_part(problem);
    return !fourier || backend().supports(*fourier);
  }
};

Kind random_real_kind(Random& random) {
  return test::real_kinds[random.below(8)];
}

/// Any mix of kinds, strides, orders and batches, with up to four transformed axes.
LocalRun random_mixed_run(Random& random) {
  LocalRun run;
  LocalProblem& problem = run.problem;
  const Index axes = 1 + random.below(4), batches = random.below(3);
  const Index longest = axes == 1 ? 40 : (axes == 2 ? 9 : 5);
  problem.direction = random.chance(50) ? Direction::forward : Direction::backward;
  problem.precision = random.chance(50) ? Precision::f32 : Precision::f64;
  problem.any_alignment = random.chance(50);
  problem.threads = 1 + static_cast<int>(random.below(2));
  const bool all_real = random.chance(40);
  for (Index axis = 0; axis < axes; ++axis) {
    problem.transform.push_back({2 + random.below(longest - 1), 1, 1});
    problem.kinds.push_back(all_real || random.chance(50) ? random_real_kind(random) : c2c);
  }
  if (all_real) {
    problem.real_data = random.chance(70);
  } else if (random.chance(50)) {
    problem.kinds[static_cast<int>(axes) - 1] = r2c;
  }
  // Several axes may go back to real numbers only if that may destroy the input.
  problem.preserve_input = random.chance(50) && !(problem.real() && problem.real_output());
  test::add_random_axes(problem.batch, batches, 9, random);
  test::set_random_strides(problem, random);
  if (!problem.real() && random.chance(30)) {
    problem.in_place = true;
    problem.preserve_input = false;
    for (LocalAxis& axis : problem.transform) axis.out_stride = axis.in_stride;
    for (LocalAxis& axis : problem.batch) axis.out_stride = axis.in_stride;
  }
  if (problem.any_alignment) {
    const std::size_t real = problem.precision == Precision::f32 ? 4 : 8;
    run.in_shift = real * static_cast<std::size_t>(random.below(8));
    run.out_shift = real * static_cast<std::size_t>(random.below(8));
  }
  return run;
}

TEST_P(MixedKinds, AnyStridesBatchesAndAlignments) {
  Random random(71);
  unsigned done = 0;
  const unsigned tried = test::trials(1500);
  for (unsigned trial = 0; trial < tried; ++trial) {
    LocalRun run = random_mixed_run(random);
    run.place_on(backend());
    if (!test::on_host(backend()) && !is_possible(run.problem)) continue;
    ++done;
    ASSERT_EQ(run.compare(backend(), find_local_backend("reference"), trial), "")
        << "trial " << trial;
  }
  EXPECT_GT(done, tried / 2);
}

/// As passes ask for them: planes of a tile, with a batch on either side.
TEST_P(MixedKinds, Planes) {
  for (const Direction direction : {Direction::forward, Direction::backward}) {
    for (const Kind last : {Kind::dst2, Kind::dct3, c2c, r2c}) {
      for (const bool preserve : {true, false}) {
        LocalRun run;
        LocalProblem& problem = run.problem;
        problem.transform = {{10, 40, 41}, {12, 1, 1}};
        problem.kinds = {Kind::dct2, last};
        problem.batch = {{3, 400, 410}, {2, 20, 20}};
        problem.real_data = last != c2c && last != r2c;
        problem.direction = direction;
        problem.preserve_input = preserve && !problem.real();
        run.place_on(backend());
        EXPECT_EQ(run.compare(backend(), find_local_backend("reference"), 3), "");
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, MixedKinds, test::every_real_backend(), test::real_backend_name);

}  // namespace
}  // namespace weft
