#include "device/methods.hpp"
#include "local/gpu/lines.hpp"
#include "local/line_transform.hpp"

namespace weft {

namespace {

/// What blocks of threads of the current GPU can share.
std::size_t shared_bytes_of_block() {
  int number = 0, bytes = 0;
  check_gpu(gpuGetDevice(&number), "looking up the current GPU");
  check_gpu(gpuDeviceGetAttribute(&bytes, gpuDevAttrMaxSharedMemoryPerBlock, number),
            "looking up a GPU");
  return static_cast<std::size_t>(bytes);
}

Kernel<LinePass> kernel_of(LineForm form, Precision precision, const LinePass& pass) {
  return precision == Precision::f32 ? line_kernel_f32(form, pass) : line_kernel_f64(form, pass);
}

/// Kernels also need leave to share more than 48 KiB.
void prepare_pass(LineForm form, Precision precision, const LinePass& pass) {
  const Kernel<LinePass> kernel = kernel_of(form, precision, pass);
  load(kernel);
  check_gpu(gpuFuncSetAttribute(reinterpret_cast<const void*>(kernel),
                                gpuFuncAttributeMaxDynamicSharedMemorySize,
                                static_cast<int>(shared_bytes_of_block())),
            "preparing a kernel");
}

void run_pass(Stream& stream, LineForm form, Precision precision, const LinePass& pass) {
  constexpr unsigned warp = 32;
  if (pass.lines == 0) return;
  stream.device().use();
  LinePass argument = pass;
  const unsigned threads = pass.lanes.count * pass.threads.count;
  launch(kernel_of(form, precision, pass), (pass.lines - 1) / pass.lanes.count + 1,
         (threads + warp - 1) / warp * warp, static_cast<gpuStream_t>(stream.native()), argument,
         shared_bytes(pass, precision));
}

constexpr LineRunner runner{shared_bytes_of_block, prepare_pass, run_pass};

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
