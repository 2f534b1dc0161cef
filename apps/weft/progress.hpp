#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace CLI {
class App;
}

namespace weft {

enum class Verbosity { quiet, normal, verbose };

/// Adds --quiet and --verbose.
void add_verbosity(CLI::App& app, Verbosity& verbosity);

/// Tells on stderr how far long work has come: of a step that takes longer than two seconds, on a
/// line of the terminal that is rewritten in place and erased at the end. With --verbose each step
/// has a line with its time, and one that takes long has several, where stderr is no terminal too.
class Progress {
 public:
  /// `reports`: whether this process is the one that does.
  Progress(bool reports, Verbosity verbosity);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// The next step of the work, "reading velocity.npy".
  void begin(const std::string& step);
  /// Part of the step that is done, in [0, 1].
  void update(double fraction);
  /// Of the last step.
  void end();

 private:
  using Clock = std::chrono::steady_clock;

  void watch();
  void end_step();
  void show(Clock::time_point now);

  const bool on_terminal_;
  const bool verbose_;
  bool is_shown_ = false;  ///< a line on the terminal
  std::string step_;       ///< empty between steps
  int percent_ = -1;
  Clock::time_point begin_;
  Clock::time_point next_;  ///< when the step is shown
  bool stopped_ = false;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::thread watcher_;
};

}  // namespace weft
