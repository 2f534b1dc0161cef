// SWFFT, the version of the HACC group for hosts and GPUs, on the host: complex transforms of
// bricks of equal size, in place. It has no version number. Lengths that it cannot divide are
// refused here, for it does not check them all.
#include <swfft.hpp>

#include <algorithm>

#include "device/buffer.hpp"
#include "layouts.hpp"

namespace weft::bench {

namespace {

Extents brick_grid(const Case& problem) {
  int parts[3] = {0, 0, 0};
  MPI_Dims_create(ranks_of(problem), 3, parts);
  return {parts[0], parts[1], parts[2]};
}

bool accepts_grid(const std::string& asked, const Extents& grid) {
  if (asked == "any" || asked == "brick") return true;
  const bool simple = asked.starts_with("slab") || asked.starts_with("pencil");
  return simple && asked.find(',') == std::string::npos && conforms(asked, grid);
}

/// Whether the steps of a backend divide all boxes into equal parts.
bool divides(const Case& problem, const Extents& grid, const std::string& backend) {
  Extents local = {0, 0, 0};
  for (int axis = 0; axis < 3; ++axis) {
    if (problem.shape[axis] % grid[axis] != 0) return false;
    local[axis] = problem.shape[axis] / grid[axis];
  }
  const Index ranks = ranks_of(problem);
  if (backend == "alltoall") {
    return local[0] * local[1] % ranks == 0 && local[0] * local[2] % ranks == 0 &&
           local[1] * local[2] % ranks == 0;
  }
  if (backend == "pairwise") {
    return std::all_of(problem.shape.begin(), problem.shape.end(),
                       [&](Index length) { return length % ranks == 0; });
  }
  return local[0] % grid[2] == 0 && local[2] % grid[1] == 0 && local[1] % grid[0] == 0 &&
         problem.shape[1] % (grid[0] * grid[2]) == 0;
}

/// `Library` is SWFFT with one of its ways to exchange.
template <class Library>
class SwfftTransform : public Transform {
 public:
  explicit SwfftTransform(const Case& problem)
      : problem_(problem),
        bricks_(setting(problem, "output", "bricks") == "bricks"),
        library_(problem.comm, static_cast<int>(problem.shape[0]),
                 static_cast<int>(problem.shape[1]), static_cast<int>(problem.shape[2]),
                 unused_block_size, bricks_) {
    const auto local = library_.local_ng(), part = library_.coords();
    const Box box = {{part.x * local.x, part.y * local.y, part.z * local.z},
                     {(part.x + 1) * local.x, (part.y + 1) * local.y, (part.z + 1) * local.z}};
    const ElementType complex = {problem.precision, true};
    in_ = array_of(box, {0, 1, 2}, complex);
    out_ = bricks_ ? in_ : pencil_along(complex);
    const std::size_t bytes = static_cast<std::size_t>(library_.buff_sz()) * bytes_of(in_) /
                              static_cast<std::size_t>(in_.allocation_size);
    data_ = Buffer(std::max(bytes, bytes_of(in_)));
    scratch_ = Buffer(data_.size());
  }

  TransformDescription layout() const override { return transform_of(problem_, in_, out_); }
  void* physical() override { return data_.data(); }
  void* spectral() override { return data_.data(); }
  void forward() override {
    if (problem_.precision == Precision::f32) {
      library_.forward(as<SWFFT::complexFloatHost>(data_), as<SWFFT::complexFloatHost>(scratch_));
    } else {
      library_.forward(as<SWFFT::complexDoubleHost>(data_), as<SWFFT::complexDoubleHost>(scratch_));
    }
  }
  void backward() override {
    if (problem_.precision == Precision::f32) {
      library_.backward(as<SWFFT::complexFloatHost>(data_), as<SWFFT::complexFloatHost>(scratch_));
    } else {
      library_.backward(as<SWFFT::complexDoubleHost>(data_),
                        as<SWFFT::complexDoubleHost>(scratch_));
    }
  }

 private:
  static constexpr int unused_block_size = 64;  // of GPUs

  template <class T>
  static T* as(const Buffer& buffer) {
    return reinterpret_cast<T*>(buffer.data());
  }

  /// Whole along the first axis, which is the fastest; the library tells the place of an element.
  LocalArray pencil_along(ElementType type) {
    const auto place = [&](Index element) -> Extents {
      const auto index = library_.get_ks(static_cast<int>(element));
      return {index.x, index.y, index.z};
    };
    const Extents first = place(0), last = place(in_.allocation_size - 1);
    const Box box = {first, {last[0] + 1, last[1] + 1, last[2] + 1}};
    if (box.count() != in_.allocation_size) throw Error("SWFFT's pencils are not boxes");
    const bool second_axis_next = box.extent(2) == 1 || place(problem_.shape[0])[1] != first[1];
    return array_of(box, second_axis_next ? AxisList{2, 1, 0} : AxisList{1, 2, 0}, type);
  }

  Case problem_;
  bool bricks_;
  Library library_;
  LocalArray in_;
  LocalArray out_;
  Buffer data_;
  Buffer scratch_;
};

}  // namespace

Library describe() {
  return {"swfft",
          "unversioned",
          {{"exchange", {"alltoall", "pairwise", "hq_alltoall", "hq_pairwise"}},
           {"output", {"bricks", "pencils"}}}};
}

std::unique_ptr<Transform> plan(const Case& problem) {
  using namespace SWFFT;
  require_single_3d(problem);
  require(!is_real(problem), "r2c");
  require(problem.grid.empty(), "a given process grid");
  const Extents grid = brick_grid(problem);
  const std::string exchange = setting(problem, "exchange", "alltoall");
  const bool pencils = setting(problem, "output", "bricks") == "pencils";
  require(!pencils || exchange.starts_with("hq"), "output in pencils of exchange " + exchange);
  require(accepts_grid(problem.in, grid) &&
              (pencils ? problem.out == "any" : accepts_grid(problem.out, grid)),
          "layouts " + problem.in + " to " + problem.out + "; only bricks");
  require(divides(problem, grid, exchange),
          "lengths that " + to_string(grid) + " processes cannot divide into equal parts");
  if (exchange == "alltoall") {
    return std::make_unique<SwfftTransform<swfft<AllToAllCPU, CPUMPI, fftw>>>(problem);
  }
  if (exchange == "pairwise") {
    return std::make_unique<SwfftTransform<swfft<Pairwise, CPUMPI, fftw>>>(problem);
  }
  if (exchange == "hq_alltoall") {
    return std::make_unique<SwfftTransform<swfft<HQA2ACPU, CPUMPI, fftw>>>(problem);
  }
  return std::make_unique<SwfftTransform<swfft<HQPairCPU, CPUMPI, fftw>>>(problem);
}

}  // namespace weft::bench
