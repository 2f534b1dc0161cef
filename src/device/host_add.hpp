#pragma once

#include "device/host_copy.hpp"

namespace weft {

/// Adds a block of `extents` elements to another one. The blocks must not overlap.
void add_block(const Extents& extents, const MutableBlock& to, const ConstBlock& from,
               CopyElement element);

}  // namespace weft
