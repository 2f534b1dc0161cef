// GPUs of NVIDIA, or of AMD, by the vendor's runtime library. Every method makes its GPU the
// thread's current one and leaves it so: whoever uses several GPUs in a thread chooses anyway.
#include <array>
#include <map>
#include <mutex>

#include "device/engine_copies.hpp"
#include "device/gpu_api.hpp"
#include "device/gpu_kernels.hpp"
#include "device/gpu_mappings.hpp"
#include "device/methods.hpp"
#include "weft/error.hpp"

namespace weft {

namespace {

/// From this length of contiguous runs on, copy engines move data to other GPUs faster than kernels
/// (H200: 386 against 359 GB/s), and they leave the processors to transforms.
constexpr Index engine_run_bytes = 256;
/// Shared memory is rounded up to this, as smaller allocations may share what is mapped.
constexpr std::size_t sharing_granularity = std::size_t{2} << 20;

class GpuQueue : public Queue {
 public:
  GpuQueue(gpuStream_t stream, bool owned) : stream_(stream), owned_(owned) {}
  ~GpuQueue() override {
    if (owned_) static_cast<void>(gpuStreamDestroy(stream_));
  }
  GpuQueue(const GpuQueue&) = delete;
  GpuQueue& operator=(const GpuQueue&) = delete;
  void* native() const override { return stream_; }

 private:
  gpuStream_t stream_;
  bool owned_;
};

gpuStream_t stream_of(const Queue& queue) {
  return static_cast<gpuStream_t>(queue.native());
}

class GpuEvent : public Event {
 public:
  GpuEvent() { check_gpu(gpuEventCreate(&event_), "making an event"); }
  ~GpuEvent() override { static_cast<void>(gpuEventDestroy(event_)); }
  GpuEvent(const GpuEvent&) = delete;
  GpuEvent& operator=(const GpuEvent&) = delete;
  gpuEvent_t native() const { return event_; }

 private:
  gpuEvent_t event_ = nullptr;
};

gpuEvent_t event_of(const Event& event) {
  return static_cast<const GpuEvent&>(event).native();
}

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

void copy_rows(gpuStream_t stream, const BlockMove& block, const EngineCopies& shape) {
  const auto width = static_cast<std::size_t>(shape.width);
  for (Index copy = 0; copy < shape.copies; ++copy) {
    std::byte* const to = block.to.data + copy * shape.to_step;
    const std::byte* const from = block.from.data + copy * shape.from_step;
    if (shape.rows == 1) {
      check_gpu(gpuMemcpyAsync(to, from, width, gpuMemcpyDefault, stream), "copy by a GPU");
      continue;
    }
    check_gpu(gpuMemcpy2DAsync(to, static_cast<std::size_t>(shape.to_pitch), from,
                               static_cast<std::size_t>(shape.from_pitch), width,
                               static_cast<std::size_t>(shape.rows), gpuMemcpyDefault, stream),
              "copy by a GPU");
  }
}

/// Functions have their calls compiled by the caller, who knows no exceptions of this library.
void check_function_call(const char* error, const char* what) {
  if (error == nullptr) return;
  throw Error(std::string(what) + " the function for numbers on their way: " + error);
}

class GpuDevice : public Device {
 public:
  explicit GpuDevice(int number) : number_(number) {
    use();
    check_gpu(gpuGetDeviceProperties(&properties_, number), "looking up a GPU");
    check_gpu(gpuDeviceGetStreamPriorityRange(&least_priority_, &greatest_priority_),
              "looking up the priorities of queues");
    load_move_kernels();
    load_flag_kernels();
    load_encode_kernels();
    load_decode_kernels();
    load_line_kernels();
    load_copies();
  }

  std::string description() const override { return properties_.name; }
  std::string identity() const override { return identity_of(number_, properties_); }
  void use() const override {
    int current = -1;
    if (gpuGetDevice(&current) == gpuSuccess && current == number_) return;
    check_gpu(gpuSetDevice(number_), "using a GPU");
  }

  std::byte* allocate(std::size_t bytes) override {
    use();
    void* memory = nullptr;
    check_allocation(gpuMalloc(&memory, bytes), bytes);
    return static_cast<std::byte*>(memory);
  }
  std::byte* allocate_shared(std::size_t bytes) override;
  void free(std::byte* memory) noexcept override;
  std::byte* allocate_staging(std::size_t bytes) override {
    use();
    void* memory = nullptr;
    const gpuError_t code = gpuHostMalloc(&memory, bytes, gpuHostMallocDefault);
    if (code != gpuSuccess) {
      static_cast<void>(gpuGetLastError());
      throw Error("cannot allocate " + std::to_string(bytes) +
                  " bytes of host memory for a GPU: " + gpuGetErrorString(code));
    }
    return static_cast<std::byte*>(memory);
  }
  void free_staging(std::byte* memory) noexcept override {
    static_cast<void>(gpuSetDevice(number_));
    static_cast<void>(gpuHostFree(memory));
  }
  SharedName share(std::byte* shared_memory) override;
  std::byte* map(const SharedName& name) override {
    use();
    return map_shared_memory(name, number_);
  }
  void unmap(std::byte* mapped) noexcept override {
    static_cast<void>(gpuSetDevice(number_));
    unmap_shared_memory(mapped, number_);
  }
  bool reaches(const void* memory) const override;
  std::optional<std::string> find_error(const void* memory) const override;

