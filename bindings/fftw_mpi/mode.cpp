#include "mode.hpp"

#include <cstdio>
#include <cstdlib>
#include <sstream>

namespace weft::fftw_mpi {

namespace {

Mode mode_of_environment() {
  Mode result;
  const char* const value = std::getenv("WEFT_FFTW");
  std::istringstream words(value != nullptr ? value : "");
  for (std::string word; std::getline(words, word, ',');) {
    if (word == "off") {
      result.off = true;
    } else if (word == "verbose") {
      result.verbose = true;
    } else if (word == "strict") {
      result.strict = true;
    } else {
      std::fprintf(stderr, "weft: WEFT_FFTW is '%s', not one of off, verbose, strict\n",
                   word.c_str());
    }
  }
  return result;
}

}  // namespace

const Mode& mode() {
  static const Mode from_environment = mode_of_environment();
  return from_environment;
}

void report(MPI_Comm comm, const std::string& text) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  if (rank == 0) std::fprintf(stderr, "WEFT_FFTW: %s\n", text.c_str());
}

void abort_program(MPI_Comm comm, const std::string& text) {
  report(comm, text);
  MPI_Abort(comm, EXIT_FAILURE);
  std::abort();
}

}  // namespace weft::fftw_mpi
