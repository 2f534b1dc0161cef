#include "fit_file.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "machine_file.hpp"
#include "trace/whole_file.hpp"
#include "weft/error.hpp"

namespace weft {

namespace {

using Json = nlohmann::ordered_json;

bool are_numbers(const Json& json) {
  return json.is_array() && std::all_of(json.begin(), json.end(), [](const Json& one) {
           return one.is_number() && std::isfinite(one.get<double>());
         });
}

bool is_positive(const Json& json, const char* name) {
  return json.contains(name) && json[name].is_number() && std::isfinite(json[name].get<double>()) &&
         json[name].get<double>() > 0;
}

/// Nothing unless it is as write_fit writes it.
std::optional<Uncertainty> uncertainty_of(const Json& json) {
  if (!json.is_object() || !is_positive(json, "spread") || !is_positive(json, "freedom")) return {};
  if (!json.contains("figures") || !json.contains("covariance")) return {};
  Uncertainty result{.spread = json["spread"].get<double>(),
                     .freedom = json["freedom"].get<double>(),
                     .names = {},
                     .covariance = {}};
  Machine machine;
  for (const Json& name : json["figures"]) {
    const auto known = figures(machine);
    if (!name.is_string() || std::none_of(known.begin(), known.end(), [&](const auto& figure) {
          return figure.first == name.get<std::string>();
        })) {
      return {};
    }
    result.names.push_back(name.get<std::string>());
  }
  const Json& covariance = json["covariance"];
  if (!are_numbers(covariance) || covariance.size() != result.names.size() * result.names.size()) {
    return {};
  }
  result.covariance = covariance.get<std::vector<double>>();
  return result;
}

}  // namespace

Json json_of(const Machine& given) {
  Machine machine = given;
  Json json;
  for (const auto& [name, value] : figures(machine)) json[std::string(name)] = *value;
  if (machine.ranks_per_node != Machine{}.ranks_per_node) {
    json["ranks_per_node"] = machine.ranks_per_node;
  }
  return json;
}

void write_fit(const std::string& path, const Fit& fit) {
  Json json = json_of(fit.machine);
  json["fit"] = {{"spread", fit.uncertainty.spread},
                 {"freedom", fit.uncertainty.freedom},
                 {"figures", fit.uncertainty.names},
                 {"covariance", fit.uncertainty.covariance}};
  write_whole_file(path, json.dump() + "\n");
}

Fit read_fit(const std::string& path) {
  Fit fit{read_machine(path), Uncertainty::assumed()};
  std::ifstream file(path);
  const Json content = Json::parse(file);
  if (!content.contains("fit")) return fit;
  const std::optional<Uncertainty> uncertainty = uncertainty_of(content["fit"]);
  if (!uncertainty) {
    throw Error("machine file '" + path + "': 'fit' is not what `weft calibrate` writes");
  }
  fit.uncertainty = *uncertainty;
  return fit;
}

}  // namespace weft
