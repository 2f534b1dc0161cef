#pragma once

#include "device/device.hpp"

namespace weft {

/// Memory of the host. What is submitted to its streams is done at once.
class HostDevice : public Device {
 public:
  HostDevice() { info_ = {.kind = "host", .model = "host", .identity = "host", .is_host = true}; }

  /// Of any kind but shared. It is not touched, so that its pages are placed by who uses them
  /// first; large memory asks for huge pages.
  std::byte* allocate(std::size_t bytes, MemoryKind kind) override;
  void free(std::byte* memory, MemoryKind kind) noexcept override;
  Owner owner_of(const void*) const override { return {Owner::device, ""}; }
  std::unique_ptr<Stream> make_stream(Priority priority) override;
  std::unique_ptr<Stream> adopt_stream(void* native) override;
  std::unique_ptr<Event> make_event() override;
  double seconds_between(const Event& begin, const Event& end) override;
  void load(const detail::PointFunction& function) override;
};

}  // namespace weft
