#pragma once

#include <stdexcept>
#include <string>

/// Everything of weft for C++.
namespace weft {

/// What an error is about, so that programs can tell what they may do.
enum class ErrorCode {
  argument,     ///< an argument makes no sense, or the call does not at this time
  unsupported,  ///< this build of the library, or this machine, cannot do it
  memory,       ///< there is not enough memory
  mpi,          ///< a call of MPI failed
  device,       ///< a call of a device's libraries failed
  file,         ///< a file cannot be read or written
  callback,     ///< a function of the caller failed; if it threw an Error, that one's code counts
};

/// Every failure of weft. Operations that are collective throw it on every rank, with the same text
/// and the same code.
class Error : public std::runtime_error {
 public:
  /// Not explicit, so that the text alone stands for an error of arguments.
  Error(const std::string& text, ErrorCode code = ErrorCode::argument)
      : std::runtime_error(text), code_(code) {}

  ErrorCode code() const { return code_; }  ///< what it is about

 private:
  ErrorCode code_;
};

}  // namespace weft
