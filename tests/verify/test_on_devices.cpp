// Checks of arrays in memory of devices: the same numbers and errors as on the host, and every kind
// of wrong result is seen.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "device/buffer.hpp"
#include "support/plan_run.hpp"
#include "support/same_error.hpp"
#include "verify/exact_samples.hpp"
#include "verify/random.hpp"
#include "verify/random_field.hpp"

namespace weft {
namespace {

using test::Bytes;

constexpr std::uint64_t field_seed = 9;

std::vector<Problem> checked_problems() {
  const Problem plain{.shape = {5, 6, 7}, .input = slab_split(0), .output = slab_split(1)};
  std::vector<Problem> list{plain};
  Problem problem = plain;
  problem.kinds = r2c;
  problem.input = brick().with_order({1, 2, 0}).with_halo({1, 0, 2}, {0, 3, 1});
  problem.output = pencil_along(1).with_order({2, 0, 1});
  list.push_back(problem);
  problem.batch = 3;
  problem.norm = Norm::ortho;
  list.push_back(problem);
  problem.interleaved = true;
  problem.kinds = {none, r2c, c2c};
  list.push_back(problem);
  problem = plain;
  problem.kinds = {Kind::dct2, Kind::dst1, Kind::dct3};
  problem.batch = 2;
  list.push_back(problem);
  problem.kinds = {Kind::dct1, none, c2c};
  problem.norm = Norm::none;
  problem.shape = {4, 11, 3};
  list.push_back(problem);
  problem = plain;
  problem.modes = {3, 4, 6};
  list.push_back(problem);
  problem.kinds = r2c;
  problem.modes = {4, 5, 3};
  problem.input_points = {5, 4, 6};
  list.push_back(problem);
  list.push_back({.shape = {31}, .input = slab_split(0), .output = slab_split(0)});
  list.push_back({.shape = {2, 3, 2, 3, 2, 3}, .input = slab_split(0), .output = slab_split(1)});
  for (std::size_t i = 0, count = list.size(); i < count; ++i) {
    list.push_back(list[i]);
    list.back().precision = Precision::f32;
  }
  return list;
}

/// Arrays in memory of a device.
class Arrays {
 public:
  Arrays(Stream& stream, const Bytes& from)
      : stream_(stream), memory_(stream.device(), from.size()) {
    write(from);
  }
  std::byte* data() const { return memory_.data(); }
  void write(const Bytes& from) {
    stream_.copy(memory_.data(), from.data(), from.size());
    stream_.synchronize();
  }
  Bytes read() const {
    Bytes bytes(memory_.size());
    stream_.copy(bytes.data(), memory_.data(), bytes.size());
    stream_.synchronize();
    return bytes;
  }

 private:
  Stream& stream_;
  Buffer memory_;
};

/// Calls change(element) with the number of a rank that has the point, which lies in the middle.
template <class Change>
void change_middle(const LocalArray& array, const Extents& shape, Bytes& bytes,
                   const Change& change) {
  Index position = array.offset;
  for (int axis = 0; axis < shape.size(); ++axis) {
    const Index at = shape[axis] / 2;
    if (at < array.box.lower[axis] || at >= array.box.upper[axis]) return;
    position += (at - array.box.lower[axis]) * array.strides[axis];
  }
  test::Complex value = test::load(array, bytes.data(), position);
  change(value);
  test::put(array, bytes.data(), position, value);
}

class OnDevices : public testing::Test {
 protected:
  /// Calls work(plan, stream) for all problems and kinds of device that are here. Plans are those
  /// of the host, which say where arrays lie.
  template <class Work>
  void for_each_problem(Work&& work) {
    for (const std::string& name : test::usable_devices()) {
      const DeviceMethod& method = find_device_method(name);
      const auto device = method.open(test::world_rank() % method.count());
      const auto stream = device->make_stream();
      for (const Problem& problem : checked_problems()) {
        Plan plan(MPI_COMM_WORLD, problem);
        SCOPED_TRACE(name + ", " + to_string(plan.info()));
        work(plan, *stream);
      }
    }
  }
  static Communicator world() { return Communicator::duplicate(MPI_COMM_WORLD); }

