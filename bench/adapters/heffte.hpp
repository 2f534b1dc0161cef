#pragma once

#include <heffte.h>

#include <algorithm>
#include <complex>

#include "layouts.hpp"

/// heFFTe on hosts and devices. It counts its first axis as the fastest in memory; axes are
/// reversed on the way in. Any boxes in and out; fields of a batch one after another.
///
/// `Array` is a type of arrays, made from a number of bytes, in the memory that a backend works in:
/// `host()` is for the driver, `data()` for the library, between which `upload()` and `download()`
/// copy.
namespace weft::bench {

inline heffte::box3d<> to_heffte(const Box& box) {
  const auto at = [](const Extents& point, int axis) { return static_cast<int>(point[axis]); };
  return {{at(box.lower, 2), at(box.lower, 1), at(box.lower, 0)},
          {at(box.upper, 2) - 1, at(box.upper, 1) - 1, at(box.upper, 0) - 1}};
}

/// Settings of heFFTe with whatever backend.
inline std::vector<Setting> heffte_settings() {
  return {{"exchange", {"default", "alltoall", "alltoallv", "p2p", "p2p_plined"}},
          {"reorder", {"default", "yes", "no"}},
          {"pencils", {"default", "yes", "no"}}};
}

template <class Backend>
heffte::plan_options heffte_options(const Case& problem) {
  heffte::plan_options options = heffte::default_options<Backend>();
  const auto flag = [&](const char* name, bool& option) {
    const std::string value = setting(problem, name, "default");
    if (value != "default") option = value == "yes";
  };
  flag("reorder", options.use_reorder);
  flag("pencils", options.use_pencils);
  flag("gpu_aware", options.use_gpu_aware);
  const std::string exchange = setting(problem, "exchange", "default");
  using heffte::reshape_algorithm;
  if (exchange == "alltoall") options.algorithm = reshape_algorithm::alltoall;
  if (exchange == "alltoallv") options.algorithm = reshape_algorithm::alltoallv;
  if (exchange == "p2p") options.algorithm = reshape_algorithm::p2p;
  if (exchange == "p2p_plined") options.algorithm = reshape_algorithm::p2p_plined;
  return options;
}

inline std::string heffte_version() {
  return std::to_string(Heffte_VERSION_MAJOR) + "." + std::to_string(Heffte_VERSION_MINOR) + "." +
         std::to_string(Heffte_VERSION_PATCH);
}

/// `Plan` is heffte::fft3d or heffte::fft3d_r2c, with its element types on both sides.
template <class Plan, class Input, class Output, class Backend, class Array>
class HeffteTransform : public Transform {
 public:
  explicit HeffteTransform(const Case& problem)
      : problem_(problem),
        in_(input_array(problem, asked_input(problem, "slab:0"))),
        out_(output_array(problem, asked_output(problem, "slab:1"))),
        plan_(make(problem, in_.box, out_.box)),
        physical_(problem.in_place ? std::max(bytes_of(in_), bytes_of(out_)) : bytes_of(in_)),
        spectral_(problem.in_place ? 0 : bytes_of(out_)),
        workspace_(static_cast<std::size_t>(problem.batch) * plan_.size_workspace() *
                   sizeof(Output)) {}

  TransformDescription layout() const override { return transform_of(problem_, in_, out_); }
  void* physical() override { return physical_.host(); }
  void* spectral() override { return output().host(); }
  void upload(Direction direction) override {
    (direction == Direction::forward ? physical_ : output()).upload();
  }
  void download(Direction direction) override {
    (direction == Direction::forward ? output() : physical_).download();
  }
  void forward() override {
    plan_.forward(static_cast<int>(problem_.batch), static_cast<Input*>(physical_.data()),
                  static_cast<Output*>(output().data()), static_cast<Output*>(workspace_.data()));
    Array::finish();
  }
  void backward() override {
    plan_.backward(static_cast<int>(problem_.batch), static_cast<Output*>(output().data()),
                   static_cast<Input*>(physical_.data()), static_cast<Output*>(workspace_.data()));
    Array::finish();
  }
  bool scale_on_device(double factor) override {
    return physical_.scale(bytes_of(in_), problem_.precision, factor);
  }
  std::string device_id() const override { return Array::device_id(); }
  std::size_t device_bytes() const override { return Array::device_bytes(); }

 private:
  static Plan make(const Case& problem, const Box& in, const Box& out) {
    const auto options = heffte_options<Backend>(problem);
    if constexpr (!std::is_same_v<Input, Output>) {
      return Plan(to_heffte(in), to_heffte(out), 0, problem.comm, options);
    } else {
      return Plan(to_heffte(in), to_heffte(out), problem.comm, options);
    }
  }
  Array& output() { return problem_.in_place ? physical_ : spectral_; }

  Case problem_;
  LocalArray in_;
  LocalArray out_;
  Plan plan_;
  Array physical_;
  Array spectral_;
  Array workspace_;
};

template <class Real, class Backend, class Array>
std::unique_ptr<Transform> make_heffte_of(const Case& problem) {
  using Complex = std::complex<Real>;
  if (is_real(problem)) {
    require(!problem.in_place, "r2c in place");
    using Plan = heffte::fft3d_r2c<Backend>;
    return std::make_unique<HeffteTransform<Plan, Real, Complex, Backend, Array>>(problem);
  }
  using Plan = heffte::fft3d<Backend>;
  return std::make_unique<HeffteTransform<Plan, Complex, Complex, Backend, Array>>(problem);
}

/// Of kind c2c or r2c.
template <class Backend, class Array>
std::unique_ptr<Transform> make_heffte(const Case& problem) {
  return problem.precision == Precision::f32 ? make_heffte_of<float, Backend, Array>(problem)
                                             : make_heffte_of<double, Backend, Array>(problem);
}

/// Of real numbers to real numbers.
template <class Backend, class Array>
std::unique_ptr<Transform> make_real_heffte(const Case& problem) {
  using Plan = heffte::fft3d<Backend>;
  if (problem.precision == Precision::f32) {
    return std::make_unique<HeffteTransform<Plan, float, float, Backend, Array>>(problem);
  }
  return std::make_unique<HeffteTransform<Plan, double, double, Backend, Array>>(problem);
}

/// Whether all axes have cosine or sine transforms of this one kind.
inline bool all_axes(const Case& problem, Kind kind) {
  return problem.kinds == Axes<Kind>::filled(3, kind);
}

/// As plan() asks for them with every backend.
inline void require_heffte(const Case& problem) {
  require_3d_or_real(problem);
  require(problem.grid.empty(), "a given process grid");
}

}  // namespace weft::bench
