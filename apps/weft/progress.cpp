#include "progress.hpp"

#include <unistd.h>

#include <CLI/App.hpp>
#include <cstdio>

#include "geometry/human_units.hpp"

namespace weft {

namespace {

/// A step that takes longer is shown ...
constexpr std::chrono::seconds patience{2};
/// ... and again so often, on a terminal and elsewhere.
constexpr std::chrono::seconds terminal_period{1};
constexpr std::chrono::seconds line_period{10};

}  // namespace

void add_verbosity(CLI::App& app, Verbosity& verbosity) {
  CLI::Option* quiet = app.add_flag_callback(
      "--quiet", [&verbosity] { verbosity = Verbosity::quiet; },
      "Print nothing but errors and warnings");
  app.add_flag_callback(
         "--verbose", [&verbosity] { verbosity = Verbosity::verbose; },
         "Print each step and its time to stderr, not only slow ones to a terminal")
      ->excludes(quiet);
}

Progress::Progress(bool reports, Verbosity verbosity)
    : on_terminal_(reports && verbosity != Verbosity::quiet && isatty(STDERR_FILENO) != 0),
      verbose_(reports && verbosity == Verbosity::verbose) {
  if (on_terminal_ || verbose_) watcher_ = std::thread([this] { watch(); });
}

Progress::~Progress() {
  if (!watcher_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
    if (is_shown_) std::fprintf(stderr, "\r\033[K");
  }
  changed_.notify_one();
  watcher_.join();
}

void Progress::begin(const std::string& step) {
  if (!watcher_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    end_step();
    step_ = step;
    percent_ = -1;
    begin_ = Clock::now();
    next_ = begin_ + patience;
  }
  changed_.notify_one();
}

void Progress::update(double fraction) {
  if (!watcher_.joinable()) return;
  const std::lock_guard lock(mutex_);
  percent_ = static_cast<int>(fraction * 100);
}

void Progress::end() {
  if (!watcher_.joinable()) return;
  const std::lock_guard lock(mutex_);
  end_step();
}

void Progress::watch() {
  std::unique_lock lock(mutex_);
  while (!stopped_) {
    if (step_.empty()) {
      changed_.wait(lock);
    } else if (changed_.wait_until(lock, next_) == std::cv_status::timeout && !step_.empty()) {
      const Clock::time_point now = Clock::now();
      if (now >= next_) show(now);
    }
  }
}

void Progress::end_step() {
  if (is_shown_) std::fprintf(stderr, "\r\033[K");
  is_shown_ = false;
  if (verbose_ && !step_.empty()) {
    const std::chrono::duration<double> elapsed = Clock::now() - begin_;
    std::fprintf(stderr, "weft: %s took %s\n", step_.c_str(),
                 human_seconds(elapsed.count()).c_str());
  }
  step_.clear();
}

void Progress::show(Clock::time_point now) {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(now - begin_).count();
  std::string text = step_ + (percent_ < 0 ? "" : " " + std::to_string(percent_) + " %") + ", " +
                     std::to_string(seconds) + " s";
  if (on_terminal_) {
    std::fprintf(stderr, "\r\033[K%s", text.c_str());
    is_shown_ = true;
  } else {
    std::fprintf(stderr, "weft: %s\n", text.c_str());
  }
  std::fflush(stderr);
  next_ = now + (on_terminal_ ? terminal_period : line_period);
}

}  // namespace weft
