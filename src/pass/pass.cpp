#include "pass/pass.hpp"

#include "pass/device_pass.hpp"
#include "pass/host_pass.hpp"

namespace weft {

std::unique_ptr<Pass> make_pass(const Context& context, Stream& stream, const PassSpec& spec) {
  if (!on_host(stream)) return std::make_unique<DevicePass>(context, stream, spec);
  return std::make_unique<HostPass>(context, spec);
}

}  // namespace weft
