#pragma once

#include <string>

#include "weft/error.hpp"

namespace weft {

/// Where an operation is that was started and is to be waited for. Only wait and what begins next
/// forget it, so that a caller may go on calling test, and then wait, after its end was found.
class Started {
 public:
  void begin() { state_ = State::under_way; }
  void complete() { state_ = State::complete; }
  void forget() { state_ = State::nothing; }

  bool is_under_way() const { return state_ == State::under_way; }

  /// Throws Error unless there is something to test or wait for.
  void check(const char* call) const {
    if (state_ != State::nothing) return;
    throw Error(std::string(call) + ": nothing was started that could be waited for");
  }

 private:
  enum class State { nothing, under_way, complete };
  State state_ = State::nothing;
};

}  // namespace weft
