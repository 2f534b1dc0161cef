#include "device/buffer.hpp"
#include "plan/implementation.hpp"
#include "weft/plan_array.hpp"

namespace weft {

struct PlanMemory::Implementation {
  std::shared_ptr<Device> device;
  std::shared_ptr<Stream> stream;
  Buffer memory;

  Implementation(const Context& context, std::size_t bytes)
      : device(context.device), stream(context.caller), memory(*device, bytes) {}

  void copy(std::byte* to, const std::byte* from, std::size_t bytes) const {
    if (bytes > memory.size()) {
      throw Error("a copy of " + std::to_string(bytes) + " bytes is too long for memory of " +
                  std::to_string(memory.size()));
    }
    stream->copy(to, from, bytes);
    stream->synchronize();
  }
};

PlanMemory::PlanMemory(const Plan& plan, std::size_t bytes)
    : implementation_(std::make_shared<Implementation>(*plan.implementation_->context, bytes)) {}

std::byte* PlanMemory::data() const {
  return implementation_ ? implementation_->memory.data() : nullptr;
}
std::size_t PlanMemory::size() const {
  return implementation_ ? implementation_->memory.size() : 0;
}
void PlanMemory::copy_from(std::span<const std::byte> host) {
  if (implementation_) implementation_->copy(data(), host.data(), host.size());
}
void PlanMemory::copy_to(std::span<std::byte> host) const {
  if (implementation_) implementation_->copy(host.data(), data(), host.size());
}

}  // namespace weft
