#include "machine_file.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>

#include "geometry/unknown_name.hpp"
#include "weft/error.hpp"
#include "weft/printable.hpp"

namespace weft {

namespace {

constexpr const char* ranks_per_node = "ranks_per_node";
constexpr std::uint64_t most_ranks = std::numeric_limits<int>::max();  // of MPI

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
                "' is not JSON: " + printable(error.what(), printable_excerpt));
  }
  if (!content.is_object()) throw Error("machine file '" + path + "' contains no JSON object");
  Machine machine;
  const auto fields = figures(machine);
  std::vector<std::string_view> known;
  for (const auto& [name, target] : fields) known.push_back(name);
  known.push_back(ranks_per_node);
  for (const auto& [key, value] : content.items()) {
    if (key == "limits" || key == "fit") continue;  // what the figures were made of
    const auto field = std::find_if(fields.begin(), fields.end(),
                                    [&](const auto& one) { return one.first == key; });
    if (key != ranks_per_node && field == fields.end()) {
      throw Error("machine file '" + path + "': '" + printable(key, printable_excerpt) +
                  "' is unknown; known: " + comma_list(known));
    }
    if (!value.is_number() || !std::isfinite(value.get<double>()) || value.get<double>() <= 0) {
      throw Error("machine file '" + path + "': " + key + " is " + shown(value) +
                  "; it must be a positive number");
    }
    if (key != ranks_per_node) {
      *field->second = value.get<double>();
    } else if (value.is_number_unsigned() && value.get<std::uint64_t>() <= most_ranks) {
      machine.ranks_per_node = value.get<Index>();
    } else {
      throw Error("machine file '" + path + "': " + key + " is " + shown(value) +
                  "; it must be a whole number of at most " + std::to_string(most_ranks));
    }
  }
  return machine;
}

}  // namespace weft
