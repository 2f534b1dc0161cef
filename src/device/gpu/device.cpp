// GPUs of NVIDIA, or of AMD, by the vendor's runtime library. Every method makes its GPU the
// thread's current one and leaves it so: whoever uses several GPUs in a thread chooses anyway.
#include <array>
#include <map>
#include <mutex>

#include "device/buffer.hpp"
#include "device/gpu/flag_operations.hpp"
#include "device/gpu/kernels.hpp"
#include "device/gpu/mappings.hpp"
#include "device/gpu/stream.hpp"
#include "device/methods.hpp"
#include "geometry/human_units.hpp"
#include "weft/error.hpp"

namespace weft {

namespace {

/// Shared memory is rounded up to this, as smaller allocations may share what is mapped.
constexpr std::size_t sharing_granularity = std::size_t{2} << 20;

std::string identity_of(int number, const gpuDeviceProp& properties) {
#if defined(WEFT_HIP)
  static_cast<void>(properties);
  std::array<char, 64> bus{};
  check_gpu(gpuDeviceGetPCIBusId(bus.data(), bus.size(), number), "looking up a GPU");
  return std::string("GPU at ") + bus.data();
#else
  // Also tells instances of a divided GPU apart, which have one bus address. As nvidia-smi and NVML
  // write it: GPU-01234567-89ab-cdef-0123-456789abcdef.
  static_cast<void>(number);
  std::string text = "GPU";
  for (int i = 0; i < 16; ++i) {
    constexpr const char* digits = "0123456789abcdef";
    const auto byte = static_cast<unsigned char>(properties.uuid.bytes[i]);
    if (i == 0 || i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    text += digits[byte >> 4];
    text += digits[byte & 15];
  }
  return text;
#endif
}

/// Where an address is.
enum class Place { host, device, managed };

struct Location {
  Place place;
  int device;
};

Location locate(const void* memory) {
  gpuPointerAttributes attributes{};
  if (gpuPointerGetAttributes(&attributes, memory) != gpuSuccess) {
    // Some versions take memory that they do not know for an error.
    static_cast<void>(gpuGetLastError());
    return {Place::host, -1};
  }
#if defined(WEFT_HIP)
#if HIP_VERSION_MAJOR >= 6
  const auto type = attributes.type;
#else
  const auto type = attributes.memoryType;
#endif
  if (attributes.isManaged != 0) return {Place::managed, attributes.device};
  return {type == hipMemoryTypeDevice ? Place::device : Place::host, attributes.device};
#else
  if (attributes.type == cudaMemoryTypeManaged) return {Place::managed, attributes.device};
  return {attributes.type == cudaMemoryTypeDevice ? Place::device : Place::host, attributes.device};
#endif
}

class GpuDevice : public Device {
 public:
  explicit GpuDevice(int number) : number_(number) {
    use();
    gpuDeviceProp properties{};
    check_gpu(gpuGetDeviceProperties(&properties, number), "looking up a GPU");
    info_ = {gpu_name, properties.name, identity_of(number, properties)};
    processors_ = properties.multiProcessorCount;
    check_gpu(gpuDeviceGetStreamPriorityRange(&least_priority_, &greatest_priority_),
              "looking up the priorities of streams");
    load_move_kernels();
    load_flag_kernels();
    load_flag_operations();
    load_encode_kernels();
    load_decode_kernels();
    load_line_kernels();
    load_copies();
  }

  void use() const override {
    int current = -1;
    if (gpuGetDevice(&current) == gpuSuccess && current == number_) return;
    check_gpu(gpuSetDevice(number_), "using a GPU");
  }

  std::byte* allocate(std::size_t bytes, MemoryKind kind) override {
    use();
    if (kind == MemoryKind::shared) return allocate_shared(bytes);
    if (kind == MemoryKind::pinned) return allocate_pinned(bytes);
    void* memory = nullptr;
    check_allocation(gpuMalloc(&memory, bytes), bytes);
    return static_cast<std::byte*>(memory);
  }
  void free(std::byte* memory, MemoryKind kind) noexcept override;
  Owner owner_of(const void* memory) const override;
  SharedName share(std::byte* shared_memory) override;
  std::byte* map(const SharedName& name) override {
    use();
    return map_shared_memory(name, number_);
  }
  void unmap(std::byte* mapped) noexcept override {
    static_cast<void>(gpuSetDevice(number_));
    unmap_shared_memory(mapped, number_);
  }

  std::unique_ptr<Stream> make_stream(Priority priority) override {
    use();
    gpuStream_t stream = nullptr;
    const int level = priority == Priority::urgent ? greatest_priority_ : least_priority_;
    check_gpu(gpuStreamCreateWithPriority(&stream, gpuStreamNonBlocking, level), "making a stream");
    return std::make_unique<GpuStream>(*this, processors_, stream, true);
  }
  std::unique_ptr<Stream> adopt_stream(void* native) override {
    return std::make_unique<GpuStream>(*this, processors_, static_cast<gpuStream_t>(native), false);
  }
  std::unique_ptr<Event> make_event() override {
    use();
    return std::make_unique<GpuEvent>();
  }
  double seconds_between(const Event& begin, const Event& end) override {
    use();
    float milliseconds = 0;
    check_gpu(gpuEventElapsedTime(&milliseconds, native_event(begin), native_event(end)), "timing");
    return 1e-3 * static_cast<double>(milliseconds);
  }
  void load(const detail::PointFunction& function) override {
    use();
    if (function.device_calls()->load == nullptr) {
      throw Error(
          "the callback was not compiled for GPUs: weft::device_function "
          "must be called in a file that nvcc or hipcc compiles");
    }
    check_function_call(function.device_calls()->load(), "loading");
    if (function.fused_calls() != nullptr) {
      check_function_call(function.fused_calls()->load(), "loading");
    }
  }

 private:
  void check_allocation(gpuError_t code, std::size_t bytes) const;
  /// Some of the vendor's copies are kernels too, which may have to be loaded.
  void load_copies();
  std::byte* allocate_shared(std::size_t bytes);
  std::byte* allocate_pinned(std::size_t bytes);

  int number_;
  int least_priority_ = 0;  // which is that of callers' streams
  int greatest_priority_ = 0;
  int processors_ = 0;
  std::mutex mutex_;
  std::map<std::byte*, std::size_t> shared_;
};

void GpuDevice::load_copies() {
  constexpr std::size_t half = 4096;
  const Buffer memory(*this, 2 * half);
  const std::unique_ptr<Stream> stream = make_stream(Priority::normal);
  stream->clear(memory.data(), 2 * half);
  stream->copy(memory.data() + half, memory.data(), half);
  const BlockMove block{{4, 16}, {memory.data(), {64, 1}}, {memory.data() + half, {64, 1}}};
  stream->move(std::span(&block, 1), {Precision::f32, false}, 1, Mover::engine);
  stream->synchronize();
}

void GpuDevice::check_allocation(gpuError_t code, std::size_t bytes) const {
  if (code == gpuSuccess) return;
  static_cast<void>(gpuGetLastError());
  std::size_t free_bytes = 0, all_bytes = 0;
  static_cast<void>(gpuMemGetInfo(&free_bytes, &all_bytes));
  throw Error("cannot allocate " + human_bytes(static_cast<double>(bytes)) + " of memory of GPU " +
                  std::to_string(number_) + ", of which " +
                  human_bytes(static_cast<double>(free_bytes)) +
                  " are free: " + gpuGetErrorString(code),
              ErrorCode::memory);
}

std::byte* GpuDevice::allocate_pinned(std::size_t bytes) {
  void* memory = nullptr;
  const gpuError_t code = gpuHostMalloc(&memory, bytes, gpuHostMallocDefault);
  if (code != gpuSuccess) {
    static_cast<void>(gpuGetLastError());
    throw Error("cannot allocate " + human_bytes(static_cast<double>(bytes)) +
                    " of host memory for a GPU: " + gpuGetErrorString(code),
                ErrorCode::memory);
  }
  return static_cast<std::byte*>(memory);
}

std::byte* GpuDevice::allocate_shared(std::size_t bytes) {
  const std::size_t rounded =
      (bytes + sharing_granularity - 1) / sharing_granularity * sharing_granularity;
  void* memory = nullptr;
  // A number of bytes that overflows is as impossible as the one asked for.
  const std::size_t wanted = rounded < bytes ? bytes : rounded;
#if defined(__HIP_PLATFORM_AMD__)
  // Others see flags in ordinary memory only when a kernel ends.
  check_allocation(hipExtMallocWithFlags(&memory, wanted, hipDeviceMallocFinegrained), bytes);
#else
  check_allocation(gpuMalloc(&memory, wanted), bytes);
#endif
  auto* const result = static_cast<std::byte*>(memory);
  gpuError_t code = gpuMemset(result, 0, wanted);
  // Others may use it as soon as they know its name.
  if (code == gpuSuccess) code = gpuDeviceSynchronize();
  if (code != gpuSuccess) {
    static_cast<void>(gpuFree(result));
    check_gpu(code, "clearing memory of a GPU");
  }
  const std::lock_guard lock(mutex_);
  shared_[result] = wanted;
  return result;
}

void GpuDevice::free(std::byte* memory, MemoryKind kind) noexcept {
  static_cast<void>(gpuSetDevice(number_));
  if (kind == MemoryKind::pinned) {
    static_cast<void>(gpuHostFree(memory));
    return;
  }
  if (kind == MemoryKind::shared) {
    const std::lock_guard lock(mutex_);
    shared_.erase(memory);
  }
  static_cast<void>(gpuDeviceSynchronize());
  static_cast<void>(gpuFree(memory));
}

SharedName GpuDevice::share(std::byte* shared_memory) {
  use();
  std::size_t bytes = 0;
  {
    const std::lock_guard lock(mutex_);
    const auto found = shared_.find(shared_memory);
    if (found == shared_.end()) throw Error("this memory cannot be shared");
    bytes = found->second;
  }
  return name_shared_memory(shared_memory, bytes);
}

Owner GpuDevice::owner_of(const void* memory) const {
  use();
  const Location at = locate(memory);
  if (at.place == Place::host) return {Owner::host, ""};
  if (at.place == Place::managed || at.device == number_ || is_mapped(memory, number_)) {
    return {Owner::device, ""};
  }
  return {Owner::nobody, "memory of GPU " + std::to_string(at.device) + ", the plan works on GPU " +
                             std::to_string(number_)};
}

int count_gpus() {
  int count = 0;
  if (gpuGetDeviceCount(&count) == gpuSuccess) return count;
  static_cast<void>(gpuGetLastError());
  return 0;
}

}  // namespace

DeviceMethod gpu_method() {
#if defined(__HIP_PLATFORM_AMD__)
  constexpr const char* description = "GPUs of AMD";
#elif defined(WEFT_HIP)
  constexpr const char* description = "GPUs of NVIDIA, by HIP";
#else
  constexpr const char* description = "GPUs of NVIDIA";
#endif
  return {gpu_name,
          description,
          count_gpus,
          [](int number) -> std::unique_ptr<Device> { return std::make_unique<GpuDevice>(number); },
          true,
          current_gpu};
}

}  // namespace weft
