// What backends of devices ask of their callers, and what they leave behind.
#include <gtest/gtest.h>

#include <cmath>

#include "local/nested_steps.hpp"
#include "support/device_run.hpp"
#include "support/local_run.hpp"
#include "support/same_error.hpp"
#include "weft/error.hpp"

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
    problem.device = open().device.get();
    problem.queue = open().queue.get();
    return problem;
  }
  /// Lines of 6 points, halved.
  LocalProblem real_lines(Direction direction) const {
    LocalProblem problem;
    problem.transform = {{6, 1, 1}};
    problem.kinds = {r2c};
    problem.batch = {{4, 8, 8}};
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
  backward.preserve_input = true;
  EXPECT_FALSE(backend().supports(backward));
}

TEST_P(DeviceBackend, RefusesWhatNoStepsAreFor) {
  LocalProblem cosine = real_lines(Direction::forward);
  cosine.kinds = {Kind::dct2};
  EXPECT_EQ(error_text([&] { make_local(backend(), cosine); }),
            "local backend '" + GetParam() + "' cannot do this transform");
}

TEST_P(DeviceBackend, RefusesUnalignedData) {
  const auto transform = backend().make(real_lines(Direction::forward));
  const DeviceBuffer in(*open().device, 1024), out(*open().device, 1024);
  const DeviceBuffer work(*open().device, transform->work_bytes());
  EXPECT_EQ(error_text([&] { transform->execute(in.data() + 8, out.data(), work.data()); }),
            "data that a device transforms must be aligned to 16 bytes");
}

/// As plans lay out pencils and slabs of arrays with and without gaps, all pairs and triples of
/// axes, with the input in every order.
TEST_P(DeviceBackend, AxesOfArrays) {
  for (const Kind last : {c2c, r2c}) {
    for (const Direction direction : {Direction::forward, Direction::backward}) {
      for (const int order : {0, 1, 2}) {
        for (unsigned transformed = 1; transformed < 8; ++transformed) {
          LocalRun run;
          LocalProblem& problem = run.problem;
          const bool forward = direction == Direction::forward;
          Axes<LocalAxis> axes = {{6, 160, 160}, {8, 20, 20}, {10, 1, 1}};
          Axes<LocalAxis> from = axes;
          for (int i = 0; i < 3; ++i) axes[i].in_stride = from[(i + order) % 3].in_stride;
          for (int i = 0; i < 3; ++i) {
            if ((transformed >> i & 1U) == 0) {
              problem.batch.push_back(axes[i]);
            } else {
              problem.transform.push_back(axes[i]);
              problem.kinds.push_back(c2c);
            }
          }
          if (last == r2c) problem.kinds[problem.kinds.size() - 1] = r2c;
          if (order != 0) {
            // Lengths that fit between the strides given.
            for (LocalAxis& axis : problem.transform) axis.length = 6;
            for (LocalAxis& axis : problem.batch) axis.length = 6;
          }
          problem.direction = forward ? Direction::forward : Direction::backward;
          for (const Precision precision : {Precision::f32, Precision::f64}) {
            problem.precision = precision;
            run.place_on(backend());
            ASSERT_TRUE(backend().supports(problem)) << test::describe(problem);
            ASSERT_EQ(run.compare(backend(), find_local_backend("reference"), transformed), "");
          }
        }
      }
    }
  }
}

/// Many elements: more than one block of threads, and work areas.
TEST_P(DeviceBackend, LargeTransforms) {
  for (const Kind last : {c2c, r2c}) {
    for (const Direction direction : {Direction::forward, Direction::backward}) {
      for (const Index n : {128, 97}) {
        LocalRun run;
        run.problem.transform = {{n, 200, 200}, {n, 1, 1}};
        run.problem.kinds = {c2c, last};
        run.problem.batch = {{3, 200 * n, 200 * n}};
        run.problem.direction = direction;
        run.place_on(backend());
        EXPECT_EQ(run.compare(backend(), find_local_backend("fftw"), 7), "");
      }
      for (const Index n : {1 << 20, 1000003}) {
        LocalRun run;
        run.problem.transform = {{n, 1, 1}};
        run.problem.kinds = {last};
        run.problem.direction = direction;
        run.place_on(backend());
        EXPECT_EQ(run.compare(backend(), find_local_backend("fftw"), 7), "");
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
  problem.device = open.device.get();
  problem.queue = open.queue.get();
  alignas(16) std::array<double, 8> in{1, 0, 1, 0, 1, 0, 1, 0};
  alignas(16) std::array<double, 6> out{};
  const auto transform = test::backend_named("emulated").make(problem);
  test::execute_on(
      *problem.device, *problem.queue, *transform,
      {std::as_writable_bytes(std::span(in)), 0, std::as_writable_bytes(std::span(out)), 0});
  EXPECT_DOUBLE_EQ(out[0], 6);
  for (double value : in) EXPECT_TRUE(std::isnan(value));
}

std::vector<std::string> usable_device_backends() {
  std::vector<std::string> names;
  for (const LocalBackend& backend : local_backends()) {
    if (!test::on_host(backend) && backend.usable()) names.push_back(backend.name);
  }
  return names;
}

INSTANTIATE_TEST_SUITE_P(Usable, DeviceBackend, testing::ValuesIn(usable_device_backends()),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace weft
