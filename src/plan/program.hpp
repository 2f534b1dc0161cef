#pragma once

#include <optional>
#include <string>
#include <vector>

#include "exchange/environment.hpp"
#include "plan/code.hpp"
#include "plan/step_recorder.hpp"
#include "plan/workspace.hpp"

namespace weft {

/// How far a program runs before it gives control back.
enum class Until {
  blocked,  ///< to a message that has not arrived
  message,  ///< to the next message to wait for, whether it has arrived or not
  waited,   ///< to the next but one, after waiting for the next
  done,
};

/// The steps of a schedule with their memory. It can be left between steps, so that several
/// transforms, or the caller's own work, go on while messages are under way.
class Program {
 public:
  /// All but the schedule outlive it.
  Program(const Schedule& schedule, const Context& context, FieldStreams& streams,
          Redistributions& redistributions);

  /// Whether some runs have to begin with a copy of the input: in place, where steps would
  /// overwrite what they still have to read, or where functions cannot be applied as it is read.
  bool may_need_copy() const;
  /// Makes room for it. Before the first run, on all ranks alike.
  void allow_copy(const Schedule& schedule);
  /// Whether a run does.
  bool copies_input(bool in_place, bool functions_on_input) const;

  Index workspace_bytes() const;
  /// Whether input and output may be the same memory.
  bool works_in_place() const;
  /// Whether functions are applied to the input as it is read: no exchange reads it itself, nor,
  /// on a device, a library.
  bool applies_to_input() const;
  /// `workspace` is aligned to buffer_alignment and has workspace_bytes(). On a device `changed` is
  /// where the input lies once functions were applied, if they are not applied as it is read.
  void begin(const std::byte* input, std::byte* output, std::byte* workspace,
             const Callbacks& callbacks, std::byte* changed);
  /// Goes on. True when the program has ended.
  bool advance(Until until);
  /// Whether starts of its exchanges wait for other ranks: then it must not be left in between, as
  /// ranks that wait here for others may be what these wait for elsewhere.
  bool blocks() const;
  bool is_running() const { return next_ < code_.steps.size(); }

  /// On a device it waits for the end of the last run.
  const std::vector<StageTiming>& timings();

 private:
  /// Steps in which a buffer is used.
  struct Use {
    int first = -1;
    int last = -1;
  };

  /// The array that passes write where they have read the input, if they do; other than input
  /// and output.
  std::optional<std::size_t> buffer_in_place_of_input() const;
  void place_buffers(const Schedule& schedule);
  std::vector<Lifetime> lifetimes(const std::vector<Use>& uses) const;
  void run_copy();
  std::vector<Use> buffer_uses() const;
  bool exchange_reads_input() const;
  /// Applies functions to the input before the first step.
  void change_input(const std::byte* from, std::byte* to);
  void run(const PassStep& step);
  /// False where messages had to set out once more.
  bool finish(const FinishStep& step);
  bool may_go_on(const Step& step);
  /// Applies functions to a result that no pass has written, but an exchange.
  void apply_to_result();

  const Context& context_;
  Stream& stream_;
  Code code_;
  StepRecorder spans_;
  WorkspaceLayout apart_;             // with the user's arrays as workspace while they are free
  WorkspaceLayout in_place_;          // where input and output are the same memory
  WorkspaceLayout with_copy_;         // that of the input comes first
  std::unique_ptr<Pass> copy_input_;  // null: no run needs one
  bool copies_ = false;               // the present run
  Index array_bytes_ = 0;  // of input and output, where one may serve as workspace in place
  int output_from_ = 0;    // first step that writes the output
  int input_until_ = 0;    // first step after the last one that reads the input
  /// This rank's part of the input or output, and the bytes of its elements.
  struct UserArray {
    ArrayView view;
    Index element_bytes;

    UserArray(const ArrayState& state, const Problem& problem, BufferId buffer);
    Callbacks::Numbers numbers(std::byte* base) const;
  };
  UserArray input_;
  UserArray result_;
  Index scratch_bytes_ = 0;
  Index packer_scratch_bytes_ = 0;
  std::size_t next_ = 0;
  bool has_run_ = false;
  std::vector<std::unique_ptr<Event>> marks_;  // on a device: before the first step and after each
};

}  // namespace weft
