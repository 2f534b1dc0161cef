#pragma once

#include "pass/context.hpp"

namespace weft {

/// Collective over all of the context: opens the device that its options ask for, which is the host
/// by default, and takes the caller's stream. `node` has the ranks that share this rank's machine.
/// Throws Error on all ranks where some rank has none, or two ranks have the same one.
void open_device(Context& context, const Communicator& node);

}  // namespace weft
