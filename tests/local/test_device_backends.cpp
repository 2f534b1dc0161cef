// What backends of devices ask of their callers, and what they leave behind.
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "kind/kind.hpp"
#include "local/real_backends.hpp"
#include "support/device_run.hpp"
#include "support/local_run.hpp"
#include "support/same_error.hpp"
#include "support/trials.hpp"

namespace weft {
namespace {

using test::error_text;
using test::LocalRun;

class DeviceBackend : public testing::TestWithParam<std::string> {
 protected:
  const LocalBackend& backend() const { return test::backend_named(GetParam()); }
  const test::OpenDevice& open() const { return test::open_device(backend().device); }

  /// On the device.
  LocalProblem placed(LocalProblem problem) const {
    problem.stream = open().stream.get();
    return problem;
  }
  /// Lines of 6 points, halved.
  LocalProblem real_lines(Direction direction) const {
    LocalProblem problem;
    problem.transform = {{6, 1, 1}};
    problem.kinds = {r2c};
    problem.batch = {{4, 10, 10}};
    problem.direction = direction;
    problem.preserve_input = false;
    return placed(problem);
  }
};

TEST_P(DeviceBackend, NeedsADevice) {
  LocalProblem problem;
  problem.transform = {{6, 1, 1}};
  problem.kinds = {c2c};
  EXPECT_FALSE(backend().supports(problem));
  EXPECT_TRUE(backend().supports(placed(problem)));
}

TEST_P(DeviceBackend, LeavesToCallersWhatTheyCanGatherFirst) {
  LocalProblem forward = real_lines(Direction::forward);
  forward.preserve_input = true;
  EXPECT_TRUE(backend().supports(forward));
  forward.any_alignment = true;
  EXPECT_FALSE(backend().supports(forward));
  LocalProblem backward = real_lines(Direction::backward);
  EXPECT_TRUE(backend().supports(backward));
  LocalProblem padded = backward;
  padded.batch[0].out_stride = 8;
  EXPECT_FALSE(backend().supports(padded));
  backward.preserve_input = true;
  EXPECT_FALSE(backend().supports(backward));
}

TEST_P(DeviceBackend, RefusesWhatNoStepsAreFor) {
  LocalProblem pruned = real_lines(Direction::backward);
  pruned.transform = {{5, 12, 12, 3, 5}, {6, 1, 1}};
  pruned.kinds = {c2c, r2c};
  EXPECT_EQ(error_text([&] { make_local(backend(), pruned); }),
            "local backend '" + std::string(backend().name) + "' cannot do this transform");
}

TEST_P(DeviceBackend, RefusesUnalignedData) {
  const auto transform = backend().make(real_lines(Direction::forward));
  const Buffer in(*open().device, 1024), out(*open().device, 1024);
  const Buffer work(*open().device, transform->work_bytes());
  EXPECT_EQ(error_text([&] { transform->execute(in.data() + 8, out.data(), work.data()); }),
            "data that a device transforms must be aligned to 16 bytes");
}

/// Every choice of axes of an array with gaps, the axes of the input in the order of the output or
/// turned round.
TEST_P(DeviceBackend, AxesOfArrays) {
  constexpr Index strides[] = {160, 20, 1};
  for (const int turn : {0, 1, 2}) {
    for (unsigned chosen = 1; chosen < 8; ++chosen) {
      for (const Kind last : {c2c, r2c}) {
        LocalRun run;
        LocalProblem& problem = run.problem;
        for (int i = 0; i < 3; ++i) {
          const LocalAxis axis{6, strides[(i + turn) % 3], strides[i]};
          ((chosen >> i & 1U) != 0 ? problem.transform : problem.batch).push_back(axis);
        }
        problem.kinds = Axes<Kind>::filled(problem.transform.size(), c2c);
        problem.kinds[problem.kinds.size() - 1] = last;
        for (const Direction direction : {Direction::forward, Direction::backward}) {
          for (const Precision precision : {Precision::f32, Precision::f64}) {
            problem.direction = direction;
            problem.precision = precision;
            run.place_on(backend());
            ASSERT_TRUE(backend().supports(problem)) << test::describe(problem);
            ASSERT_EQ(run.compare(backend(), find_local_backend("reference"), chosen), "");
          }
        }
      }
    }
  }
}

/// In one step and in several, the last of which scales.
TEST_P(DeviceBackend, ScaledResults) {
  EXPECT_TRUE(backend().scales);
  constexpr Index strides[] = {160, 20, 1};
  for (unsigned chosen = 1; chosen < 8; ++chosen) {
    for (const Kind last : {c2c, r2c}) {
      for (const Direction direction : {Direction::forward, Direction::backward}) {
        LocalRun run;
        LocalProblem& problem = run.problem;
        for (unsigned i = 0; i < 3; ++i) {
          const LocalAxis axis{6, strides[(i + chosen) % 3], strides[i]};
          ((chosen >> i & 1U) != 0 ? problem.transform : problem.batch).push_back(axis);
        }
        problem.kinds = Axes<Kind>::filled(problem.transform.size(), c2c);
        problem.kinds[problem.kinds.size() - 1] = last;
        problem.direction = direction;
        for (const Precision precision : {Precision::f32, Precision::f64}) {
          problem.precision = precision;
          problem.scale = 1 / static_cast<double>(test::points(problem));
          run.place_on(backend());
          ASSERT_EQ(run.compare(backend(), find_local_backend("reference"), chosen), "");
        }
      }
    }
  }
}

/// Also of lines of one real number, which are copied.
TEST_P(DeviceBackend, ScaledRandomProblems) {
  test::Random random(63);
  int done = 0;
  for (unsigned trial = 0; trial < 60; ++trial) {
    LocalRun run;
    LocalProblem& problem = run.problem;
    const Index axes = 1 + random.below(3), batches = random.below(3);
    test::add_random_axes(problem.transform, axes, 5, random);
    problem.kinds = Axes<Kind>::filled(problem.transform.size(), c2c);
    if (random.chance(50)) problem.kinds[problem.kinds.size() - 1] = r2c;
    test::add_random_axes(problem.batch, batches, 5, random);
    problem.direction = random.chance(50) ? Direction::forward : Direction::backward;
    test::set_random_strides(problem, random);
    problem.precision = random.chance(50) ? Precision::f32 : Precision::f64;
    problem.scale = random.chance(50) ? -0.3 : 1e-7;
    run.place_on(backend());
    if (!backend().supports(problem)) continue;
    ++done;
    ASSERT_EQ(run.compare(backend(), find_local_backend("reference"), trial), "");
  }
  EXPECT_GT(done, 30);
}

/// Of a size at which libraries need memory to work in.
TEST_P(DeviceBackend, LargeTransforms) {
  for (const Kind last : {c2c, r2c}) {
    for (const Direction direction : {Direction::forward, Direction::backward}) {
      LocalRun run;
      run.problem.direction = direction;
      run.problem.transform = {{96, 70, 70}, {61, 1, 1}};
      run.problem.kinds = {c2c, last};
      run.problem.batch = {{2, 6800, 6800}};
      run.place_on(backend());
      for (const double scale : {1.0, 0.1}) {
        run.problem.scale = scale;
        EXPECT_EQ(run.compare(backend(), find_local_backend("reference"), 7), "");
      }
      run.problem.kinds = {last};
      run.problem.batch = {};
      for (const Index n : {1 << 18, 100003}) {
        run.problem.transform = {{n, 1, 1}};
        for (const double scale : {1.0, 0.1}) {
          run.problem.scale = scale;
          EXPECT_EQ(run.compare(backend(), find_local_backend("fftw"), 7), "");
        }
      }
    }
  }
}

/// So that no test passes with callers that take a GPU's library for FFTW.
TEST(EmulatedBackend, SpoilsTheInputOfRealResults) {
  const test::OpenDevice& open = test::open_device("emulated");
  LocalProblem problem;
  problem.transform = {{6, 1, 1}};
  problem.kinds = {r2c};
  problem.direction = Direction::backward;
  problem.preserve_input = false;
  problem.stream = open.stream.get();
  alignas(16) std::array<double, 8> in{1, 0, 1, 0, 1, 0, 1, 0};
  alignas(16) std::array<double, 6> out{};
  const auto transform = find_local_backend("emulated", "emulated").make(problem);
  test::execute_on(
      *problem.stream, *transform,
      {std::as_writable_bytes(std::span(in)), 0, std::as_writable_bytes(std::span(out)), 0});
  EXPECT_DOUBLE_EQ(out[0], 6);
  for (double value : in) EXPECT_TRUE(std::isnan(value));
}

/// Cosine and sine transforms along an axis, of which there may be a part: of real and of complex
/// numbers at any address, some lines at a time.
TEST_P(DeviceBackend, CosineAndSineTransforms) {
  test::Random random(91);
  const unsigned tried = test::trials(2000);
  for (unsigned trial = 0; trial < tried; ++trial) {
    LocalRun run;
    LocalProblem& problem = run.problem;
    const Index n = 1 + random.below(30);
    problem.kinds = {test::real_kinds[random.below(8)]};
    problem.transform = {{std::max(n, traits(problem.kinds[0]).least_length), 1, 1}};
    for (Index axis = random.below(4); axis > 0; --axis) {
      problem.batch.push_back({1 + random.below(axis == 1 ? 40 : 6), 1, 1});
    }
    problem.direction = random.chance(50) ? Direction::forward : Direction::backward;
    problem.precision = random.chance(50) ? Precision::f32 : Precision::f64;
    problem.real_data = random.chance(60);
    problem.orthogonal = random.chance(30);
    problem.scale = random.chance(30) ? -0.3 : 1;
    LocalAxis& axis = problem.transform[0];
    if (random.chance(40)) axis.in_points = 1 + random.below(axis.length);
    if (random.chance(40)) axis.out_points = 1 + random.below(axis.length);
    test::set_random_strides(problem, random);
    constexpr Index most[] = {1, 300, 4000};
    if (random.chance(60)) problem.most_work_bytes = most[random.below(3)];
    run.place_on(backend());
    const std::size_t real = problem.precision == Precision::f32 ? 4 : 8;
    if (random.chance(30)) run.in_shift += real * static_cast<std::size_t>(random.below(4));
    if (random.chance(30)) run.out_shift += real * static_cast<std::size_t>(random.below(4));
    ASSERT_EQ(run.compare(backend(), find_local_backend("reference"), trial), "")
        << "trial " << trial;
  }
}

/// Memory to work in stays bounded, if there are more lines than fit.
TEST_P(DeviceBackend, WorksOnSomeLinesAtATime) {
  LocalProblem problem;
  problem.transform = {{16, 1, 1}};
  problem.kinds = {Kind::dct2};
  problem.real_data = true;
  problem.batch = {{1000, 16, 16}};
  problem = placed(problem);
  problem.most_work_bytes = 10000;
  EXPECT_LE(make_local(backend(), problem)->work_bytes(), 20000U);
}

TEST_P(DeviceBackend, RefusesCosineTransformsOfTooManyPoints) {
  LocalProblem problem;
  problem.transform = {{Index{1} << 30, 1, 1}};
  problem.kinds = {Kind::dct2};
  problem.real_data = true;
  EXPECT_EQ(error_text([&] { make_local(backend(), placed(problem)); }),
            "a cosine or sine transform of 1073741824 points; on devices at most 536870912 are "
            "possible");
}

std::vector<std::string> usable_device_backends() {
  std::vector<std::string> names;
  for (const LocalBackend& backend : local_backends()) {
    const bool is_library = backend.name != std::string("stockham");
    if (!test::on_host(backend) && is_library && backend.usable()) {
      names.push_back(test::label_of(backend));
    }
  }
  return names;
}

INSTANTIATE_TEST_SUITE_P(Usable, DeviceBackend, testing::ValuesIn(usable_device_backends()),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace weft
