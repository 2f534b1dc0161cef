#include "device/methods.hpp"
#include "geometry/unknown_name.hpp"
#include "weft/error.hpp"

namespace weft {

namespace {

struct OptionalMethod {
  const char* name;
  const char* option;
};
constexpr OptionalMethod optional_methods[] = {{"cuda", "WEFT_WITH_CUDA"},
                                               {"hip", "WEFT_WITH_HIP"}};

}  // namespace

void Device::refuse_sharing() const {
  throw Error("device '" + info_.kind + "' has no memory that processes share");
}
SharedName Device::share(std::byte*) {
  refuse_sharing();
}
std::byte* Device::map(const SharedName&) {
  refuse_sharing();
}
void Device::unmap(std::byte*) noexcept {}

const std::vector<DeviceMethod>& device_methods() {
  static const std::vector<DeviceMethod> table{
      emulated_method(),
#ifdef WEFT_HAVE_GPU
      gpu_method(),
#endif
  };
  return table;
}

const DeviceMethod& find_device_method(const std::string& name) {
  std::vector<std::string_view> known{"host"};
  for (const DeviceMethod& method : device_methods()) {
    if (name == method.name) return method;
    known.push_back(method.name);
  }
  for (const OptionalMethod& method : optional_methods) {
    if (name != method.name) continue;
    throw Error("device '" + name + "' is not built in: build weft with " + method.option + "=ON",
                ErrorCode::unsupported);
  }
  throw unknown_name("device", name, known);
}

const DeviceMethod& find_device_that_is_here(const std::string& name) {
  const DeviceMethod& method = find_device_method(name);
  if (method.count() == 0)
    throw Error("device '" + name + "': none is visible to this process", ErrorCode::unsupported);
  return method;
}

}  // namespace weft
