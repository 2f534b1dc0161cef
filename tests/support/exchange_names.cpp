#include "support/exchange_names.hpp"

#include <algorithm>

#include "device/device.hpp"
#include "exchange/exchange.hpp"
#include "support/plan_run.hpp"

namespace weft::test {

std::vector<std::string> plan_exchanges() {
  std::vector<std::string> names;
  for (const ExchangeMethod& method : exchange_methods()) {
    if (method.traits.memory == ExchangeTraits::host) names.push_back(method.name);
  }
  names.insert(names.end(), {"persistent:p2p", "node_aware:2", "p2p:1", "p2p_pipelined:2",
                             "one_sided:1", "node_shared:p2p:2", "node_shared:one_sided"});
  return names;
}

std::vector<std::string> device_exchanges(const std::string& device) {
  std::vector<std::string> names{"auto",   "peer",       "peer:kernel",      "peer:engine",
                                 "staged", "staged:p2p", "staged:alltoallv", "peer_packed"};
  // Which MPI libraries know which accelerators is not for us to say.
  if (device == "emulated") names.insert(names.end(), {"mpi", "mpi:alltoall"});
  const DeviceMethod& devices = find_device_method(device);
  const bool own_gpus = devices.is_gpu && devices.count() >= world_size();
  for (const ExchangeMethod& method : exchange_methods()) {
    if (own_gpus && method.traits.own_devices) names.push_back(method.name);
  }
  return names;
}

std::string as_test_name(std::string exchange) {
  std::replace(exchange.begin(), exchange.end(), ':', '_');
  return exchange;
}

}  // namespace weft::test
