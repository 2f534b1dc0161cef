// heFFTe. It counts its first axis as the fastest in memory; axes are reversed on the way in. Any
// boxes in and out. It plans FFTW with FFTW_ESTIMATE only.
#include <heffte.h>

#include <complex>

#include "layouts.hpp"

namespace weft::bench {

namespace {

heffte::box3d<> to_heffte(const Box& box) {
  const auto at = [](const Extents& point, int axis) { return static_cast<int>(point[axis]); };
  return {{at(box.lower, 2), at(box.lower, 1), at(box.lower, 0)},
          {at(box.upper, 2) - 1, at(box.upper, 1) - 1, at(box.upper, 0) - 1}};
}

template <class Backend>
heffte::plan_options options_of(const Case& problem) {
  heffte::plan_options options = heffte::default_options<Backend>();
  const auto flag = [&](const char* name, bool& option) {
    const std::string value = setting(problem, name, "default");
    if (value != "default") option = value == "yes";
  };
  flag("reorder", options.use_reorder);
  flag("pencils", options.use_pencils);
  const std::string exchange = setting(problem, "exchange", "default");
  using heffte::reshape_algorithm;
  if (exchange == "alltoall") options.algorithm = reshape_algorithm::alltoall;
  if (exchange == "alltoallv") options.algorithm = reshape_algorithm::alltoallv;
  if (exchange == "p2p") options.algorithm = reshape_algorithm::p2p;
  if (exchange == "p2p_plined") options.algorithm = reshape_algorithm::p2p_plined;
  return options;
}

/// `Plan` is heffte::fft3d or heffte::fft3d_r2c, with its element types on both sides.
template <class Plan, class Input, class Output, class Backend>
class HeffteTransform : public Transform {
 public:
  explicit HeffteTransform(const Case& problem)
      : problem_(problem),
        in_(input_array(problem, asked_input(problem, "slab:0"))),
        out_(output_array(problem, asked_output(problem, "slab:1"))),
        plan_(make(problem, in_.box, out_.box)),
        physical_(static_cast<std::size_t>(in_.allocation_size)),
        spectral_(problem.in_place ? 0 : static_cast<std::size_t>(out_.allocation_size)),
        workspace_(plan_.size_workspace()) {
    if (problem.in_place) {
      physical_.resize(
          static_cast<std::size_t>(std::max(in_.allocation_size, out_.allocation_size)));
    }
  }

  TransformDescription layout() const override { return transform_of(problem_, in_, out_); }
  void* physical() override { return physical_.data(); }
  void* spectral() override { return output(); }
  void forward() override { plan_.forward(physical_.data(), output(), workspace_.data()); }
  void backward() override { plan_.backward(output(), physical_.data(), workspace_.data()); }

 private:
  static Plan make(const Case& problem, const Box& in, const Box& out) {
    const auto options = options_of<Backend>(problem);
    if constexpr (!std::is_same_v<Input, Output>) {
      return Plan(to_heffte(in), to_heffte(out), 0, problem.comm, options);
    } else {
      return Plan(to_heffte(in), to_heffte(out), problem.comm, options);
    }
  }
  Output* output() {
    if constexpr (std::is_same_v<Input, Output>) {
      if (problem_.in_place) return physical_.data();
    }
    return spectral_.data();
  }

  Case problem_;
  LocalArray in_;
  LocalArray out_;
  Plan plan_;
  std::vector<Input> physical_;
  std::vector<Output> spectral_;
  std::vector<Output> workspace_;
};

template <class Real, class Backend>
std::unique_ptr<Transform> make_heffte(const Case& problem) {
  using Complex = std::complex<Real>;
  if (is_real(problem)) {
    require(!problem.in_place, "r2c in place");
    using Plan = heffte::fft3d_r2c<Backend>;
    return std::make_unique<HeffteTransform<Plan, Real, Complex, Backend>>(problem);
  }
  using Plan = heffte::fft3d<Backend>;
  return std::make_unique<HeffteTransform<Plan, Complex, Complex, Backend>>(problem);
}

template <class Backend>
std::unique_ptr<Transform> make_heffte(const Case& problem) {
  return problem.precision == Precision::f32 ? make_heffte<float, Backend>(problem)
                                             : make_heffte<double, Backend>(problem);
}

#ifdef Heffte_ENABLE_FFTW
template <class Backend>
std::unique_ptr<Transform> make_real_heffte(const Case& problem) {
  using Plan = heffte::fft3d<Backend>;
  if (problem.precision == Precision::f32) {
    return std::make_unique<HeffteTransform<Plan, float, float, Backend>>(problem);
  }
  return std::make_unique<HeffteTransform<Plan, double, double, Backend>>(problem);
}

/// Cosine and sine transforms, the same along all axes.
std::unique_ptr<Transform> make_real_heffte_of_kind(const Case& problem) {
  const Kind kind = problem.kinds[0];
  const bool same = problem.kinds == Axes<Kind>::filled(3, kind);
  if (same && kind == Kind::dct1) return make_real_heffte<heffte::backend::fftw_cos1>(problem);
  if (same && kind == Kind::dct2) return make_real_heffte<heffte::backend::fftw_cos>(problem);
  if (same && kind == Kind::dst1) return make_real_heffte<heffte::backend::fftw_sin1>(problem);
  if (same && kind == Kind::dst2) return make_real_heffte<heffte::backend::fftw_sin>(problem);
  throw Unsupported("not offered: kinds " + to_string(problem.kinds));
}
#endif

std::vector<std::string> local_libraries() {
  std::vector<std::string> names;
#ifdef Heffte_ENABLE_FFTW
  names.push_back("fftw");
#endif
#ifdef Heffte_ENABLE_MKL
  names.push_back("mkl");
#endif
  return names;
}

}  // namespace

Library describe() {
  return {"heffte",
          std::to_string(Heffte_VERSION_MAJOR) + "." + std::to_string(Heffte_VERSION_MINOR) + "." +
              std::to_string(Heffte_VERSION_PATCH),
          {{"local", local_libraries()},
           {"exchange", {"default", "alltoall", "alltoallv", "p2p", "p2p_plined"}},
           {"reorder", {"default", "yes", "no"}},
           {"pencils", {"default", "yes", "no"}}}};
}

std::unique_ptr<Transform> plan(const Case& problem) {
  require_single_3d_or_real(problem);
  require(problem.grid.empty(), "a given process grid");
  const std::string local = setting(problem, "local", local_libraries().front());
#ifdef Heffte_ENABLE_MKL
  require(local != "mkl" || !is_real_to_real(problem), "kinds " + to_string(problem.kinds));
  if (local == "mkl") return make_heffte<heffte::backend::mkl>(problem);
#endif
#ifdef Heffte_ENABLE_FFTW
  if (local == "fftw") {
    return is_real_to_real(problem) ? make_real_heffte_of_kind(problem)
                                    : make_heffte<heffte::backend::fftw>(problem);
  }
#endif
  throw Unsupported("this heFFTe was built without " + local);
}

}  // namespace weft::bench
