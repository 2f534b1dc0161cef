#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "device/coded_part.hpp"
#include "device/host_copy.hpp"
#include "device/line_step.hpp"
#include "weft/pointwise.hpp"

namespace weft {

/// Work for a device, done in the order in which it is put in. Putting it in does not wait for it.
class Queue {
 public:
  virtual ~Queue() = default;
  /// The stream of the vendor's library.
  virtual void* native() const = 0;
};

/// A place in a queue that others can wait for.
class Event {
 public:
  virtual ~Event() = default;
};

/// A part of a copy; blocks of one copy must not overlap.
struct BlockMove {
  Extents extents;
  ConstBlock from;
  MutableBlock to;
};

/// How blocks are moved.
enum class Mover {
  automatic,  ///< by size
  kernel,     ///< a kernel loads and stores
  engine,     ///< copy engines, as far as they can: not with a scale
};

/// Under this name other processes of the machine can map memory.
using SharedName = std::array<std::byte, 128>;

/// Counters by which ranks tell each other how far their queues are. `epoch` belongs to this rank,
/// `peers` are counters of this rank that others set, or of others that this rank sets; all lie in
/// shared memory of devices and are zero at first.
struct Flags {
  std::uint64_t* epoch = nullptr;
  std::vector<std::uint64_t*> peers;
};

/// Memory and queues of one accelerator, and the little that weft does on it beside transforms. The
/// methods that take a queue put work into it; where it fails they throw Error, and so may any
/// later call.
class Device {
 public:
  virtual ~Device() = default;
  /// The model, for people.
  virtual std::string description() const = 0;
  /// The same for two ranks that share an accelerator; unique within the machine.
  virtual std::string identity() const = 0;
  /// Makes it the one that this thread's calls of the vendor's libraries are about.
  virtual void use() const {}

  /// Aligned to at least 256 bytes. Throws Error, with the number of bytes, where there is not
  /// enough memory.
  virtual std::byte* allocate(std::size_t bytes) = 0;
  /// The same, of memory that other processes can map; at first it is zero.
  virtual std::byte* allocate_shared(std::size_t bytes) = 0;
  /// Of either. Waits for work under way.
  virtual void free(std::byte* memory) noexcept = 0;
  /// Memory of the host that copies to and from the device reach fastest.
  virtual std::byte* allocate_staging(std::size_t bytes) = 0;
  virtual void free_staging(std::byte* memory) noexcept = 0;
  virtual SharedName share(std::byte* shared_memory) = 0;
  /// Of another process, on this or another device.
  virtual std::byte* map(const SharedName& name) = 0;
  virtual void unmap(std::byte* mapped) noexcept = 0;
  /// Whether any MPI library can read and write memory of this device.
  virtual bool mpi_reaches() const { return false; }
  /// Whether work on this device can use memory at this address; otherwise it is the host's.
  virtual bool reaches(const void* memory) const = 0;
  /// What is wrong with memory that a caller hands in, if anything: freed, or of another device.
  virtual std::optional<std::string> find_error(const void* memory) const = 0;

  virtual std::unique_ptr<Queue> make_queue() = 0;
  /// What is in it begins before kernels of other queues that do not run yet: for short work that
  /// others wait for, which would otherwise begin only when a transform ends.
  virtual std::unique_ptr<Queue> make_urgent_queue() { return make_queue(); }
  /// A stream that the caller owns; null: the default one of the vendor's library.
  virtual std::unique_ptr<Queue> adopt_queue(void* native) = 0;
  virtual std::unique_ptr<Event> make_event() = 0;
  virtual void record(Event& event, Queue& queue) = 0;
  /// Lets a queue wait for what had been put into another one when the event was recorded.
  virtual void wait(Queue& queue, const Event& event) = 0;
  /// Seconds between two events that have passed.
  virtual double seconds_between(const Event& begin, const Event& end) = 0;
  /// Whether work for the queue is recorded, to be done later; then nobody can wait for it.
  virtual bool is_recorded(const Queue& /*queue*/) { return false; }
  /// The caller waits.
  virtual void synchronize(Queue& queue) = 0;
  virtual void synchronize(const Event& event) = 0;

  /// Copies bytes between any memory, the host's too.
  virtual void copy(Queue& queue, std::byte* to, const std::byte* from, std::size_t bytes) = 0;
  /// Copies blocks of this or mapped memory, each element multiplied by `scale`.
  virtual void move(Queue& queue, std::span<const BlockMove> blocks, CopyElement element,
                    double scale = 1, Mover mover = Mover::automatic) = 0;
  virtual void clear(Queue& queue, std::byte* memory, std::size_t bytes) = 0;
  /// Makes a function ready to be applied: loading it may wait for work that is under way. Throws
  /// Error for functions that this device cannot run.
  virtual void load(const PointFunction& function) = 0;
  /// Applies a function that was loaded to the numbers of a block.
  virtual void apply(Queue& queue, const PointFunction& function, const PointBlock& block) = 0;
  /// Encodes parts of messages, each number multiplied by `scale` before. Adds what that did to
  /// `sums`, an array of encoding_sums in memory of the device: the same bits in every run.
  virtual void encode(Queue& queue, std::span<const CodedPart> parts, const BlockFormat& format,
                      CopyElement element, double scale, EncodingSums* sums) = 0;
  virtual void decode(Queue& queue, std::span<const CodedPart> parts, const BlockFormat& format,
                      CopyElement element) = 0;
  /// A step between lines of reals and complex lines. Throws Error where that would be more than a
  /// device can count.
  virtual void run(Queue& queue, const LineStep& step) = 0;

  /// Adds one to `epoch` if asked to, then sets the peers to it, once everything that was put into
  /// the queue before has been done and others can see it.
  virtual void raise(Queue& queue, const Flags& flags, bool next_epoch) = 0;
  /// Lets the queue wait until no peer is behind `epoch`.
  virtual void await(Queue& queue, const Flags& flags) = 0;
};

/// Owning memory of a device.
class DeviceBuffer {
 public:
  DeviceBuffer() = default;
  DeviceBuffer(Device& device, std::size_t bytes)
      : device_(&device), data_(bytes > 0 ? device.allocate(bytes) : nullptr), size_(bytes) {}
  ~DeviceBuffer() {
    if (data_ != nullptr) device_->free(data_);
  }
  DeviceBuffer(DeviceBuffer&& other) noexcept { swap(other); }
  DeviceBuffer& operator=(DeviceBuffer&& other) noexcept {
    DeviceBuffer taken(std::move(other));
    swap(taken);
    return *this;
  }

  std::byte* data() const { return data_; }
  std::size_t size() const { return size_; }

 private:
  void swap(DeviceBuffer& other) noexcept {
    std::swap(device_, other.device_);
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
  }

  Device* device_ = nullptr;
  std::byte* data_ = nullptr;
  std::size_t size_ = 0;
};

/// A row of the registry. Adding a device: a file with a class, and its row.
struct DeviceMethod {
  const char* name;
  const char* description;
  /// Accelerators of this kind that this process sees.
  int (*count)();
  /// The one with this number. Throws Error where it cannot be used.
  std::unique_ptr<Device> (*open)(int number);
  bool is_gpu = false;  ///< otherwise it is memory of the host, for tests
};

/// All kinds of device that were built in, without the host.
const std::vector<DeviceMethod>& device_methods();
/// Throws Error for names that are unknown or not built in.
const DeviceMethod& find_device_method(const std::string& name);
/// The same, and for devices of which this process sees none.
const DeviceMethod& find_device_that_is_here(const std::string& name);

}  // namespace weft
