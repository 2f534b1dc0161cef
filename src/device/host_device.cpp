#include "device/host_device.hpp"

#include <sched.h>
#include <sys/mman.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <cstring>

#include "device/alignment.hpp"
#include "device/emulated_codes.hpp"
#include "device/emulated_lines.hpp"
#include "device/engine_copies.hpp"
#include "geometry/human_units.hpp"
#include "weft/error.hpp"

namespace weft {

namespace {

class HostEvent : public Event {
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

class HostStream : public Stream {
 public:
  HostStream(Device& device, void* native) : Stream(device), native_(native) {}

  void* native() const override { return native_; }
  void copy(std::byte* to, const std::byte* from, std::size_t bytes) override {
    if (bytes > 0) std::memcpy(to, from, bytes);
  }
  void clear(std::byte* memory, std::size_t bytes) override {
    if (bytes > 0) std::memset(memory, 0, bytes);
  }
  void move(std::span<const BlockMove> blocks, CopyElement element, double scale,
            Mover mover) override;
  void apply(const detail::PointFunction& function, const PointBlock& block) override {
    if (function.takes_blocks()) return function(block);
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
  void signal(const Flags& flags) override {
    for (std::uint64_t* flag : flags) std::atomic_ref(*flag).store(1, std::memory_order_release);
  }
  void await(const Flags& flags) override {
    for (std::uint64_t* flag : flags) {
      while (std::atomic_ref(*flag).load(std::memory_order_acquire) == 0) sched_yield();
      std::atomic_ref(*flag).store(0, std::memory_order_relaxed);
    }
  }
  void record(Event& event) override {
    static_cast<HostEvent&>(event).time = std::chrono::steady_clock::now();
  }
  void wait(const Event&) override {}
  void synchronize() override {}

 private:
  void* native_;
};

void HostStream::move(std::span<const BlockMove> blocks, CopyElement element, double scale,
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

}  // namespace

std::byte* HostDevice::allocate(std::size_t bytes, MemoryKind kind) {
  if (kind == MemoryKind::shared) refuse_sharing();
  const bool large = bytes >= huge_memory_bytes;
  const std::size_t alignment = large ? huge_page_bytes : 256;
  const std::size_t rounded = (bytes + alignment - 1) / alignment * alignment;
  void* pointer = rounded < bytes ? nullptr : std::aligned_alloc(alignment, rounded);
  if (pointer == nullptr) {
    throw Error("cannot allocate " + human_bytes(static_cast<double>(bytes)) + " of host memory",
                ErrorCode::memory);
  }
  // A hint only: fewer page-table walks in strided access.
  if (large) madvise(pointer, rounded, MADV_HUGEPAGE);
  return static_cast<std::byte*>(pointer);
}

void HostDevice::free(std::byte* memory, MemoryKind) noexcept {
  std::free(memory);
}

std::unique_ptr<Stream> HostDevice::make_stream(Priority) {
  return adopt_stream(nullptr);
}

std::unique_ptr<Stream> HostDevice::adopt_stream(void* native) {
  return std::make_unique<HostStream>(*this, native);
}

std::unique_ptr<Event> HostDevice::make_event() {
  return std::make_unique<HostEvent>();
}

double HostDevice::seconds_between(const Event& begin, const Event& end) {
  return std::chrono::duration<double>(static_cast<const HostEvent&>(end).time -
                                       static_cast<const HostEvent&>(begin).time)
      .count();
}

void HostDevice::load(const detail::PointFunction& function) {
  if (function.is_for_host()) return;
  throw Error("the callback was made for a plan on a device, and this plan works on the host");
}

// Both are never destroyed: static objects may still have memory of the host then.
Device& host_device() {
  static auto* const device = new HostDevice;
  return *device;
}

Stream& host_stream() {
  static auto* const stream = host_device().make_stream().release();
  return *stream;
}

}  // namespace weft
