#include "support/exchange_names.hpp"

#include <algorithm>

#include "exchange/exchange.hpp"

namespace weft::test {

std::vector<std::string> plan_exchanges() {
  std::vector<std::string> names;
  for (const ExchangeMethod& method : exchange_methods()) {
    // Programs do not read from memory of the exchange yet.
    if (!method.traits.owns_receive) names.push_back(method.name);
  }
  names.insert(names.end(), {"persistent:p2p", "node_aware:2"});
  return names;
}

std::string as_test_name(std::string exchange) {
  std::replace(exchange.begin(), exchange.end(), ':', '_');
  return exchange;
}

}  // namespace weft::test
