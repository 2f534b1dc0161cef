#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "device/device.hpp"
#include "weft/trace.hpp"

namespace weft {

/// A moment by the host's clock (MPI_Wtime), or the one when a stream comes to an event.
struct Moment {
  double seconds = 0;
  std::ptrdiff_t event = -1;  ///< number of the recorder's event; -1: by the host's clock
};

/// The step of a program that is being run.
struct TracedStep {
  const std::string* name = nullptr;  ///< outlives the recorder
  Index chunk = 0;
};

/// Keeps what a field in flight does while a trace is recorded. While none is, it costs whoever
/// asks is_on a branch, and nothing is allocated.
class Recorder {
 public:
  /// The stream of passes outlives the recorder.
  Recorder(int place, Stream& compute)
      : place_(place), compute_(compute), on_host_(on_host(compute)) {}

  bool is_on() const { return is_on_; }
  /// Begins anew.
  void start();
  /// Seconds by which times of the device may be off from those of the host.
  double uncertainty() const { return uncertainty_; }
  /// What was recorded, by this rank's clock, and ends. Everything submitted to streams has been
  /// done.
  std::vector<TraceSpan> stop();

  /// The next spans belong to this run ...
  void begin_run(Direction direction, Index run, Index field);
  /// ... and, where nothing else is said, to this step.
  void enter(const TracedStep& step) { step_ = step; }
  const TracedStep& step() const { return step_; }

  static Moment now();
  /// When the stream will have come to where it is now.
  Moment moment(Stream& stream);
  /// When passes will have: now, on the host.
  Moment moment_of_passes() { return on_host_ ? now() : moment(compute_); }
  /// `detail` outlives the recorder. Any thread may call it.
  void add(TraceLane lane, const TracedStep& step, const char* detail, const Moment& begin,
           const Moment& end);

 private:
  struct Recorded {
    TraceLane lane;
    TracedStep step;
    const char* detail;
    Direction direction;
    Index run;
    Index field;
    Moment begin;
    Moment end;
  };

  void find_epoch();
  double seconds(const Moment& moment) const;

  int place_;
  Stream& compute_;
  bool on_host_;
  bool is_on_ = false;
  Direction direction_ = Direction::forward;
  Index run_ = 0;
  Index field_ = 0;
  TracedStep step_;
  std::mutex mutex_;  // where messages are kept moving by a thread
  std::vector<Recorded> spans_;
  std::vector<std::unique_ptr<Event>> events_;  // kept for the next trace
  std::size_t used_events_ = 0;
  std::unique_ptr<Event> epoch_;  // to which other times of the device are relative
  double epoch_seconds_ = 0;      // when that was, by the host's clock
  double uncertainty_ = 0;
};

}  // namespace weft
