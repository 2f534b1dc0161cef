#pragma once

#include <string>

#include "weft/axes.hpp"

namespace weft {

/// What a step of a plan spends its time on, in seconds; all zero without Options::breakdown. Of a
/// pass with several threads the mean of these, so what is missing from StageTiming::seconds is
/// above all the time in which threads wait for the last one. Scaling and transposition have no
/// part of their own: the copies do them.
struct StageParts {
  double unpack = 0;     ///< copies from messages, or the input, into tiles
  double decode = 0;     ///< copies from compressed messages into tiles
  double transform = 0;  ///< transforms of tiles; it may read the input and write the result itself
  double callback = 0;   ///< functions of the caller
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
  /// their arrival. With `node_shared` the pass before it stores straight into the memory of
  /// ranks of the same node; of those the wait is all that is left.
  bool moves_data = false;
  StageParts parts;  ///< what the seconds were spent on
};

}  // namespace weft
