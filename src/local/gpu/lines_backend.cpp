#include <algorithm>

#include "device/gpu/stream.hpp"
#include "device/methods.hpp"
#include "local/gpu/lines.hpp"
#include "local/line_transform.hpp"

namespace weft {

namespace {

/// Of the current GPU.
template <class Attribute>
std::size_t attribute(Attribute which) {
  int number = 0, value = 0;
  check_gpu(gpuGetDevice(&number), "looking up the current GPU");
  check_gpu(gpuDeviceGetAttribute(&value, which, number), "looking up a GPU");
  return static_cast<std::size_t>(value);
}

std::size_t shared_bytes_of_block() {
  return attribute(gpuDevAttrMaxSharedMemoryPerBlock);
}

/// That this many complex numbers take.
std::size_t shared_bytes(std::size_t numbers, Precision precision) {
  return numbers * static_cast<std::size_t>(bytes_of({precision, true}));
}

/// One for each processor, where threads can copy lines to shared memory and meanwhile go on.
std::uint32_t lasting_blocks() {
#if defined(WEFT_HIP)
  return 0;
#else
  return static_cast<std::uint32_t>(attribute(gpuDevAttrMultiProcessorCount));
#endif
}

Kernel<LinePass> kernel_of(Precision precision, const LinePass& pass) {
  return precision == Precision::f32 ? line_kernel_f32(pass) : line_kernel_f64(pass);
}

Kernel<PieceLines> kernel_of(Precision precision, const PieceLines& pass) {
  return precision == Precision::f32 ? piece_kernel_f32(pass) : piece_kernel_f64(pass);
}

Kernel<PlanePass<>> kernel_of(Precision precision, const PlanePass<>& pass) {
  return precision == Precision::f32 ? planes_kernel_f32(pass) : planes_kernel_f64(pass);
}

/// Kernels also need leave to share more than 48 KiB.
template <class Pass>
void prepare(Kernel<Pass> kernel) {
  load(kernel);
  check_gpu(gpuFuncSetAttribute(reinterpret_cast<const void*>(kernel),
                                gpuFuncAttributeMaxDynamicSharedMemorySize,
                                static_cast<int>(shared_bytes_of_block())),
            "preparing a kernel");
}

void prepare_pass(Precision precision, const LinePass& pass) {
  prepare(kernel_of(precision, pass));
}

void run_pass(Stream& stream, Precision precision, const LinePass& pass) {
  if (pass.lines == 0) return;
  stream.device().use();
  LinePass argument = pass;
  launch(kernel_of(precision, pass), pass.launched_blocks(), pass.block_threads(),
         static_cast<gpuStream_t>(stream.native()), argument,
         shared_bytes(pass.shared_numbers(), precision));
}

void prepare_pieces(Precision precision, const PieceLines& pass) {
  prepare(kernel_of(precision, pass));
  load_warp_sums();
}

void run_pieces(Stream& stream, Precision precision, const PieceLines& pass) {
  if (pass.lines == 0) return;
  stream.device().use();
  const auto native = static_cast<gpuStream_t>(stream.native());
  PieceLines argument = pass;
  launch(kernel_of(precision, pass), pass.blocks(), pass.block_threads(), native, argument,
         pass.shared_bytes(shared_bytes(1, precision)));
  const SidePieces& out = pass.sides.out;
  for (std::uint32_t i = 0; i < out.sum_count; ++i) {
    launch_warp_sums(native, {out.warp_sums + i * pass.warps(), out.sums[i], pass.warps()});
  }
}

/// Blocks end with their plane. Whether they have few lines less for that.
bool fills_blocks(const PlanePass<>& pass) {
  return 5 * pass.first_blocks() * pass.first.lanes.count <= 6 * pass.first_lines &&
         5 * pass.second_blocks() * pass.second.lanes.count <= 6 * pass.second_lines;
}

/// The second pass begins a plane about when the first one leaves it, so that it seldom waits. The
/// planes between them must stay in the cache: beyond half of it, two passes were faster (H200).
bool prepare_planes(Precision precision, PlanePass<>& pass) {
  const Kernel<PlanePass<>> kernel = kernel_of(precision, pass);
  if (kernel == nullptr || !fills_blocks(pass)) return false;
  prepare(kernel);
  int blocks = 0;
  check_gpu(
      gpuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, reinterpret_cast<const void*>(kernel),
                                                   static_cast<int>(pass.block_threads()),
                                                   shared_bytes(pass.shared_numbers(), precision)),
      "preparing a kernel");
  const std::size_t at_a_time =
      static_cast<std::size_t>(blocks) * attribute(gpuDevAttrMultiProcessorCount);
  const std::size_t of_plane = pass.blocks_of_plane();
  const std::size_t plane_bytes = std::size_t{pass.first_lines} * pass.second_lines *
                                  static_cast<std::size_t>(bytes_of({precision, true}));
  pass.mixed = of_plane >= blocks_to_mix;
  std::size_t blocks_in_cache = 0;
  if (pass.mixed) {
    const std::size_t late = of_plane + at_a_time;
    pass.lag = static_cast<std::uint32_t>(late / of_plane);
    pass.lag_blocks = static_cast<std::uint32_t>(late % of_plane * pass.second_blocks() / of_plane);
    blocks_in_cache = late + of_plane;
  } else {
    pass.lag = static_cast<std::uint32_t>(std::max<std::size_t>(at_a_time / of_plane, 1));
    blocks_in_cache = (pass.lag + 1) * of_plane;
  }
  return 2 * blocks_in_cache * plane_bytes <= attribute(gpuDevAttrL2CacheSize) * of_plane;
}

void run_planes(Stream& stream, Precision precision, const PlanePass<>& pass) {
  stream.device().use();
  PlanePass<> argument = pass;
  launch(kernel_of(precision, pass), pass.blocks(), pass.block_threads(),
         static_cast<gpuStream_t>(stream.native()), argument,
         shared_bytes(pass.shared_numbers(), precision));
}

bool fuses(const detail::FusedCalls& calls, const detail::FusedPass& pass) {
  return calls.takes(pass);
}

void run_fused(Stream& stream, const detail::PointFunction& function,
               const detail::FusedPass& pass) {
  stream.device().use();
  check_function_call(function.fused_calls()->launch(function.object(), pass, stream.native()),
                      "launching");
}

constexpr LineRunner runner{
    shared_bytes_of_block, lasting_blocks, prepare_pass, run_pass, prepare_pieces, run_pieces,
    prepare_planes,        run_planes,     fuses,        run_fused};

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
