#pragma once

#include <spfft/spfft.hpp>

#include <algorithm>
#include <limits>
#include <optional>

#include "adapters/arrays.hpp"
#include "layouts.hpp"

/// SpFFT on hosts and devices: slabs along the first axis in space; in frequency, columns along it
/// wherever one lists their elements, here slabs along the second axis. It is made for spectra with
/// few elements and copies them to and from its own array. Exchanges in reduced precision are left
/// out.
namespace weft::bench {

inline SpfftExchangeType exchange_of(const Case& problem) {
  const std::string name = setting(problem, "exchange", "default");
  if (name == "compact_buffered") return SPFFT_EXCH_COMPACT_BUFFERED;
  if (name == "buffered") return SPFFT_EXCH_BUFFERED;
  return name == "unbuffered" ? SPFFT_EXCH_UNBUFFERED : SPFFT_EXCH_DEFAULT;
}

/// x, y, z of the elements of a box with the first axis (z) fastest and the second (y) slowest.
inline std::vector<int> triplets(const Box& box) {
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
template <class Plan, class Array>
class SpFftTransform : public ArrayTransform<Array> {
 public:
  SpFftTransform(const Case& problem, SpfftProcessingUnitType unit)
      : ArrayTransform<Array>(problem, input_array(problem, slab_split(0)),
                              output_array(problem, slab_split(1).with_order({1, 2, 0}))) {
    const auto n = [&](int axis) { return static_cast<int>(problem.shape[axis]); };
    const std::vector<int> elements = triplets(this->out().box);
    plan_.emplace(problem.threads, problem.comm, exchange_of(problem), unit,
                  is_real(problem) ? SPFFT_TRANS_R2C : SPFFT_TRANS_C2C, n(2), n(1), n(0),
                  static_cast<int>(this->in().box.extent(0)), static_cast<int>(elements.size() / 3),
                  SPFFT_INDEX_TRIPLETS, elements.data());
  }

  void forward() override {
    plan_->forward(reals(this->input()), reals(this->output()));
    Array::finish();
  }
  void backward() override {
    plan_->backward(reals(this->output()), reals(this->input()));
    Array::finish();
  }

 private:
  using Real = typename Plan::ValueType;

  static Real* reals(Array& array) { return static_cast<Real*>(array.data()); }

  std::optional<Plan> plan_;
};

inline std::vector<Setting> spfft_settings() {
  return {{"exchange", {"default", "compact_buffered", "buffered", "unbuffered"}}};
}

inline void require_spfft(const Case& problem) {
  require_single_3d(problem);
  require_layouts(problem, "slab:0", "slab:1");
  require(problem.grid.empty() || problem.grid == Extents{ranks_of(problem), 1},
          "process grid " + to_string(problem.grid) + "; only slabs");
  require(ranks_of(problem) <= std::min(problem.shape[0], problem.shape[1]),
          "ranks without points in slabs");
  const Index planes = (problem.shape[1] + ranks_of(problem) - 1) / ranks_of(problem);
  require(planes * problem.shape[2] * problem.shape[0] <= std::numeric_limits<int>::max(),
          "more than 2^31 elements per rank");
}

template <class Array>
std::unique_ptr<Transform> make_spfft(const Case& problem, SpfftProcessingUnitType unit) {
  if (problem.precision == Precision::f64) {
    return std::make_unique<SpFftTransform<spfft::Transform, Array>>(problem, unit);
  }
#ifdef SPFFT_SINGLE_PRECISION
  return std::make_unique<SpFftTransform<spfft::TransformFloat, Array>>(problem, unit);
#else
  throw Unsupported("not offered: this precision: SpFFT was not built for it");
#endif
}

}  // namespace weft::bench
