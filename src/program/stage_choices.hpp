#pragma once

#include <cstddef>

#include "schedule/stage.hpp"

namespace weft {

/// Number of the stage that scales: the first that transforms. It usually copies its result from
/// cache into messages, where scaling is free; the last one may write to the output array itself.
///
/// On a device it is the one that transforms contiguous lines: there the library scales for
/// nothing, while with lines of long strides it may take other kernels, of half the speed.
std::size_t scaling_stage(const Schedule& schedule, bool on_host);

/// Whether the result of a stage may lie in the output array: it is the last one, or every stage
/// after it is local and leaves shape and type alone, so that it can work there.
bool stays_in_output(const Schedule& schedule, std::size_t stage);

}  // namespace weft
