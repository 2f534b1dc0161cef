#pragma once

#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "exchange/exchange.hpp"
#include "local/local_transform.hpp"
#include "plan/pass.hpp"
#include "plan/workspace.hpp"
#include "schedule/stage.hpp"
#include "weft/timings.hpp"

namespace weft {

/// What all programs of a plan share.
struct ProgramSettings {
  ExchangeChoice exchange;
  const LocalBackend* backend = nullptr;
  Rigor rigor = Rigor::estimate;
  bool reorder = true;
  bool overwrite_input = false;
  int threads = 1;
  Index tile_bytes = 0;
  Index stream_bytes = 0;
  Index count_limit = 0;
};

/// A schedule turned into steps that run: passes over memory and exchanges. Packing belongs to the
/// pass before an exchange and unpacking to the one after it, so the usual schedule of k
/// redistributions runs as k+1 passes.
class Program {
 public:
  /// `exchanges` has one entry for each redistribution of the schedule, in order. Local work.
  Program(const Schedule& schedule, const Problem& problem, const ProgramSettings& settings,
          std::vector<std::unique_ptr<Exchange>> exchanges);
  ~Program();

  Index workspace_bytes() const { return workspace_bytes_; }
  /// Whether input and output may be the same memory.
  bool works_in_place() const;
  /// `workspace` is aligned to buffer_alignment and has workspace_bytes().
  void run(const std::byte* input, std::byte* output, std::byte* workspace);
  const std::vector<StageTiming>& timings() const { return timings_; }
  /// Bytes sent to other ranks in one run.
  Index bytes_sent() const;

 private:
  struct ExchangeStep {
    std::unique_ptr<Exchange> exchange;
    Slot send;  // packed messages, or the array of a direct exchange
    Slot receive;
    std::unique_ptr<PeerPacker> packer;
    bool between_user_arrays;
  };
  /// Where packed messages lie: those to others, and the one that stays.
  struct MessageSlots {
    Slot buffer;
    Slot own;
  };
  class PeerPasses;

  void lower(const Schedule& schedule, std::vector<std::unique_ptr<Exchange>> exchanges);
  Side exchange_messages(const RedistributeStage& move, const Side& current,
                         std::unique_ptr<Exchange> exchange);
  Side exchange_arrays(const RedistributeStage& move, const Side& current, bool last,
                       std::unique_ptr<Exchange> exchange);
  /// A pass with what all passes of this program share.
  PassRequest request(const Side& source, const Side& sink) const;
  /// A pass that copies a box.
  Pass copy(const Side& source, const Side& sink, const Box& box) const;
  void add_pass(const LocalStage& stage, const Side& source, const Side& sink, double scale);
  void add_copy(const ArrayState& state, const Side& source, const Side& sink);
  void add_exchange(ExchangeStep step);
  Side array_after(const ArrayState& state, bool is_output);
  Side send_side(const RedistributeStage& move, const Exchange& exchange);
  Side message_side(const std::vector<Transfer>& transfers, const MessageSlots& slots,
                    const AxisList& order, bool complex) const;
  /// The output before it is written, and the input after it was read if it may be destroyed.
  std::vector<Region> user_regions(const Schedule& schedule) const;
  Slot new_slot(Index bytes);
  /// The slot is read or written by the next step.
  void use(Slot slot);
  void use(const Side& side);

  const Problem& problem_;
  ProgramSettings settings_;
  Direction direction_;
  std::vector<std::variant<Pass, ExchangeStep>> steps_;
  std::optional<MessageSlots> messages_;  // while lowering: what the last pass has packed
  std::vector<StageTiming> timings_;
  std::vector<Lifetime> lifetimes_;                    // of the slots after input and output
  int output_from_ = std::numeric_limits<int>::max();  // first step that writes the output
  WorkspaceLayout apart_;     // with the user's arrays as workspace while they are free
  WorkspaceLayout in_place_;  // where input and output are the same memory
  Index scratch_bytes_ = 0;
  Index workspace_bytes_ = 0;
  SlotBases bases_;
};

/// The same schedule with a copy of the input in front, for running in place where the first step
/// would otherwise overwrite what it still has to read.
Schedule with_copied_input(const Schedule& schedule);

/// Messages of a redistribution as an exchange needs them. `comm` holds the ranks of its
/// group, in increasing order.
ExchangeSetup exchange_setup(const RedistributeStage& stage, const Problem& problem,
                             const Communicator& comm);

}  // namespace weft
