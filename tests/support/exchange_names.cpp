#include "support/exchange_names.hpp"

#include <algorithm>

#include "exchange/exchange.hpp"

namespace weft::test {

std::vector<std::string> plan_exchanges() {
  std::vector<std::string> names;
  for (const ExchangeMethod& method : exchange_methods()) names.push_back(method.name);
  names.insert(names.end(),
               {"persistent:p2p", "node_aware:2", "node_shared:p2p", "node_shared:one_sided"});
  return names;
}

std::string as_test_name(std::string exchange) {
  std::replace(exchange.begin(), exchange.end(), ':', '_');
  return exchange;
}

}  // namespace weft::test
