#include "completion_model.hpp"

namespace weft {

namespace {

std::string joined(const std::vector<std::string>& words, const char* between) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : between) + word;
  return text;
}

/// What sets the choices at a place of the line.
std::string choices_text(const CompletedWord& word) {
  if (!word.values.empty()) return "choices='" + joined(word.values, " ") + "'";
  return word.is_file ? "return" : "compopt +o default; return";
}

/// Which words and values of options there are.
std::string cases_of(const CompletedCommand& command, const std::string& prefix) {
  std::vector<std::string> names;
  std::string cases;
  for (const CompletedOption& option : command.options) {
    names.insert(names.end(), option.names.begin(), option.names.end());
    if (!option.takes_value) continue;
    std::vector<std::string> patterns;
    for (const std::string& name : option.names) patterns.push_back(prefix + name);
    cases += "    " + joined(patterns, "|") + ") " + choices_text(option.value) + " ;;\n";
  }
  return cases + "    " + prefix + "*) if [[ $current == -* ]]; then choices='" +
         joined(names, " ") + "'; else " + choices_text(command.word) + "; fi ;;\n";
}

// COMP_WORDS is of no use: bash ends words at ':' and '=', and names of weft hold the first. What
// it puts in begins after the last of these, or of the commas in --kinds.
constexpr const char* head = R"(# Completion of weft for bash, as `weft completion bash` prints it.
_weft() {
  local line=${COMP_LINE:0:COMP_POINT} current= previous= subcommand= choices= word
  local -a words
  read -ra words <<< "$line"
  if [[ $line != *[[:space:]] ]]; then
    current=${words[-1]}
    unset 'words[-1]'
  fi
  previous=${words[-1]}
  for word in "${words[@]:1}"; do
    case $word in
    )";
constexpr const char* middle = R"() subcommand=$word; break ;;
    esac
  done
  if [[ $current == --*=* ]]; then
    previous=${current%%=*}
    current=${current#*=}
  fi
  case $subcommand:$previous in
)";
constexpr const char* tail = R"(  esac
  local before=
  if [[ $previous == --kinds && $current == *,* ]]; then before=${current%,*},; fi
  local IFS=$' \t\n'
  COMPREPLY=($(compgen -P "$before" -W "$choices" -- "${current#"$before"}"))
  if [[ $current == *:* ]]; then
    COMPREPLY=("${COMPREPLY[@]#"${current%"${current##*:}"}"}")
  fi
  if [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *: ]]; then compopt -o nospace; fi
}
complete -o default -F _weft weft
)";

}  // namespace

std::string bash_completion(const std::vector<CompletedCommand>& commands) {
  std::string text = head + joined(commands.front().word.values, "|") + middle;
  for (std::size_t i = 1; i < commands.size(); ++i) {
    text += cases_of(commands[i], commands[i].name + ":");
  }
  return text + cases_of(commands.front(), "") + tail;
}

}  // namespace weft
