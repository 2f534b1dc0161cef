#pragma once

#include <mpi.h>

#include <string>

namespace weft::fftw_mpi {

/// What the variable WEFT_FFTW asks for: words separated by commas.
struct Mode {
  bool off = false;      ///< everything goes to the genuine library
  bool verbose = false;  ///< a line for each plan tells who serves it
  bool strict = false;   ///< what weft does not serve ends the program
};
const Mode& mode();

/// Writes a line to stderr on rank 0 of the communicator.
void report(MPI_Comm comm, const std::string& text);
/// Writes a line to stderr and ends the program.
[[noreturn]] void abort_program(MPI_Comm comm, const std::string& text);

}  // namespace weft::fftw_mpi
