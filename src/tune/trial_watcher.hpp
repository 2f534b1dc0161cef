#pragma once

#include <functional>

#include "weft/plan_info.hpp"

namespace weft {

/// Called after each trial while a plan is tuned by this thread; empty: nobody is.
extern thread_local std::function<void(const PlanTrial&)> trial_watcher;

}  // namespace weft
