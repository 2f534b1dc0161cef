#include <algorithm>

#include "device/device.hpp"
#include "device/gpu/code_compiler.hpp"
#include "device/gpu/compiled_kernel.hpp"
#include "device/gpu/stream.hpp"
#include "local/gpu/line_source.hpp"
#include "local/gpu/warp_sums.hpp"
#include "local/line_transform.hpp"

namespace weft {

namespace {

std::size_t attribute(auto which) {
  return static_cast<std::size_t>(gpu_attribute(which));
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

CompiledKernel prepare_pass(Precision precision, const LinePass& pass) {
  return compiled_kernel(line_code, source_of(precision, pass, shared_bytes_of_block()));
}

void run_pass(Stream& stream, Precision precision, CompiledKernel kernel, const LinePass& pass) {
  if (pass.lines == 0) return;
  stream.device().use();
  launch(kernel, pass.launched_blocks(), pass.block_threads(),
         static_cast<gpuStream_t>(stream.native()), pass,
         shared_bytes(pass.shared_numbers(), precision));
}

CompiledKernel prepare_pieces(Precision precision, const PieceLines& pass) {
  load_warp_sums();
  return compiled_kernel(line_code, source_of(precision, pass, shared_bytes_of_block()));
}

void run_pieces(Stream& stream, Precision precision, CompiledKernel kernel,
                const PieceLines& pass) {
  if (pass.lines == 0) return;
  stream.device().use();
  const auto native = static_cast<gpuStream_t>(stream.native());
  launch(kernel, pass.blocks(), pass.block_threads(), native, pass,
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
std::optional<CompiledKernel> prepare_planes(Precision precision, PlanePass<>& pass) {
  if (!fills_blocks(pass)) return {};
  pass.mixed = pass.blocks_of_plane() >= blocks_to_mix;
  const std::string source = source_of(precision, pass, shared_bytes_of_block());
  if (source.empty()) return {};
  const CompiledKernel kernel = compiled_kernel(line_code, source);
  const std::size_t blocks = blocks_at_a_time(kernel, pass.block_threads(),
                                              shared_bytes(pass.shared_numbers(), precision));
  if (blocks == 0) return {};
  const std::size_t at_a_time = blocks * attribute(gpuDevAttrMultiProcessorCount);
  const std::size_t of_plane = pass.blocks_of_plane();
  const std::size_t plane_bytes = std::size_t{pass.first_lines} * pass.second_lines *
                                  static_cast<std::size_t>(bytes_of({precision, true}));
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
  if (2 * blocks_in_cache * plane_bytes > attribute(gpuDevAttrL2CacheSize) * of_plane) return {};
  return kernel;
}

void run_planes(Stream& stream, Precision precision, CompiledKernel kernel,
                const PlanePass<>& pass) {
  stream.device().use();
  launch(kernel, pass.blocks(), pass.block_threads(), static_cast<gpuStream_t>(stream.native()),
         pass, shared_bytes(pass.shared_numbers(), precision));
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
          .usable = [] { return find_device_method(gpu_name).count() > 0 && has_code_compiler(); },
          .recommended = [] { return true; },
          .supports = [](const LocalProblem& problem) { return supports_lines(runner, problem); },
          .make = [](const LocalProblem& problem) { return make_lines(runner, problem); },
          .in_place = true,
          .scales = true,
          .device = gpu_name,
          .any_layout = true};
}

}  // namespace weft
