#pragma once

#include <string>

#include "exchange/environment.hpp"
#include "pass/context.hpp"
#include "redistribution/redistribution.hpp"
#include "schedule/stage.hpp"

namespace weft {

/// Collective: makes the redistributions of a schedule between passes in this stream.
Redistributions make_redistributions(const Schedule& schedule, Context& context,
                                     const ExchangeEnvironment& environment, Stream& stream);

/// Throws Error unless the name is a codec's that can be used with this precision, "lossless",
/// "none", "auto", or with a tolerance the name of a family without parameter.
void check_codec(const std::string& name, Precision precision, bool has_tolerance);

/// Elements of the longest block of any codec in use; 1 without codecs.
Index largest_block(const Redistributions& redistributions);

/// How the array lies in memory of an exchange where it lands.
Memory landing_memory(const RedistributeStage& stage);

/// The messages of a chunk as an exchange needs them. `comm` holds the ranks of its group, in
/// increasing order.
ExchangeSpec exchange_spec(const RedistributeStage& stage, const Chunk& chunk,
                           const ResolvedProblem& problem, const Communicator& comm);

}  // namespace weft
