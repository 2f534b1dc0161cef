// Memory of the host that is treated as if an accelerator had it, so that what is above devices can
// be tested where there is none.
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cstring>
#include <map>
#include <mutex>

#include "device/host_device.hpp"
#include "device/methods.hpp"
#include "geometry/human_units.hpp"
#include "weft/error.hpp"

namespace weft {

namespace {

constexpr const char* emulated_name = "emulated";
/// As many as tests have ranks, and more: by default each has its own, but ranks can share one.
constexpr int emulated_count = 64;
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
  throw Error(
      "cannot allocate " + human_bytes(static_cast<double>(bytes)) + " of memory of the device",
      ErrorCode::memory);
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

class EmulatedDevice : public HostDevice {
 public:
  explicit EmulatedDevice(int number) {
    info_ = {.kind = emulated_name,
             .model = "emulated in host memory",
             .identity = "emulated device " + std::to_string(number),
             .mpi_reaches = true};
  }

  std::byte* allocate(std::size_t bytes, MemoryKind kind) override {
    if (kind == MemoryKind::shared) return allocate_shared(bytes);
    std::byte* const memory = HostDevice::allocate(bytes, kind);
    if (kind == MemoryKind::pinned) return memory;
    std::memset(memory, fresh_byte, bytes);
    regions().add(memory, {bytes, ""});
    return memory;
  }
  void free(std::byte* memory, MemoryKind kind) noexcept override {
    const Region region = kind == MemoryKind::pinned ? Region{} : regions().take(memory);
    if (region.name.empty()) return HostDevice::free(memory, kind);
    munmap(memory, region.bytes);
    shm_unlink(region.name.c_str());
  }
  Owner owner_of(const void* memory) const override {
    return {regions().contain(memory) ? Owner::device : Owner::host, ""};
  }

  SharedName share(std::byte* shared_memory) override;
  std::byte* map(const SharedName& name) override;
  void unmap(std::byte* mapped) noexcept override { munmap(mapped, regions().take(mapped).bytes); }

  void load(const detail::PointFunction&) override {}

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
  if (memory == nullptr)
    throw Error("cannot map shared memory " + std::string(text), ErrorCode::memory);
  regions().add(memory, {static_cast<std::size_t>(status.st_size), ""});
  return memory;
}

}  // namespace

DeviceMethod emulated_method() {
  return {emulated_name, "host memory as if it were an accelerator's, for tests",
          [] { return emulated_count; },
          [](int number) -> std::unique_ptr<Device> {
            return std::make_unique<EmulatedDevice>(number);
          }};
}

}  // namespace weft
