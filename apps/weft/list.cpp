// `weft list`: what can be chosen, from the tables of the library.
#include <CLI/App.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <iomanip>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "catalog.hpp"
#include "command.hpp"

namespace weft {

namespace {

using Json = nlohmann::ordered_json;

struct ListCommand {
  std::string section;
  bool json = false;
};

constexpr const char* usable_text = "usable here";
constexpr const char* not_usable_text = "not usable here";

/// "leaders of each node combine messages between nodes; node_aware:X, X = leaders of each node
/// (1)"
std::string description_of(const CatalogRow& row) {
  std::string text = row.description;
  if (!row.parameter.empty()) text += "; " + row.name + ":X, X = " + row.parameter;
  if (!row.values.empty()) text += " (" + row.values + ")";
  if (!row.why_not.empty()) {
    text += std::string(": ") + (row.built_in ? "built in, but " : "not built in; ") + row.why_not;
  }
  return text;
}

std::string state_of(const CatalogSection& section, const CatalogRow& row) {
  switch (section.contents) {
    case CatalogSection::always:
      return {};
    case CatalogSection::by_machine:
      return row.why_not.empty() ? usable_text : not_usable_text;
    case CatalogSection::options:
      break;
  }
  return row.default_value;
}

void print(const CatalogSection& section) {
  const std::vector<CatalogRow> rows = section.rows();
  std::size_t name_width = 0, state_width = 0;
  for (const CatalogRow& row : rows) {
    name_width = std::max(name_width, row.name.size());
    state_width = std::max(state_width, state_of(section, row).size());
  }
  std::cout << section.title << "\n";
  for (const CatalogRow& row : rows) {
    std::cout << "  " << std::left << std::setw(static_cast<int>(name_width) + 2) << row.name;
    if (state_width > 0) {
      std::cout << std::setw(static_cast<int>(state_width) + 2) << state_of(section, row);
    }
    std::cout << description_of(row) << "\n";
  }
}

Json json_of(const CatalogSection& section) {
  Json rows = Json::array();
  for (const CatalogRow& row : section.rows()) {
    Json& json = rows.emplace_back(Json{{"name", row.name}, {"description", row.description}});
    if (section.contents == CatalogSection::by_machine) {
      json["parameter"] = row.parameter.empty() ? Json(nullptr) : Json(row.parameter);
      json["built_in"] = row.built_in;
      json["usable_here"] = row.why_not.empty();
      json["why_not"] = row.why_not.empty() ? Json(nullptr) : Json(row.why_not);
    }
    if (section.contents == CatalogSection::options) {
      json["default"] = row.default_value;
      json["values"] = row.values;
    }
  }
  return rows;
}

int run(const ListCommand& command) {
  const CatalogSection* const only =
      command.section.empty() ? nullptr : &find_section(command.section);
  Json json = Json::object();
  for (const CatalogSection& section : catalog()) {
    if (only != nullptr && only != &section) continue;
    if (command.json) {
      json[section.name] = json_of(section);
    } else {
      print(section);
    }
  }
  if (command.json) std::cout << json.dump(2) << "\n";
  return 0;
}

}  // namespace

void add_list(CLI::App& app, Task& task) {
  auto command = std::make_shared<ListCommand>();
  CLI::App* parser = app.add_subcommand(
      "list",
      "Print the names that options take: kinds, backends, exchanges, codecs, devices and options");
  std::string names;
  for (const CatalogSection& section : catalog()) {
    names += (names.empty() ? "" : ", ") + std::string(section.name);
  }
  parser->add_option("SECTION", command->section, "Only one of " + names);
  parser->add_flag("--json", command->json, "Print JSON, for programs");
  parser->footer(
      "Examples:\n"
      "  weft list\n"
      "  weft list exchanges\n"
      "  weft list devices --json");
  parser->callback([command, &task] {
    task = {false, [command](const Communicator&) { return run(*command); }};
  });
}

}  // namespace weft
