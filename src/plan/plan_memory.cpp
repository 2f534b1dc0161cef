#include "device/buffer.hpp"
#include "device/host_memory.hpp"
#include "plan/implementation.hpp"
#include "weft/plan_array.hpp"

namespace weft {

namespace {

void check_room(std::size_t bytes, std::size_t room) {
  if (bytes <= room) return;
  throw Error("a copy of " + std::to_string(bytes) + " bytes is too long for memory of " +
              std::to_string(room));
}

}  // namespace

struct PlanMemory::Implementation {
  std::shared_ptr<Device> device;  // null: the host
  std::shared_ptr<Stream> stream;
  HostBuffer on_host;
  Buffer on_device;

  Implementation(const DeviceContext* context, std::size_t bytes) {
    if (context == nullptr) {
      on_host = HostBuffer(bytes);
      return;
    }
    device = context->shared_device();
    stream = context->shared_stream();
    on_device = Buffer(*device, bytes);
  }
  std::byte* data() const { return device ? on_device.data() : on_host.data(); }
  std::size_t size() const { return device ? on_device.size() : on_host.size(); }
  void copy(std::byte* to, const std::byte* from, std::size_t bytes) const {
    check_room(bytes, size());
    if (!device) {
      std::copy_n(from, bytes, to);
      return;
    }
    stream->copy(to, from, bytes);
    stream->synchronize();
  }
};

PlanMemory::PlanMemory(const Plan& plan, std::size_t bytes)
    : implementation_(
          std::make_shared<Implementation>(plan.implementation_->device_context(), bytes)) {}

std::byte* PlanMemory::data() const {
  return implementation_ ? implementation_->data() : nullptr;
}
std::size_t PlanMemory::size() const {
  return implementation_ ? implementation_->size() : 0;
}
void PlanMemory::copy_from(std::span<const std::byte> host) {
  if (implementation_) implementation_->copy(data(), host.data(), host.size());
}
void PlanMemory::copy_to(std::span<std::byte> host) const {
  if (implementation_) implementation_->copy(host.data(), data(), host.size());
}

}  // namespace weft