  std::unique_ptr<Queue> make_queue() override { return make_queue(least_priority_); }
  std::unique_ptr<Queue> make_urgent_queue() override { return make_queue(greatest_priority_); }
  std::unique_ptr<Queue> adopt_queue(void* native) override {
    return std::make_unique<GpuQueue>(static_cast<gpuStream_t>(native), false);
  }
  std::unique_ptr<Event> make_event() override {
    use();
    return std::make_unique<GpuEvent>();
  }
  void record(Event& event, Queue& queue) override {
    use();
    check_gpu(gpuEventRecord(event_of(event), stream_of(queue)), "recording an event");
  }
  void wait(Queue& queue, const Event& event) override {
    use();
    check_gpu(gpuStreamWaitEvent(stream_of(queue), event_of(event), 0), "waiting for an event");
  }
  double seconds_between(const Event& begin, const Event& end) override {
    use();
    float milliseconds = 0;
    check_gpu(gpuEventElapsedTime(&milliseconds, event_of(begin), event_of(end)), "timing");
    return 1e-3 * static_cast<double>(milliseconds);
  }
  bool is_recorded(const Queue& queue) override {
    use();
    gpuStreamCaptureStatus status{};
    const gpuError_t code = gpuStreamIsCapturing(stream_of(queue), &status);
    if (code == gpuSuccess) return status != gpuStreamCaptureStatusNone;
    // The default stream cannot be asked while another one is captured.
    static_cast<void>(gpuGetLastError());
    return true;
  }
  void synchronize(Queue& queue) override {
    use();
    check_gpu(gpuStreamSynchronize(stream_of(queue)), "waiting for a queue");
  }
  void synchronize(const Event& event) override {
    use();
    check_gpu(gpuEventSynchronize(event_of(event)), "waiting for an event");
  }

  void copy(Queue& queue, std::byte* to, const std::byte* from, std::size_t bytes) override {
    if (bytes == 0) return;
    use();
    check_gpu(gpuMemcpyAsync(to, from, bytes, gpuMemcpyDefault, stream_of(queue)), "copy by a GPU");
  }
  void move(Queue& queue, std::span<const BlockMove> blocks, CopyElement element, double scale,
            Mover mover) override;
  void clear(Queue& queue, std::byte* memory, std::size_t bytes) override {
    if (bytes == 0) return;
    use();
    check_gpu(gpuMemsetAsync(memory, 0, bytes, stream_of(queue)), "clearing memory of a GPU");
  }
  void load(const PointFunction& function) override {
    use();
    if (function.device_calls()->load == nullptr) {
      throw Error(
          "the function for numbers on their way was not compiled for GPUs: weft::device_function "
          "must be called in a file that nvcc or hipcc compiles");
    }
    check_function_call(function.device_calls()->load(), "loading");
  }
  void apply(Queue& queue, const PointFunction& function, const PointBlock& block) override {
    use();
    check_function_call(function.device_calls()->launch(function.object(), block, stream_of(queue)),
                        "launching");
  }
  void encode(Queue& queue, std::span<const CodedPart> parts, const BlockFormat& format,
              CopyElement element, double scale, EncodingSums* sums) override {
    use();
    launch_encode(stream_of(queue), properties_.multiProcessorCount, parts, format, element, scale,
                  sums);
  }
  void decode(Queue& queue, std::span<const CodedPart> parts, const BlockFormat& format,
              CopyElement element) override {
    use();
    launch_decode(stream_of(queue), properties_.multiProcessorCount, parts, format, element);
  }
  void run(Queue& queue, const LineStep& step) override {
    use();
    launch_lines(stream_of(queue), step);
  }

  void raise(Queue& queue, const Flags& flags, bool next_epoch) override {
    use();
    launch_raise(stream_of(queue), flags, next_epoch);
  }
  void await(Queue& queue, const Flags& flags) override {
    use();
    launch_await(stream_of(queue), flags);
  }

