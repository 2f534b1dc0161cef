#pragma once

#include "program.hpp"

namespace CLI {
class App;
}

namespace weft {

// Each adds one subcommand, which sets the task when it is chosen.
void add_bench(CLI::App& app, Task& task);
void add_limits(CLI::App& app, Task& task);
void add_calibrate(CLI::App& app, Task& task);
void add_plan(CLI::App& app, Task& task);
void add_predict(CLI::App& app, Task& task);
void add_list(CLI::App& app, Task& task);
void add_completion(CLI::App& app, Task& task);
void add_tune(CLI::App& app, Task& task);
void add_wisdom(CLI::App& app, Task& task);
void add_transform(CLI::App& app, Task& task);

}  // namespace weft
