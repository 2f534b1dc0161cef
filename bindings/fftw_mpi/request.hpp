#pragma once

#include <string>
#include <vector>

#include "abi.hpp"
#include "weft/kinds.hpp"

namespace weft::fftw_mpi {

enum class Family { c2c, r2c, c2r, r2r, transpose };

/// A plan as a program asks FFTW-MPI for it: the arguments of fftw_mpi_plan_many_*.
struct Request {
  Family family;
  Precision precision;
  std::vector<Size> shape;  ///< of a transpose: of its input
  Size howmany = 1;
  Size in_block = 0;   ///< of the axis that is distributed in the input; 0: FFTW's default
  Size out_block = 0;  ///< likewise in the output
  void* in = nullptr;
  void* out = nullptr;
  MPI_Comm comm = MPI_COMM_NULL;
  int sign = -1;             ///< of c2c
  std::vector<int> kinds{};  ///< of r2r
  unsigned flags = 0;
};

/// The request in words, for people: "c2c 12x10x7, howmany 3, transposed out, in place".
std::string to_string(const Request& request);

}  // namespace weft::fftw_mpi
