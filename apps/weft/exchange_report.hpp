#pragma once

#include <string>

#include "machine_info.hpp"
#include "tune/exchange_rates.hpp"

namespace weft {

/// For people.
std::string exchange_table(const ExchangeRates& rates, const MachineInfo& machine);
/// A JSON object on one line.
std::string exchange_json(const ExchangeRates& rates, const MachineInfo& machine);

}  // namespace weft
