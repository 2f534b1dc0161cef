#pragma once

#include <memory>
#include <string>
#include <vector>

#include "plan/array_view.hpp"
#include "plan/context.hpp"
#include "plan/encoding.hpp"
#include "plan/point_calls.hpp"

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
};

/// One pass over memory: reads the views of a source, transforms, and writes the views of a sink.
class Pass {
 public:
  virtual ~Pass() = default;

  /// Bytes of scratch memory that run needs, aligned to buffer_alignment.
  virtual Index scratch_bytes() const = 0;
  /// While it computes, messages that are under way move on. With `only`, nothing is written but
  /// the messages of that encoding. On a device: submits the pass to the stream.
  virtual void run(const AddressTable& addresses, std::byte* scratch, const PointCalls& calls,
                   ProgressEngine* progress = nullptr, const Encoding* only = nullptr) const = 0;
  /// Whether functions can be applied as it reads the user's input; true if it does not read that.
  virtual bool applies_to_input() const { return true; }
  /// Whether source and sink may start at the same address.
  virtual bool works_in_place() const = 0;

  const PassSide& source() const { return spec_.source; }
  const PassSide& sink() const { return spec_.sink; }
  bool writes_result() const { return spec_.writes_result; }
  /// Bytes read and written in one run.
  Index bytes() const;

 protected:
  /// The context and the stream, where its work goes, outlive it.
  Pass(const Context& context, Stream& stream, const PassSpec& spec)
      : context_(context), stream_(stream), spec_(spec) {}
  Pass(Pass&&) = default;

  Index element_bytes(bool complex) const;
  CopyElement element(bool complex) const { return {problem().precision, complex}; }
  /// Whether the transform leaves some axis with fewer or more elements than it had, apart from the
  /// halving of real lines.
  bool changes_lengths() const;
  /// The elements of a tile on either side: transformed axes are whole.
  Box before_of(const Box& tile) const;
  Box after_of(const Box& tile) const;
  /// Whether both sides are arrays in which elements before and after a transform lie at the same
  /// places.
  bool has_same_positions() const;
  /// What all transforms of this pass have in common, for tiles that lie so in memory; `loops` are
  /// extents, of which those of axes that are not transformed count.
  LocalProblem local_problem(const Extents& loops, const Strides& in, const Strides& out) const;

  const Problem& problem() const { return context_.problem; }

  const Context& context_;
  Stream& stream_;
  PassSpec spec_;
};

/// A pass of the kind that the device of the stream needs.
std::unique_ptr<Pass> make_pass(const Context& context, Stream& stream, const PassSpec& spec);

}  // namespace weft
