#include <algorithm>

#include "device/device.hpp"
#include "exchange/exchange.hpp"
#include "geometry/unknown_name.hpp"
#include "weft/error.hpp"

namespace weft {

ExchangeMethod alltoall_method();
ExchangeMethod alltoallv_method();
ExchangeMethod alltoallw_method();
ExchangeMethod node_shared_method();
ExchangeMethod ialltoallv_method();
ExchangeMethod neighbor_method();
ExchangeMethod node_aware_method();
ExchangeMethod one_sided_method();
ExchangeMethod p2p_method();
ExchangeMethod p2p_pipelined_method();
ExchangeMethod persistent_method();
ExchangeMethod peer_method();
ExchangeMethod peer_packed_method();
#ifdef WEFT_HAVE_NCCL
ExchangeMethod nccl_method();
#endif
ExchangeMethod staged_method();
ExchangeMethod device_aware_method();

const std::vector<ExchangeMethod>& exchange_methods() {
  static const std::vector<ExchangeMethod> table{
      alltoallv_method(),     alltoall_method(),     alltoallw_method(),  p2p_method(),
      p2p_pipelined_method(), ialltoallv_method(),   neighbor_method(),   persistent_method(),
      one_sided_method(),     node_shared_method(),  node_aware_method(), peer_method(),
      peer_packed_method(),
#ifdef WEFT_HAVE_NCCL
      nccl_method(),
#endif
      staged_method(),        device_aware_method(),
  };
  return table;
}

std::string why_not_usable(const ExchangeMethod& method) {
  if (method.traits.memory == ExchangeTraits::host) return "";
  const auto& devices = device_methods();
  const auto gpu = std::find_if(devices.begin(), devices.end(), [](const DeviceMethod& device) {
    return device.is_gpu && device.count() > 0;
  });
  if (gpu == devices.end()) return "there is no GPU here";
  return method.why_not({.kind = gpu->name});
}

ExchangeChoice find_exchange(const std::string& name) {
  const std::size_t colon = name.find(':');
  const std::string base = name.substr(0, colon);
  const bool has_parameter = colon != std::string::npos;
  std::vector<std::string_view> known{"auto"};
  for (const ExchangeMethod& method : exchange_methods()) {
    if (name == "auto") return {&method, ""};
    if (base == method.name) {
      const ExchangeChoice choice{&method, has_parameter ? name.substr(colon + 1) : ""};
      if (!has_parameter) return choice;
      if (method.check_parameter == nullptr) {
        throw Error("exchange '" + name + "': " + base + " takes no parameter");
      }
      method.check_parameter(choice.parameter);
      return choice;
    }
    known.push_back(method.name);
  }
  throw unknown_name("exchange", name, known);
}

bool sends_any_length(const ExchangeChoice& choice) {
  const ExchangeMethod& method = *choice.method;
  if (method.wire == nullptr) return method.traits.any_length;
  return sends_any_length(find_exchange(choice.parameter.empty() ? method.wire : choice.parameter));
}

}  // namespace weft
