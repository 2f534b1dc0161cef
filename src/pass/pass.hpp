#pragma once

#include <memory>
#include <utility>

#include "pass/array_view.hpp"
#include "pass/callbacks.hpp"
#include "pass/context.hpp"
#include "trace/part_times.hpp"

namespace weft {

/// What a pass does. Boxes are those of this rank.
struct PassSpec {
  PassSide source;
  PassSide sink;
  Box before;
  Box after;
  AxisList axes;  ///< transformed, in order; none: the pass is a copy
  Direction direction = Direction::forward;
  double scale = 1;
  bool may_destroy_source = false;
  bool reads_input = false;    ///< of the user: functions may be applied to it
  bool writes_result = false;  ///< to the user's output: functions may be applied to it
  Index parts = 1;             ///< passes that write the array together, for the choice of stores
  Index alignment = 1;         ///< elements of a block of the codec

  /// Whether this rank has nothing to do.
  bool is_empty() const { return before.empty() && after.empty(); }
  /// Whether it is a copy from messages to messages, which may be encoded on both sides.
  bool is_between_messages() const {
    return axes.empty() && source.has_messages() && sink.has_messages();
  }
};

/// The memory of one run of a pass, and what happens meanwhile.
struct PassRun {
  const AddressTable& addresses;
  std::byte* scratch;  ///< scratch_bytes() of it, aligned to buffer_alignment
  const Callbacks& callbacks;
  ProgressEngine* progress = nullptr;  ///< lets messages under way move on, between tiles
  /// Where not null, nothing is written but the messages that this encodes.
  const MessageCodec* only = nullptr;
  PartTimes* parts = nullptr;  ///< where not null, tells how long the parts of the pass take
};

/// One pass over memory: reads the views of a source, transforms, and writes the views of a sink.
class Pass {
 public:
  virtual ~Pass() = default;
  Pass(const Pass&) = delete;
  Pass& operator=(const Pass&) = delete;

  const PassSpec& spec() const { return spec_; }
  virtual Index scratch_bytes() const = 0;
  /// On a device: submits the pass to the stream.
  virtual void run(const PassRun& run) const = 0;
  /// Whether source and sink may start at the same address.
  virtual bool works_in_place() const = 0;
  /// Whether a function of the input can be applied as it reads that; true if it does not.
  virtual bool applies_to_input(const detail::PointFunction&) const { return true; }

 protected:
  explicit Pass(PassSpec spec) : spec_(std::move(spec)) {}
  /// The functions of a run that this pass applies; those that are none are false.
  const detail::PointFunction& on_input(const PassRun& run) const {
    return spec_.reads_input ? run.callbacks.functions.input : none_;
  }
  const detail::PointFunction& on_output(const PassRun& run) const {
    return spec_.writes_result ? run.callbacks.functions.output : none_;
  }

  /// What copies from views of a source, or a view, count as, and those to a sink.
  template <class Views>
  static StagePart part_of_source(const Views& views) {
    return views.is_encoded() ? &StageParts::decode : &StageParts::unpack;
  }
  template <class Views>
  static StagePart part_of_sink(const Views& views) {
    return views.is_encoded() ? &StageParts::encode : &StageParts::pack;
  }

  const PassSpec spec_;

 private:
  const detail::PointFunction none_;
};

/// A pass of the kind that the device of the stream needs. The context and the stream, where its
/// work goes, outlive it.
std::unique_ptr<Pass> make_pass(const Context& context, Stream& stream, const PassSpec& spec);

}  // namespace weft