 private:
  void check_allocation(gpuError_t code, std::size_t bytes) const;
  /// Some of the vendor's copies are kernels too, which may have to be loaded.
  void load_copies();
  /// Whether copy engines moved the block, or none is to be moved.
  bool move_by_engine(Queue& queue, const BlockMove& block, CopyElement element, Mover mover);
  std::unique_ptr<Queue> make_queue(int priority) {
    use();
    gpuStream_t stream = nullptr;
    check_gpu(gpuStreamCreateWithPriority(&stream, gpuStreamNonBlocking, priority),
              "making a queue");
    return std::make_unique<GpuQueue>(stream, true);
  }

  int number_;
  int least_priority_ = 0;  // which is that of callers' queues
  int greatest_priority_ = 0;
  gpuDeviceProp properties_{};
  std::mutex mutex_;
  std::map<std::byte*, std::size_t> shared_;
};

void GpuDevice::load_copies() {
  constexpr std::size_t half = 4096;
  const DeviceBuffer memory(*this, 2 * half);
  const std::unique_ptr<Queue> queue = make_queue();
  clear(*queue, memory.data(), 2 * half);
  copy(*queue, memory.data() + half, memory.data(), half);
  const BlockMove block{{4, 16}, {memory.data(), {64, 1}}, {memory.data() + half, {64, 1}}};
  move(*queue, std::span(&block, 1), {Precision::f32, false}, 1, Mover::engine);
  synchronize(*queue);
}

void GpuDevice::check_allocation(gpuError_t code, std::size_t bytes) const {
  if (code == gpuSuccess) return;
  static_cast<void>(gpuGetLastError());
  std::size_t free_bytes = 0, all_bytes = 0;
  static_cast<void>(gpuMemGetInfo(&free_bytes, &all_bytes));
  throw Error("cannot allocate " + std::to_string(bytes) + " bytes of memory of GPU " +
              std::to_string(number_) + ", of which " + std::to_string(free_bytes) +
              " are free: " + gpuGetErrorString(code));
}

std::byte* GpuDevice::allocate_shared(std::size_t bytes) {
  use();
  const std::size_t rounded =
      (bytes + sharing_granularity - 1) / sharing_granularity * sharing_granularity;
  void* memory = nullptr;
  // A number of bytes that overflows is as impossible as the one asked for.
  const std::size_t wanted = rounded < bytes ? bytes : rounded;
#if defined(WEFT_HIP)
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

void GpuDevice::free(std::byte* memory) noexcept {
  {
    const std::lock_guard lock(mutex_);
    shared_.erase(memory);
  }
  static_cast<void>(gpuSetDevice(number_));
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

bool GpuDevice::reaches(const void* memory) const {
  use();
  const Location at = locate(memory);
  if (at.place == Place::host) return false;
  return at.place == Place::managed || at.device == number_ || is_mapped(memory, number_);
}

std::optional<std::string> GpuDevice::find_error(const void* memory) const {
  use();
  const Location at = locate(memory);
  if (at.place != Place::device || at.device == number_ || is_mapped(memory, number_)) {
    return std::nullopt;
  }
  return "memory of GPU " + std::to_string(at.device) + ", the plan works on GPU " +
         std::to_string(number_);
}

bool GpuDevice::move_by_engine(Queue& queue, const BlockMove& block, CopyElement element,
                               Mover mover) {
  if (is_empty(block.extents)) return true;
  const Axes<CopyLoop> loops = ordered_loops(block.extents, block.to.stride, block.from.stride);
  const auto shape = engine_copies(loops, bytes_of(element));
  if (!shape || (mover == Mover::automatic && shape->width < engine_run_bytes)) return false;
  copy_rows(stream_of(queue), block, *shape);
  return true;
}

void GpuDevice::move(Queue& queue, std::span<const BlockMove> blocks, CopyElement element,
                     double scale, Mover mover) {
  use();
  const auto launch = [&](std::size_t first, std::size_t last) {
    if (first == last) return;
    launch_moves(stream_of(queue), properties_.multiProcessorCount,
                 blocks.subspan(first, last - first), element, scale);
  };
  std::size_t first = 0;
  if (scale == 1 && mover != Mover::kernel) {
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      if (!move_by_engine(queue, blocks[i], element, mover)) continue;
      launch(first, i);
      first = i + 1;
    }
  }
  launch(first, blocks.size());
}

int count_gpus() {
  int count = 0;
  if (gpuGetDeviceCount(&count) == gpuSuccess) return count;
  static_cast<void>(gpuGetLastError());
  return 0;
}

}  // namespace

DeviceMethod gpu_method() {
#if defined(WEFT_HIP)
  constexpr const char* name = "hip";
  constexpr const char* description = "GPUs of AMD";
#else
  constexpr const char* name = "cuda";
  constexpr const char* description = "GPUs of NVIDIA";
#endif
  return {name, description, count_gpus,
          [](int number) -> std::unique_ptr<Device> { return std::make_unique<GpuDevice>(number); },
          true};
}

}  // namespace weft
