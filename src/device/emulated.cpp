// Memory of the host that is treated as if an accelerator had it, so that what is above devices can
// be tested where there is none. Streams do what is submitted at once.
#include <fcntl.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>

#include "device/emulated_codes.hpp"
#include "device/emulated_lines.hpp"
#include "device/engine_copies.hpp"
#include "device/host_memory.hpp"
#include "device/methods.hpp"
#include "weft/error.hpp"

namespace weft {

namespace {

constexpr const char* emulated_name = "emulated";
constexpr std::size_t alignment = 256;
/// Real numbers of these bytes are not numbers: nobody may rely on what fresh memory holds.
constexpr int fresh_byte = 0xff;

/// Memory of emulated devices.
struct Region {
  std::size_t bytes = 0;
  std::string name;  ///< of memory that other processes can map
};

/// All of this process: like an accelerator's, memory can be used by way of any instance.
class Regions {
 public:
  void add(std::byte* begin, Region region) {
    const std::lock_guard lock(mutex_);
    regions_[begin] = std::move(region);
  }
  Region take(std::byte* begin) {
    const std::lock_guard lock(mutex_);
    const auto found = regions_.find(begin);
    if (found == regions_.end()) return {};
    Region region = std::move(found->second);
    regions_.erase(found);
    return region;
  }
  std::string name_of(std::byte* begin) const {
    const std::lock_guard lock(mutex_);
    const auto found = regions_.find(begin);
    return found == regions_.end() ? "" : found->second.name;
  }
  bool contain(const void* memory) const {
    const std::lock_guard lock(mutex_);
    const auto* const address = static_cast<const std::byte*>(memory);
    const auto next = regions_.upper_bound(const_cast<std::byte*>(address));
    if (next == regions_.begin()) return false;
    const auto& [begin, region] = *std::prev(next);
    return std::less<>()(address, begin + region.bytes);
  }

 private:
  mutable std::mutex mutex_;
  std::map<std::byte*, Region, std::less<>> regions_;
};

Regions& regions() {
  static Regions all;
  return all;
}

[[noreturn]] void throw_shortage(std::size_t bytes) {
  throw Error("cannot allocate " + std::to_string(bytes) + " bytes of memory of the device");
}

std::byte* allocate_aligned(std::size_t bytes) {
  const std::size_t rounded = (bytes + alignment - 1) / alignment * alignment;
  void* const memory = rounded < bytes ? nullptr : std::aligned_alloc(alignment, rounded);
  if (memory == nullptr) throw_shortage(bytes);
  return static_cast<std::byte*>(memory);
}

/// A file in memory that is closed when it has been mapped.
class SharedFile {
 public:
  SharedFile(const char* name, int flags) : number_(shm_open(name, flags, S_IRUSR | S_IWUSR)) {}
  ~SharedFile() {
    if (number_ >= 0) close(number_);
  }
  SharedFile(const SharedFile&) = delete;
  SharedFile& operator=(const SharedFile&) = delete;

  int number() const { return number_; }
  std::byte* map(std::size_t bytes) const {
    void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, number_, 0);
    return memory == MAP_FAILED ? nullptr : static_cast<std::byte*>(memory);
  }

 private:
  int number_;
};

class EmulatedEvent : public Event {
 public:
  void synchronize() const override {}

  std::chrono::steady_clock::time_point time{};
};

/// As copy engines would do it.
void copy_rows(const BlockMove& block, const EngineCopies& shape) {
  for (Index copy = 0; copy < shape.copies; ++copy) {
    std::byte* to = block.to.data + copy * shape.to_step;
    const std::byte* from = block.from.data + copy * shape.from_step;
    for (Index row = 0; row < shape.rows; ++row) {
      std::memcpy(to, from, static_cast<std::size_t>(shape.width));
      to += shape.to_pitch;
      from += shape.from_pitch;
    }
  }
}

class EmulatedStream : public Stream {
 public:
  EmulatedStream(Device& device, void* native) : Stream(device), native_(native) {}

  void* native() const override { return native_; }
  void copy(std::byte* to, const std::byte* from, std::size_t bytes) override {
    if (bytes > 0) std::memcpy(to, from, bytes);
  }
  void clear(std::byte* memory, std::size_t bytes) override {
    if (bytes > 0) std::memset(memory, 0, bytes);
  }
  void move(std::span<const BlockMove> blocks, CopyElement element, double scale,
            Mover mover) override;
  void apply(const PointFunction& function, const PointBlock& block) override {
    function.device_calls()->run(function.object(), block);
  }
  void run(const LineStep& step) override { run_lines(step); }
  void encode(std::span<const CodedPart> parts, const BlockFormat& format, CopyElement element,
              double scale, EncodingSums* sums) override {
    encode_blocks(parts, format, element, scale, *sums);
  }
  void decode(std::span<const CodedPart> parts, const BlockFormat& format,
              CopyElement element) override {
    decode_blocks(parts, format, element);
  }
  void signal(const Flags& flags, bool next_epoch) override {
    if (next_epoch) ++*flags.epoch;
    for (std::uint64_t* flag : flags.peers) {
      std::atomic_ref(*flag).store(*flags.epoch, std::memory_order_release);
    }
  }
  void await(const Flags& flags) override {
    for (std::uint64_t* flag : flags.peers) {
      while (std::atomic_ref(*flag).load(std::memory_order_acquire) < *flags.epoch) sched_yield();
    }
  }
  void record(Event& event) override {
    static_cast<EmulatedEvent&>(event).time = std::chrono::steady_clock::now();
  }
  void wait(const Event&) override {}
  void synchronize() override {}

