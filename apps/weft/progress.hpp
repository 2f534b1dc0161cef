#pragma once

#include <string>

namespace weft {

/// A line on stderr that tells how far long work has come. It is rewritten in place and erased at
/// the end; there is none unless stderr is a terminal.
class Progress {
 public:
  /// `shown`: whether this process is the one that reports.
  explicit Progress(bool shown);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// The next step of the work, "reading velocity.npy".
  void begin(const std::string& step);
  /// Part of the step that is done, in [0, 1].
  void update(double fraction);
  /// Erases the line.
  void end();

 private:
  bool shown_;
  std::string step_;
  int percent_ = -1;
};

}  // namespace weft
