#pragma once

namespace weft::test {

/// Objects of MPI that were made and freed since the last reset, on this rank. A program that is
/// linked with mpi_count.cpp has the functions that do so wrapped.
struct MpiCount {
  int communicators_made = 0;
  int communicators_freed = 0;
  int types_made = 0;
  int types_committed = 0;
  int types_freed = 0;
  int windows_made = 0;
  int windows_freed = 0;
  int persistent_made = 0;   ///< requests of single messages
  int persistent_freed = 0;  ///< requests of any kind
};

void reset_mpi_count();
MpiCount mpi_count();

}  // namespace weft::test
