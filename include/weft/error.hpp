#pragma once

#include <stdexcept>
#include <string>

/// Everything of weft for C++.
namespace weft {

/// Every failure of weft: bad arguments, failed MPI calls, files that cannot be used. Operations
/// that are collective throw it on every rank, with the same text.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace weft
