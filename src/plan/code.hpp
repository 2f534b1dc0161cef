#pragma once

#include <memory>
#include <variant>
#include <vector>

#include "plan/pass.hpp"
#include "plan/redistribution.hpp"
#include "schedule/stage.hpp"
#include "weft/timings.hpp"

namespace weft {

/// A pass over memory.
struct PassStep {
  std::size_t pass;
  std::vector<std::size_t> opens;   ///< redistributions that it writes messages of
  std::vector<std::size_t> closes;  ///< redistributions whose messages it is the last to read
};
/// The messages of a redistribution set out.
struct StartStep {
  std::size_t redistribution;
};
/// They have arrived.
struct FinishStep {
  std::size_t redistribution;
};

struct Step {
  std::variant<PassStep, StartStep, FinishStep> what;
  std::size_t timing;
};

/// Memory of one run.
struct RunMemory {
  AddressTable addresses;
  std::byte* scratch = nullptr;
  /// Of packers, which work while messages move on: between the tiles of a pass, or in a thread.
  std::byte* packer_scratch = nullptr;
  Callbacks callbacks;
};

/// A schedule turned into steps.
struct Code {
  std::vector<std::unique_ptr<Pass>> passes;
  std::vector<Redistribution*> redistributions;
  std::vector<std::vector<std::size_t>>
      packed_by;  ///< passes that pack the messages of a redistribution
  std::vector<Step> steps;
  std::vector<StageTiming> timings;
  std::vector<Index> buffer_bytes;  ///< of the buffers after input and output; of messages none
  std::vector<BufferId> within;  ///< of each of these: the buffer that it is a part of, or itself
  std::unique_ptr<RunMemory> memory;
};

/// Packing belongs to the pass before a redistribution and unpacking to the one after it, so the
/// usual schedule of k redistributions becomes k+1 passes. Local work. All but the schedule outlive
/// the code.
Code lower(const Schedule& schedule, const Context& context, Stream& stream,
           Redistributions& redistributions);

}  // namespace weft
