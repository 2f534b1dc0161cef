#include "tune/candidates.hpp"

#include <algorithm>
#include <limits>

#include "codec/codec.hpp"
#include "exchange/decorator.hpp"
#include "plan/choose.hpp"
#include "schedule/describe.hpp"
#include "schedule/option_table.hpp"
#include "schedule/planner.hpp"

namespace weft {

namespace {

/// By the model; what is further behind is not worth the time.
constexpr double far_behind = 1.5;

std::string setting(const std::string& name, const std::string& value) {
  return name + "=" + value;
}

/// Of all grids of two numbers those nearest to a square first.
std::vector<Extents> grids(Index ranks) {
  std::vector<Extents> result;
  for (Index rows = 2; rows < ranks; ++rows) {
    if (ranks % rows == 0) result.push_back({rows, ranks / rows});
  }
  const auto length = [](const Extents& grid) { return grid[0] + grid[1]; };
  std::stable_sort(result.begin(), result.end(),
                   [&](const Extents& a, const Extents& b) { return length(a) < length(b); });
  return result;
}

}  // namespace

std::string changed(const std::string& settings, const std::string& change) {
  return to_string(parse_options(change, parse_options(settings)));
}

Machine Candidates::machine_with(const Options& options) const {
  Machine machine = context_.machine;
  machine.node = Machine{}.node;
  set_figures(machine, context_.known.figures);
  return machine_for(options, machine);
}

std::string Candidates::schedule_text(const std::string& settings) const {
  try {
    const Options options = with_defaults(context_.given, settings);
    const Machine machine = machine_with(options);
    return describe(plan_schedule(context_.problem, options, machine), context_.problem, machine);
  } catch (const Error&) {
    return "";  // no way to do that
  }
}

double Candidates::predicted_seconds(const std::string& settings) const {
  const Options options = with_defaults(context_.given, settings);
  const Machine machine = machine_with(options);
  return 2 * weft::predicted_seconds(plan_schedule(context_.problem, options, machine),
                                     context_.problem.precision, machine);
}

bool Candidates::layouts_are_open() const {
  return is_open("algorithm") && is_open("grid") && context_.problem.ranks > 1;
}

std::vector<std::string> Candidates::all_layouts() const {
  std::vector<std::string> result;
  if (!layouts_are_open()) return result;
  result.push_back("algorithm=slab, grid=auto");
  for (const Extents& grid : grids(context_.problem.ranks)) {
    result.push_back(setting("algorithm", "pencil") + ", " + setting("grid", to_string(grid)));
  }
  return result;
}

std::vector<std::string> Candidates::layouts(const std::string& best) const {
  std::vector<std::string> result;
  // Different settings may come to the same.
  std::vector<std::string> schedules{"", schedule_text(best)};
  for (const std::string& change : all_layouts()) {
    const std::string schedule = schedule_text(changed(best, change));
    if (std::find(schedules.begin(), schedules.end(), schedule) != schedules.end()) continue;
    schedules.push_back(schedule);
    result.push_back(change);
  }
  return result;
}

std::vector<std::string> Candidates::exchanges() const {
  std::vector<std::string> result;
  if (!is_open("exchange") || context_.problem.ranks == 1) return result;
  const bool shares_nodes = context_.machine.ranks_per_node > 1;
  const auto add = [&](const std::string& name) {
    if (name != context_.exchange.name()) result.push_back(setting("exchange", name));
  };
  if (!context_.on_host()) {
    for (const ExchangeMethod& method : exchange_methods()) {
      if (method.traits.memory != ExchangeTraits::device) continue;
      if (context_.why_not(method).empty()) add(method.name);
    }
    return result;
  }
  // Those with collective calls are as fast as the MPI library makes them.
  for (const char* name : {"p2p", "ialltoallv", "p2p_pipelined", "alltoallv", "neighbor"}) {
    if (shares_nodes && has_several_nodes()) add("node_shared:" + std::string(name));
    add(name);
  }
  if (shares_nodes && has_several_nodes()) add("node_aware:1");
  return result;
}

std::vector<std::string> Candidates::chunks() const {
  std::vector<std::string> result;
  if (!is_open("chunks") || context_.problem.ranks == 1) return result;
  // Within a node messages are copies, which take a core whether or not they are under way.
  const bool hides = has_several_nodes() || !context_.on_host();
  for (const char* count : {"8", "4", "16", "2"}) {
    result.push_back(setting("chunks", count));
    if (!hides) break;
  }
  if (!context_.on_host()) result.push_back(setting("chunks", "1"));
  return result;
}

std::vector<std::string> Candidates::local_libraries() const {
  std::vector<std::string> result;
  for (const LocalBackend& backend : local_backends()) {
    const bool is_here =
        context_.device->info().kind == backend.device && backend.usable() && backend.recommended();
    if (!is_here || !is_open("local") || &backend == context_.backend) continue;
    result.push_back(setting("local", backend.name));
    if (backend.name == std::string("fftw") && is_open("rigor")) {
      result.push_back(result.back() + ", " + setting("rigor", "measure"));
    }
  }
  return result;
}

std::vector<std::string> Candidates::memory_access() const {
  std::vector<std::string> result;
  if (!context_.on_host()) return result;
  if (is_open("tile_bytes")) {
    for (const Index bytes : {context_.tile_bytes() / 2, context_.tile_bytes() * 2}) {
      result.push_back(setting("tile_bytes", std::to_string(bytes)));
    }
  }
  if (is_open("stream_bytes")) {
    constexpr Index never = std::numeric_limits<Index>::max();
    for (const Index bytes : {Index{0}, never}) {
      result.push_back(setting("stream_bytes", std::to_string(bytes)));
    }
  }
  if (is_open("reorder")) {
    result.push_back(setting("reorder", context_.reorders() ? "no" : "yes"));
  }
  return result;
}

std::vector<std::string> Candidates::codecs() const {
  std::vector<std::string> result;
  if (!context_.given.tolerance || !is_open("codec") || context_.problem.ranks == 1) return result;
  for (const CodecMethod& method : codec_methods()) {
    if (context_.on_host() || method.on_devices) result.push_back(setting("codec", method.name));
  }
  result.push_back(setting("codec", "none"));
  return result;
}

std::vector<PlanTrial> Candidates::predicted(const std::vector<std::string>& settings) const {
  std::vector<PlanTrial> result;
  for (const std::string& one : settings) {
    try {
      result.push_back({.settings = one, .predicted_seconds = predicted_seconds(one)});
    } catch (const Error&) {
      // What the caller has given leaves no way to do that.
    }
  }
  return result;
}

std::vector<PlanTrial> Candidates::near() const {
  std::vector<std::string> settings;
  for (const std::string& one : context_.known.near) {
    try {
      settings.push_back(left_open(one, context_.given));
    } catch (const Error&) {
      // Of another build of weft.
    }
  }
  return predicted(settings);
}

std::vector<PlanTrial> Candidates::of_stage(int stage, const std::string& best) const {
  // Where messages leave the node, or come from a device, they are what matters.
  const bool messages_first = has_several_nodes() || !context_.on_host();
  std::vector<std::string> changes;
  switch (messages_first ? stage : (stage + 3) % stages) {
    case 0:
      changes = layouts(best);
      break;
    case 1:
      changes = exchanges();
      break;
    case 2:
      changes = chunks();
      break;
    case 3:
      changes = local_libraries();
      break;
    case 4:
      changes = memory_access();
      break;
    default:
      changes = codecs();
  }
  for (std::string& change : changes) change = changed(best, change);
  std::vector<PlanTrial> result = predicted(changes);
  std::stable_sort(result.begin(), result.end(), [](const PlanTrial& a, const PlanTrial& b) {
    return a.predicted_seconds < b.predicted_seconds;
  });
  if (result.empty()) return result;
  const double limit =
      far_behind * std::min(result.front().predicted_seconds, predicted_seconds(best));
  std::erase_if(result, [&](const PlanTrial& trial) { return trial.predicted_seconds > limit; });
  return result;
}

}  // namespace weft
