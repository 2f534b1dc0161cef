#include <map>
#include <mutex>
#include <utility>

#include "device/gpu/launch.hpp"
#include "device/methods.hpp"
#include "local/gpu/lines.hpp"
#include "local/line_transform.hpp"

namespace weft {

namespace {

#if defined(WEFT_HIP)
constexpr const char* gpu_name = "hip";
#else
constexpr const char* gpu_name = "cuda";
#endif

int current_device() {
  int number = 0;
  check_gpu(gpuGetDevice(&number), "looking up the current GPU");
  return number;
}

/// What blocks of threads of the current GPU can share.
std::size_t shared_bytes_of_block() {
  int bytes = 0;
  check_gpu(gpuDeviceGetAttribute(&bytes, gpuDevAttrMaxSharedMemoryPerBlock, current_device()),
            "looking up a GPU");
  return static_cast<std::size_t>(bytes);
}

/// Kernels need leave to share more than 48 KiB, once for each device.
void allow_shared_bytes(const void* kernel) {
  static std::mutex mutex;
  static std::map<std::pair<int, const void*>, bool> allowed;
  const std::lock_guard lock(mutex);
  bool& done = allowed[{current_device(), kernel}];
  if (done) return;
  check_gpu(gpuFuncSetAttribute(kernel, gpuFuncAttributeMaxDynamicSharedMemorySize,
                                static_cast<int>(shared_bytes_of_block())),
            "preparing a kernel");
  done = true;
}

void run_pass(Stream& stream, LineForm form, Precision precision, const LinePass& pass) {
  constexpr unsigned warp = 32;
  if (pass.lines == 0) return;
  stream.device().use();
  const void* const kernel =
      precision == Precision::f32 ? line_kernel_f32(form, pass) : line_kernel_f64(form, pass);
  allow_shared_bytes(kernel);
  LinePass argument = pass;
  void* arguments[] = {&argument};
  const unsigned threads = pass.lanes.count * pass.threads.count;
  check_gpu(
      gpuLaunchKernel(kernel, dim3((pass.lines - 1) / pass.lanes.count + 1),
                      dim3((threads + warp - 1) / warp * warp), arguments,
                      shared_bytes(pass, precision), static_cast<gpuStream_t>(stream.native())),
      "launch of a transform");
}

constexpr LineRunner runner{shared_bytes_of_block, run_pass};

}  // namespace

LocalBackend gpu_lines_backend() {
  return {.name = "stockham",
          .description = "weft's own kernels for GPUs",
          .usable = [] { return find_device_method(gpu_name).count() > 0; },
          .recommended = [] { return true; },
          .supports = [](const LocalProblem& problem) { return supports_lines(runner, problem); },
          .make = [](const LocalProblem& problem) { return make_lines(runner, problem); },
          .in_place = true,
          .scales = true,
          .device = gpu_name,
          .any_layout = true};
}

}  // namespace weft
