#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "device/coded_part.hpp"
#include "device/encoding_sums.hpp"
#include "device/host_copy.hpp"
#include "device/line_step.hpp"
#include "weft/pointwise.hpp"

namespace weft {

class Device;

/// A point in a stream that others can wait for.
class Event {
 public:
  virtual ~Event() = default;
  /// The caller waits.
  virtual void synchronize() const = 0;
};

enum class Priority {
  normal,
  urgent,  ///< its work begins before kernels of other streams that do not run yet: for short work
           ///< that others wait for, which would otherwise begin only when a transform ends
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

/// Flags by which streams of ranks tell each other how far they are: in memory that devices share,
/// 0 at first, 1 when raised. A stream that waits for one lowers it, so runs in a graph, where
/// values cannot change, are like all others. Nobody raises a flag again before it is known to be
/// lowered.
using Flags = std::vector<std::uint64_t*>;

/// Work for a device, done in the order in which it is submitted; submitting does not wait for it.
/// Where it fails, the method throws Error, and so may any later call. The device outlives it.
class Stream {
 public:
  virtual ~Stream() = default;
  Device& device() const { return device_; }
  /// The stream of the vendor's library.
  virtual void* native() const = 0;

  /// Copies bytes between any memory, the host's too.
  virtual void copy(std::byte* to, const std::byte* from, std::size_t bytes) = 0;
  virtual void clear(std::byte* memory, std::size_t bytes) = 0;
  /// Copies blocks of this device's or mapped memory, each element multiplied by `scale`.
  virtual void move(std::span<const BlockMove> blocks, CopyElement element, double scale = 1,
                    Mover mover = Mover::automatic) = 0;
  /// Applies a function that the device has loaded to the numbers of a block.
  virtual void apply(const detail::PointFunction& function, const PointBlock& block) = 0;
  /// A step between lines of reals and complex lines. Throws Error where that would be more than a
  /// device can count.
  virtual void run(const LineStep& step) = 0;
  /// Encodes parts of messages, each number multiplied by `scale` before. Adds what that did to
  /// `sums`, an array of encoding_sums in memory of the device: the same bits in every run.
  virtual void encode(std::span<const CodedPart> parts, const BlockFormat& format,
                      CopyElement element, double scale, EncodingSums* sums) = 0;
  virtual void decode(std::span<const CodedPart> parts, const BlockFormat& format,
                      CopyElement element) = 0;

  /// Raises all flags once everything submitted before has been done and others can see it.
  virtual void signal(const Flags& flags) = 0;
  /// What is submitted later waits until all flags are raised; they are lowered.
  virtual void await(const Flags& flags) = 0;

  virtual void record(Event& event) = 0;
  /// What is submitted later waits for what another stream had been given when the event was
  /// recorded.
  virtual void wait(const Event& event) = 0;
  /// The caller waits.
  virtual void synchronize() = 0;
  /// Whether work is captured, to be done later; then nobody can wait for it.
  virtual bool is_captured() const { return false; }

 protected:
  explicit Stream(Device& device) : device_(device) {}

 private:
  Device& device_;
};

/// Of the host: what is submitted is done at once.
Stream& host_stream();

}  // namespace weft
