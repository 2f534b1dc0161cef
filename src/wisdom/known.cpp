#include "wisdom/known.hpp"

#include <algorithm>

#include "exchange/agreement.hpp"
#include "geometry/named_values.hpp"
#include "schedule/option_table.hpp"
#include "weft/wisdom.hpp"
#include "wisdom/record.hpp"

namespace weft {

namespace {

constexpr std::size_t most_near = 3;

bool is_limits(const WisdomRecord& record) {
  return record.problem.empty();
}

/// Those that matter for a key: first the exact one, if there is one, and then the rest, latest
/// first.
std::vector<WisdomRecord> relevant(const std::vector<WisdomRecord>& all, const WisdomKey& key) {
  std::vector<WisdomRecord> result;
  std::size_t near = 0;
  for (auto record = all.rbegin(); record != all.rend(); ++record) {
    const bool is_known = std::any_of(result.begin(), result.end(), [&](const WisdomRecord& one) {
      return are_alike(one, *record);
    });
    if (is_known) continue;
    if (is_limits(*record)) {
      if (record->machine == key.node) result.push_back(*record);
    } else if (record->machine == key.machine) {
      const bool is_exact = record->problem == key.problem;
      if (is_exact || near++ < most_near) {
        result.insert(is_exact ? result.begin() : result.end(), *record);
      }
    }
  }
  return result;
}

/// A line that is a remark, one with the problem, and those that matter for a key.
std::string found_for(const WisdomKey& key) {
  try {
    const Wisdom wisdom = read_wisdom();
    std::string text;
    if (wisdom.skipped_lines > 0) {
      text = std::to_string(wisdom.skipped_lines) + " lines of " + wisdom_path() +
             " are not valid and were skipped";
    }
    text += "\n" + key.problem + "\n";
    for (const WisdomRecord& record : relevant(wisdom.records, key)) {
      text += line_of(record) + "\n";
    }
    return text;
  } catch (const std::exception& error) {
    return std::string(error.what()) + "\n\n";
  }
}

Known known_from(const std::string& found) {
  Known known;
  std::size_t end = found.find('\n');
  known.remark = found.substr(0, end);
  const std::size_t problem_begin = end + 1;
  end = found.find('\n', problem_begin);
  const std::string problem = found.substr(problem_begin, end - problem_begin);
  for (std::size_t begin = end + 1; begin < found.size(); begin = end + 1) {
    end = found.find('\n', begin);
    const auto record = parse_record(std::string_view(found).substr(begin, end - begin));
    if (!record) continue;
    if (is_limits(*record)) {
      known.figures = record->settings;
    } else if (record->problem == problem) {
      known.settings = record->settings;
      known.why = "wisdom";
    } else {
      known.near.push_back(record->settings);
    }
  }
  return known;
}

}  // namespace

Known look_up(const WisdomKey& key) {
  return known_from(found_for(key));
}

Known look_up(const WisdomKey& key, Tune tune, const Communicator& comm) {
  if (tune == Tune::off) return {};
  Known known = known_from(broadcast(comm, comm.rank() == 0 ? found_for(key) : "", 0));
  if (tune == Tune::again) known.make_near();
  collectively(comm, [&] {
    if (tune != Tune::frozen || known.has_settings()) return;
    throw Error("tune 'frozen', but no settings are known for " + key.problem + " on " +
                key.machine);
  });
  return known;
}

void Known::make_near() {
  if (!has_settings()) return;
  near.insert(near.begin(), settings);
  settings.clear();
  why.clear();
}

std::string Known::told() const {
  std::string text = why == "tuned"   ? "settings were tried"
                     : has_settings() ? "settings are known from earlier runs"
                                      : "no settings are known";
  if (!figures.empty()) text += "; `weft limits` has measured this machine";
  if (!remark.empty()) text += "; " + remark;
  return text;
}

void add_settings(Known& known, Options& options, const Communicator& comm,
                  const std::function<void(const Options&)>& check) {
  try {
    collectively(comm, [&] {
      const Options added = with_defaults(options, known.settings);
      check(added);
      options = added;
    });
  } catch (const Error& error) {
    if (options.tune == Tune::frozen) throw;
    known.remark = "settings that are known cannot be used: " + std::string(error.what());
    known.settings.clear();
    known.why.clear();
  }
}

void set_figures(Machine& machine, const std::string& text) {
  Machine changed = machine;
  try {
    for (const auto& [name, value] : named_values("figures", text)) {
      set_figure(changed, name, value);
    }
    machine = changed;
  } catch (const Error&) {
    // Of another build of weft.
  }
}

}  // namespace weft