 private:
  const test::Watchdog watchdog_{120};
};

TEST_F(OnDevices, TheRandomFieldHasTheBitsOfTheHost) {
  for_each_problem([](const Plan& plan, Stream& stream) {
    const PlanInfo& info = plan.info();
    const RandomField field(info.input, info.input_points, info.batch, field_seed);
    Bytes expected = test::poisoned(info.input);
    const Arrays array(stream, expected);
    fill_random(info.input, info.input_points, info.batch, field_seed, expected.data());
    field.fill(array.data(), stream);
    EXPECT_TRUE(array.read() == expected);
  });
}

TEST_F(OnDevices, TheDifferenceFromTheFieldIsThatOfTheHost) {
  const Communicator comm = world();
  for_each_problem([&](const Plan& plan, Stream& stream) {
    const PlanInfo& info = plan.info();
    const RandomField field(info.input, info.input_points, info.batch, field_seed);
    Bytes bytes = test::poisoned(info.input);
    fill_random(info.input, info.input_points, info.batch, field_seed, bytes.data());
    Arrays array(stream, bytes);
    const auto difference = [&] {
      array.write(bytes);
      const double result = field.relative_difference(array.data(), stream, comm, 1);
      const double of_host = field.relative_difference(bytes.data(), host_stream(), comm, 2);
      if (!std::isnan(result)) EXPECT_NEAR(result, of_host, 1e-12 * of_host);
      EXPECT_EQ(std::isnan(result), std::isnan(of_host));
      return result;
    };
    EXPECT_EQ(difference(), 0);
    change_middle(info.input, info.input_points, bytes, [](auto& value) { value += 0.5; });
    const double points = static_cast<double>(product(info.input_points) * info.batch *
                                              (info.input.type.complex + 1));
    // Squares of values between -1 and 1 have a mean of a third.
    EXPECT_NEAR(difference() / (0.5 / std::sqrt(points / 3)), 1, 0.3);
    change_middle(info.input, info.input_points, bytes, [](auto& value) { value = std::nan(""); });
    EXPECT_TRUE(std::isnan(difference()));
  });
}

/// Exact values before, and the error of what a plan of the host computes.
TEST_F(OnDevices, ExactValuesAreThoseOfTheHost) {
  for_each_problem([](Plan& plan, Stream& stream) {
    for (const Direction direction : test::both) {
      const Bytes in = test::given_bytes(plan, direction, 5);
      const Arrays array(stream, in);
      const ExactSamples exact(description(plan), direction, array.data(), 40, 3, stream);
      Bytes out = test::poisoned(test::sink_of(plan, direction));
      Arrays result(stream, out);
      EXPECT_FALSE(exact.error_of(result.data()).relative_l2 <= 1e30) << "nothing was written";
      test::execute(plan, direction, in.data(), out.data());
      result.write(out);
      const SampledError error = exact.error_of(result.data());
      const SampledError of_host = sampled_error(plan, direction, in.data(), out.data(), 40, 3);
      EXPECT_EQ(error.samples, 40);
      EXPECT_LE(error.relative_l2, test::error_bound(plan));
      // Both sums have more digits than the result.
      EXPECT_NEAR(error.relative_l2, of_host.relative_l2, 0.02 * of_host.relative_l2);
      EXPECT_NEAR(error.largest, of_host.largest, 0.02 * of_host.largest);
    }
  });
}

TEST_F(OnDevices, SamplesSeeAWrongInputAndAWrongResult) {
  for_each_problem([](Plan& plan, Stream& stream) {
    for (const Direction direction : test::both) {
      const bool forward = direction == Direction::forward;
      const PlanInfo& info = plan.info();
      const TransformDescription transform = description(plan);
      const Extents sink_shape = forward ? transform.spectral_shape() : transform.physical_shape();
      const Extents source_shape =
          forward ? transform.physical_shape() : transform.spectral_shape();
      Bytes in = test::given_bytes(plan, direction, 5);
      Bytes out = test::poisoned(test::sink_of(plan, direction));
      test::execute(plan, direction, in.data(), out.data());
      Arrays array(stream, in), result(stream, out);
      const auto error = [&] {
        array.write(in);
        result.write(out);
        // So many that a point is among them.
        return ExactSamples(transform, direction, array.data(), 1500, 7, stream)
            .error_of(result.data())
            .relative_l2;
      };
      const double bound = test::error_bound(plan);
      EXPECT_LE(error(), bound);
      const Bytes right = out;
      change_middle(test::sink_of(plan, direction), sink_shape, out,
                    [](auto& value) { value += 1; });
      EXPECT_GT(error(), 10 * bound);
      out = right;
      change_middle(test::sink_of(plan, direction), sink_shape, out,
                    [](auto& value) { value = std::numeric_limits<double>::infinity(); });
      EXPECT_FALSE(error() <= 1e30);
      out = right;
      change_middle(test::source_of(plan, direction), source_shape, in,
                    [](auto& value) { value += 1; });
      EXPECT_GT(error(), 10 * bound);
    }
  });
}

TEST_F(OnDevices, LongLinesAreSummedInParts) {
  // The table of factors for all samples is larger than what is made at a time. On one rank,
  // elements of a line are not neighbors.
  Plan plan(MPI_COMM_WORLD, {.shape = {4501, 2}, .input = slab_split(1), .output = slab_split(0)});
  for (const std::string& name : test::usable_devices()) {
    const DeviceMethod& method = find_device_method(name);
    const auto device = method.open(test::world_rank() % method.count());
    const auto stream = device->make_stream();
    const RandomField field(plan.input(), plan.info().shape, 1, field_seed);
    Bytes in = test::poisoned(plan.input()), out = test::poisoned(plan.output());
    field.fill(in.data(), host_stream());
    const Arrays array(*stream, in);
    const ExactSamples exact(description(plan), Direction::forward, array.data(), 600, 3, *stream);
    test::execute(plan, Direction::forward, in.data(), out.data());
    const Arrays result(*stream, out);
    EXPECT_LE(exact.error_of(result.data()).relative_l2, test::error_bound(plan));
  }
}

}  // namespace
}  // namespace weft
