// What `weft limits --exchanges` says.
#include "exchange_report.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "formatted.hpp"
#include "geometry/human_units.hpp"
#include "machine_json.hpp"
#include "weft/printable.hpp"
#include "weft/version.h"
#include "wisdom/record.hpp"

namespace weft {

namespace {

using Json = nlohmann::ordered_json;

/// Ranks then take turns, which is no measure of an exchange.
bool is_oversubscribed(const ExchangeRates& rates, const MachineInfo& machine) {
  return rates.ranks_per_node > machine.cores;
}

std::string counted_bytes(const ExchangeRates& rates) {
  return rates.nodes == 1 ? "bytes that all ranks send to others"
                          : "bytes that leave the node that sends most";
}

Json to_json(const Quartiles& quartiles) {
  return {{"lower_quartile", quartiles.lower},
          {"median", quartiles.median},
          {"upper_quartile", quartiles.upper}};
}

}  // namespace

std::string exchange_table(const ExchangeRates& rates, const MachineInfo& machine) {
  std::string text = formatted("%d ranks on %d node%s, %s of each to each other\n", rates.ranks,
                               rates.nodes, rates.nodes == 1 ? "" : "s",
                               human_bytes(static_cast<double>(rates.sizes.message)).c_str());
  if (!rates.description.empty()) {
    text += "in memory of " + printable(rates.description) + " (" + rates.sizes.device + ")" +
            (rates.mpi_reaches_device ? "\n" : "; for MPI through memory of the host\n");
  }
  if (is_oversubscribed(rates, machine)) {
    text += formatted("more ranks than the %d cores: they take turns\n", machine.cores);
  }
  text += "node bandwidth: " + counted_bytes(rates) + ", per second; median and quartiles of " +
          std::to_string(rates.sizes.rounds) + (rates.sizes.rounds == 1 ? " round\n" : " rounds\n");
  std::size_t width = 0;
  for (const ExchangeRate& rate : rates.rates) width = std::max(width, rate.name.size());
  const int name_width = static_cast<int>(width);
  text += formatted("%-*s %10s %10s %10s GB/s %12s %20s\n", name_width, "", "quartile", "median",
                    "quartile", "exchange", "of MPI_Alltoall");
  for (const ExchangeRate& rate : rates.rates) {
    const Quartiles& speed = rate.bytes_per_second;
    text += formatted("%-*s %10.3f %10.3f %10.3f %17s %20.2f\n", name_width, rate.name.c_str(),
                      speed.lower / 1e9, speed.median / 1e9, speed.upper / 1e9,
                      human_seconds(rate.seconds.median).c_str(), rate.over_alltoall);
  }
  for (const ExchangeRates::LeftOut& one : rates.left_out) {
    text += formatted("%-*s not measured: %s\n", name_width, one.name.c_str(),
                      printable(one.why).c_str());
  }
  return text;
}

std::string exchange_json(const ExchangeRates& rates, const MachineInfo& machine) {
  Json exchanges = Json::array(), left_out = Json::array();
  for (const ExchangeRate& rate : rates.rates) {
    exchanges.push_back({{"name", rate.name},
                         {"bytes_per_second", to_json(rate.bytes_per_second)},
                         {"seconds", to_json(rate.seconds)},
                         {"over_alltoall", rate.over_alltoall}});
  }
  for (const ExchangeRates::LeftOut& one : rates.left_out) {
    left_out.push_back({{"name", one.name}, {"why", one.why}});
  }
  const Json content = {{"library", "weft"},
                        {"version", WEFT_VERSION_STRING},
                        {"date", date_of_today()},
                        {"ranks", rates.ranks},
                        {"nodes", rates.nodes},
                        {"ranks_per_node", rates.ranks_per_node},
                        {"oversubscribed", is_oversubscribed(rates, machine)},
                        {"device", rates.sizes.device},
                        {"description", rates.description},
                        {"mpi_reaches_device", rates.mpi_reaches_device},
                        {"message", rates.sizes.message},
                        {"rounds", rates.sizes.rounds},
                        {"counted", counted_bytes(rates)},
                        {"node_bytes", rates.node_bytes},
                        {"exchanges", exchanges},
                        {"not_measured", left_out},
                        {"machine", to_json(machine)}};
  return content.dump() + "\n";
}

}  // namespace weft
