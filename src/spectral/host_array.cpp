#include "spectral/host_array.hpp"

#include "plan/implementation.hpp"
#include "plan/user_array.hpp"

namespace weft {

HostArray::HostArray(const Plan& plan, const LocalArray& planned, const detail::AnyArray& array,
                     const char* name)
    : data_(static_cast<const std::byte*>(array.data)) {
  const Context& context = *plan.implementation_->context;
  check_array(name, array, planned);
  if (context.on_host() || planned.allocation_size == 0) return;
  Device& device = *context.device;
  check_owner(name, array.data, planned, device);
  if (!reaches(device, array.data)) return;
  copy_ = Buffer(bytes_of(planned));
  context.caller->copy(copy_.data(), data_, copy_.size());
  context.caller->synchronize();
  data_ = copy_.data();
  stream_ = context.caller;
}

std::byte* HostArray::writable() {
  return const_cast<std::byte*>(data_);  // NOLINT: as the caller says
}

void HostArray::copy_back(void* array) {
  if (!stream_) return;
  stream_->copy(static_cast<std::byte*>(array), copy_.data(), copy_.size());
  stream_->synchronize();
}

}  // namespace weft
