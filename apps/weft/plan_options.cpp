#include "plan_options.hpp"

#include <CLI/App.hpp>
#include <algorithm>
#include <iterator>
#include <string_view>

#include "schedule/option_table.hpp"
#include "weft/printable.hpp"

namespace weft {

namespace {

/// Of `--flag=value`, as CLI11 would end the program. It says "true" for a flag without a value.
std::string check_yes_or_no(const std::string& value) {
  constexpr std::string_view known[] = {"yes", "no", "true", "false", "on", "off", "1", "0"};
  if (std::find(std::begin(known), std::end(known), value) != std::end(known)) return {};
  return "'" + printable(value) + "': must be yes or no";
}

}  // namespace

void add_plan_options(CLI::App& app, OptionTexts& texts) {
  const Options defaults;
  for (const OptionRow& row : option_table()) {
    const std::string name = row.name;
    if (name == "stream" || name == "overwrite_input") continue;
    // mpirun of Open MPI takes --tune for itself, wherever it stands.
    std::string flag = name == "tune" ? "--tuning" : "--" + name;
    std::replace(flag.begin(), flag.end(), '_', '-');
    const std::string text = std::string(row.sentence) + " (" + row.values(row) + ")";
    if (row.type == "yes or no") {
      app.add_flag_function(
             flag + ",!--no" + flag.substr(1),
             [&texts, name](std::int64_t count) { texts[name] = count > 0 ? "yes" : "no"; },
             row.sentence)
          ->check(check_yes_or_no);
    } else {
      app.add_option_function<std::string>(
             flag, [&texts, name](const std::string& value) { texts[name] = value; }, text)
          ->default_str(row.read(row, defaults));
    }
  }
}

Options plan_options(const OptionTexts& texts) {
  Options options;
  for (const auto& [name, value] : texts) set_option(options, name, value);
  return options;
}

}  // namespace weft
