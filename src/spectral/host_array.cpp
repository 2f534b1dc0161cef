#include "spectral/host_array.hpp"

#include "plan/implementation.hpp"
#include "plan/user_array.hpp"

namespace weft {

HostArray::HostArray(const Plan& plan, const AnyArray& array, const char* name)
    : data_(static_cast<const std::byte*>(array.data)) {
  const LocalArray& planned = plan.output();
  const Context& context = plan.implementation_->context();
  if (const auto error = find_mismatch(name, array, planned)) throw Error(*error);
  if (context.on_host() || planned.allocation_size == 0) return;
  Device& device = *context.device;
  if (const auto error = find_device_error(name, array.data, planned, device)) throw Error(*error);
  if (!reaches(device, array.data)) return;
  copy_ = Buffer(bytes_of(planned));
  context.caller->copy(copy_.data(), data_, copy_.size());
  context.caller->synchronize();
  data_ = copy_.data();
}

}  // namespace weft
