#pragma once

#include <memory>

#include "device/device.hpp"
#include "trace/recorder.hpp"

namespace weft {

class DeviceWindow;

/// Where exchanges of messages in the memory of a device put their work. Those of a field in flight
/// share it.
struct DeviceSide {
  Stream* compute = nullptr;       ///< of the passes before and after
  Stream* send = nullptr;          ///< what goes to others
  Stream* own = nullptr;           ///< what stays, or what comes from the host
  DeviceWindow* window = nullptr;  ///< null unless the exchange needs one
  Recorder* recorder = nullptr;    ///< null: no trace is ever recorded

  Device& device() const { return compute->device(); }
  bool is_traced() const { return recorder != nullptr && recorder->is_on(); }
  /// The step of the program that calls.
  TracedStep step() const { return recorder != nullptr ? recorder->step() : TracedStep{}; }
  /// Calls work(), which submits something to the stream; a trace shows it as a span of the step.
  template <class Work>
  void in_span(TraceLane lane, Stream& stream, const TracedStep& step, const char* detail,
               Work&& work) const {
    if (!is_traced()) return work();
    const Moment begin = recorder->moment(stream);
    work();
    recorder->add(lane, step, detail, begin, recorder->moment(stream));
  }
  /// The same for what goes to others, in the stream for that.
  template <class Work>
  void in_send_span(const char* detail, Work&& work) const {
    in_span(TraceLane::send, *send, step(), detail, work);
  }
};

/// Lets one stream go on when another one has come to where it is now.
class Handover {
 public:
  explicit Handover(Device& device) : event_(device.make_event()) {}
  void operator()(Stream& from, Stream& to) {
    from.record(*event_);
    to.wait(*event_);
  }

 private:
  std::unique_ptr<Event> event_;
};

}  // namespace weft
