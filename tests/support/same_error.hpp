#pragma once

#include <functional>
#include <string>
#include <vector>

#include "support/error_text.hpp"
#include "weft/error.hpp"

namespace weft::test {

/// Collective. Expects `work` to throw weft::Error on every rank of MPI_COMM_WORLD, with the same
/// text and this code, and that text to contain all of `parts`.
void expect_same_error(const std::function<void()>& work, const std::vector<std::string>& parts,
                       ErrorCode code = ErrorCode::argument);

/// Ends the process with a signal, and with it the job, when it still exists after some seconds: a
/// rank that was left behind waits for ever.
class Watchdog {
 public:
  explicit Watchdog(unsigned seconds = 60);
  ~Watchdog();
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;
};

}  // namespace weft::test
