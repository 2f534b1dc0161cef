#pragma once

#include <string>

#include "weft/axes.hpp"

namespace weft {

/// The parts of the time of a step, in seconds; all zero without Options::breakdown. For a pass
/// with several threads they are means over the threads, so the difference to StageTiming::seconds
/// is mostly the time in which threads wait for the last one. Scaling and transposition are
/// included in the copies.
struct StageParts {
  double unpack = 0;     ///< copies from messages, or the input, into tiles
  double decode = 0;     ///< copies from compressed messages into tiles
  double transform = 0;  ///< transforms of tiles; it may read the input and write the result itself
  double callback = 0;   ///< callbacks
  double encode = 0;     ///< copies of tiles into compressed messages
  double pack = 0;       ///< copies of tiles into messages, or the result
  double exchange = 0;   ///< calls that start messages, or keep them moving between tiles
  double wait = 0;       ///< for messages; packing again those whose error was too large
};

/// Time and traffic of one step of a plan, on this rank.
struct StageTiming {
  std::string name;    ///< such as "unpack, transform 1, pack", or the name of the exchange
  double seconds = 0;  ///< in the last run
  Index bytes = 0;     ///< read and written by a pass over memory; sent to others by an exchange
  /// Whether the step moves data between ranks: an exchange, from the start of its messages to
  /// their arrival. With `node_shared` the pass before it stores straight into the memory of ranks
  /// on the same node, and the exchange only waits for them.
  bool moves_data = false;
  StageParts parts;  ///< the parts of `seconds`
};

}  // namespace weft
