#pragma once

#include <span>

#include "device/device.hpp"
#include "device/gpu/api.hpp"

namespace weft {

// Kernels load into the current device at the first launch of each, which waits for kernels that
// run; for ever, if one of those waits for what is to be launched. These load them before.
void load_move_kernels();
void load_flag_kernels();
void load_encode_kernels();
void load_decode_kernels();
void load_line_kernels();

// These put kernels for the current device into a stream. A GPU of `processors` multiprocessors is
// filled.
void launch_moves(gpuStream_t stream, int processors, std::span<const BlockMove> blocks,
                  CopyElement element, double scale);
void launch_encode(gpuStream_t stream, int processors, std::span<const CodedPart> parts,
                   const BlockFormat& format, CopyElement element, double scale,
                   EncodingSums* sums);
void launch_decode(gpuStream_t stream, int processors, std::span<const CodedPart> parts,
                   const BlockFormat& format, CopyElement element);
void launch_lines(gpuStream_t stream, const LineStep& step);
void launch_signal(gpuStream_t stream, const Flags& flags);
void launch_await(gpuStream_t stream, const Flags& flags);

}  // namespace weft
