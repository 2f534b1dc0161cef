#pragma once

#include <string>

#include "weft/axes.hpp"

namespace weft {

/// Time and traffic of one step of a plan, on this rank.
struct StageTiming {
  std::string name;    ///< such as "unpack, transform 1, pack", or the name of the exchange
  double seconds = 0;  ///< in the last run
  Index bytes = 0;     ///< read and written by a pass over memory; sent to others by an exchange
  /// Whether the step moves data between ranks: an exchange, from the start of its messages to
  /// their arrival. With `node_shared` the pass before it stores straight into the memory of
  /// ranks of the same node; of those the wait is all that is left.
  bool moves_data = false;
};

}  // namespace weft
