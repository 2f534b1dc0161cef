#include "device/gpu/flag_operations.hpp"

#if defined(__HIP_PLATFORM_AMD__)

#include "device/gpu/kernels.hpp"

namespace weft {

// Kernels of several processes run at the same time there, and HIP's own operations on flags in
// memory of devices are kernels that wait.
void load_flag_operations() {}
void submit_signal(gpuStream_t stream, const Flags& flags) {
  launch_signal(stream, flags);
}
void submit_await(gpuStream_t stream, const Flags& flags) {
  launch_await(stream, flags);
}

}  // namespace weft

#else

#include <cuda.h>
#include <cudaTypedefs.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <array>
#include <span>

namespace weft {

namespace {

using Operation = CUstreamBatchMemOpParams;
/// A call takes fewer than 256 operations, of which a flag needs up to two.
constexpr std::size_t most_flags = 127;

/// The driver's function: programs link with the runtime library only.
PFN_cuStreamBatchMemOp_v11070 batch_of_operations() {
  static const auto function = [] {
    void* found = nullptr;
#if CUDART_VERSION >= 12050
    constexpr unsigned version = 11070;
    const cudaError_t code =
        cudaGetDriverEntryPointByVersion("cuStreamBatchMemOp", &found, version, cudaEnableDefault);
#else
    // Of the version of the runtime library, which must have the same arguments.
    static_assert(CUDART_VERSION >= 11070);
    const cudaError_t code =
        cudaGetDriverEntryPoint("cuStreamBatchMemOp", &found, cudaEnableDefault);
#endif
    if (code != cudaSuccess || found == nullptr) {
      throw Error("the CUDA driver has no operations of streams on memory", ErrorCode::device);
    }
    return reinterpret_cast<PFN_cuStreamBatchMemOp_v11070>(found);
  }();
  return function;
}

CUdeviceptr address_of(std::uint64_t* flag) {
  return reinterpret_cast<CUdeviceptr>(flag);
}

/// What was submitted before has been done then, and the whole system sees it.
Operation write_to(std::uint64_t* flag, std::uint64_t value) {
  Operation operation{};
  operation.writeValue.operation = CU_STREAM_MEM_OP_WRITE_VALUE_64;
  operation.writeValue.address = address_of(flag);
  operation.writeValue.value64 = value;
  operation.writeValue.flags = CU_STREAM_WRITE_VALUE_DEFAULT;
  return operation;
}

Operation wait_until_raised(std::uint64_t* flag) {
  Operation operation{};
  operation.waitValue.operation = CU_STREAM_MEM_OP_WAIT_VALUE_64;
  operation.waitValue.address = address_of(flag);
  operation.waitValue.value64 = 1;
  operation.waitValue.flags = CU_STREAM_WAIT_VALUE_EQ;
  return operation;
}

void submit(gpuStream_t stream, std::span<Operation> operations) {
  const CUresult code =
      batch_of_operations()(stream, static_cast<unsigned>(operations.size()), operations.data(), 0);
  if (code == CUDA_SUCCESS) return;
  throw Error("operation of a stream on flags: error " + std::to_string(code) + " of the driver",
              ErrorCode::device);
}

/// Calls work(flags) for as many at a time as fit in a call.
template <class Work>
void in_parts(const Flags& flags, const Work& work) {
  const std::span<std::uint64_t* const> all(flags);
  for (std::size_t first = 0; first < all.size(); first += most_flags) {
    work(all.subspan(first, std::min(most_flags, all.size() - first)));
  }
}

}  // namespace

void load_flag_operations() {
  batch_of_operations();
}

void submit_signal(gpuStream_t stream, const Flags& flags) {
  std::array<Operation, most_flags> operations;
  in_parts(flags, [&](std::span<std::uint64_t* const> part) {
    std::size_t count = 0;
    for (std::uint64_t* flag : part) operations[count++] = write_to(flag, 1);
    submit(stream, {operations.data(), count});
  });
}

void submit_await(gpuStream_t stream, const Flags& flags) {
  std::array<Operation, 2 * most_flags> operations;
  in_parts(flags, [&](std::span<std::uint64_t* const> part) {
    std::size_t count = 0;
    for (std::uint64_t* flag : part) {
      operations[count++] = wait_until_raised(flag);
      operations[count++] = write_to(flag, 0);
    }
    submit(stream, {operations.data(), count});
  });
}

}  // namespace weft

#endif