 private:
  void* native_;
};

void EmulatedStream::move(std::span<const BlockMove> blocks, CopyElement element, double scale,
                          Mover mover) {
  for (const BlockMove& block : blocks) {
    if (is_empty(block.extents)) continue;
    if (mover == Mover::engine && scale == 1) {
      const auto shape = engine_copies(
          ordered_loops(block.extents, block.to.stride, block.from.stride), bytes_of(element));
      if (shape) {
        copy_rows(block, *shape);
        continue;
      }
    }
    copy_block(block.extents, block.to, block.from, element, Store::cached, scale);
  }
}

class EmulatedDevice : public Device {
 public:
  EmulatedDevice() {
    info_ = {emulated_name, "emulated in host memory",
             "emulated by process " + std::to_string(getpid()), true};
  }

  std::byte* allocate(std::size_t bytes, MemoryKind kind) override {
    if (kind == MemoryKind::shared) return allocate_shared(bytes);
    std::byte* const memory = allocate_aligned(bytes);
    if (kind == MemoryKind::pinned) return memory;
    std::memset(memory, fresh_byte, bytes);
    regions().add(memory, {bytes, ""});
    return memory;
  }
  void free(std::byte* memory, MemoryKind kind) noexcept override {
    if (kind == MemoryKind::pinned) return std::free(memory);
    const Region region = regions().take(memory);
    if (region.name.empty()) return std::free(memory);
    munmap(memory, region.bytes);
    shm_unlink(region.name.c_str());
  }
  Owner owner_of(const void* memory) const override {
    return {regions().contain(memory) ? Owner::device : Owner::host, ""};
  }

  SharedName share(std::byte* shared_memory) override;
  std::byte* map(const SharedName& name) override;
  void unmap(std::byte* mapped) noexcept override { munmap(mapped, regions().take(mapped).bytes); }

  std::unique_ptr<Stream> make_stream(Priority) override { return adopt_stream(nullptr); }
  std::unique_ptr<Stream> adopt_stream(void* native) override {
    return std::make_unique<EmulatedStream>(*this, native);
  }
  std::unique_ptr<Event> make_event() override { return std::make_unique<EmulatedEvent>(); }
  double seconds_between(const Event& begin, const Event& end) override {
    return std::chrono::duration<double>(static_cast<const EmulatedEvent&>(end).time -
                                         static_cast<const EmulatedEvent&>(begin).time)
        .count();
  }
  void load(const PointFunction&) override {}

 private:
  static std::byte* allocate_shared(std::size_t bytes);
};

std::byte* EmulatedDevice::allocate_shared(std::size_t bytes) {
  static std::atomic<unsigned> count = 0;
  const std::string name = "/weft-" + std::to_string(getpid()) + "-" + std::to_string(count++);
  // Of a process that had this number and ended without cleaning up.
  shm_unlink(name.c_str());
  const SharedFile file(name.c_str(), O_CREAT | O_EXCL | O_RDWR);
  std::byte* memory = nullptr;
  // Pages that do not exist when they are first touched would end the process.
  const auto length = static_cast<off_t>(bytes);
  if (file.number() >= 0 && length > 0 && posix_fallocate(file.number(), 0, length) == 0) {
    memory = file.map(bytes);
  }
  if (memory == nullptr) {
    shm_unlink(name.c_str());
    throw_shortage(bytes);
  }
  regions().add(memory, {bytes, name});
  return memory;
}

SharedName EmulatedDevice::share(std::byte* shared_memory) {
  const std::string text = regions().name_of(shared_memory);
  SharedName name{};
  if (text.empty() || text.size() >= name.size()) throw Error("this memory cannot be shared");
  std::memcpy(name.data(), text.data(), text.size());
  return name;
}

std::byte* EmulatedDevice::map(const SharedName& name) {
  const char* const text = reinterpret_cast<const char*>(name.data());
  const SharedFile file(text, O_RDWR);
  struct stat status {};
  std::byte* memory = nullptr;
  if (file.number() >= 0 && fstat(file.number(), &status) == 0) {
    memory = file.map(static_cast<std::size_t>(status.st_size));
  }
  if (memory == nullptr) throw Error("cannot map shared memory " + std::string(text));
  regions().add(memory, {static_cast<std::size_t>(status.st_size), ""});
  return memory;
}

}  // namespace

DeviceMethod emulated_method() {
  return {emulated_name, "host memory as if it were an accelerator's, for tests", [] { return 1; },
          [](int) -> std::unique_ptr<Device> { return std::make_unique<EmulatedDevice>(); }};
}

}  // namespace weft
