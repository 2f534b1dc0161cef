// FFTW with threads, in one process: what a shared-memory code would use.
#include <algorithm>

#include "adapters/fftw.hpp"
#include "kind/kind.hpp"
#include "layouts.hpp"

namespace weft::bench {

namespace {

template <class Real>
class FftwThreadsTransform : public Transform {
 public:
  explicit FftwThreadsTransform(const Case& problem) : problem_(problem) {
    using F = Fftw<Real>;
    F::init_threads();
    F::set_threads(problem.threads);
    LayoutSpec layout = slab_split(0);
    if (problem.in_place && has_kind(problem, Kind::r2c)) layout = layout.padded_for_r2c();
    in_ = input_array(problem, layout);
    out_ = output_array(problem, slab_split(0));
    physical_ = F::alloc_real(std::max(bytes_of(in_), problem.in_place ? bytes_of(out_) : 0) /
                              sizeof(Real));
    spectral_ = problem.in_place ? physical_ : F::alloc_real(bytes_of(out_) / sizeof(Real));
    if (physical_ == nullptr || spectral_ == nullptr) throw std::bad_alloc();
    make_plans();
    if (forward_ == nullptr || backward_ == nullptr) throw Error("FFTW made no plan");
  }
  ~FftwThreadsTransform() override {
    Fftw<Real>::destroy(forward_);
    Fftw<Real>::destroy(backward_);
    if (spectral_ != physical_) Fftw<Real>::free(spectral_);
    Fftw<Real>::free(physical_);
  }

  TransformDescription layout() const override { return transform_of(problem_, in_, out_); }
  void* physical() override { return physical_; }
  void* spectral() override { return spectral_; }
  void forward() override { Fftw<Real>::execute(forward_); }
  void backward() override { Fftw<Real>::execute(backward_); }

 private:
  void make_plans() {
    using F = Fftw<Real>;
    std::vector<typename F::Dim> transformed, others, transformed_back, others_back;
    for (int axis = 0; axis < problem_.shape.size(); ++axis) {
      const ptrdiff_t n = problem_.shape[axis];
      const bool active = traits(problem_.kinds[axis]).transforms;
      (active ? transformed : others).push_back({n, in_.strides[axis], out_.strides[axis]});
      (active ? transformed_back : others_back)
          .push_back({n, out_.strides[axis], in_.strides[axis]});
    }
    if (problem_.batch > 1) {
      const int axis = problem_.shape.size();
      others.push_back({problem_.batch, in_.strides[axis], out_.strides[axis]});
      others_back.push_back({problem_.batch, out_.strides[axis], in_.strides[axis]});
    }
    const int rank = static_cast<int>(transformed.size());
    const int loops = static_cast<int>(others.size());
    auto* in = reinterpret_cast<typename F::Complex*>(physical_);
    auto* out = reinterpret_cast<typename F::Complex*>(spectral_);
    const unsigned flags = fftw_flags(setting(problem_, "rigor", "estimate")) | FFTW_DESTROY_INPUT;
    if (is_real_to_real(problem_)) {
      const auto to = fftw_r2r_kinds(problem_, Direction::forward);
      const auto from = fftw_r2r_kinds(problem_, Direction::backward);
      forward_ = F::plan_r2r(rank, transformed.data(), loops, others.data(), physical_, spectral_,
                             to.data(), flags);
      backward_ = F::plan_r2r(rank, transformed_back.data(), loops, others_back.data(), spectral_,
                              physical_, from.data(), flags);
    } else if (is_real(problem_)) {
      forward_ = F::plan_r2c(rank, transformed.data(), loops, others.data(), physical_, out, flags);
      backward_ = F::plan_c2r(rank, transformed_back.data(), loops, others_back.data(), out,
                              physical_, flags);
    } else {
      forward_ =
          F::plan_dft(rank, transformed.data(), loops, others.data(), in, out, FFTW_FORWARD, flags);
      backward_ = F::plan_dft(rank, transformed_back.data(), loops, others_back.data(), out, in,
                              FFTW_BACKWARD, flags);
    }
  }

  Case problem_;
  LocalArray in_;
  LocalArray out_;
  Real* physical_ = nullptr;
  Real* spectral_ = nullptr;
  typename Fftw<Real>::Plan forward_ = nullptr;
  typename Fftw<Real>::Plan backward_ = nullptr;
};

}  // namespace

Library describe() {
  return {"fftw-threads", fftw_version, {{"rigor", {"estimate", "measure", "patient"}}}, true};
}

std::unique_ptr<Transform> plan(const Case& problem) {
  for (int axis = 0; axis + 1 < problem.shape.size(); ++axis) {
    require(problem.kinds[axis] != Kind::r2c, "r2c on another axis than the last");
  }
  for (Kind kind : problem.kinds) {
    const bool real_kind = fftw_r2r_kind_of(kind, Direction::forward).has_value();
    require(!real_kind || is_real_to_real(problem), "kinds " + to_string(problem.kinds));
  }
  if (problem.precision == Precision::f32) {
    return std::make_unique<FftwThreadsTransform<float>>(problem);
  }
  return std::make_unique<FftwThreadsTransform<double>>(problem);
}

}  // namespace weft::bench
