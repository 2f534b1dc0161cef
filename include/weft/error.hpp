#pragma once

#include <stdexcept>
#include <string>

/// Everything of weft for C++.
namespace weft {

/// The kind of an error, for programs that react to it.
enum class ErrorCode {
  argument,     ///< an argument is invalid, or the call is not allowed at this time
  unsupported,  ///< this build of the library, or this machine, cannot do it
  memory,       ///< there is not enough memory
  mpi,          ///< an MPI call failed
  device,       ///< a call to a device library failed
  file,         ///< a file cannot be read or written
  callback,     ///< a callback failed; if it threw an Error, the code of that one is used
};

/// The exception that weft throws. Collective operations throw it on every rank, with the same text
/// and the same code.
class Error : public std::runtime_error {
 public:
  /// Not explicit, so that a text alone makes an argument error.
  Error(const std::string& text, ErrorCode code = ErrorCode::argument)
      : std::runtime_error(text), code_(code) {}

  ErrorCode code() const { return code_; }  ///< kind of error

 private:
  ErrorCode code_;
};

}  // namespace weft
