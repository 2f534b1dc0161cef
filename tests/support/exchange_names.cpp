#include "support/exchange_names.hpp"

#include <algorithm>
#include <cstdlib>

#include "exchange/exchange.hpp"

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
  // NCCL wants a device for each rank.
  const bool shares_devices = std::getenv("WEFT_SHARE_DEVICES") != nullptr;
  for (const ExchangeMethod& method : exchange_methods()) {
    if (device == "emulated" || shares_devices) break;
    if (method.name == std::string("nccl")) names.push_back(method.name);
  }
  return names;
}

std::string as_test_name(std::string exchange) {
  std::replace(exchange.begin(), exchange.end(), ':', '_');
  return exchange;
}

}  // namespace weft::test
