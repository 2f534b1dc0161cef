#include "predict_validate.hpp"

#include <cstdio>
#include <nlohmann/json.hpp>

#include "fit_file.hpp"
#include "geometry/human_units.hpp"
#include "geometry/unknown_name.hpp"
#include "machine_file.hpp"
#include "trace/whole_file.hpp"
#include "weft/error.hpp"

namespace weft {

namespace {

using Json = nlohmann::ordered_json;

void print_head() {
  std::printf("%5s %6s %6s %6s %6s %7s %8s\n", "rows", "rms", "mean", "worst", "inside", "scatter",
              "weighted");
}

void print(const ErrorSummary& errors, const std::string& of) {
  std::printf("%5zu %5.1f%% %5.1f%% %5.1f%% %5.0f%%", errors.rows, 100 * errors.rms,
              100 * errors.mean, 100 * errors.worst, 100 * errors.inside);
  if (errors.scatter > 0) {
    std::printf(" %6.1f%% %7.1f%%  ", 100 * errors.scatter, 100 * errors.weighted_rms);
  } else {
    std::printf(" %7s %8s  ", "", "");
  }
  std::printf("%s\n", of.c_str());
}

void print_rows(const ComparedGroup& group) {
  for (const ComparedRow& row : group.rows) {
    std::printf("      %-24s %6lld nodes  measured %10s  predicted %10s  %+6.1f%%  %s to %s%s%s\n",
                row.run->name.c_str(), static_cast<long long>(row.run->nodes),
                human_seconds(row.run->seconds).c_str(), human_seconds(row.predicted).c_str(),
                100 * row.error(), human_seconds(row.within.low).c_str(),
                human_seconds(row.within.high).c_str(),
                row.within.contains(row.run->seconds) ? "" : ", outside",
                row.fitted ? ", fitted" : "");
  }
}

Json to_json(const ErrorSummary& errors) {
  return {{"rows", errors.rows},
          {"rms", errors.rms},
          {"mean", errors.mean},
          {"worst", errors.worst},
          {"inside", errors.inside},
          {"scatter", errors.scatter},
          {"weighted_rms", errors.weighted_rms}};
}

Json to_json(const ComparedGroup& group) {
  Json json{{"group", group.name},
            {"fitted_rows", group.fitted},
            {"errors", to_json(summary(group.counted()))},
            {"machine", json_of(group.machine)},
            {"rows", Json::array()}};
  for (const ComparedRow& row : group.rows) {
    json["rows"].push_back({{"row", row.run->name},
                            {"nodes", row.run->nodes},
                            {"ranks", row.run->ranks},
                            {"measured", row.run->seconds},
                            {"predicted", row.predicted},
                            {"low", row.within.low},
                            {"high", row.within.high},
                            {"fitted", row.fitted}});
  }
  return json;
}

void write(const std::string& path, const std::vector<ComparedGroup>& groups,
           const MeasuredRuns& measured, const ErrorSummary& all) {
  Json json{{"groups", Json::array()}, {"all", to_json(all)}, {"left_out", Json::array()}};
  for (const ComparedGroup& group : groups) json["groups"].push_back(to_json(group));
  for (const auto& [why, names] : measured.left_out) {
    json["left_out"].push_back({{"why", why}, {"rows", names}});
  }
  write_whole_file(path, json.dump(1) + "\n");
}

/// "r001, r002 and 17 others"
std::string some_of(const std::vector<std::string>& names) {
  constexpr std::size_t most = 3;
  if (names.size() <= most) return comma_list(names);
  return comma_list(std::vector(names.begin(), names.begin() + most)) + " and " +
         std::to_string(names.size() - most) + " others";
}

}  // namespace

ErrorSummary print_comparison(const std::vector<ComparedGroup>& groups,
                              const MeasuredRuns& measured, bool rows) {
  print_head();
  std::vector<ComparedRow> all;
  for (const ComparedGroup& group : groups) {
    const auto counted = group.counted();
    all.insert(all.end(), counted.begin(), counted.end());
    print(summary(counted),
          group.name + (counted.size() < group.rows.size()
                            ? " (fitted with " + std::to_string(group.fitted) + " other rows)"
                            : ""));
    if (rows) print_rows(group);
  }
  if (groups.size() > 1) print(summary(all), "all");
  for (const auto& [why, names] : measured.left_out) {
    std::printf("left out %zu: %s (%s)\n", names.size(), why.c_str(), some_of(names).c_str());
  }
  return summary(all);
}

int validate(const ValidateOptions& options) {
  if (!options.json.empty()) check_whole_file(options.json);
  std::optional<Fit> machine;
  if (!options.machine.empty()) machine = read_fit(options.machine);
  MeasuredRuns measured = read_measured_runs(options.path);
  const auto groups = compare(measured, machine, options.fit_rows);
  const ErrorSummary all = print_comparison(groups, measured, options.rows);
  if (!options.json.empty()) write(options.json, groups, measured, all);
  return 0;
}

}  // namespace weft
