// heFFTe with cuFFT: one GPU per rank, arrays in its memory. Whether MPI gets pointers to that
// memory is a setting; by default it does, unless the library was built without ("gpu_aware").
#include "adapters/cuda.hpp"
#include "adapters/heffte.hpp"
#include "device/buffer.hpp"

namespace weft::bench {

namespace {

class DeviceArray {
 public:
  explicit DeviceArray(std::size_t bytes) : bytes_(bytes), device_(device_memory(bytes)) {}
  /// Made when the driver asks for it: it never does for a workspace.
  void* host() {
    if (host_.size() != bytes_) host_ = Buffer(bytes_);
    return host_.data();
  }
  void* data() const { return device_.get(); }
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

/// Cosine and sine transforms, the same along all axes.
std::unique_ptr<Transform> make_real(const Case& problem) {
  using namespace heffte::backend;
  if (all_axes(problem, Kind::dct1)) return make_real_heffte<cufft_cos1, DeviceArray>(problem);
  if (all_axes(problem, Kind::dct2)) return make_real_heffte<cufft_cos, DeviceArray>(problem);
  if (all_axes(problem, Kind::dst2)) return make_real_heffte<cufft_sin, DeviceArray>(problem);
  throw Unsupported("not offered: kinds " + to_string(problem.kinds));
}

}  // namespace

Library describe() {
  std::vector<Setting> settings = heffte_settings();
  settings.push_back({"gpu_aware", {"default", "yes", "no"}});
  return {"heffte-cuda", heffte_version(), settings, false, "cuda"};
}

std::unique_ptr<Transform> plan(const Case& problem) {
  require_heffte(problem);
  choose_device(problem.comm);
  return is_real_to_real(problem) ? make_real(problem)
                                  : make_heffte<heffte::backend::cufft, DeviceArray>(problem);
}

}  // namespace weft::bench
