// Runs of a plan that are captured in a CUDA graph and launched again.
#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "support/exchange_names.hpp"
#include "support/plan_run.hpp"
#include "support/same_error.hpp"

namespace weft {
namespace {

using test::Bytes;

void check(cudaError_t code) {
  ASSERT_EQ(code, cudaSuccess) << cudaGetErrorString(code);
}

class DeviceGraphs : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    int devices = 0;
    if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
      GTEST_SKIP() << "no GPU here";
    }
    const auto usable = test::device_exchanges("cuda");
    if (std::count(usable.begin(), usable.end(), GetParam()) == 0) {
      GTEST_SKIP() << GetParam() << " was not built in, or ranks share a GPU";
    }
    device_ = test::world_rank() % devices;
    check(cudaSetDevice(device_));
    check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
  }
  void TearDown() override {
    if (stream_ != nullptr) cudaStreamDestroy(stream_);
  }

  int device_ = 0;
  cudaStream_t stream_ = nullptr;

 private:
  const test::Watchdog watchdog_{120};
};

TEST_P(DeviceGraphs, GiveTheSameForNewData) {
  Options options;
  options.device = "cuda";
  options.device_number = device_;
  options.stream = stream_;
  options.exchange = GetParam();
  options.chunks = 2;
  Plan plan(MPI_COMM_WORLD,
            {.shape = {24, 20, 18}, .input = slab_split(0), .output = slab_split(1)}, options);
  const auto bytes = [](const LocalArray& array) {
    return static_cast<std::size_t>(array.allocation_size) * sizeof(std::complex<double>);
  };
  std::byte *in = nullptr, *out = nullptr;
  check(cudaMalloc(reinterpret_cast<void**>(&in), bytes(plan.input())));
  check(cudaMalloc(reinterpret_cast<void**>(&out), bytes(plan.output())));
  test::execute(plan, Direction::forward, in, out);
  check(cudaStreamSynchronize(stream_));

  cudaGraph_t graph = nullptr;
  cudaGraphExec_t executable = nullptr;
  check(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal));
  test::execute(plan, Direction::forward, in, out);
  check(cudaStreamEndCapture(stream_, &graph));
  check(cudaGraphInstantiate(&executable, graph, 0));
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    const Bytes given = test::given_bytes(plan, Direction::forward, seed);
    Bytes result = test::poisoned(plan.output());
    check(cudaMemcpy(in, given.data(), given.size(), cudaMemcpyHostToDevice));
    check(cudaMemcpy(out, result.data(), result.size(), cudaMemcpyHostToDevice));
    check(cudaGraphLaunch(executable, stream_));
    check(cudaStreamSynchronize(stream_));
    check(cudaMemcpy(result.data(), out, result.size(), cudaMemcpyDeviceToHost));
    EXPECT_LE(test::error_of(plan, Direction::forward, result.data(), seed),
              test::error_bound(plan));
    MPI_Barrier(MPI_COMM_WORLD);
  }
  // Runs outside of the graph go on from where its launches have come to.
  EXPECT_LE(test::run_error(plan, Direction::forward), test::error_bound(plan));
  check(cudaGraphExecDestroy(executable));
  check(cudaGraphDestroy(graph));
  check(cudaFree(in));
  check(cudaFree(out));
}

TEST_P(DeviceGraphs, AreRefusedWhereMessagesAreCompressed) {
  Options options;
  options.device = "cuda";
  options.device_number = device_;
  options.stream = stream_;
  options.exchange = GetParam();
  options.codec = "bfp:16";
  Plan plan(MPI_COMM_WORLD,
            {.shape = {24, 20, 18}, .input = slab_split(0), .output = slab_split(1)}, options);
  if (test::world_size() == 1) GTEST_SKIP() << "nothing is sent";
  std::byte *in = nullptr, *out = nullptr;
  const auto bytes = [](const LocalArray& array) {
    return static_cast<std::size_t>(array.allocation_size) * sizeof(std::complex<double>);
  };
  check(cudaMalloc(reinterpret_cast<void**>(&in), bytes(plan.input())));
  check(cudaMalloc(reinterpret_cast<void**>(&out), bytes(plan.output())));
  cudaGraph_t graph = nullptr;
  check(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal));
  test::expect_same_error([&] { test::execute(plan, Direction::forward, in, out); },
                          {"cannot be captured in a graph"});
  check(cudaStreamEndCapture(stream_, &graph));
  check(cudaGraphDestroy(graph));
  EXPECT_LE(test::run_error(plan, Direction::forward), 1e-3);
  check(cudaFree(in));
  check(cudaFree(out));
}

TEST_P(DeviceGraphs, AreRefusedWhileATraceIsRecorded) {
  Options options;
  options.device = "cuda";
  options.device_number = device_;
  options.stream = stream_;
  options.exchange = GetParam();
  Plan plan(MPI_COMM_WORLD,
            {.shape = {24, 20, 18}, .input = slab_split(0), .output = slab_split(1)}, options);
  const auto bytes = [](const LocalArray& array) {
    return static_cast<std::size_t>(array.allocation_size) * sizeof(std::complex<double>);
  };
  std::byte *in = nullptr, *out = nullptr;
  check(cudaMalloc(reinterpret_cast<void**>(&in), bytes(plan.input())));
  check(cudaMalloc(reinterpret_cast<void**>(&out), bytes(plan.output())));
  test::execute(plan, Direction::forward, in, out);
  plan.start_trace();
  cudaGraph_t graph = nullptr;
  check(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal));
  test::expect_same_error([&] { test::execute(plan, Direction::forward, in, out); },
                          {"a trace needs times of every run", "cannot be captured in a graph"});
  check(cudaStreamEndCapture(stream_, &graph));
  check(cudaGraphDestroy(graph));
  EXPECT_LE(test::run_error(plan, Direction::forward), test::error_bound(plan));
  EXPECT_EQ(plan.stop_trace().spans.empty(), test::world_rank() != 0);
  check(cudaFree(in));
  check(cudaFree(out));
}

INSTANTIATE_TEST_SUITE_P(Exchanges, DeviceGraphs, testing::Values("peer", "nccl"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace weft
