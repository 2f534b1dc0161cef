#pragma once

#include <map>
#include <string>

#include "weft/options.hpp"

namespace CLI {
class App;
}

namespace weft {

/// Options of plans as they stand on a command line: texts by the names of the table.
using OptionTexts = std::map<std::string, std::string>;

/// A flag for each option that a command does not decide itself.
void add_plan_options(CLI::App& app, OptionTexts& texts);

/// Throws Error for values that are none.
Options plan_options(const OptionTexts& texts);

}  // namespace weft
