#include <heffte.h>

#include <complex>

#include "adapters/entries.hpp"

namespace weft::bench {

namespace {

using Complex = std::complex<double>;

/// heFFTe counts its first axis as the fastest; axes are reversed on the way in. It plans FFTW with
/// FFTW_ESTIMATE only.
template <class Transform, class Real>
class HeffteAdapter : public Adapter {
 public:
  HeffteAdapter(const Case& problem, bool tuned)
      : problem_(problem),
        in_(slab(problem, problem.shape, 0)),
        out_(slab(problem, spectral_shape(problem), 1)),
        fft_(make(problem, tuned, to_heffte(in_), to_heffte(out_))),
        physical_(static_cast<std::size_t>(in_.count())),
        spectral_(static_cast<std::size_t>(out_.count())),
        workspace_(fft_.size_workspace()) {}

  TransformDescription describe() const override {
    const bool real = problem_.real;
    return {problem_.shape,    Kinds(real ? r2c : c2c).resolve(3),
            Norm::backward,    1,
            array(in_, !real), array(out_, true),
            problem_.comm,     1};
  }
  void* physical() override { return physical_.data(); }
  void* spectral() override { return spectral_.data(); }
  void forward() override { fft_.forward(physical_.data(), spectral_.data(), workspace_.data()); }
  void backward() override { fft_.backward(spectral_.data(), physical_.data(), workspace_.data()); }

 private:
  static Extents spectral_shape(const Case& problem) {
    Extents shape = problem.shape;
    if (problem.real) shape[2] = shape[2] / 2 + 1;
    return shape;
  }
  static Box slab(const Case& problem, const Extents& shape, int axis) {
    int rank = 0, ranks = 1;
    MPI_Comm_rank(problem.comm, &rank);
    MPI_Comm_size(problem.comm, &ranks);
    Box box = whole(shape);
    box.lower[axis] = shape[axis] * rank / ranks;
    box.upper[axis] = shape[axis] * (rank + 1) / ranks;
    return box;
  }
  static heffte::box3d<> to_heffte(const Box& box) {
    const auto at = [](const Extents& point, int axis) { return static_cast<int>(point[axis]); };
    return {{at(box.lower, 2), at(box.lower, 1), at(box.lower, 0)},
            {at(box.upper, 2) - 1, at(box.upper, 1) - 1, at(box.upper, 0) - 1}};
  }
  static Transform make(const Case& problem, bool tuned, const heffte::box3d<>& in,
                        const heffte::box3d<>& out) {
    auto options = heffte::default_options<heffte::backend::fftw>();
    if (tuned) {
      options.use_reorder = !problem.real && problem.shape[0] >= 256;
      options.algorithm = heffte::reshape_algorithm::p2p_plined;
    }
    if constexpr (std::is_same_v<Transform, heffte::fft3d_r2c<heffte::backend::fftw>>) {
      return Transform(in, out, 0, problem.comm, options);
    } else {
      return Transform(in, out, problem.comm, options);
    }
  }
  static LocalArray array(const Box& box, bool complex) {
    return {box,
            {box.extent(1) * box.extent(2), box.extent(2), 1},
            0,
            box.count(),
            {Precision::f64, complex}};
  }

  Case problem_;
  Box in_;
  Box out_;
  Transform fft_;
  std::vector<Real> physical_;
  std::vector<Complex> spectral_;
  std::vector<Complex> workspace_;
};

std::unique_ptr<Adapter> make_heffte(const Case& problem, bool tuned) {
  if (problem.real) {
    return std::make_unique<HeffteAdapter<heffte::fft3d_r2c<heffte::backend::fftw>, double>>(
        problem, tuned);
  }
  return std::make_unique<HeffteAdapter<heffte::fft3d<heffte::backend::fftw>, Complex>>(problem,
                                                                                        tuned);
}

}  // namespace

std::vector<AdapterEntry> heffte_entries() {
  return {{"heffte fftw, default", [](const Case& problem) { return make_heffte(problem, false); }},
          {"heffte fftw, tuned", [](const Case& problem) { return make_heffte(problem, true); }}};
}

}  // namespace weft::bench
