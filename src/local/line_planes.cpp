#include "local/line_planes.hpp"

#include <algorithm>
#include <cstdlib>

#include "device/alignment.hpp"

namespace weft {

namespace {

/// Of the cache (H200, 50 MB: chunks of 8 MiB in 4 streams were the fastest).
constexpr Index chunks_in_cache = 6;
constexpr int most_streams = 4;

/// Of one side of a problem: the larger one.
Index bytes_of_side(const LocalProblem& problem, bool input) {
  const bool real = input ? problem.real_input() : problem.real_output();
  Index bytes = bytes_of({problem.precision, !real});
  for (int axis = 0; axis < problem.transform.size(); ++axis) {
    bytes *= stored_points(problem, axis, input);
  }
  for (const LocalAxis& axis : problem.batch) bytes *= axis.length;
  return bytes;
}

class Planes : public LocalTransform {
 public:
  template <class Make>
  Planes(const LocalProblem& problem, const PlaneCut& cut, const Make& make)
      : problem_(problem), loop_(problem.batch[cut.loop]), planes_(cut.planes) {
    Device& device = problem.stream->device();
    for (int i = 0; i < cut.streams; ++i) {
      if (i > 0) streams_.push_back(device.make_stream());
      begun_.push_back(device.make_event());
      chunks_.push_back(make(part_of(cut.loop, planes_, stream(i))));
      work_of_chunk_ = std::max(work_of_chunk_, aligned_up(chunks_.back()->work_bytes()));
    }
    if (const Index rest = loop_.length % planes_; rest > 0) {
      rest_ = make(part_of(cut.loop, rest, stream(0)));
      work_of_chunk_ = std::max(work_of_chunk_, aligned_up(rest_->work_bytes()));
    }
  }

  std::size_t work_bytes() const override { return work_of_chunk_ * chunks_.size(); }

  void execute(const std::byte* in, std::byte* out, std::byte* work) const override {
    const Index in_bytes = bytes_of({problem_.precision, !problem_.real_input()});
    const Index out_bytes = bytes_of({problem_.precision, !problem_.real_output()});
    const int streams = static_cast<int>(chunks_.size());
    stream(0).record(*begun_[0]);
    for (int i = 1; i < streams; ++i) stream(i).wait(*begun_[0]);
    int turn = 0;
    for (Index plane = 0; plane < loop_.length; plane += planes_) {
      const bool whole = plane + planes_ <= loop_.length;
      const int i = whole ? turn : 0;
      const LocalTransform& chunk = whole ? *chunks_[static_cast<std::size_t>(i)] : *rest_;
      chunk.execute(in + plane * loop_.in_stride * in_bytes,
                    out + plane * loop_.out_stride * out_bytes,
                    work + work_of_chunk_ * static_cast<std::size_t>(i));
      turn = (turn + 1) % streams;
    }
    for (int i = 1; i < streams; ++i) {
      stream(i).record(*begun_[static_cast<std::size_t>(i)]);
      stream(0).wait(*begun_[static_cast<std::size_t>(i)]);
    }
  }

  /// Chunks are transformed one by one, each where it lies.
  bool works_in_place() const override {
    return loop_.in_stride == loop_.out_stride && chunks_[0]->works_in_place();
  }

 private:
  Stream& stream(int number) const {
    return number == 0 ? *problem_.stream : *streams_[static_cast<std::size_t>(number - 1)];
  }
  LocalProblem part_of(int loop, Index planes, Stream& stream) const {
    LocalProblem part = problem_;
    part.batch[loop].length = planes;
    part.stream = &stream;
    // Chunks of real lines may begin at an odd number.
    const Index step = problem_.real_input() ? loop_.in_stride : loop_.out_stride;
    if (problem_.real() && planes_ * step % 2 != 0) part.any_alignment = true;
    return part;
  }

  LocalProblem problem_;
  LocalAxis loop_;
  Index planes_;
  std::vector<std::unique_ptr<Stream>> streams_;         ///< beside that of the problem
  std::vector<std::unique_ptr<Event>> begun_;            ///< of each stream
  std::vector<std::unique_ptr<LocalTransform>> chunks_;  ///< one for each stream
  std::unique_ptr<LocalTransform> rest_;
  std::size_t work_of_chunk_ = 0;
};

}  // namespace

PlaneCut plane_cut(const LineRunner& runner, const LocalProblem& problem) {
  PlaneCut cut;
  if (problem.transform.size() != 2) return cut;
  const Index cache = static_cast<Index>(runner.cache_bytes());
  const Index bytes = std::max(bytes_of_side(problem, true), bytes_of_side(problem, false));
  int slowest = -1;
  for (int i = 0; i < problem.batch.size(); ++i) {
    const auto stride = [&](int loop) { return std::abs(problem.batch[loop].out_stride); };
    if (problem.batch[i].length > 1 && (slowest < 0 || stride(i) > stride(slowest))) slowest = i;
  }
  if (slowest < 0 || bytes <= cache) return cut;
  const Index length = problem.batch[slowest].length, plane = bytes / length;
  const Index planes = std::clamp(cache / chunks_in_cache / plane, Index{1}, length);
  const Index streams = std::min<Index>(cache * 2 / 3 / (planes * plane), most_streams);
  if (streams < 2 || planes == length) return cut;
  cut.loop = slowest;
  cut.planes = planes;
  cut.streams = static_cast<int>(std::min(streams, length / planes));
  return cut;
}

std::unique_ptr<LocalTransform> make_planes(
    const LocalProblem& problem, const PlaneCut& cut,
    std::unique_ptr<LocalTransform> (*make)(const LineRunner&, const LocalProblem&),
    const LineRunner& runner) {
  return std::make_unique<Planes>(problem, cut,
                                  [&](const LocalProblem& part) { return make(runner, part); });
}

}  // namespace weft
