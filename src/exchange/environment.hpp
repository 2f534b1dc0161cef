#pragma once

#include <memory>
#include <vector>

#include "device/device.hpp"
#include "exchange/communicator.hpp"
#include "trace/recorder.hpp"

namespace weft {

class SharedWindow;

/// Lets one stream go on when another one has come to where it is now.
class Handover {
 public:
  explicit Handover(Device& device) : event_(device.make_event()) {}
  void operator()(Stream& from, Stream& to) {
    if (&from == &to) return;
    from.record(*event_);
    to.wait(*event_);
  }

 private:
  std::unique_ptr<Event> event_;
};

/// The streams of a field in flight, where its passes and its exchanges put their work, and the
/// recorder of what they do there.
class FieldStreams {
 public:
  /// Passes of the first field work in the caller's stream, those of others in one of their own. On
  /// a device that ranks share the caller's stream is the only one.
  FieldStreams(int place, Stream& caller);

  /// They wait for what the caller has put into its stream, or the other way round.
  void enter();
  void leave();
  /// Returns when everything that was submitted has been done.
  void synchronize() const;

  Stream& compute() const { return *compute_; }  ///< of passes
  Stream& send() const { return *send_; }        ///< of what goes to others
  Stream& own() const { return *own_; }          ///< of what stays, or what comes from the host
  Device& device() const { return compute_->device(); }
  Recorder& recorder() { return recorder_; }
  bool is_traced() const { return recorder_.is_on(); }
  /// Calls work(), which submits something to the stream; a trace shows it as a span of the step.
  template <class Work>
  void in_span(TraceLane lane, Stream& stream, const TracedStep& step, const char* detail,
               Work&& work) {
    if (!is_traced()) return work();
    const Moment begin = recorder_.moment(stream);
    work();
    recorder_.add(lane, step, detail, begin, recorder_.moment(stream));
  }
  /// The same for what goes to others, in the stream for that.
  template <class Work>
  void in_send_span(const char* detail, Work&& work) {
    in_span(TraceLane::send, *send_, recorder_.step(), detail, work);
  }

 private:
  Stream* make_stream(Priority priority);

  Stream& caller_;
  std::vector<std::unique_ptr<Stream>> made_;
  Stream* compute_;
  Stream* send_;
  Stream* own_;
  Handover handover_;
  Recorder recorder_;
};

/// What exchanges that are made together have in common.
struct ExchangeEnvironment {
  /// All whose ranks make an exchange at this time, each with those of its group.
  const Communicator& everybody;
  Index count_limit = 2147483647;   ///< largest count for one MPI argument
  int threads = 1;                  ///< that compress messages
  int node = 0;                     ///< a number that the ranks of a node share
  SharedWindow* window = nullptr;   ///< null unless the exchange needs one
  FieldStreams* streams = nullptr;  ///< of exchanges between devices, which they outlive
};

}  // namespace weft
