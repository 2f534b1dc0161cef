#pragma once

#include "device/gpu/api.hpp"
#include "device/stream.hpp"

namespace weft {

class GpuEvent : public Event {
 public:
  GpuEvent() { check_gpu(gpuEventCreate(&event_), "making an event"); }
  ~GpuEvent() override { static_cast<void>(gpuEventDestroy(event_)); }
  GpuEvent(const GpuEvent&) = delete;
  GpuEvent& operator=(const GpuEvent&) = delete;

  gpuEvent_t native() const { return event_; }
  void synchronize() const override {
    check_gpu(gpuEventSynchronize(event_), "waiting for an event");
  }

 private:
  gpuEvent_t event_ = nullptr;
};

inline gpuEvent_t native_event(const Event& event) {
  return static_cast<const GpuEvent&>(event).native();
}

/// A stream of a GPU with `processors` multiprocessors.
class GpuStream : public Stream {
 public:
  GpuStream(Device& device, int processors, gpuStream_t stream, bool owned)
      : Stream(device), processors_(processors), stream_(stream), owned_(owned) {}
  ~GpuStream() override {
    if (owned_) static_cast<void>(gpuStreamDestroy(stream_));
  }
  GpuStream(const GpuStream&) = delete;
  GpuStream& operator=(const GpuStream&) = delete;

  void* native() const override { return stream_; }
  void copy(std::byte* to, const std::byte* from, std::size_t bytes) override;
  void clear(std::byte* memory, std::size_t bytes) override;
  void move(std::span<const BlockMove> blocks, CopyElement element, double scale,
            Mover mover) override;
  void apply(const detail::PointFunction& function, const PointBlock& block) override;
  void run(const LineStep& step) override;
  void encode(std::span<const CodedPart> parts, const BlockFormat& format, CopyElement element,
              double scale, EncodingSums* sums) override;
  void decode(std::span<const CodedPart> parts, const BlockFormat& format,
              CopyElement element) override;
  void signal(const Flags& flags) override;
  void await(const Flags& flags) override;
  void record(Event& event) override;
  void wait(const Event& event) override;
  void synchronize() override;
  bool is_captured() const override;

 private:
  /// Whether copy engines moved the block, or none is to be moved.
  bool move_by_engine(const BlockMove& block, CopyElement element, Mover mover);

  int processors_;
  gpuStream_t stream_;
  bool owned_;
};

/// Functions have their calls compiled by the caller, who knows no exceptions of this library.
void check_function_call(const char* error, const char* what);

}  // namespace weft
