#pragma once

#include <string>

#include "weft/axes.hpp"

namespace weft {

/// Time and traffic of one step of a plan, on this rank.
struct StageTiming {
  std::string name;    ///< as in Plan::describe
  double seconds = 0;  ///< in the last run
  Index bytes = 0;     ///< of a pass over memory: read and written; of an exchange: sent to others
};

}  // namespace weft
