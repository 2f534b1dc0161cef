#pragma once

#include "program/program.hpp"
#include "program/step_times.hpp"

namespace weft {

/// How far a program runs before it gives control back.
enum class Until {
  blocked,  ///< to a message that has not arrived
  message,  ///< to the next message to wait for, whether it has arrived or not
  waited,   ///< to the next but one, after waiting for the next
  done,
};

/// Runs programs, one at a time. A run can be left between steps, so that several transforms, or
/// the caller's own work, go on while messages are under way.
class Executor {
 public:
  /// What a run works on.
  struct Arrays {
    const std::byte* input;
    std::byte* output;
    std::byte* workspace;  ///< aligned to buffer_alignment, workspace_bytes() of the program
    /// On a device: where the input lies once functions were applied, if they are not applied as it
    /// is read.
    std::byte* changed;
  };

  /// Outlives it.
  explicit Executor(const Context& context) : context_(context) {}

  /// Room for its runs, which then allocate nothing.
  void expect(const Program& program);
  const RunMemory& memory() const { return memory_; }

  void begin(const Program& program, StepTimes& times, const Arrays& arrays,
             const Callbacks& callbacks);
  /// Goes on. True when the program has ended.
  bool advance(Until until);
  bool is_running() const { return program_ != nullptr && next_ < program_->steps.size(); }

 private:
  void place(const Arrays& arrays, const std::byte* input);
  /// Applies functions to the input before the first step.
  void change_input(const std::byte* from, std::byte* to);
  void run_copy();
  void start(Redistribution& redistribution);
  /// False where messages had to set out once more.
  bool finish(const Step& step);
  bool may_go_on(const Step& step);
  /// Applies functions to a result that no pass has written, but an exchange.
  void apply_to_result();

  const Context& context_;
  RunMemory memory_;
  const Program* program_ = nullptr;  // that runs, or has run last
  StepTimes* times_ = nullptr;
  bool copies_ = false;  // the input, which is still to be done
  std::size_t next_ = 0;
};

}  // namespace weft
