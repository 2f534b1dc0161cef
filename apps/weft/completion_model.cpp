#include "completion_model.hpp"

#include <CLI/App.hpp>
#include <algorithm>
#include <sstream>

#include "catalog.hpp"
#include "codec/codec.hpp"
#include "kind/enumerators.hpp"
#include "schedule/option_table.hpp"

namespace weft {

namespace {

using Names = std::vector<std::string>;

template <class E>
Names names_of_enumeration() {
  const auto names = names_of_all<E>();
  return {names.begin(), names.end()};
}

Names names_of_section(const std::string& section, Names names = {}) {
  for (const CatalogRow& row : find_section(section).rows()) {
    if (row.built_in) names.push_back(row.name);
  }
  return names;
}

/// With their parameters, where there are few.
Names codec_names() {
  constexpr std::size_t few = 8;
  Names names{"auto", "none", "lossless"};
  for (const CodecMethod& codec : codec_methods()) {
    const auto parameters = codec.parameters({});
    if (parameters.size() > few) names.push_back(codec.name + std::string(":"));
    if (parameters.size() > few) continue;
    for (const std::string& one : parameters) names.push_back(codec.name + (":" + one));
  }
  return names;
}

Names layout_names() {
  Names names;
  for (const char* form : {"slab:", "pencil:"}) {
    for (int axis = 0; axis < 3; ++axis) names.push_back(form + std::to_string(axis));
  }
  names.insert(names.end(), {"brick", "grid:"});
  return names;
}

/// The single words of "auto, estimate, measure", but only "auto" of "auto, or at least 0".
Names words_of(const std::string& values) {
  Names words;
  std::istringstream text(values);
  for (std::string item; std::getline(text >> std::ws, item, ',');) {
    if (item.find(' ') == item.npos) words.push_back(item);
  }
  return words;
}

/// Of an option, "exchange".
Names values_of(const std::string& name) {
  if (name == "kinds") return names_of_section("kinds");
  if (name == "exchange") return names_of_section("exchanges", {"auto"});
  if (name == "local") return names_of_section("local", {"auto"});
  if (name == "device") return names_of_section("devices");
  if (name == "codec") return codec_names();
  if (name == "input" || name == "output") return layout_names();
  if (name == "precision") return names_of_enumeration<Precision>();
  if (name == "numbers") return names_of_enumeration<Numbers>();
  if (name == "norm") return names_of_enumeration<Norm>();
  for (const OptionRow& row : option_table()) {
    std::string flag = row.name;
    std::replace(flag.begin(), flag.end(), '_', '-');
    if (name == flag) return words_of(row.values(row));
  }
  return {};
}

/// Of an argument without a name.
Names values_of_argument(const std::string& name) {
  Names names;
  if (name == "SECTION") {
    for (const CatalogSection& section : catalog()) names.push_back(section.name);
  }
  if (name == "SHELL") names = {"bash", "zsh"};
  return names;
}

CompletedOption completed(const CLI::Option& option) {
  CompletedOption result;
  for (const std::string& name : option.get_lnames()) result.names.push_back("--" + name);
  for (const std::string& name : option.get_snames()) result.names.push_back("-" + name);
  result.description = option.get_description();
  result.takes_value = option.get_items_expected_max() > 0;
  result.value.is_file = option.get_type_name() == "FILE";
  if (result.takes_value) result.value.values = values_of(option.get_lnames().front());
  return result;
}

CompletedCommand completed(const CLI::App& app) {
  CompletedCommand command{app.get_name(), app.get_description(), {}, {}};
  for (const CLI::Option* option : app.get_options()) {
    if (option->nonpositional()) {
      command.options.push_back(completed(*option));
    } else {
      command.word.is_file = command.word.is_file || option->get_type_name() == "FILE";
      command.word.values = values_of_argument(option->get_name());
    }
  }
  return command;
}

}  // namespace

std::vector<CompletedCommand> completed_commands(const CLI::App& app) {
  std::vector<CompletedCommand> commands{completed(app)};
  for (const CLI::App* one : app.get_subcommands([](const CLI::App*) { return true; })) {
    commands.push_back(completed(*one));
    commands.front().word.values.push_back(one->get_name());
  }
  return commands;
}

}  // namespace weft
