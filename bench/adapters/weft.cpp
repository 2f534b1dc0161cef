// weft itself, through its public interface.
#include <algorithm>
#include <complex>

#include "device/host_memory.hpp"
#include "kind/kind.hpp"
#include "layouts.hpp"
#include "weft/weft.hpp"

namespace weft::bench {

namespace {

template <class Real>
class WeftTransform : public Transform {
 public:
  explicit WeftTransform(const Case& problem)
      : plan_(problem_of(problem), options_of(problem)),
        real_(is_real(problem)),
        physical_(problem.in_place ? std::max(bytes_of(plan_.input()), bytes_of(plan_.output()))
                                   : bytes_of(plan_.input())),
        spectral_(problem.in_place ? 0 : bytes_of(plan_.output())),
        in_place_(problem.in_place) {}

  TransformDescription layout() const override { return description(plan_); }
  void* physical() override { return physical_.data(); }
  void* spectral() override { return in_place_ ? physical_.data() : spectral_.data(); }
  bool unscaled() const override { return false; }
  std::vector<StageTiming> stages() const override { return plan_.timings(); }
  void forward() override {
    if (real_) {
      plan_.forward(as<Real>(physical()), as<Complex>(spectral()));
    } else {
      plan_.forward(as<Complex>(physical()), as<Complex>(spectral()));
    }
  }
  void backward() override {
    if (real_) {
      plan_.backward(as<Complex>(spectral()), as<Real>(physical()));
    } else {
      plan_.backward(as<Complex>(spectral()), as<Complex>(physical()));
    }
  }

 private:
  using Complex = std::complex<Real>;

  static MpiProblem problem_of(const Case& problem) {
    LayoutSpec in = asked_input(problem, "slab:0");
    if (problem.in_place && is_real(problem)) in = in.padded_for_r2c();
    LayoutSpec out = asked_output(problem, problem.shape.size() > 1 ? "slab:1" : "slab:0");
    if (setting(problem, "order", "natural") == "transposed") out = out.with_order({1, 0, 2});
    return {.shape = problem.shape,
            .comm = problem.comm,
            .kinds = problem.kinds,
            .in = in,
            .out = out,
            .precision = problem.precision,
            .batch = problem.batch};
  }
  static Options options_of(const Case& problem) {
    const std::string algorithm = setting(problem, "algorithm", "auto");
    return {.algorithm = parse_algorithm(algorithm),
            .grid = problem.grid,
            .exchange = setting(problem, "exchange", "auto"),
            .local = setting(problem, "local", "auto"),
            .reorder = setting(problem, "reorder", "no") == "yes",
            .overwrite_input = true,
            .rigor = parse_rigor(setting(problem, "rigor", "estimate")),
            .threads = problem.threads};
  }
  template <class T>
  static T* as(void* data) {
    return static_cast<T*>(data);
  }

  Plan plan_;
  bool real_;
  HostBuffer physical_;
  HostBuffer spectral_;
  bool in_place_;
};

}  // namespace

Library describe() {
  return {"weft",
          WEFT_VERSION,
          {{"local", {"auto", "fftw", "mkl"}},
           {"exchange", {"auto", "alltoall", "alltoallv", "alltoallw", "p2p", "p2p_pipelined"}},
           {"rigor", {"estimate", "measure", "patient"}},
           {"algorithm", {"auto", "slab", "pencil"}},
           {"order", {"natural", "transposed"}},
           {"reorder", {"no", "yes"}}}};
}

std::unique_ptr<Transform> plan(const Case& problem) {
  for (Kind kind : problem.kinds) require(traits(kind).planned, "kind " + to_string(kind));
  if (setting(problem, "order", "natural") == "transposed") {
    require(problem.shape.size() == 3, "transposed order of other than 3 axes");
  }
  if (problem.precision == Precision::f32) return std::make_unique<WeftTransform<float>>(problem);
  return std::make_unique<WeftTransform<double>>(problem);
}

}  // namespace weft::bench
