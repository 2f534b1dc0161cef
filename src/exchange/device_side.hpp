#pragma once

#include <memory>

#include "device/device.hpp"
#include "trace/recorder.hpp"

namespace weft {

class DeviceWindow;

/// Where exchanges of messages in the memory of a device put their work. Those of a field in flight
/// share it.
struct DeviceSide {
  Device* device = nullptr;
  Queue* compute = nullptr;        ///< of the passes before and after
  Queue* send = nullptr;           ///< what goes to others
  Queue* own = nullptr;            ///< what stays, or what comes from the host
  DeviceWindow* window = nullptr;  ///< null unless the exchange needs one
  Recorder* recorder = nullptr;    ///< null: no trace is ever recorded

  bool is_traced() const { return recorder != nullptr && recorder->is_on(); }
  /// The step of the program that calls.
  TracedStep step() const { return recorder != nullptr ? recorder->step() : TracedStep{}; }
  /// Calls work(), which puts something into the queue; a trace shows it as a span of the step.
  template <class Work>
  void in_span(TraceLane lane, Queue& queue, const TracedStep& step, const char* detail,
               Work&& work) const {
    if (!is_traced()) return work();
    const Moment begin = recorder->moment(queue);
    work();
    recorder->add(lane, step, detail, begin, recorder->moment(queue));
  }
  /// The same for what goes to others, in the queue for that.
  template <class Work>
  void in_send_span(const char* detail, Work&& work) const {
    in_span(TraceLane::send, *send, step(), detail, work);
  }
};

/// Lets one queue go on when another one has come to where it is now.
class Handover {
 public:
  explicit Handover(Device& device) : device_(&device), event_(device.make_event()) {}
  void operator()(Queue& from, Queue& to) {
    device_->record(*event_, from);
    device_->wait(to, *event_);
  }

 private:
  Device* device_;
  std::unique_ptr<Event> event_;
};

}  // namespace weft
