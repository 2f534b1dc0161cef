// SpFFT: slabs along the first axis in space; in frequency, columns along it wherever one lists
// their elements, here slabs along the second axis. It is made for spectra with few elements and
// copies them to and from its own array. Exchanges in reduced precision are left out.
#include <spfft/spfft.hpp>

#include <algorithm>
#include <limits>
#include <optional>

#include "device/buffer.hpp"
#include "layouts.hpp"

namespace weft::bench {

namespace {

SpfftExchangeType exchange_of(const Case& problem) {
  const std::string name = setting(problem, "exchange", "default");
  if (name == "compact_buffered") return SPFFT_EXCH_COMPACT_BUFFERED;
  if (name == "buffered") return SPFFT_EXCH_BUFFERED;
  return name == "unbuffered" ? SPFFT_EXCH_UNBUFFERED : SPFFT_EXCH_DEFAULT;
}

/// x, y, z of the elements of a box with the first axis (z) fastest and the second (y) slowest.
std::vector<int> triplets(const Box& box) {
  std::vector<int> indices;
  indices.reserve(static_cast<std::size_t>(3 * box.count()));
  for (Index y = box.lower[1]; y < box.upper[1]; ++y) {
    for (Index x = box.lower[2]; x < box.upper[2]; ++x) {
      for (Index z = box.lower[0]; z < box.upper[0]; ++z) {
        for (const Index index : {x, y, z}) indices.push_back(static_cast<int>(index));
      }
    }
  }
  return indices;
}

/// `Plan` is the library's transform in one precision.
template <class Plan>
class SpFftTransform : public Transform {
 public:
  explicit SpFftTransform(const Case& problem)
      : problem_(problem),
        in_(input_array(problem, slab_split(0))),
        out_(output_array(problem, slab_split(1).with_order({1, 2, 0}))) {
    const auto n = [&](int axis) { return static_cast<int>(problem.shape[axis]); };
    const std::vector<int> elements = triplets(out_.box);
    plan_.emplace(problem.threads, problem.comm, exchange_of(problem), SPFFT_PU_HOST,
                  is_real(problem) ? SPFFT_TRANS_R2C : SPFFT_TRANS_C2C, n(2), n(1), n(0),
                  static_cast<int>(in_.box.extent(0)), static_cast<int>(elements.size() / 3),
                  SPFFT_INDEX_TRIPLETS, elements.data());
    physical_ = Buffer(problem.in_place ? std::max(bytes_of(in_), bytes_of(out_)) : bytes_of(in_));
    if (!problem.in_place) spectral_ = Buffer(bytes_of(out_));
  }

  TransformDescription layout() const override { return transform_of(problem_, in_, out_); }
  void* physical() override { return physical_.data(); }
  void* spectral() override { return problem_.in_place ? physical_.data() : spectral_.data(); }
  void forward() override { plan_->forward(reals(physical()), reals(spectral())); }
  void backward() override { plan_->backward(reals(spectral()), reals(physical())); }

 private:
  using Real = typename Plan::ValueType;

  static Real* reals(void* data) { return static_cast<Real*>(data); }

  Case problem_;
  LocalArray in_;
  LocalArray out_;
  std::optional<Plan> plan_;
  Buffer physical_;
  Buffer spectral_;
};

}  // namespace

Library describe() {
  return {"spfft",
          SPFFT_VERSION,
          {{"exchange", {"default", "compact_buffered", "buffered", "unbuffered"}}}};
}

std::unique_ptr<Transform> plan(const Case& problem) {
  require_single_3d(problem);
  require_layouts(problem, "slab:0", "slab:1");
  require(problem.grid.empty() || problem.grid == Extents{ranks_of(problem), 1},
          "process grid " + to_string(problem.grid) + "; only slabs");
  require(ranks_of(problem) <= std::min(problem.shape[0], problem.shape[1]),
          "ranks without points in slabs");
  const Index planes = (problem.shape[1] + ranks_of(problem) - 1) / ranks_of(problem);
  require(planes * problem.shape[2] * problem.shape[0] <= std::numeric_limits<int>::max(),
          "more than 2^31 elements per rank");
  if (problem.precision == Precision::f64) {
    return std::make_unique<SpFftTransform<spfft::Transform>>(problem);
  }
#ifdef SPFFT_SINGLE_PRECISION
  return std::make_unique<SpFftTransform<spfft::TransformFloat>>(problem);
#else
  throw Unsupported("not offered: this precision: SpFFT was not built for it");
#endif
}

}  // namespace weft::bench
