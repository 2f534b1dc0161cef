#pragma once

#include <heffte.h>

#include <complex>

#include "adapters/arrays.hpp"
#include "layouts.hpp"

/// heFFTe on hosts and devices. It counts its first axis as the fastest in memory; axes are
/// reversed on the way in. Any boxes in and out; fields of a batch one after another.
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
class HeffteTransform : public ArrayTransform<Array> {
 public:
  explicit HeffteTransform(const Case& problem)
      : ArrayTransform<Array>(problem, input_array(problem, asked_input(problem, "slab:0")),
                              output_array(problem, asked_output(problem, "slab:1"))),
        fields_(static_cast<int>(problem.batch)),
        plan_(make(problem, this->in().box, this->out().box)),
        workspace_(static_cast<std::size_t>(fields_) * plan_.size_workspace() * sizeof(Output)) {}

  void forward() override {
    plan_.forward(fields_, static_cast<Input*>(this->input().data()), spectrum(), workspace());
    Array::finish();
  }
  void backward() override {
    plan_.backward(fields_, spectrum(), static_cast<Input*>(this->input().data()), workspace());
    Array::finish();
  }

 private:
  static Plan make(const Case& problem, const Box& in, const Box& out) {
    const auto options = heffte_options<Backend>(problem);
    if constexpr (!std::is_same_v<Input, Output>) {
      return Plan(to_heffte(in), to_heffte(out), 0, problem.comm, options);
    } else {
      return Plan(to_heffte(in), to_heffte(out), problem.comm, options);
    }
  }
  Output* spectrum() { return static_cast<Output*>(this->output().data()); }
  Output* workspace() { return static_cast<Output*>(workspace_.data()); }

  int fields_;
  Plan plan_;
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
