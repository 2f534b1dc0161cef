#pragma once

#include <memory>
#include <vector>

#include "device/device.hpp"
#include "trace/stage_parts.hpp"

namespace weft {

/// How long the parts of a pass take in one run of it: on the host by its clock, on a device by
/// events in the stream of passes.
class PartTimes {
 public:
  /// The stream outlives it.
  explicit PartTimes(Stream& stream) : stream_(stream), on_host_(on_host(stream)) {}

  /// A new run begins.
  void begin();
  /// Of the last run. On a device its work has been done.
  StageParts seconds() const;

  /// Watches a thread from its making on: whatever the thread has done since then, or since the
  /// last lap, belongs to the part that a lap is given.
  class Watch {
   public:
    /// One of so many threads that run a pass together; with null it does nothing.
    explicit Watch(PartTimes* times, int threads = 1);
    ~Watch();
    Watch(const Watch&) = delete;
    Watch& operator=(const Watch&) = delete;

    void lap(StagePart part) {
      if (times_ != nullptr) take(part);
    }

   private:
    void take(StagePart part);

    PartTimes* times_;
    int threads_;
    double last_ = 0;
    StageParts mine_;
  };

 private:
  void record(StagePart part);

  /// Where the stream comes to the end of a part; null: to the beginning of another pass.
  struct Mark {
    std::unique_ptr<Event> event;
    StagePart part;
  };

  Stream& stream_;
  bool on_host_;
  StageParts sum_;           // on the host
  std::vector<Mark> marks_;  // on a device; kept for the next run
  std::size_t used_marks_ = 0;
};

}  // namespace weft
