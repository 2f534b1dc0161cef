// P3DFFT++ (P3DFFT 3): pencils, in memory orders of the user's choice. It counts its first
// dimension as the fastest in memory; dimension d is axis 2-d here.
#include <complex>
#include <optional>

#include "adapters/pencils.hpp"
#include "device/buffer.hpp"
#include "layouts.hpp"
// Last, for it defines macros with common names.
#include <p3dfft.h>

namespace weft::bench {

namespace {

/// Steps of the library, by precision.
template <class Real>
struct Steps;

template <>
struct Steps<double> {
  static int r2c() { return p3dfft::R2CFFT_D; }
  static int c2r() { return p3dfft::C2RFFT_D; }
  static int forward() { return p3dfft::CFFT_FORWARD_D; }
  static int backward() { return p3dfft::CFFT_BACKWARD_D; }
};

template <>
struct Steps<float> {
  static int r2c() { return p3dfft::R2CFFT_S; }
  static int c2r() { return p3dfft::C2RFFT_S; }
  static int forward() { return p3dfft::CFFT_FORWARD_S; }
  static int backward() { return p3dfft::CFFT_BACKWARD_S; }
};

/// The library's own state; begins before its objects and ends after them.
struct Runtime {
  Runtime() { p3dfft::setup(); }
  ~Runtime() { p3dfft::cleanup(); }
  Runtime(const Runtime&) = delete;
  Runtime& operator=(const Runtime&) = delete;
};

/// `position[d]` is the place of dimension d in memory, 0 the fastest.
LocalArray array_of_grid(const p3dfft::DataGrid& grid, const int (&position)[3], ElementType type) {
  Box box = {{0, 0, 0}, {0, 0, 0}};
  AxisList order = {0, 1, 2};
  for (int d = 0; d < 3; ++d) {
    box.lower[2 - d] = grid.GlobStart[d];
    box.upper[2 - d] = grid.GlobStart[d] + grid.Ldims[d];
    order[2 - position[d]] = 2 - d;
  }
  return array_of(box, order, type);
}

/// `Input` is the element type in physical space.
template <class Real, class Input>
class P3dfftTransform : public Transform {
 public:
  P3dfftTransform(const Case& problem, const Extents& grid)
      : problem_(problem), overwrite_(setting(problem, "overwrite", "no") == "yes") {
    const bool real = is_real(problem);
    const auto length = [](const Extents& shape, int d) { return static_cast<int>(shape[2 - d]); };
    const Extents spectrum = spectral_shape(problem);
    int processes[3] = {1, static_cast<int>(grid[1]), static_cast<int>(grid[0])};
    int before[3] = {length(problem.shape, 0), length(problem.shape, 1), length(problem.shape, 2)};
    int after[3] = {length(spectrum, 0), length(spectrum, 1), length(spectrum, 2)};
    // Dimension d is split over that dimension of the process grid.
    int x_pencils[3] = {0, 1, 2}, z_pencils[3] = {1, 2, 0};
    int natural[3] = {0, 1, 2}, transposed[3] = {1, 2, 0};
    auto& order = setting(problem, "output", "transposed") == "natural" ? natural : transposed;
    processes_.emplace(processes, problem.comm);
    p3dfft::DataGrid physical(before, -1, &*processes_, x_pencils, natural);
    p3dfft::DataGrid spectral(after, real ? 0 : -1, &*processes_, z_pencils, order);
    in_ = array_of_grid(physical, natural, {problem.precision, !real});
    out_ = array_of_grid(spectral, order, {problem.precision, true});

    using Step = Steps<Real>;
    int forward[3] = {real ? Step::r2c() : Step::forward(), Step::forward(), Step::forward()};
    int backward[3] = {real ? Step::c2r() : Step::backward(), Step::backward(), Step::backward()};
    p3dfft::trans_type3D to(forward), from(backward);
    forward_.emplace(physical, spectral, &to);
    backward_.emplace(spectral, physical, &from);
    physical_ = Buffer(problem.in_place ? std::max(bytes_of(in_), bytes_of(out_)) : bytes_of(in_));
    if (!problem.in_place) spectral_ = Buffer(bytes_of(out_));
  }

  TransformDescription layout() const override { return transform_of(problem_, in_, out_); }
  void* physical() override { return physical_.data(); }
  void* spectral() override { return problem_.in_place ? physical_.data() : spectral_.data(); }
  void forward() override {
    forward_->exec(static_cast<Input*>(physical()), static_cast<Complex*>(spectral()), overwrite());
  }
  void backward() override {
    backward_->exec(static_cast<Complex*>(spectral()), static_cast<Input*>(physical()),
                    overwrite());
  }

 private:
  using Complex = std::complex<Real>;

  bool overwrite() const { return overwrite_ || problem_.in_place; }

  Case problem_;
  bool overwrite_;
  Runtime runtime_;
  std::optional<p3dfft::ProcGrid> processes_;
  std::optional<p3dfft::transform3D<Input, Complex>> forward_;
  std::optional<p3dfft::transform3D<Complex, Input>> backward_;
  LocalArray in_;
  LocalArray out_;
  Buffer physical_;
  Buffer spectral_;
};

template <class Real>
std::unique_ptr<Transform> make(const Case& problem, const Extents& grid) {
  if (is_real(problem)) return std::make_unique<P3dfftTransform<Real, Real>>(problem, grid);
  return std::make_unique<P3dfftTransform<Real, std::complex<Real>>>(problem, grid);
}

}  // namespace

Library describe() {
  return {"p3dfft",
          PACKAGE_VERSION,
          {{"output", {"transposed", "natural"}}, {"overwrite", {"no", "yes"}}}};
}

std::unique_ptr<Transform> plan(const Case& problem) {
  require_single_3d(problem);
  const Extents grid = chosen_grid(problem);
  require_fitting(problem, grid);
  if (problem.precision == Precision::f32) return make<float>(problem, grid);
  return make<double>(problem, grid);
}

}  // namespace weft::bench
