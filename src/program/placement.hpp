#pragma once

#include "program/program.hpp"
#include "schedule/stage.hpp"

namespace weft {

/// Gives the buffers of a program their places: in workspace, in the output before it is written,
/// and in the input after it has been read, where the user allows that.
void place_buffers(Program& program, const Schedule& schedule, const Context& context);

/// Adds the copy of the input, and makes room for it. Before the first run, on all ranks alike.
void add_copy_of_input(Program& program, const Schedule& schedule, const Context& context,
                       Stream& stream);

}  // namespace weft
