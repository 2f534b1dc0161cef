#pragma once

#include "adapters/cuda.hpp"
#include "device/buffer.hpp"

namespace weft::bench {

/// An array in the memory of a device, for ArrayTransform.
class DeviceArray {
 public:
  explicit DeviceArray(std::size_t bytes) : bytes_(bytes), device_(device_memory(bytes)) {}
  /// Made when the driver asks for it, which it never does for a workspace.
  void* host() {
    if (host_.size() != bytes_) host_ = Buffer(bytes_);
    return host_.data();
  }
  void* data() { return device_.get(); }
  void upload() { check(cudaMemcpy(data(), host(), bytes_, cudaMemcpyHostToDevice), "cudaMemcpy"); }
  void download() {
    check(cudaMemcpy(host(), data(), bytes_, cudaMemcpyDeviceToHost), "cudaMemcpy");
  }
  bool scale(std::size_t bytes, Precision precision, double factor) {
    scale_reals(data(), bytes, precision, factor);
    return true;
  }
  static void finish() { check(cudaDeviceSynchronize(), "cudaDeviceSynchronize"); }
  static std::string device_id() { return device_bus_id(); }
  static std::size_t device_bytes() { return device_bytes_in_use(); }

 private:
  std::size_t bytes_;
  DeviceMemory device_;
  Buffer host_;
};

}  // namespace weft::bench
