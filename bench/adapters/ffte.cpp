// FFTE, its transforms of pencils (PZFFT3DV, PDZFFT3DV, PZDFFT3DV): double precision, natural
// order, x fastest. Real transforms are in place, complex ones are not and overwrite their input.
// All processes have to have equally much, and lengths to be products of 2, 3 and 5.
#include <algorithm>

#include "adapters/pencils.hpp"
#include "adapters/products_of_235.hpp"
#include "device/buffer.hpp"
#include "layouts.hpp"

extern "C" {
void pzfft3dv_(void* in, void* out, const int* nx, const int* ny, const int* nz,
               const MPI_Fint* y_comm, const MPI_Fint* z_comm, const int* y_ranks,
               const int* z_ranks, const int* what);
void pdzfft3dv_(void* data, void* work, const int* nx, const int* ny, const int* nz,
                const MPI_Fint* y_comm, const MPI_Fint* z_comm, const int* y_rank,
                const int* y_ranks, const int* z_ranks, const int* what);
void pzdfft3dv_(void* data, void* work, const int* nx, const int* ny, const int* nz,
                const MPI_Fint* y_comm, const MPI_Fint* z_comm, const int* y_rank,
                const int* y_ranks, const int* z_ranks, const int* what);
}

namespace weft::bench {

namespace {

/// What a routine is asked for; the transforms to and from pencils along z.
constexpr int tables = 0, to_z_pencils = -2, from_z_pencils = 2;

/// Ranks with the same color, in their order.
class SubCommunicator {
 public:
  SubCommunicator(MPI_Comm comm, int color) {
    int rank = 0;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_split(comm, color, rank, &comm_);
  }
  ~SubCommunicator() { MPI_Comm_free(&comm_); }
  SubCommunicator(const SubCommunicator&) = delete;
  SubCommunicator& operator=(const SubCommunicator&) = delete;
  MPI_Fint handle() const { return MPI_Comm_c2f(comm_); }

 private:
  MPI_Comm comm_ = MPI_COMM_NULL;
};

class FfteTransform : public Transform {
 public:
  FfteTransform(const Case& problem, const Extents& grid)
      : problem_(problem),
        real_(is_real(problem)),
        y_ranks_(static_cast<int>(grid[1])),
        z_ranks_(static_cast<int>(grid[0])),
        y_rank_(rank_of(problem) % y_ranks_),
        z_rank_(rank_of(problem) / y_ranks_),
        y_comm_(problem.comm, z_rank_),
        z_comm_(problem.comm, y_rank_) {
    for (int axis = 0; axis < 3; ++axis) n_[axis] = static_cast<int>(problem.shape[axis]);
    const auto part = [](Index length, int ranks, int rank) -> Box {
      return {{length / ranks * rank}, {length / ranks * (rank + 1)}};
    };
    const Box z = part(n_[0], z_ranks_, z_rank_), y = part(n_[1], y_ranks_, y_rank_);
    const Box y_after = part(n_[1], z_ranks_, z_rank_);
    Box x = part(real_ ? n_[2] / 2 : n_[2], y_ranks_, y_rank_);
    if (real_) {  // the first has one more
      x.upper[0] += 1;
      if (y_rank_ > 0) x.lower[0] += 1;
    }
    in_ = array_of({{z.lower[0], y.lower[0], 0}, {z.upper[0], y.upper[0], n_[2]}}, {0, 1, 2},
                   {problem.precision, !real_});
    out_ = array_of({{0, y_after.lower[0], x.lower[0]}, {n_[0], y_after.upper[0], x.upper[0]}},
                    {0, 1, 2}, {problem.precision, true});
    // Between the exchanges the first process has n_x / 2 + y_ranks rows.
    const Index rows = real_ ? n_[2] / 2 + y_ranks_ : n_[2];
    const Index points = rows * z.extent(0) * y.extent(0);
    data_ = Buffer(static_cast<std::size_t>(points) * 16);
    other_ = Buffer(data_.size());
    call(true, tables);
    if (real_) call(false, tables);
  }

  TransformDescription layout() const override { return transform_of(problem_, in_, out_); }
  void* physical() override { return data_.data(); }
  void* spectral() override { return real_ ? data_.data() : other_.data(); }
  void forward() override { call(true, to_z_pencils); }
  void backward() override { call(false, from_z_pencils); }
  bool unscaled() const override { return false; }

 private:
  void call(bool forward, int what) {
    const MPI_Fint y_comm = y_comm_.handle(), z_comm = z_comm_.handle();
    if (real_) {
      (forward ? pdzfft3dv_ : pzdfft3dv_)(data_.data(), other_.data(), &n_[2], &n_[1], &n_[0],
                                          &y_comm, &z_comm, &y_rank_, &y_ranks_, &z_ranks_, &what);
    } else {
      const auto& [from, to] = forward ? std::pair(&data_, &other_) : std::pair(&other_, &data_);
      pzfft3dv_(from->data(), to->data(), &n_[2], &n_[1], &n_[0], &y_comm, &z_comm, &y_ranks_,
                &z_ranks_, &what);
    }
  }

  Case problem_;
  bool real_;
  int y_ranks_;
  int z_ranks_;
  int y_rank_;
  int z_rank_;
  SubCommunicator y_comm_;
  SubCommunicator z_comm_;
  int n_[3] = {};
  LocalArray in_;
  LocalArray out_;
  Buffer data_;
  Buffer other_;
};

/// Whether all processes get equally much, but for one more of the real transform's last axis.
bool divides(const Case& problem, const Extents& grid) {
  const Extents& n = problem.shape;
  const Index columns = is_real(problem) ? 2 * grid[1] : grid[1];
  return n[0] % grid[0] == 0 && n[1] % grid[0] == 0 && n[1] % grid[1] == 0 && n[2] % columns == 0;
}

/// The process grid that the case asks for, or that with the fewest processes along the second
/// axis.
Extents dividing_grid(const Case& problem) {
  const Extents asked = asked_grid(problem);
  const Index ranks = ranks_of(problem);
  for (Index first = ranks; asked.empty() && first > 0; --first) {
    const Extents grid = {first, ranks / first};
    if (ranks % first == 0 && divides(problem, grid)) return grid;
  }
  require(!asked.empty() && divides(problem, asked),
          "lengths that " + std::to_string(ranks) + " processes cannot divide into equal parts");
  return asked;
}

}  // namespace

Library describe() {
  return {"ffte", "7.0", {}};
}

std::unique_ptr<Transform> plan(const Case& problem) {
  constexpr Index longest = 4096;  // as it comes; it does not check
  require_single_3d(problem);
  require(problem.precision == Precision::f64, "single precision");
  require(is_real(problem) || !problem.in_place, "c2c in place");
  for (const Index length : problem.shape) {
    require(is_product_of_235(length) && length <= longest,
            "length " + std::to_string(length) + "; only products of 2, 3 and 5 up to 4096");
  }
  require(!is_real(problem) || problem.shape[2] % 2 == 0, "odd lengths of real transforms");
  return std::make_unique<FfteTransform>(problem, dividing_grid(problem));
}

}  // namespace weft::bench
