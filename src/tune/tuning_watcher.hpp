#pragma once

#include <functional>
#include <vector>

#include "weft/plan_info.hpp"

namespace weft {

class Candidates;

/// Whom plans that this thread makes tell of their tuning. Functions that are empty are not called;
/// others must not throw, as they may be called on one rank alone.
struct TuningWatcher {
  std::function<void(const PlanTrial&)> tried;  ///< after each trial
  /// In the end; the candidates last no longer than the call.
  std::function<void(const Candidates&, const std::vector<PlanTrial>&)> ended;
};

extern thread_local TuningWatcher tuning_watcher;

}  // namespace weft
