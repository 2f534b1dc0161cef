// `weft wisdom`: what is remembered, and where.
#include "weft/wisdom.hpp"

#include <CLI/App.hpp>
#include <CLI/Formatter.hpp>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

#include "command.hpp"
#include "geometry/human_units.hpp"
#include "geometry/unknown_name.hpp"
#include "weft/error.hpp"
#include "weft/printable.hpp"
#include "wisdom/record.hpp"

namespace weft {

namespace {

using Json = nlohmann::ordered_json;

struct WisdomCommand {
  std::string action;
  std::vector<std::string> arguments;
  std::string file;
  bool json = false;
};

void print(const WisdomRecord& record) {
  if (record.problem.empty()) {
    std::printf("%s limits of %s\n  %s\n", printable(record.date).c_str(),
                printable(record.machine).c_str(), printable(record.settings).c_str());
    return;
  }
  std::printf("%s %s\n  on %s\n  %s: %s, %.3f of the time of the defaults\n",
              printable(record.date).c_str(), printable(record.problem).c_str(),
              printable(record.machine).c_str(),
              record.settings.empty() ? "the defaults" : printable(record.settings).c_str(),
              human_seconds(record.seconds).c_str(), record.seconds / record.default_seconds);
}

std::string json_line(const WisdomRecord& record) {
  return Json{{"problem", record.problem},
              {"machine", record.machine},
              {"settings", record.settings},
              {"seconds", record.seconds},
              {"default_seconds", record.default_seconds},
              {"date", record.date}}
      .dump(-1, ' ', true, Json::error_handler_t::replace);
}

void list(const WisdomCommand& command, const std::string& text) {
  const Wisdom wisdom = read_wisdom(command.file);
  for (const WisdomRecord& record : wisdom.records) {
    if (!has_text(record, text)) continue;
    if (command.json) {
      std::puts(json_line(record).c_str());
    } else {
      print(record);
    }
  }
  if (command.json) return;
  std::printf("%zu records in %s", wisdom.records.size(), printable(command.file).c_str());
  if (wisdom.skipped_lines > 0) std::printf(", %zu lines skipped", wisdom.skipped_lines);
  std::puts("");
}

int run(WisdomCommand command) {
  if (command.file.empty()) command.file = wisdom_path();
  if (command.file.empty()) throw Error("there is no file of wisdom: WEFT_WISDOM is empty");
  const std::size_t given = command.arguments.size();
  if (command.action == "list" && given == 0) {
    list(command, "");
  } else if (command.action == "show" && given == 1) {
    list(command, command.arguments[0]);
  } else if (command.action == "tidy" && given == 0) {
    std::printf("%zu records removed\n", tidy_wisdom(command.file));
  } else if (command.action == "forget" && given == 1 && !command.arguments[0].empty()) {
    std::printf("%zu records removed\n", forget_wisdom(command.arguments[0], command.file));
  } else if (command.action == "merge" && given > 0) {
    std::size_t count = 0;
    for (const std::string& path : command.arguments) {
      count += merge_wisdom(path, command.file);
    }
    std::printf("%zu records added\n", count);
  } else {
    const std::vector<std::string_view> known{"list", "show", "tidy", "forget", "merge"};
    for (const std::string_view action : known) {
      if (command.action != action) continue;
      throw Error("wisdom " + command.action + ": takes " +
                  (action == "forget" || action == "show" ? "one text"
                   : action == "merge"                    ? "one file or more"
                                                          : "no arguments"));
    }
    throw unknown_name("action", command.action, known);
  }
  return 0;
}

}  // namespace

void add_wisdom(CLI::App& app, Task& task) {
  auto command = std::make_shared<WisdomCommand>();
  CLI::App* parser = app.add_subcommand(
      "wisdom", "Show or change the results of tuning and `weft limits` that are remembered");
  parser
      ->add_option(
          "action", command->action,
          "list; show TEXT (records that contain it); tidy (remove outdated records); forget "
          "TEXT (remove records that contain it); "
          "merge FILE... (add the records of other files)")
      ->required();
  parser->add_option("arguments", command->arguments, "Arguments of the action");
  parser
      ->add_option("--file", command->file,
                   "File of wisdom [WEFT_WISDOM, or ~/.cache/weft/wisdom.jsonl]")
      ->type_name("FILE");
  parser->add_flag("--json", command->json, "With list and show: print a JSON object per record");
  parser->footer(
      "Examples:\n"
      "  weft wisdom list\n"
      "  weft wisdom forget 256x256x256\n"
      "  weft wisdom merge /scratch/other/wisdom.jsonl");
  parser->callback([command, &task] {
    task = {false, [command](const Communicator&) { return run(*command); }};
  });
}

}  // namespace weft
