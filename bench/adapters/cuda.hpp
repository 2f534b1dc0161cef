#pragma once

#include <cublas_v2.h>
#include <cuda_runtime.h>
#include <cufftXt.h>

#include <memory>
#include <new>

#include "layouts.hpp"

/// For libraries with one GPU per rank.
namespace weft::bench {

inline void check(cudaError_t status, const char* call) {
  if (status == cudaSuccess) return;
  if (status == cudaErrorMemoryAllocation) throw std::bad_alloc();
  throw Error(std::string(call) + ": " + cudaGetErrorString(status));
}

inline void check(cufftResult status, const char* call) {
  if (status == CUFFT_SUCCESS) return;
  if (status == CUFFT_ALLOC_FAILED) throw std::bad_alloc();
  throw Error(std::string(call) + ": cuFFT status " + std::to_string(status));
}

inline void check(cublasStatus_t status, const char* call) {
  if (status == CUBLAS_STATUS_SUCCESS) return;
  if (status == CUBLAS_STATUS_ALLOC_FAILED) throw std::bad_alloc();
  throw Error(std::string(call) + ": cuBLAS status " + std::to_string(status));
}

/// Every rank of a node takes another device.
inline void choose_device(MPI_Comm comm) {
  MPI_Comm node = MPI_COMM_NULL;
  MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  int rank = 0, ranks = 1, devices = 0;
  MPI_Comm_rank(node, &rank);
  MPI_Comm_size(node, &ranks);
  MPI_Comm_free(&node);
  const cudaError_t status = cudaGetDeviceCount(&devices);
  int enough = status == cudaSuccess && devices >= ranks ? 1 : 0;
  MPI_Allreduce(MPI_IN_PLACE, &enough, 1, MPI_INT, MPI_MIN, comm);
  require(enough == 1,
          std::to_string(ranks) + " ranks on a node with " + std::to_string(devices) + " devices");
  check(cudaSetDevice(rank), "cudaSetDevice");
}

/// Of the device that choose_device took.
inline std::string device_bus_id() {
  int device = 0;
  check(cudaGetDevice(&device), "cudaGetDevice");
  char name[64] = "";
  check(cudaDeviceGetPCIBusId(name, sizeof name, device), "cudaDeviceGetPCIBusId");
  return name;
}

/// Multiplies reals in the memory of the device.
inline void scale_reals(void* data, std::size_t bytes, Precision precision, double factor) {
  static const cublasHandle_t handle = [] {
    cublasHandle_t made = nullptr;
    check(cublasCreate(&made), "cublasCreate");
    return made;
  }();
  if (precision == Precision::f32) {
    const auto single = static_cast<float>(factor);
    const auto count = static_cast<std::int64_t>(bytes / sizeof single);
    check(cublasSscal_64(handle, count, &single, static_cast<float*>(data), 1), "cublasSscal");
  } else {
    const auto count = static_cast<std::int64_t>(bytes / sizeof factor);
    check(cublasDscal_64(handle, count, &factor, static_cast<double*>(data), 1), "cublasDscal");
  }
  check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
}

/// Memory of the device in use by all that runs on it, which is this rank alone.
inline std::size_t device_bytes_in_use() {
  std::size_t free = 0, total = 0;
  check(cudaMemGetInfo(&free, &total), "cudaMemGetInfo");
  return total - free;
}

struct FreeDevice {
  void operator()(void* memory) const { cudaFree(memory); }
};
using DeviceMemory = std::unique_ptr<void, FreeDevice>;

inline DeviceMemory device_memory(std::size_t bytes) {
  void* memory = nullptr;
  check(cudaMalloc(&memory, bytes), "cudaMalloc");
  return DeviceMemory(memory);
}

/// Transforms along the fastest axes of an array, in work space of the caller.
class Lines {
 public:
  /// `lengths` slowest first; rows of the fastest axis take `in_row` and `out_row` elements.
  Lines(std::vector<long long> lengths, long long in_row, long long out_row, long long batch,
        cufftType type) {
    check(cufftCreate(&plan_), "cufftCreate");
    check(cufftSetAutoAllocation(plan_, 0), "cufftSetAutoAllocation");
    std::vector<long long> in = lengths, out = lengths;
    in.back() = in_row;
    out.back() = out_row;
    const auto count = [](const std::vector<long long>& n) {
      long long all = 1;
      for (const long long length : n) all *= length;
      return all;
    };
    check(cufftMakePlanMany64(plan_, static_cast<int>(lengths.size()), lengths.data(), in.data(), 1,
                              count(in), out.data(), 1, count(out), type, batch, &work_bytes_),
          "cufftMakePlanMany64");
  }
  ~Lines() { cufftDestroy(plan_); }
  Lines(const Lines&) = delete;
  Lines& operator=(const Lines&) = delete;

  std::size_t work_bytes() const { return work_bytes_; }
  void set_work(void* work) { check(cufftSetWorkArea(plan_, work), "cufftSetWorkArea"); }
  void run(void* from, void* to, int direction) const {
    check(cufftXtExec(plan_, from, to, direction), "cufftXtExec");
  }

 private:
  cufftHandle plan_ = 0;
  std::size_t work_bytes_ = 0;
};

}  // namespace weft::bench
