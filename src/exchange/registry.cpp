#include "exchange/exchange.hpp"
#include "weft/error.hpp"

namespace weft {

ExchangeMethod alltoall_method();
ExchangeMethod alltoallv_method();
ExchangeMethod alltoallw_method();
ExchangeMethod p2p_method();
ExchangeMethod p2p_pipelined_method();

const std::vector<ExchangeMethod>& exchange_methods() {
  static const std::vector<ExchangeMethod> table{
      alltoallv_method(), alltoall_method(),      alltoallw_method(),
      p2p_method(),       p2p_pipelined_method(),
  };
  return table;
}

const ExchangeMethod& find_exchange_method(const std::string& name) {
  std::string known = "auto";
  for (const ExchangeMethod& method : exchange_methods()) {
    if (name == "auto" || name == method.name) return method;
    known += std::string(", ") + method.name;
  }
  throw Error("exchange '" + name + "' is unknown; known: " + known);
}

}  // namespace weft
