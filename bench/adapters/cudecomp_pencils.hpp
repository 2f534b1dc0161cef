#pragma once

#include <cudecomp.h>
#include <mpi.h>
#ifdef OPEN_MPI
#include <mpi-ext.h>
#endif

#include <algorithm>

#include "adapters/pencils.hpp"
#include "layouts.hpp"

/// How cuDecomp splits a case. Its axes X, Y, Z are the axes 2, 1, 0 of the harness.
namespace weft::bench {

inline void check(cudecompResult_t status, const char* call) {
  if (status == CUDECOMP_RESULT_SUCCESS) return;
  throw Error(std::string(call) + ": cuDecomp status " + std::to_string(status));
}

/// cuDecomp hands MPI pointers to device memory, with which an MPI without CUDA crashes.
inline bool mpi_takes_device_memory() {
#if defined(OPEN_MPI) && defined(MPIX_CUDA_AWARE_SUPPORT)
  return MPIX_Query_cuda_support() == 1;
#elif defined(OPEN_MPI)
  return false;
#else
  return true;
#endif
}

inline const std::map<std::string, cudecompTransposeCommBackend_t> backends = {
    {"mpi_p2p", CUDECOMP_TRANSPOSE_COMM_MPI_P2P},
    {"mpi_p2p_pl", CUDECOMP_TRANSPOSE_COMM_MPI_P2P_PL},
    {"mpi_a2a", CUDECOMP_TRANSPOSE_COMM_MPI_A2A},
    {"nccl", CUDECOMP_TRANSPOSE_COMM_NCCL},
    {"nccl_pl", CUDECOMP_TRANSPOSE_COMM_NCCL_PL},
    {"nvshmem", CUDECOMP_TRANSPOSE_COMM_NVSHMEM},
    {"nvshmem_pl", CUDECOMP_TRANSPOSE_COMM_NVSHMEM_PL},
    {"nvshmem_sm", CUDECOMP_TRANSPOSE_COMM_NVSHMEM_SM}};

struct Finalize {
  void operator()(cudecompHandle_t handle) const { cudecompFinalize(handle); }
};
using Handle = std::unique_ptr<cudecompHandle, Finalize>;

struct DestroyGrid {
  cudecompHandle_t handle = nullptr;
  void operator()(cudecompGridDesc_t grid) const { cudecompGridDescDestroy(handle, grid); }
};
using Grid = std::unique_ptr<cudecompGridDesc, DestroyGrid>;

struct FreeWork {
  cudecompHandle_t handle = nullptr;
  cudecompGridDesc_t grid = nullptr;
  void operator()(void* work) const { cudecompFree(handle, grid, work); }
};

class CudecompPencils {
 public:
  /// An empty grid is left to cuDecomp's autotuning.
  CudecompPencils(const Case& problem, const Extents& grid) : problem_(problem) {
    cudecompHandle_t handle = nullptr;
    check(cudecompInit(&handle, problem.comm), "cudecompInit");
    handle_.reset(handle);
    split(grid);
    describe_arrays();
  }

  cudecompHandle_t handle() const { return handle_.get(); }
  cudecompGridDesc_t grid() const { return grid_.get(); }
  cudecompDataType_t data_type() const {
    return problem_.precision == Precision::f32 ? CUDECOMP_FLOAT_COMPLEX : CUDECOMP_DOUBLE_COMPLEX;
  }
  const LocalArray& in() const { return in_; }
  const LocalArray& out() const { return out_; }
  /// Elements from row to row of the input.
  Index row() const { return row_; }
  /// Elements of the largest pencil.
  Index elements() const { return elements_; }
  /// Lines along axis 1 in the pencils between.
  Index middle_lines() const { return middle_lines_; }
  /// Axis 1 is not split before the transform.
  bool whole_planes() const { return whole_planes_; }
  /// Axis 0 is not split before the transform.
  bool whole_columns() const { return whole_columns_; }

