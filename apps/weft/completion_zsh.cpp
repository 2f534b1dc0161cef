#include "completion_model.hpp"

namespace weft {

namespace {

/// As a part of a specification of _arguments between apostrophes.
std::string escaped(const std::string& text, const std::string& special) {
  std::string result;
  for (const char c : text) {
    if (c == '\'') {
      result += "'\\''";
    } else {
      if (special.find(c) != special.npos) result += '\\';
      result += c;
    }
  }
  return result;
}

/// "(auto alltoallv)", "_files", or a space where a shell cannot know.
std::string action(const CompletedWord& word) {
  if (word.values.empty()) return word.is_file ? "_files" : " ";
  std::string text;
  for (const std::string& value : word.values) {
    text += (text.empty() ? "" : " ") + escaped(value, "\\:()$` ");
  }
  return "(" + text + ")";
}

std::string specifications(const CompletedCommand& command) {
  std::string text;
  for (const CompletedOption& option : command.options) {
    for (const std::string& name : option.names) {
      const bool is_long = name.starts_with("--");
      text += " \\\n        '" + name + (option.takes_value && is_long ? "=" : "") + "[" +
              escaped(option.description, "\\:[]") + "]" +
              (option.takes_value ? ": :" + action(option.value) : "") + "'";
    }
  }
  return text;
}

constexpr const char* zsh_head =
    R"(# Completion of weft for zsh, as `weft completion zsh` prints it.
_weft() {
  local context state state_descr line
  typeset -A opt_args
  local -a commands
  commands=(
)";
constexpr const char* end_of_commands = "  )\n  _arguments -C";
constexpr const char* zsh_middle = R"( \
    '1: :->command' '*:: :->arguments'
  case $state in
  command) _describe -t commands 'weft command' commands ;;
  arguments)
    case $words[1] in
)";
constexpr const char* zsh_tail = R"(    esac ;;
  esac
}
compdef _weft weft
)";

}  // namespace

std::string zsh_completion(const std::vector<CompletedCommand>& commands) {
  std::string text = zsh_head;
  for (std::size_t i = 1; i < commands.size(); ++i) {
    text += "    '" + commands[i].name + ":" + escaped(commands[i].description, "\\:") + "'\n";
  }
  text += end_of_commands + specifications(commands.front()) + zsh_middle;
  for (std::size_t i = 1; i < commands.size(); ++i) {
    text += "    " + commands[i].name + ") _arguments" + specifications(commands[i]) +
            " \\\n        '*: :" + action(commands[i].word) + "' ;;\n";
  }
  return text + zsh_tail;
}

}  // namespace weft
