#include "schedule/path.hpp"

#include <algorithm>

#include "kind/kind.hpp"

namespace weft {

namespace {

/// A multiple of the blocks of every codec: chunks are cut between blocks.
constexpr Index codec_alignment = 64;

/// On devices messages travel while others are transformed, without anybody's help; but what is
/// less than this takes longer to start than it saves (H200, 2 GPUs). With several redistributions
/// messages have short rows, so that kernels move them, which take the transforms' place (H200,
/// pencils on 4 GPUs: two chunks gain 2%, four lose a third).
Index usual_chunks(const Problem& problem, const Options& options, std::size_t steps) {
  if (options.device == "host" || steps > 2) return 1;
  constexpr Index most = 4;
  constexpr Index chunk_bytes = Index{128} << 20;
  const Index bytes =
      product(problem.shape) * element_bytes(problem.complex_input(), problem.precision);
  return std::clamp<Index>(bytes / problem.ranks / chunk_bytes, 1, most);
}

class Details {
 public:
  Details(const std::vector<PathStep>& path, const Problem& problem, const Options& options)
      : path_(path), problem_(problem), on_device_(options.device != "host") {
    chunks_ = options.chunks > 0 ? options.chunks : usual_chunks(problem, options, path.size());
    alignment_ = compresses(options) ? codec_alignment : 1;
    details_.message_order = problem.in.memory.common().order;
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
    const Extents shape = shape_before(step);
    request.before = &from.distribution;
    request.after = &to.distribution;
    request.shape = shape;
    request.transformed_before = from.transformed();
    request.transformed_after = to.transformed();
    request.order = details_.message_order;
    request.count = chunks_;
    request.alignment = alignment_;
    if (on_device_) {
      request.cuts_before = cuts(step - 1);
      request.cuts_after = cuts(step);
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
        is_last(step) && step > 0 ? problem_.out.memory.common().order : details_.message_order;
    // Of rank 0, whose parts are the largest; an array without points has no loops.
    const Box box =
        path_[step].distribution.box(problem_.shape_after(path_[step].done_on_departure), 0);
    memory.extents = box.extents();
    memory.transformed = path_[step].transformed();
    memory.halved = halved_axis(problem_.kinds);
    return memory;
  }

  /// Axes along which the stage of a step may be cut. Chunks that arrive can leave as they are.
  AxisMask cuts(std::size_t step) const {
    const Chunking& arrival = details_.chunkings[step];
    if (arrival.count > 1 && arrival.of_receiver) return bit(arrival.axis);
    const StepMemory memory = memory_at(step);
    return is_given(step) ? memory.cuts() : memory.any_cut();
  }

  void choose_order(std::size_t step) {
    const Chunking& arrival = details_.chunkings[step];
    const Chunking& departure = details_.chunkings[step + 1];
    int cut = -1;
    if (departure.count > 1 && departure.of_sender) cut = departure.axis;
    if (arrival.count > 1 && arrival.of_receiver) cut = arrival.axis;
    details_.orders[step] = memory_at(step).order_for(cut);
  }

  const std::vector<PathStep>& path_;
  const Problem& problem_;
  bool on_device_;
  Index chunks_;
  Index alignment_;
  PathDetails details_;
};

}  // namespace

bool compresses(const Options& options) {
  return options.tolerance.has_value() || (options.codec != "auto" && options.codec != "none");
}

PathDetails choose_details(const std::vector<PathStep>& path, const Problem& problem,
                           const Options& options) {
  return Details(path, problem, options).choose();
}

}  // namespace weft
