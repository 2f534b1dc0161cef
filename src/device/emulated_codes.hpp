#pragma once

#include <span>

#include "device/code_tasks.hpp"
#include "device/encoding_sums.hpp"
#include "device/host_copy.hpp"

namespace weft {

// What kernels do, block by block on the host.
void encode_blocks(std::span<const CodedPart> parts, const BlockFormat& format, CopyElement element,
                   double scale, EncodingSums& sums);
void decode_blocks(std::span<const CodedPart> parts, const BlockFormat& format,
                   CopyElement element);

}  // namespace weft
