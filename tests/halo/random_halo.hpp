#pragma once

#include <mpi.h>

#include <cstdint>
#include <string>

#include "weft/halo.hpp"

namespace weft::test {

/// Any halo that may be asked for, drawn from a seed; the same on all ranks but for strides and own
/// boxes.
struct RandomHalo {
  MPI_Comm comm = MPI_COMM_NULL;
  HaloProblem problem;
  std::string text;  ///< what it is, for messages
};

/// Collective.
RandomHalo random_halo(std::uint64_t seed, MPI_Comm comm);

}  // namespace weft::test
