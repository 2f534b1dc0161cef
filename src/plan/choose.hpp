#pragma once

#include <memory>
#include <vector>

#include "pass/context.hpp"
#include "weft/plan.hpp"
#include "wisdom/known.hpp"

namespace weft {

/// Collective: everything but the exchange, whatever options leave open. Those asked for get what
/// the environment of rank 0 says of options at their defaults, and then the settings that are
/// known; null: wisdom is asked for them. Throws Error on all ranks where the arguments make no
/// sense, or cannot be had on some.
std::unique_ptr<Context> choose(MPI_Comm comm, const Problem& given, const Options& asked,
                                const Known* known);

/// Collective over all of the context: opens the device that its options ask for, which is the host
/// by default, and takes the caller's stream. `node` has the ranks that share this rank's machine.
/// Ranks may share a device. Throws Error on all ranks where some rank has none.
void open_device(Context& context, const Communicator& node);

/// What the cost model is told of the machine for plans with such options. With node_shared passes
/// themselves store into the memory of neighbors; then nothing else moves within a node.
Machine machine_for(const Options& options, Machine machine);

/// Collective: the exchanges that "auto" stands for, or the one that is asked for by name. Each but
/// the last needs memory that ranks share, and the next one takes its place where there is not
/// enough.
std::vector<ExchangeChoice> exchanges_to_try(const Context& context);

}  // namespace weft
