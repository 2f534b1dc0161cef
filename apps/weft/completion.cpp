// `weft completion`: scripts with which shells complete the command.
#include <CLI/App.hpp>
#include <CLI/Formatter.hpp>
#include <iostream>
#include <memory>

#include "command.hpp"
#include "completion_model.hpp"
#include "geometry/unknown_name.hpp"

namespace weft {

void add_completion(CLI::App& app, Task& task) {
  auto shell = std::make_shared<std::string>();
  CLI::App* parser =
      app.add_subcommand("completion", "Print a script that completes this command in a shell");
  parser->add_option("SHELL", *shell, "bash or zsh")->required();
  parser->footer(
      "Examples:\n"
      "  source <(weft completion bash)                  # or in ~/.bashrc\n"
      "  source <(weft completion zsh)                   # after compinit, in ~/.zshrc");
  parser->callback([shell, &app, &task] {
    task = {
        false, [shell, &app](const Communicator&) {
          if (*shell != "bash" && *shell != "zsh") {
            throw unknown_name("shell", *shell, {"bash", "zsh"});
          }
          const auto commands = completed_commands(app);
          std::cout << (*shell == "bash" ? bash_completion(commands) : zsh_completion(commands));
          return 0;
        }};
  });
}

}  // namespace weft
