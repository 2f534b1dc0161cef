#pragma once

#include "program/program.hpp"
#include "schedule/stage.hpp"

namespace weft {

/// Packing belongs to the pass before a redistribution and unpacking to the one after it, so the
/// usual schedule of k redistributions becomes k+1 passes. Local work; buffers have no places yet.
/// `memory` is that of runs. All but the schedule outlive the program.
Program lower(const Schedule& schedule, const Context& context, Stream& stream,
              Redistributions& redistributions, const RunMemory& memory);

}  // namespace weft
