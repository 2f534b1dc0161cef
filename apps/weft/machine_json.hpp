#pragma once

#include <nlohmann/json.hpp>

#include "machine_info.hpp"

namespace weft {

/// Where a measurement was made, as all of the command's JSON tells it.
inline nlohmann::ordered_json to_json(const MachineInfo& machine) {
  return {{"hostname", machine.hostname}, {"cpu", machine.cpu}, {"cores", machine.cores},
          {"nodes", machine.nodes},       {"mpi", machine.mpi}, {"compiler", machine.compiler}};
}

}  // namespace weft
