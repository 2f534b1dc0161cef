#pragma once

#include "device/coded_part.hpp"
#include "device/host_copy.hpp"
#include "weft/box.hpp"

namespace weft {

/// A part of an encoded message of `region` (see EncodedMessage) as devices take it. The numbers
/// begin at the lower corner of the part.
CodedPart coded_part(const BlockFormat& format, bool complex, const Box& region,
                     const AxisList& order, const Box& part, const MutableBlock& numbers,
                     std::byte* message);

}  // namespace weft
