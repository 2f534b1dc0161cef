#pragma once

#include <memory>
#include <vector>

#include "pass/pass.hpp"
#include "redistribution/redistribution.hpp"
#include "weft/timings.hpp"

namespace weft {

/// What is done at a time: a pass over memory, or the messages of a redistribution set out, or they
/// have arrived.
struct Step {
  enum Kind { pass, start, finish } kind = pass;
  std::size_t number = 0;  ///< of the pass or the redistribution
  std::size_t timing = 0;
  Index chunk = 0;                  ///< among the passes, or the redistributions, of this timing
  std::vector<std::size_t> opens;   ///< by a pass: redistributions that it writes messages of
  std::vector<std::size_t> closes;  ///< redistributions whose messages it is the last to read
};

/// The memory of one run.
struct RunMemory {
  AddressTable addresses;
  std::byte* scratch = nullptr;
  /// Of packers, which work while messages move on: between the tiles of a pass, or in a thread.
  std::byte* packer_scratch = nullptr;
  Callbacks callbacks;
};

/// Where pieces of temporary memory lie.
struct Placement {
  /// A piece of temporary memory: written in step `first`, last read in step `last`.
  struct Lifetime {
    Index bytes = 0;
    int first = 0;
    int last = 0;
  };

  /// Memory of the user that may serve as workspace before or after it holds the user's data: free
  /// in the steps [from, until).
  struct Region {
    Index bytes = 0;
    int from = 0;
    int until = 0;
  };

  /// Where a piece lies: region -1 is the workspace proper.
  struct Place {
    int region = -1;
    Index offset = 0;  ///< in bytes, a multiple of buffer_alignment
  };

  std::vector<Place> places;  ///< one for each lifetime
  Index bytes = 0;            ///< of the workspace proper
};

/// A schedule turned into steps, and where their buffers lie. Running it changes nothing of it.
struct Program {
  /// Memory that steps work on.
  struct Buffer {
    Index bytes = 0;                 ///< none of arrays of the user, or of messages
    BufferId within = input_buffer;  ///< the buffer that it is a part of; itself if of none
  };
  std::vector<std::unique_ptr<Pass>> passes;
  std::vector<Redistribution*> redistributions;
  std::vector<std::vector<std::size_t>> packed_by;  ///< passes that pack messages, of each of them
  std::vector<Step> steps;
  std::vector<StageTiming> stages;  ///< what steps belong to; of a run that took no time
  std::vector<Buffer> buffers{{0, input_buffer}, {0, output_buffer}};  ///< by BufferId
  /// The arrays of the user.
  PassSide input, result;

  /// Copies the input before the first step: in place, where steps would overwrite what they still
  /// have to read, or where functions cannot be applied as it is read. Null: no run needs that.
  std::unique_ptr<Pass> copy_input;
  Placement apart;        ///< with the user's arrays as workspace while they are free
  Placement in_place;     ///< where input and output are the same memory
  Placement with_copy;    ///< of the input, in the place of the input itself
  Index array_bytes = 0;  ///< of input and output, where one may serve as workspace in place
  int input_until = 0;    ///< first step after the last one that reads the input
  int output_from = 0;    ///< first step that writes the output
  Index scratch_bytes = 0;
  Index packer_scratch_bytes = 0;

  Index workspace_bytes() const;
  /// Whether an exchange reads the user's input itself.
  bool exchange_reads_input() const;
  /// Whether input and output may be the same memory.
  bool works_in_place() const;
  /// Whether a function of the input is applied as that is read: no exchange reads it itself,
  /// nor, on a device, a library.
  bool applies_to_input(const detail::PointFunction& function) const;
  /// Whether a run has to copy the input.
  bool copies_input(const Context& context, bool same_array, bool functions_on_input) const;
  /// Whether starts of its exchanges wait for other ranks: then it must not be left in between, as
  /// ranks that wait here for others may be what these wait for elsewhere.
  bool blocks() const;
};

}  // namespace weft
