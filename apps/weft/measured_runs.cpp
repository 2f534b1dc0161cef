#include "measured_runs.hpp"

#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <regex>
#include <stdexcept>

#include "lengths.hpp"
#include "measured_rows.hpp"
#include "schedule/planner.hpp"
#include "weft/error.hpp"
#include "weft/printable.hpp"

namespace weft {

namespace {

/// Why there is no run for a row.
struct LeftOut : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// P3DFFT numbers the ranks of its process grid with the first factor fastest, the others as weft
/// does.
bool first_factor_fastest(const std::string& library) {
  return library.starts_with("P3DFFT");
}

/// A positive number, or with `or_zero` one that is not negative.
template <class Number>
Number number_of(const MeasuredRow& row, const std::string& column, bool or_zero = false) {
  const std::string text = row.field(column);
  Number value = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (status != std::errc{} || end != text.data() + text.size() ||
      !(value > 0 || (or_zero && value == 0)) || !std::isfinite(static_cast<double>(value))) {
    throw Error(row.place + ": " + column + " is '" + printable(text, printable_excerpt) +
                "'; it must be a " + (or_zero ? "" : "positive ") +
                (std::numeric_limits<Number>::is_integer ? "whole number" : "number"));
  }
  return value;
}

std::string quoted(const std::string& text) {
  return "'" + printable(text, printable_excerpt) + "'";
}

/// How many transforms a row's time is for, by what it calls the time.
void set_transforms(MeasuredRun& run, const std::string& quantity) {
  if (quantity.find("only") != std::string::npos) throw LeftOut{"time of a part of a transform"};
  const auto begins = [&](const char* text) { return quantity.starts_with(text); };
  if (begins("forward+backward")) {
    run.backwards = 1;
  } else if (begins("mean of forward and backward")) {
    run.forwards = run.backwards = 0.5;
  } else if (begins("backward")) {
    run.forwards = 0;
    run.backwards = 1;
  } else if (!quantity.empty() && !begins("forward") && quantity != "one transform" &&
             !begins("one transform (")) {
    throw LeftOut{"not the time of a transform: " + quoted(quantity)};
  }
}

Extents shape_of(const std::string& text) {
  try {
    return parse_lengths(text, "shape");
  } catch (const Error&) {
    throw LeftOut{"shape " + quoted(text) + " is not as 64x64x64"};
  }
}

/// Of several words the first names the method, the last may tell the chunks: "peer, 4 chunks".
Index take_chunks(std::string& method) {
  static const std::regex pattern(R"((.*), (\d{1,6}) chunks?)");
  std::smatch match;
  if (!std::regex_match(method, match, pattern)) return 0;
  const Index chunks = std::stoll(match[2]);
  method = match[1].str();
  return chunks;
}

/// Pencils of axes in the order of the transform, slabs from the first axis to the second: what
/// names without an axis stand for.
void set_layouts(Problem& problem, Options& options, const MeasuredRow& row) {
  const std::string in = row.field("in"), out = row.field("out");
  const int last = problem.shape.size() - 1;
  if (in == "pencil" && out == "pencil" && last == 2) {
    if (row.field("grid").empty()) {
      problem.input = pencil_along(last);
      problem.output = pencil_along(0);
      return;
    }
    Extents grid_parts;
    try {
      grid_parts = parse_lengths(row.field("grid"), "grid");
    } catch (const Error&) {
    }
    if (grid_parts.size() != 2) throw LeftOut{"process grid " + quoted(row.field("grid"))};
    Index first = grid_parts[0], second = grid_parts[1];
    if (first_factor_fastest(row.field("library"))) std::swap(first, second);
    problem.input = grid({first, second, 1});
    problem.output = grid({1, first, second});
    options.algorithm = Algorithm::pencil;
    options.grid = {first, second};
  } else if (in == "slab" && out == "slab" && last >= 1) {
    problem.input = slab_split(0);
    problem.output = slab_split(1);
  } else {
    try {
      problem.input = parse_layout(in);
      problem.output = parse_layout(out);
    } catch (const Error&) {
      throw LeftOut{"layouts " + quoted(in) + " and " + quoted(out)};
    }
  }
}

void set_nodes(MeasuredRun& run, const MeasuredRow& row) {
  if (row.field("ranks").empty()) throw LeftOut{"no number of ranks"};
  run.ranks = number_of<Index>(row, "ranks");
  if (run.ranks > std::numeric_limits<int>::max()) throw LeftOut{"more ranks than MPI has"};
  if (!row.field("ranks_per_node").empty()) {
    run.ranks_per_node = number_of<Index>(row, "ranks_per_node");
    run.nodes = (run.ranks - 1) / run.ranks_per_node + 1;
  } else if (!row.field("nodes").empty()) {
    run.nodes = number_of<Index>(row, "nodes");
    run.ranks_per_node = (run.ranks - 1) / run.nodes + 1;
  } else {
    throw LeftOut{"no number of nodes"};
  }
}

std::string group_of(const MeasuredRow& row, const std::string& method) {
  std::string text;
  for (const std::string& part : {row.field("machine"), row.field("library"), method}) {
    if (!part.empty()) text += part + ", ";
  }
  return printable(text + row.field("precision") + ", " + row.field("transform") + ", " +
                   row.field("in") + " -> " + row.field("out"));
}

MeasuredRun run_of(const MeasuredRow& row) {
  MeasuredRun run;
  run.name = printable(row.field("id").empty() ? row.place : row.field("id"), printable_excerpt);
  run.seconds = number_of<double>(row, "seconds");
  if (!row.field("std_seconds").empty()) {
    run.scatter = number_of<double>(row, "std_seconds", true) / run.seconds;
  }
  set_transforms(run, row.field("quantity"));
  Problem problem;
  problem.shape = shape_of(row.field("shape"));
  try {
    problem.kinds = parse_kinds(row.field("transform"));
  } catch (const Error&) {
    throw LeftOut{"transform " + quoted(row.field("transform"))};
  }
  try {
    problem.precision = run.precision = parse_precision(row.field("precision"));
  } catch (const Error&) {
    throw LeftOut{"precision " + quoted(row.field("precision"))};
  }
  set_nodes(run, row);
  Options options;
  std::string method = row.field("method");
  if (const Index chunks = take_chunks(method)) options.chunks = chunks;
  set_layouts(problem, options, row);
  run.group = group_of(row, method);
  try {
    const ResolvedProblem resolved = resolve(problem, run.ranks, 0);
    Machine machine;
    machine.ranks_per_node = run.ranks_per_node;
    run.forward = plan_schedule(resolved, options, machine);
  } catch (const Error& error) {
    throw LeftOut{printable(error.what(), printable_excerpt)};
  }
  run.backward = reversed(run.forward);
  return run;
}

}  // namespace

double MeasuredRun::predicted(Machine machine) const {
  machine.ranks_per_node = ranks_per_node;
  double total = 0;
  if (forwards > 0) total += forwards * predicted_seconds(forward, precision, machine);
  if (backwards > 0) total += backwards * predicted_seconds(backward, precision, machine);
  return total;
}

MeasuredRuns read_measured_runs(const std::string& path) {
  MeasuredRuns result;
  for (const MeasuredRow& row : read_measured_rows(path)) {
    try {
      result.runs.push_back(run_of(row));
    } catch (const LeftOut& reason) {
      const std::string id = row.field("id");
      result.left_out[reason.what()].push_back(printable(id.empty() ? row.place : id));
    }
  }
  return result;
}

}  // namespace weft
