// P3DFFT 2: real transforms of pencils in natural order, and batches of them. Its first dimension
// is the fastest in memory, and its process grid is ours the other way round. Precision and the
// effort of FFTW's planner are chosen when it is built; its builds have the same names.
#include <algorithm>

#include "adapters/pencils.hpp"
#include "adapters/shared_object.hpp"
#include "device/buffer.hpp"
#include "layouts.hpp"

namespace weft::bench {

namespace {

struct Functions {
  explicit Functions(const std::string& path) : object(path) {
    object.find("p3dfft_setup", setup);
    object.find("p3dfft_get_dims", get_dims);
    object.find("p3dfft_ftran_r2c", forward);
    object.find("p3dfft_btran_c2r", backward);
    object.find("p3dfft_ftran_r2c_many", forward_many);
    object.find("p3dfft_btran_c2r_many", backward_many);
    object.find("p3dfft_clean", clean);
  }

  SharedObject object;
  void (*setup)(int* grid, int* nx, int* ny, int* nz, MPI_Fint* comm, int* kept_x, int* kept_y,
                int* kept_z, int* overwrite, int* largest);
  void (*get_dims)(int* first, int* last, int* size, int* space);
  void (*forward)(void* in, void* out, const char* kinds);
  void (*backward)(void* in, void* out, const char* kinds);
  void (*forward_many)(void* in, int* in_size, void* out, int* out_size, int* fields,
                       const char* kinds);
  void (*backward_many)(void* in, int* in_size, void* out, int* out_size, int* fields,
                        const char* kinds);
  void (*clean)();
};

/// Of batches whose z is whole before the transform already, it spoils the backward transform
/// unless it may overwrite the input.
bool overwrites(const Case& problem, const Extents& grid) {
  return problem.in_place || setting(problem, "overwrite", "no") == "yes" ||
         (problem.batch > 1 && grid[0] == 1);
}

class P3dfft2Transform : public Transform {
 public:
  P3dfft2Transform(const Case& problem, const std::string& path, const Extents& grid)
      : problem_(problem), library_(path), fields_(static_cast<int>(problem.batch)) {
    const auto length = [&](int axis) { return static_cast<int>(problem.shape[axis]); };
    int processes[2] = {static_cast<int>(grid[1]), static_cast<int>(grid[0])};
    int nx = length(2), ny = length(1), nz = length(0);
    MPI_Fint comm = MPI_Comm_c2f(problem.comm);
    int overwrite = overwrites(problem, grid) ? 1 : 0;
    int largest[3] = {0, 0, 0};
    library_.setup(processes, &nx, &ny, &nz, &comm, &nx, &ny, &nz, &overwrite, largest);
    in_ = array_in(1, false);
    out_ = array_in(2, true);
    physical_ = Buffer(problem.in_place ? std::max(bytes_of(in_), bytes_of(out_)) : bytes_of(in_));
    if (!problem.in_place) spectral_ = Buffer(bytes_of(out_));
  }
  ~P3dfft2Transform() override { library_.clean(); }

  TransformDescription layout() const override { return transform_of(problem_, in_, out_); }
  void* physical() override { return physical_.data(); }
  void* spectral() override { return problem_.in_place ? physical_.data() : spectral_.data(); }
  void forward() override {
    constexpr const char* kinds = "fft";
    if (fields_ == 1) return library_.forward(physical(), spectral(), kinds);
    int in_size = field_size(in_), out_size = field_size(out_);
    library_.forward_many(physical(), &in_size, spectral(), &out_size, &fields_, kinds);
  }
  void backward() override {
    constexpr const char* kinds = "tff";
    if (fields_ == 1) return library_.backward(spectral(), physical(), kinds);
    int in_size = field_size(out_), out_size = field_size(in_);
    library_.backward_many(spectral(), &in_size, physical(), &out_size, &fields_, kinds);
  }

 private:
  /// The array in space 1, physical, or 2, spectral.
  LocalArray array_in(int space, bool complex) const {
    int first[3], last[3], size[3];
    library_.get_dims(first, last, size, &space);
    return array_of(box_of(first, last), {0, 1, 2}, {problem_.precision, complex}, problem_.batch);
  }
  int field_size(const LocalArray& array) const {
    return static_cast<int>(array.allocation_size / problem_.batch);
  }

  Case problem_;
  Functions library_;
  int fields_;
  LocalArray in_;
  LocalArray out_;
  Buffer physical_;
  Buffer spectral_;
};

}  // namespace

Library describe() {
  return {"p3dfft2", "2.7", {{"overwrite", {"no", "yes"}}}};
}

std::unique_ptr<Transform> plan(const Case& problem) {
  require_3d(problem);
  require(is_real(problem), "c2c");
  const Extents grid = chosen_grid(problem);
  require_fitting(problem, grid);
  const std::string path = problem.precision == Precision::f32 ? P3DFFT2_F32 : P3DFFT2_F64;
  require(!path.empty(), "this precision: P3DFFT 2 was not built for it");
  return std::make_unique<P3dfft2Transform>(problem, path, grid);
}

}  // namespace weft::bench
