#include "schedule/path.hpp"

#include <algorithm>
#include <bit>

#include "kind/kind.hpp"
#include "schedule/stage.hpp"

namespace weft {

namespace {

/// A multiple of the blocks of every codec: chunks are cut between blocks.
constexpr Index codec_alignment = 64;

/// Parts of senders' and of receivers' boxes.
struct Parts {
  Index sender = 1;
  Index receiver = 1;
};

/// On devices messages travel while others are transformed, without anybody's help; but what is
/// less than this takes longer to start than it saves (H200, 2 GPUs). With several redistributions
/// messages have short rows, so that kernels move them, which take the transforms' place (H200,
/// pencils on 4 GPUs: two chunks gain 2%, four lose a third).
///
/// The side where more axes are transformed has the parts. To cut the other side too gains a tenth
/// where parts are large (H200, 1024^3 in double precision: on 2 GPUs 9% forward and 4% backward,
/// on 4 GPUs a tenth; compressed to half the size, on 2 GPUs 6%). The host takes part in
/// compressed exchanges, for which two parts are better than four.
Parts usual_parts(const std::vector<PathStep>& path, const ResolvedProblem& problem,
                  const Options& options) {
  if (options.device == "host" || path.size() != 2) return {};
  const Index most = compresses(options) ? 2 : 4;
  constexpr Index part_bytes = Index{128} << 20;
  constexpr Index bytes_cut_twice = Index{512} << 20;
  const Index bytes = product(problem.shape) / problem.ranks *
                      element_bytes(problem.complex_input(), problem.precision);
  const Index parts = std::clamp<Index>(bytes / part_bytes, 1, most);
  if (bytes >= parts * bytes_cut_twice) return {parts, parts};
  const bool sender_has_more =
      std::popcount(path[0].transformed()) >= std::popcount(path[1].transformed());
  return sender_has_more ? Parts{parts, 1} : Parts{1, parts};
}

class Details {
 public:
  Details(const std::vector<PathStep>& path, const ResolvedProblem& problem, const Options& options)
      : path_(path), problem_(problem), on_device_(options.device != "host") {
    if (options.chunks == 0) parts_ = usual_parts(path, problem, options);
    if (options.chunks > 0) parts_ = {options.chunks, options.chunks};
    if (options.receive_chunks > 0) parts_.receiver = options.receive_chunks;
    alignment_ = compresses(options) ? codec_alignment : 1;
    details_.message_order = problem.input.memory.common().order;
    details_.orders.assign(path.size(), details_.message_order);
    details_.chunkings.resize(path.size() + 1);
  }

  PathDetails choose() {
    for (std::size_t i = 1; i < path_.size(); ++i) choose_chunks(i);
    if (on_device_) {
      for (std::size_t i = 0; i < path_.size(); ++i) choose_order(i);
    }
    return details_;
  }

 private:
  Extents shape_before(std::size_t step) const {
    return problem_.shape_after(path_[step - 1].done_on_departure);
  }
  bool moves(std::size_t step) const {
    return !same_boxes(path_[step - 1].distribution, path_[step].distribution, shape_before(step));
  }

  void choose_chunks(std::size_t step) {
    if (!moves(step)) return;
    const PathStep& from = path_[step - 1];
    const PathStep& to = path_[step];
    ChunkRequest request;
    request.shape = shape_before(step);
    request.halved = halved_axis(problem_.kinds);
    request.order = details_.message_order;
    request.alignment = alignment_;
    request.sender = {&from.distribution, from.transformed(), ~AxisMask{0}, parts_.sender};
    request.receiver = {&to.distribution, to.transformed(), ~AxisMask{0}, parts_.receiver};
    if (on_device_) {
      request.sender.cuts = cuts(step - 1);
      request.receiver.cuts = cuts(step);
      // Parts that arrive leave as they are.
      const Cut& arrival = details_.chunkings[step - 1].receiver;
      if (arrival.count > 1 && parts_.sender > 1) request.sender.parts = arrival.count;
    }
    details_.chunkings[step] = choose_chunking(request);
  }

  bool is_last(std::size_t step) const { return step + 1 == path_.size(); }
  /// Whether the array of this step lies as the user wants it.
  bool is_given(std::size_t step) const { return step == 0 || is_last(step); }

  /// On devices.
  StepMemory memory_at(std::size_t step) const {
    StepMemory memory;
    memory.order =
        is_last(step) && step > 0 ? problem_.output.memory.common().order : details_.message_order;
    // Of rank 0, whose parts are the largest; an array without points has no loops.
    const Box box =
        path_[step].distribution.box(problem_.shape_after(path_[step].done_on_departure), 0);
    memory.extents = box.extents();
    memory.transformed = path_[step].transformed();
    memory.halved = halved_axis(problem_.kinds);
    return memory;
  }

  /// Axes along which the stage of a step may be cut: as what arrives there, if that is.
  AxisMask cuts(std::size_t step) const {
    const Cut& arrival = details_.chunkings[step].receiver;
    if (arrival.count > 1) return bit(arrival.axis);
    const StepMemory memory = memory_at(step);
    return is_given(step) ? memory.cuts() : memory.any_cut();
  }

  void choose_order(std::size_t step) {
    const Cut& arrival = details_.chunkings[step].receiver;
    const Cut& departure = details_.chunkings[step + 1].sender;
    const int cut = arrival.count > 1 ? arrival.axis : departure.axis;
    details_.orders[step] = memory_at(step).order_for(cut);
  }

  const std::vector<PathStep>& path_;
  const ResolvedProblem& problem_;
  bool on_device_;
  Parts parts_;
  Index alignment_;
  PathDetails details_;
};

}  // namespace

bool compresses(const Options& options) {
  return options.codec == "auto" ? options.tolerance.has_value() : options.codec != "none";
}

PathDetails choose_details(const std::vector<PathStep>& path, const ResolvedProblem& problem,
                           const Options& options) {
  return Details(path, problem, options).choose();
}

}  // namespace weft
