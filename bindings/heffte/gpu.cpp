#include "gpu.hpp"

#include <cstdlib>
#include <map>
#include <mutex>

#include "device/device.hpp"
#include "weft/error.hpp"
#include "weft/heffte/gpu_memory.hpp"

namespace weft::detail {

namespace {

const DeviceMethod& kind_of_gpu() {
  // Tests and programs may do without a GPU: "emulated".
  if (const char* const name = std::getenv("WEFT_HEFFTE_DEVICE")) return find_device_method(name);
  for (const DeviceMethod& method : device_methods()) {
    if (method.is_gpu) return method;
  }
  throw Error(
      "tags for GPUs: this weft is built without them, see WEFT_WITH_CUDA and WEFT_WITH_HIP",
      ErrorCode::unsupported);
}

/// Of emulated devices; the vendors' libraries know theirs.
thread_local int chosen_number = 0;

Device& opened(const DeviceMethod& method, int number) {
  static std::mutex mutex;
  static auto* const devices = new std::map<std::pair<std::string, int>, std::unique_ptr<Device>>;
  const std::lock_guard lock(mutex);
  std::unique_ptr<Device>& device = (*devices)[{method.name, number}];
  if (!device) device = find_device_that_is_here(method.name).open(number);
  return *device;
}

}  // namespace

NumberedDevice current_heffte_gpu() {
  const DeviceMethod& method = kind_of_gpu();
  const int number = method.current ? method.current() : chosen_number;
  return {&opened(method, number), number};
}

int HeffteGpu::count() {
  return kind_of_gpu().count();
}

void HeffteGpu::choose(int number) {
  opened(kind_of_gpu(), number).use();
  chosen_number = number;
}

void* HeffteGpu::allocate(std::size_t bytes) {
  return current_heffte_gpu().device->allocate(bytes);
}

void HeffteGpu::free(void* memory) noexcept {
  if (memory != nullptr) current_heffte_gpu().device->free(static_cast<std::byte*>(memory));
}

void HeffteGpu::synchronize(void* native_stream) {
  current_heffte_gpu().device->adopt_stream(native_stream)->synchronize();
}

void HeffteGpu::copy(void* to, const void* from, std::size_t bytes, void* native_stream) {
  if (bytes == 0) return;
  const auto stream = current_heffte_gpu().device->adopt_stream(native_stream);
  stream->copy(static_cast<std::byte*>(to), static_cast<const std::byte*>(from), bytes);
  stream->synchronize();
}

}  // namespace weft::detail
