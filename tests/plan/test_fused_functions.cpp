// Callbacks that take part in passes over lines, against separate ones.
#include <gtest/gtest.h>

#include "support/device_calls.hpp"
#include "support/plan_run.hpp"
#include "weft/fused_function.hpp"

namespace weft::test {
namespace {

/// Both ways of the transform of an array, with callbacks on either side.
template <class In, class Out, int... lengths>
void expect_fused_is_separate(const std::string& device, const Problem& problem) {
  Options options;
  options.device = device;
  Plan plan(MPI_COMM_WORLD, problem, options);
  const auto inputs = static_cast<std::size_t>(plan.input().allocation_size);
  const auto outputs = static_cast<std::size_t>(plan.output().allocation_size);
  const auto run = [&]<class From, class To>(Direction direction, const std::vector<From>& from,
                                             std::vector<To>& to, bool on_input, bool fused) {
    const LocalArray& sink = direction == Direction::forward ? plan.output() : plan.input();
    DeviceCall<From, To, lengths...> call{plan,      direction, {from}, {to},  on_input,
                                          !on_input, false,     false,  fused, true};
    const Index calls = call.run();
    EXPECT_EQ(calls, on_input ? 0 : sink.box.count());
  };
  const auto compare = [&]<class From, class To>(Direction direction, const std::vector<From>& from,
                                                 std::size_t size, To) {
    for (const bool on_input : {false, true}) {
      std::vector<To> separate(size), fused(size);
      run(direction, from, separate, on_input, false);
      run(direction, from, fused, on_input, true);
      const double eps = problem.precision == Precision::f32 ? 1e-6 : 1e-14;
      double largest = 0, difference = 0;
      for (std::size_t i = 0; i < size; ++i) {
        largest = std::max<double>(largest, std::abs(separate[i]));
        difference = std::max<double>(difference, std::abs(separate[i] - fused[i]));
      }
      EXPECT_GT(largest, size > 0 ? 0 : -1);
      EXPECT_LE(difference, eps * largest) << (on_input ? "on input" : "on output");
    }
  };
  std::vector<In> in(inputs);
  // Others on each rank, or all that one has would be zero.
  const auto shift = static_cast<std::size_t>(world_rank());
  for (std::size_t i = 0; i < inputs; ++i) {
    in[i] = In(static_cast<float>((i + shift) * 37 % 101) - 50);
  }
  std::vector<Out> out(outputs);
  plan.forward(in, out);
  compare(Direction::forward, in, outputs, Out{});
  compare(Direction::backward, out, inputs, In{});
}

template <int... lengths>
void expect_fused_is_separate(const std::string& device, const std::vector<Extents>& shapes) {
  using Single = std::complex<float>;
  for (const Extents& shape : shapes) {
    expect_fused_is_separate<Complex, Complex, lengths...>(device, {.shape = shape});
    expect_fused_is_separate<Single, Single, lengths...>(
        device, {.shape = shape, .precision = Precision::f32});
    expect_fused_is_separate<double, Complex, lengths...>(device, {.shape = shape, .kinds = r2c});
  }
}

TEST(FusedFunctions, GiveWhatSeparateOnesGive) {
  for (const std::string& device : tested_devices()) {
    if (device == "host") continue;
    // Lengths for which GPUs have kernels, and one for which they have none.
    std::vector<Extents> shapes = {
        {64, 128, 128}, {64, 384, 6}, {4, 384, 384}, {256, 10}, {6, 512, 1024}};
    // Planes of which blocks are mixed.
    if (device != "emulated") shapes.push_back({6, 1024, 1024});
    expect_fused_is_separate<>(device, shapes);
  }
}

TEST(FusedFunctions, GiveTheSameForLengthsThatAreNamed) {
  for (const std::string& device : tested_devices()) {
    if (device == "host") continue;
    // Planes of named lengths, equal and different ones, full blocks and others, and of lengths
    // that are not named.
    expect_fused_is_separate<60, 77, 130>(device,
                                          {{60, 77, 130}, {5, 130, 130}, {77, 60}, {60, 22, 26}});
  }
}

struct Doubling {
  WEFT_HOST_DEVICE void operator()(weft::Complex<double>& value, const Point&) const {
    value = value * 2.0;
  }
};

/// Counts how often a pass applies it.
struct Watched : detail::FusedFunction<Doubling, void, detail::compiles_for_gpu> {
  using Calls = detail::FusedKernel<weft::Complex<double>, Doubling, false, false>;
  static inline int runs = 0;

  Watched() : FusedFunction(Doubling{}) {}
  template <class T, bool on_input>
  const detail::FusedCalls* fused_calls() const {
    static constexpr detail::FusedCalls calls{
        nullptr,
        [](const void* function, const detail::FusedPass& pass) {
          ++runs;
          Calls::run(function, pass);
        },
        nullptr, nullptr};
    return &calls;
  }
};

TEST(FusedFunctions, TakePartInPasses) {
  Options options;
  options.device = "emulated";
  // The last pass transforms from messages to the array.
  Plan plan(MPI_COMM_WORLD, {.shape = {12, 10, 8}, .output = slab_split(1)}, options);
  const std::vector<Complex> in(static_cast<std::size_t>(plan.input().allocation_size), 1.0);
  std::vector<Complex> out(static_cast<std::size_t>(plan.output().allocation_size));
  Watched::runs = 0;
  plan.forward(in, out, on_output(Watched{}));
  EXPECT_GT(Watched::runs, 0);
}

}  // namespace
}  // namespace weft::test
