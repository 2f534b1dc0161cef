#include "machine_file.hpp"

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "geometry/unknown_name.hpp"
#include "weft/error.hpp"
#include "weft/printable.hpp"

namespace weft {

namespace {

/// Arrays and objects by their type alone: they may be nested deeper than any stack.
std::string shown(const nlohmann::json& value) {
  if (value.is_structured()) return value.is_array() ? "an array" : "an object";
  return printable(value.dump(), printable_excerpt);
}

}  // namespace

Machine read_machine(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw Error("machine file '" + path + "' cannot be read");
  nlohmann::json content;
  try {
    content = nlohmann::json::parse(file);
  } catch (const nlohmann::json::exception& error) {  // no JSON, or a number beyond all doubles
    throw Error("machine file '" + path +
                "' is no JSON: " + printable(error.what(), printable_excerpt));
  }
  if (!content.is_object()) throw Error("machine file '" + path + "' holds no JSON object");
  Machine machine;
  const std::pair<const char*, double*> fields[] = {
      {"memory_bandwidth", &machine.memory_bandwidth},
      {"exchange_bandwidth", &machine.exchange_bandwidth},
      {"message_latency", &machine.message_latency},
      {"flops", &machine.flops},
  };
  for (const auto& [key, value] : content.items()) {
    if (key == "limits") continue;  // what the figures were made of
    double* field = nullptr;
    std::vector<std::string_view> known;
    for (const auto& [name, target] : fields) {
      if (key == name) field = target;
      known.push_back(name);
    }
    if (field == nullptr) {
      throw Error("machine file '" + path + "': '" + printable(key, printable_excerpt) +
                  "' is unknown; known: " + comma_list(known));
    }
    if (!value.is_number() || !std::isfinite(value.get<double>()) || value.get<double>() <= 0) {
      throw Error("machine file '" + path + "': " + key + " is " + shown(value) +
                  "; it must be a positive number");
    }
    *field = value.get<double>();
  }
  return machine;
}

}  // namespace weft
