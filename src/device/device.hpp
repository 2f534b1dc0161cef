#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "device/stream.hpp"

namespace weft {

/// What does not change as long as a device is open.
struct DeviceInfo {
  std::string kind{};   ///< the name of its row in the registry
  std::string model{};  ///< for people
  /// The same for two ranks that share a device; unique within the machine.
  std::string identity{};
  bool is_host = false;
  bool mpi_reaches = false;  ///< whether any MPI library can read and write its memory
};

enum class MemoryKind {
  device,
  shared,  ///< other processes can map it; at first it is zero
  pinned,  ///< of the host, which copies to and from the device reach fastest
};

/// Under this name other processes of the machine can map memory.
using SharedName = std::array<std::byte, 128>;

/// Whose memory an address is, as a device sees it.
struct Owner {
  enum Who {
    device,  ///< work on this device can use it
    host,
    nobody,  ///< of these: freed, or of another device
  } who = host;
  std::string error;  ///< for nobody: what is wrong
};

/// Memory, streams and events of one device. Where a call fails it throws Error.
class Device {
 public:
  virtual ~Device() = default;
  const DeviceInfo& info() const { return info_; }
  /// Makes it the one that this thread's calls of the vendor's libraries are about.
  virtual void use() const {}
  /// Whether other ranks work on it too. Then streams that wait for flags keep none of it busy:
  /// what they wait for may have to be done by the same device.
  bool is_shared() const { return is_shared_; }
  void set_shared(bool shared) { is_shared_ = shared; }

  /// Aligned to at least 256 bytes. Throws Error, with the number of bytes, where there is not
  /// enough memory.
  virtual std::byte* allocate(std::size_t bytes, MemoryKind kind = MemoryKind::device) = 0;
  /// Of the same kind. Waits for work under way.
  virtual void free(std::byte* memory, MemoryKind kind = MemoryKind::device) noexcept = 0;
  virtual Owner owner_of(const void* memory) const = 0;

  /// Where devices have no memory of the kind `shared`, nobody can call the next three.
  virtual SharedName share(std::byte* shared_memory);
  /// Of another process, on this or another device.
  virtual std::byte* map(const SharedName& name);
  virtual void unmap(std::byte* mapped) noexcept;

  virtual std::unique_ptr<Stream> make_stream(Priority priority = Priority::normal) = 0;
  /// A stream that the caller owns; null: the default one of the vendor's library.
  virtual std::unique_ptr<Stream> adopt_stream(void* native) = 0;
  virtual std::unique_ptr<Event> make_event() = 0;
  /// Between two events that have passed.
  virtual double seconds_between(const Event& begin, const Event& end) = 0;

  /// Makes a function ready to be applied: loading it may wait for work that is under way. Throws
  /// Error for functions that this device cannot run.
  virtual void load(const detail::PointFunction& function) = 0;

 protected:
  /// Throws Error: there is no memory of the kind `shared`.
  [[noreturn]] void refuse_sharing() const;

  DeviceInfo info_;

 private:
  bool is_shared_ = false;
};

/// The host itself, always there.
Device& host_device();

/// Whether what is submitted to a stream is done by the host, at once.
inline bool on_host(const Stream& stream) {
  return stream.device().info().is_host;
}

/// Whether work on a device can use memory at this address.
inline bool reaches(const Device& device, const void* memory) {
  return device.owner_of(memory).who == Owner::device;
}

/// A row of the registry. Adding a device: a file with a class, and its row.
struct DeviceMethod {
  const char* name;
  const char* description;
  /// Devices of this kind that this process sees.
  int (*count)();
  /// The one with this number. Throws Error where it cannot be used.
  std::unique_ptr<Device> (*open)(int number);
  bool is_gpu = false;  ///< otherwise it is memory of the host, for tests
  /// Number of the thread's current one; null where a thread has none.
  int (*current)() = nullptr;
};

/// All kinds of device that were built in, without the host.
const std::vector<DeviceMethod>& device_methods();
/// Throws Error for names that are unknown or not built in.
const DeviceMethod& find_device_method(const std::string& name);
/// The same, and for devices of which this process sees none.
const DeviceMethod& find_device_that_is_here(const std::string& name);

}  // namespace weft
