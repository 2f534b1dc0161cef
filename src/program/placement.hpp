#pragma once

#include "program/program.hpp"
#include "schedule/stage.hpp"

namespace weft {

/// Places pieces so that those alive in the same step do not overlap: each in the first region
/// where it fits, otherwise in the workspace; at the lowest place that is free (first fit, in order
/// of creation).
Placement place(const std::vector<Placement::Lifetime>& pieces,
                const std::vector<Placement::Region>& regions);

/// Gives the buffers of a program their places: in workspace, in the output before it is written,
/// and in the input after it has been read, where the user allows that.
void place_buffers(Program& program, const Schedule& schedule, const Context& context);

/// Adds the copy of the input, and makes room for it. Before the first run, on all ranks alike.
void add_copy_of_input(Program& program, const Schedule& schedule, const Context& context,
                       Stream& stream);

}  // namespace weft
