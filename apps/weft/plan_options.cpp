#include "plan_options.hpp"

#include <CLI/App.hpp>
#include <algorithm>

#include "schedule/option_table.hpp"

namespace weft {

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
          row.sentence);
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