 private:
  Grid make_grid(cudecompGridDescConfig_t& config,
                 const cudecompGridDescAutotuneOptions_t* options) {
    cudecompGridDesc_t grid = nullptr;
    const auto status = cudecompGridDescCreate(handle_.get(), &grid, &config, options);
    require(status != CUDECOMP_RESULT_NOT_SUPPORTED,
            "backend " + setting(problem_, "backend", "") + " by this build of cuDecomp");
    check(status, "cudecompGridDescCreate");
    return Grid(grid, {handle_.get()});
  }

  void split(const Extents& grid) {
    cudecompGridDescConfig_t config;
    check(cudecompGridDescConfigSetDefaults(&config), "cudecompGridDescConfigSetDefaults");
    const Extents spectrum = spectral_shape(problem_);
    for (int axis = 0; axis < 3; ++axis) {
      config.gdims[axis] = static_cast<int32_t>(spectrum[2 - axis]);
      config.transpose_axis_contiguous[axis] = true;
    }
    if (!grid.empty()) {
      config.pdims[0] = static_cast<int32_t>(grid[1]);
      config.pdims[1] = static_cast<int32_t>(grid[0]);
    }
    config.transpose_comm_backend = backends.at(setting(problem_, "backend", ""));
    if (setting(problem_, "autotune", "") == "yes") {
      cudecompGridDescAutotuneOptions_t options;
      check(cudecompGridDescAutotuneOptionsSetDefaults(&options),
            "cudecompGridDescAutotuneOptionsSetDefaults");
      options.dtype = data_type();
      options.autotune_transpose_backend = true;
      options.disable_mpi_backends = !mpi_takes_device_memory();
      std::fill_n(options.transpose_use_inplace_buffers, 4, problem_.in_place);
      auto tuned = config;  // comes back with an order of memory, which would count below
      make_grid(tuned, &options);
      std::copy_n(tuned.pdims, 2, config.pdims);
      config.transpose_comm_backend = tuned.transpose_comm_backend;
      require_fitting(problem_, {config.pdims[1], config.pdims[0]});
    }
    whole_planes_ = config.pdims[0] == 1;
    whole_columns_ = config.pdims[1] == 1;
    // Planes stay as they are for the exchange that follows them.
    config.transpose_axis_contiguous[1] = !whole_planes_;
    grid_ = make_grid(config, nullptr);
  }

  LocalArray pencils(int axis) {
    cudecompPencilInfo_t info;
    check(cudecompGetPencilInfo(handle_.get(), grid_.get(), &info, axis, nullptr, nullptr),
          "cudecompGetPencilInfo");
    elements_ = std::max<Index>(elements_, info.size);
    Box box{{0, 0, 0}, {0, 0, 0}};
    AxisList order;
    for (int i = 2; i >= 0; --i) {
      const int own = 2 - info.order[i];
      box.lower[own] = info.lo[i];
      box.upper[own] = info.hi[i] + 1;
      order.push_back(own);
    }
    return array_of(box, order, {problem_.precision, true});
  }

  void describe_arrays() {
    const LocalArray x = pencils(0), y = pencils(1), z = pencils(2);
    out_ = whole_columns_ ? (whole_planes_ ? x : y) : z;
    in_ = x;
    row_ = problem_.shape[2];
    if (is_real(problem_)) {
      Box box = x.box;
      box.upper[2] = problem_.shape[2];
      in_ = array_of(box, {0, 1, 2}, {problem_.precision, false});
      if (problem_.in_place) {
        row_ = 2 * x.box.extent(2);
        in_.strides[1] = row_;
        in_.strides[0] = row_ * box.extent(1);
        in_.allocation_size = row_ * box.extent(1) * box.extent(0);
      }
    }
    middle_lines_ = y.box.count() / problem_.shape[1];
  }

  Case problem_;
  Handle handle_;
  Grid grid_;
  LocalArray in_, out_;
  Index row_ = 0;
  Index elements_ = 0;
  Index middle_lines_ = 0;
  bool whole_planes_ = false;
  bool whole_columns_ = false;
};

}  // namespace weft::bench
