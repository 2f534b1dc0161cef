// 2DECOMP&FFT: pencils in natural order. A Fortran library; decomp2d.f90 makes it callable. It
// plans FFTW with FFTW_MEASURE only. What it copies its input for can be left out ("overwrite").
#include "adapters/pencils.hpp"
#include "adapters/shared_object.hpp"
#include "device/buffer.hpp"
#include "layouts.hpp"

namespace weft::bench {

namespace {

/// The build for a precision and an exchange; empty where there is none.
std::string build(Precision precision, const std::string& exchange) {
  if (exchange == "padded") return precision == Precision::f32 ? "" : DECOMP2D_PADDED;
  return precision == Precision::f32 ? DECOMP2D_F32 : DECOMP2D_F64;
}

struct Functions {
  explicit Functions(const std::string& path) : object(path) {
    object.find("bench_decomp2d_start", start);
    object.find("bench_decomp2d_physical_box", physical_box);
    object.find("bench_decomp2d_spectral_box", spectral_box);
    object.find("bench_decomp2d_c2c", c2c);
    object.find("bench_decomp2d_real", real);
    object.find("bench_decomp2d_end", end);
  }

  SharedObject object;
  void (*start)(int nx, int ny, int nz, int rows, int columns, MPI_Fint comm, int is_real,
                int overwrite);
  void (*physical_box)(int* first, int* last);
  void (*spectral_box)(int is_real, int* first, int* last);
  void (*c2c)(void* physical, void* spectral, int is_forward);
  void (*real)(void* physical, void* spectral, int is_forward);
  void (*end)();
};

/// As decomp2d.f90 counts it.
int overwritten(const Case& problem) {
  const std::string value = setting(problem, "overwrite", "no");
  return value == "real_too" ? 2 : value == "yes" ? 1 : 0;
}

class Decomp2dTransform : public Transform {
 public:
  Decomp2dTransform(const Case& problem, const std::string& path, const Extents& grid)
      : problem_(problem), library_(path), real_(is_real(problem)) {
    const auto length = [&](int axis) { return static_cast<int>(problem.shape[axis]); };
    library_.start(length(2), length(1), length(0), static_cast<int>(grid[1]),
                   static_cast<int>(grid[0]), MPI_Comm_c2f(problem.comm), real_,
                   overwritten(problem));
    int first[3], last[3];
    library_.physical_box(first, last);
    in_ = array_of(box_of(first, last), {0, 1, 2}, {problem.precision, !real_});
    library_.spectral_box(real_, first, last);
    out_ = array_of(box_of(first, last), {0, 1, 2}, {problem.precision, true});
    // Real arrays that are overwritten take the half spectrum of the last axis.
    const Index rows = in_.box.extent(0) * in_.box.extent(1);
    const LocalArray half = {in_.box, in_.strides, 0, rows * spectral_shape(problem)[2], out_.type};
    physical_ = Buffer(std::max(bytes_of(in_), overwritten(problem) > 1 ? bytes_of(half) : 0));
    spectral_ = Buffer(bytes_of(out_));
  }
  ~Decomp2dTransform() override { library_.end(); }

  TransformDescription layout() const override { return transform_of(problem_, in_, out_); }
  void* physical() override { return physical_.data(); }
  void* spectral() override { return spectral_.data(); }
  void forward() override { transform(true); }
  void backward() override { transform(false); }

 private:
  void transform(bool forward) {
    (real_ ? library_.real : library_.c2c)(physical(), spectral(), forward);
  }

  Case problem_;
  Functions library_;
  bool real_;
  LocalArray in_;
  LocalArray out_;
  Buffer physical_;
  Buffer spectral_;
};

}  // namespace

Library describe() {
  std::vector<std::string> exchanges = {"alltoallv"};
  if (!build(Precision::f64, "padded").empty()) exchanges.push_back("padded");
  return {"2decomp",
          DECOMP2D_VERSION,
          {{"overwrite", {"no", "yes", "real_too"}}, {"exchange", exchanges}}};
}

std::unique_ptr<Transform> plan(const Case& problem) {
  require_single_3d(problem);
  require(!problem.in_place, "in place");
  const std::string path = build(problem.precision, setting(problem, "exchange", "alltoallv"));
  require(!path.empty(), "this precision: 2DECOMP&FFT was not built for it");
  const Extents grid = chosen_grid(problem);
  require_fitting(problem, grid);
  return std::make_unique<Decomp2dTransform>(problem, path, grid);
}

}  // namespace weft::bench
