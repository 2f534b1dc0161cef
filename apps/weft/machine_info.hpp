#pragma once

#include <string>

#include "exchange/communicator.hpp"

namespace weft {

/// Where a measurement was made.
struct MachineInfo {
  std::string hostname;  ///< of rank 0
  std::string cpu;
  int cores = 1;  ///< of the machine of rank 0
  int nodes = 1;
  std::string mpi;
  std::string compiler;
};

/// Collective.
MachineInfo machine_info(const Communicator& comm);

}  // namespace weft
