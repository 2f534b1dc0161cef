#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace weft {

/// What may stand at a place of the command line: one of the values, a file, or what a shell cannot
/// know.
struct CompletedWord {
  std::vector<std::string> values{};
  bool is_file = false;
};

struct CompletedOption {
  std::vector<std::string> names;  ///< "--threads"
  std::string description;
  bool takes_value = false;
  CompletedWord value;
};

/// A subcommand, or the command itself with all subcommands as words.
struct CompletedCommand {
  std::string name;
  std::string description;
  std::vector<CompletedOption> options;
  CompletedWord word;  ///< that stands by itself
};

/// The command first, then its subcommands. All names are those that the parser takes, all values
/// those that the tables of the library know.
std::vector<CompletedCommand> completed_commands(const CLI::App& app);

/// Scripts for two shells.
std::string bash_completion(const std::vector<CompletedCommand>& commands);
std::string zsh_completion(const std::vector<CompletedCommand>& commands);

}  // namespace weft
