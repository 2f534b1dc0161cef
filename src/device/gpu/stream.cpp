// Streams of GPUs of NVIDIA, or of AMD, by the vendor's runtime library.
#include "device/gpu/stream.hpp"

#include "device/device.hpp"
#include "device/engine_copies.hpp"
#include "device/gpu/flag_operations.hpp"
#include "device/gpu/kernels.hpp"

namespace weft {

namespace {

/// From this length of contiguous runs on, copy engines move data to other GPUs faster than kernels
/// (H200: 386 against 359 GB/s), and they leave the processors to transforms.
constexpr Index engine_run_bytes = 256;

void copy_rows(gpuStream_t stream, const BlockMove& block, const EngineCopies& shape) {
  const auto width = static_cast<std::size_t>(shape.width);
  for (Index copy = 0; copy < shape.copies; ++copy) {
    std::byte* const to = block.to.data + copy * shape.to_step;
    const std::byte* const from = block.from.data + copy * shape.from_step;
    if (shape.rows == 1) {
      check_gpu(gpuMemcpyAsync(to, from, width, gpuMemcpyDefault, stream), "copy by a GPU");
      continue;
    }
    check_gpu(gpuMemcpy2DAsync(to, static_cast<std::size_t>(shape.to_pitch), from,
                               static_cast<std::size_t>(shape.from_pitch), width,
                               static_cast<std::size_t>(shape.rows), gpuMemcpyDefault, stream),
              "copy by a GPU");
  }
}

}  // namespace

void check_function_call(const char* error, const char* what) {
  if (error == nullptr) return;
  throw Error(std::string(what) + " the callback: " + error, ErrorCode::device);
}

void GpuStream::copy(std::byte* to, const std::byte* from, std::size_t bytes) {
  if (bytes == 0) return;
  device().use();
  check_gpu(gpuMemcpyAsync(to, from, bytes, gpuMemcpyDefault, stream_), "copy by a GPU");
}

void GpuStream::clear(std::byte* memory, std::size_t bytes) {
  if (bytes == 0) return;
  device().use();
  check_gpu(gpuMemsetAsync(memory, 0, bytes, stream_), "clearing memory of a GPU");
}

bool GpuStream::move_by_engine(const BlockMove& block, CopyElement element, Mover mover) {
  if (is_empty(block.extents)) return true;
  const Axes<CopyLoop> loops = ordered_loops(block.extents, block.to.stride, block.from.stride);
  const auto shape = engine_copies(loops, bytes_of(element));
  if (!shape || (mover == Mover::automatic && shape->width < engine_run_bytes)) return false;
  copy_rows(stream_, block, *shape);
  return true;
}

void GpuStream::move(std::span<const BlockMove> blocks, CopyElement element, double scale,
                     Mover mover) {
  device().use();
  const auto launch = [&](std::size_t first, std::size_t last) {
    if (first == last) return;
    launch_moves(stream_, processors_, blocks.subspan(first, last - first), element, scale);
  };
  std::size_t first = 0;
  if (scale == 1 && mover != Mover::kernel) {
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      if (!move_by_engine(blocks[i], element, mover)) continue;
      launch(first, i);
      first = i + 1;
    }
  }
  launch(first, blocks.size());
}

void GpuStream::apply(const detail::PointFunction& function, const PointBlock& block) {
  device().use();
  check_function_call(function.device_calls()->launch(function.object(), block, stream_),
                      "launching");
}

void GpuStream::run(const LineStep& step) {
  device().use();
  launch_lines(stream_, step);
}

void GpuStream::encode(std::span<const CodedPart> parts, const BlockFormat& format,
                       CopyElement element, double scale, EncodingSums* sums) {
  device().use();
  launch_encode(stream_, processors_, parts, format, element, scale, sums);
}

void GpuStream::decode(std::span<const CodedPart> parts, const BlockFormat& format,
                       CopyElement element) {
  device().use();
  launch_decode(stream_, processors_, parts, format, element);
}

void GpuStream::signal(const Flags& flags) {
  device().use();
  if (device().is_shared()) return submit_signal(stream_, flags);
  launch_signal(stream_, flags);
}

void GpuStream::await(const Flags& flags) {
  device().use();
  if (device().is_shared()) return submit_await(stream_, flags);
  launch_await(stream_, flags);
}

void GpuStream::record(Event& event) {
  device().use();
  check_gpu(gpuEventRecord(native_event(event), stream_), "recording an event");
}

void GpuStream::wait(const Event& event) {
  device().use();
  check_gpu(gpuStreamWaitEvent(stream_, native_event(event), 0), "waiting for an event");
}

void GpuStream::synchronize() {
  device().use();
  check_gpu(gpuStreamSynchronize(stream_), "waiting for a stream");
}

bool GpuStream::is_captured() const {
  device().use();
  gpuStreamCaptureStatus status{};
  const gpuError_t code = gpuStreamIsCapturing(stream_, &status);
  if (code == gpuSuccess) return status != gpuStreamCaptureStatusNone;
  // The default stream cannot be asked while another one is captured.
  static_cast<void>(gpuGetLastError());
  return true;
}

}  // namespace weft
