// Functions of the caller that go wrong, and those of blocks. That others are applied rightly is
// tested with random problems.
#include <gtest/gtest.h>

#include <array>
#include <stdexcept>

#include "support/pencils.hpp"
#include "support/plan_run.hpp"
#include "support/same_error.hpp"
#include "weft/device_function.hpp"
#include "weft/wavenumbers.hpp"

namespace weft::test {
namespace {

/// Multiplies with a number that depends on the place.
struct Indices {
  template <class Number>
  WEFT_HOST_DEVICE void operator()(Number& value, const Point& point) const {
    detail::scale_number(value, static_cast<double>(point.index[0] + point.index[2]));
  }
};

class Functions : public testing::TestWithParam<std::string> {
 protected:
  Plan plan_{MPI_COMM_WORLD, pencils(), with_pencils(GetParam(), 1, 2)};
  const Field in_ = random_field(plan_.input(), 1);
  Field out_ = Field(static_cast<std::size_t>(plan_.output().allocation_size));
};

TEST_P(Functions, ThatThrowOnOneRankAreAnErrorOnAll) {
  const Field expected = forward_of(plan_, in_);
  const int culprit = world_size() - 1;
  const auto throwing = [&](Complex&, const Point& point) {
    if (world_rank() == culprit && point.index[1] == 9) throw std::runtime_error("no such luck");
  };
  for (int again = 0; again < 2; ++again) {
    const std::string who =
        world_size() > 1 ? "rank " + std::to_string(culprit) + ": no such luck" : "no such luck";
    expect_same_error([&] { plan_.forward(in_, out_, on_input(throwing)); }, {who},
                      ErrorCode::callback);
    expect_same_error([&] { plan_.forward(in_, out_, on_output(throwing)); }, {who},
                      ErrorCode::callback);
    const std::vector<Field> ins(3, in_);
    std::vector<Field> outs(3, out_);
    expect_same_error([&] { plan_.forward_many(ins, outs, on_output(throwing)); }, {who},
                      ErrorCode::callback);
  }
  EXPECT_TRUE(equal_everywhere(
      Bytes(reinterpret_cast<const std::byte*>(expected.data()),
            reinterpret_cast<const std::byte*>(expected.data() + expected.size())),
      [&] {
        const Field now = forward_of(plan_, in_);
        return Bytes(reinterpret_cast<const std::byte*>(now.data()),
                     reinterpret_cast<const std::byte*>(now.data() + now.size()));
      }(),
      MPI_COMM_WORLD));
}

TEST_P(Functions, OfSomeRanksOnlyAreRefused) {
  if (world_size() == 1) return;
  const auto nothing = [](Complex&, const Point&) {};
  expect_same_error(
      [&] {
        if (world_rank() == 0) {
          plan_.forward(in_, out_, on_output(nothing));
        } else {
          plan_.forward(in_, out_);
        }
      },
      {"only some ranks gave functions"});
}

TEST(DeviceFunctions, AreAppliedByTheHostToo) {
  Plan plan(MPI_COMM_WORLD, pencils(), with("alltoallv"));
  const Field in = random_field(plan.input(), 1);
  Field expected(static_cast<std::size_t>(plan.output().allocation_size)), out = expected;
  plan.forward(in, expected, on_output([](Complex& value, const Point& point) {
                 value *= static_cast<double>(point.index[0] + point.index[2]);
               }));
  plan.forward(in, out, on_output(device_function(Indices{})));
  EXPECT_EQ(out, expected);
}

TEST(DeviceFunctions, OthersAreRefusedOnDevices) {
  Options options;
  options.device = "emulated";
  Plan plan(MPI_COMM_WORLD, pencils(), options);
  const Field in = random_field(plan.input(), 1);
  Field out(static_cast<std::size_t>(plan.output().allocation_size)), before = out;
  const auto nothing = [](Complex&, const Point&) {};
  for (int again = 0; again < 2; ++again) {
    expect_same_error([&] { plan.forward(in, out, on_input(nothing)); },
                      {"function of the host", "weft::device_function"});
    expect_same_error([&] { plan.forward(in, out, on_output(nothing)); },
                      {"function of the host", "weft::device_function"});
    expect_same_error([&] { plan.forward(in, out, on_output([](const PointBlock&) {})); },
                      {"function of the host", "weft::device_function"});
    const std::vector<Field> ins(2, in);
    std::vector<Field> outs(2, out);
    expect_same_error([&] { plan.forward_many(ins, outs, on_output(nothing)); },
                      {"field 0", "function of the host"});
  }
  EXPECT_EQ(out, before);
}

TEST(DeviceFunctions, OfOnePlanAreRefusedOnTheOtherKind) {
  const auto waves_on = [](const std::string& device) {
    Options options;
    options.device = device;
    Plan plan(MPI_COMM_WORLD, pencils(), options);
    return Wavenumbers(plan, std::array{1.0, 2.0, 3.0});
  };
  for (const bool on_device : {false, true}) {
    const Wavenumbers waves = waves_on(on_device ? "host" : "emulated");
    Options options;
    options.device = on_device ? "emulated" : "host";
    Plan plan(MPI_COMM_WORLD, pencils(), options);
    const Field in = random_field(plan.input(), 1);
    Field out(static_cast<std::size_t>(plan.output().allocation_size));
    expect_same_error([&] { plan.forward(in, out, on_output(waves.laplacian())); },
                      {on_device ? "function of the host" : "made for a plan on a device"});
  }
}

/// As a device whose kernels cannot be loaded, or launched.
struct Failing {
  using Function = Indices;
  template <class T>
  using Number = weft::Complex<double>;
  const Indices& function() const { return indices; }
  bool is_for_host() const { return false; }
  template <class T>
  const detail::DeviceCalls* device_calls() const {
    static constexpr detail::DeviceCalls calls{
        [](const void*, const PointBlock&) { throw std::runtime_error("no such luck"); }, nullptr,
        nullptr};
    return &calls;
  }
  Indices indices;
};

TEST(DeviceFunctions, ThatFailAreAnErrorOnAllRanks) {
  Options options;
  options.device = "emulated";
  Plan plan(MPI_COMM_WORLD, pencils(), options);
  const Field in = random_field(plan.input(), 1);
  Field out(static_cast<std::size_t>(plan.output().allocation_size));
  for (int again = 0; again < 2; ++again) {
    expect_same_error([&] { plan.forward(in, out, on_input(Failing{})); }, {"no such luck"},
                      ErrorCode::callback);
    expect_same_error([&] { plan.forward(in, out, on_output(Failing{})); }, {"no such luck"},
                      ErrorCode::callback);
  }
}

/// Calls f(value, point) for every number of a block.
template <class F>
void for_each_number(const PointBlock& block, const F& f) {
  ASSERT_EQ(block.to, block.from);
  Index at[PointBlock::most_loops] = {};
  for (int loop = 0; loop < block.loop_count;) {
    Point point = block.first;
    Index position = 0;
    for (int l = 0; l < block.loop_count; ++l) {
      const PointBlock::Loop& along = block.loops[l];
      ASSERT_EQ(along.to, along.from);
      point.index[along.axis] += at[l];  // there is no batch
      point.offset += at[l] * along.offset;
      position += at[l] * along.to;
    }
    Complex& value = reinterpret_cast<Complex*>(block.to)[position];
    value *= block.scale;
    f(value, point);
    for (loop = 0; loop < block.loop_count && ++at[loop] == block.loops[loop].count; ++loop) {
      at[loop] = 0;
    }
  }
}

TEST_P(Functions, TakeBlocksAsTheyTakeNumbers) {
  const auto of_number = [](Complex& value, const Point& point) {
    double factor = 1;
    for (const Index i : point.index) factor = factor * 1.5 + static_cast<double>(i);
    value = value * factor + static_cast<double>(point.offset);
  };
  const auto of_block = [&](const PointBlock& block) { for_each_number(block, of_number); };
  Field expected = out_, inverse = in_, expected_inverse = in_;
  plan_.forward(in_, expected, on_input(of_number), on_output(of_number));
  plan_.forward(in_, out_, on_input(of_block), on_output(of_block));
  EXPECT_EQ(out_, expected);
  plan_.backward(expected, expected_inverse, on_output(of_number));
  plan_.backward(expected, inverse, on_output(of_block));
  EXPECT_EQ(inverse, expected_inverse);
  if (!in_.empty()) EXPECT_NE(inverse, in_);
}

TEST_P(Functions, OfBlocksThatThrowOnOneRankAreAnErrorOnAll) {
  const int culprit = world_size() - 1;
  const auto throwing = [&](const PointBlock&) {
    if (world_rank() == culprit) throw std::runtime_error("no such luck");
  };
  expect_same_error([&] { plan_.forward(in_, out_, on_input(throwing)); }, {"no such luck"},
                    ErrorCode::callback);
  expect_same_error([&] { plan_.forward(in_, out_, on_output(throwing)); }, {"no such luck"},
                    ErrorCode::callback);
}

/// Lines that a transform writes past the caches itself without functions.
template <class Number>
void expect_functions_of_streamed_lines(const Kinds& kinds) {
  Problem problem;
  problem.shape = {9, 10};
  problem.kinds = kinds;
  problem.input = slab_split(0);
  problem.output = slab_split(1);
  problem.norm = Norm::forward;
  Options options;
  options.stream_bytes = 0;
  Plan plan(MPI_COMM_WORLD, problem, options);
  const Field spectrum = random_field(plan.output(), 1);
  const auto size = static_cast<std::size_t>(plan.input().allocation_size);
  std::vector<Number> expected(size), result(size), factors(size);
  plan.backward(spectrum, expected);
  plan.backward(spectrum, result, on_output([&](Number& value, const Point& point) {
                  const double factor = 1 + static_cast<double>(point.index[0] + point.offset);
                  factors[static_cast<std::size_t>(point.offset)] += factor;
                  value *= factor;
                }));
  for (std::size_t i = 0; i < size; ++i) {
    ASSERT_NE(factors[i], Number{});
    ASSERT_LE(std::abs(result[i] - expected[i] * factors[i]), 1e-12 * std::abs(factors[i]));
  }
}

TEST(FunctionsOnHost, AreAppliedToLinesThatGoPastTheCaches) {
  expect_functions_of_streamed_lines<Complex>(c2c);
  expect_functions_of_streamed_lines<double>(r2c);
}

std::string test_name(const testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  for (char& letter : name) {
    if (letter == ':') letter = '_';
  }
  return name;
}

INSTANTIATE_TEST_SUITE_P(Exchanges, Functions,
                         testing::Values("alltoallv", "alltoallw", "p2p_pipelined",
                                         "node_shared:p2p"),
                         test_name);

}  // namespace
}  // namespace weft::test
