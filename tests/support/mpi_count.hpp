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
};

void reset_mpi_count();
MpiCount mpi_count();

}  // namespace weft::test
