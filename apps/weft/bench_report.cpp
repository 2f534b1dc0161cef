#include "bench_report.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "formatted.hpp"
#include "geometry/human_units.hpp"
#include "geometry/unknown_name.hpp"
#include "machine_json.hpp"
#include "schedule/option_table.hpp"
#include "trace/stage_parts.hpp"
#include "weft/version.h"

namespace weft {

namespace {

using Json = nlohmann::ordered_json;

std::string direction_name(Direction direction) {
  return direction == Direction::forward ? "forward" : "backward";
}

std::string counted(int count, const std::string& noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

std::string spread_row(const char* name, const Spread& spread) {
  return formatted("  %-10s %12.4g %12.4g %12.4g ms", name, spread.min * 1e3, spread.median * 1e3,
                   spread.max * 1e3);
}

/// Empty where nothing was timed.
std::string parts_line(const StageParts& parts) {
  std::vector<std::string> texts;
  for (const auto& [name, part] : stage_parts) {
    if (parts.*part > 0) texts.push_back(formatted("%s %.3g ms", name, parts.*part * 1e3));
  }
  return texts.empty() ? "" : "            " + comma_list(texts) + " (mean of the ranks)\n";
}

/// The codec of a forward; "none" where data went as it is.
std::string codec_of(const Report& report) {
  for (const RedistributionReport& part : report.redistributions) {
    if (part.codec != "none") return part.codec;
  }
  return "none";
}

Json to_json(const Report& report) {
  Json stages = Json::array();
  for (const RedistributionReport& part : report.redistributions) {
    stages.push_back({{"codec", part.codec},
                      {"predicted_error", part.predicted_error},
                      {"error", part.error},
                      {"bytes", part.bytes},
                      {"plain_bytes", part.plain_bytes},
                      {"repeated", part.repeated},
                      {"broken", part.broken}});
  }
  return {{"predicted_error", report.predicted_error},
          {"error", report.error},
          {"bytes", report.bytes},
          {"plain_bytes", report.plain_bytes},
          {"redistributions", stages}};
}

Json to_json(const Spread& spread) {
  return {{"min", spread.min}, {"median", spread.median}, {"max", spread.max}};
}

}  // namespace

Spread spread_of(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  const double median =
      values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
  return {values.front(), median, values.back()};
}

std::optional<double> BenchFigures::share_of_ceiling(const StageFigures& stage) const {
  if (!ceilings || stage.seconds <= 0 || stage.bytes == 0) return std::nullopt;
  const double rate = static_cast<double>(stage.bytes) / stage.seconds;
  if (!stage.moves_data) return rate / ceilings->memory_bandwidth;
  if (overlaps) return std::nullopt;
  return rate / sent_per_second(*ceilings, ranks);
}

std::string bench_table(const CaseOptions& given, const BenchFigures& figures) {
  std::string text = to_string(figures.shape) + " " + given.kinds + " " + given.precision;
  if (!given.input_points.empty()) text += ", input points " + given.input_points;
  if (!given.modes.empty()) text += ", modes " + given.modes;
  if (given.batch > 1) {
    text += ", " + std::to_string(given.batch) +
            (given.interleaved ? " fields interleaved" : " fields");
  }
  text += ", " + counted(figures.ranks, "rank") + " x " + counted(figures.threads, "thread") +
          ", " + given.input + " -> " + given.output_or_default() +
          (given.in_place ? ", in place" : "") + ", exchange " + figures.exchange + ", local " +
          figures.local + "\n";
  if (given.output.empty()) text += "  " + given.output_note();
  text += formatted("  %-10s %12s %12s %12s\n", "", "min", "median", "max");
  text += spread_row("forward", figures.forward) + formatted(" %10.4g GFLOP/s\n", figures.gflops);
  text += spread_row("backward", figures.backward) + "\n";
  text += "  planning " + human_seconds(figures.plan_seconds) + ", sent " +
          human_bytes(static_cast<double>(figures.bytes_sent)) + ", workspace " +
          human_bytes(static_cast<double>(figures.workspace_bytes)) + " (busiest rank)\n";
  text += formatted("  forward error %.3g, %s error %.3g, bound %.3g\n", figures.forward_error,
                    figures.has_no_roundtrip ? "backward" : "roundtrip", figures.roundtrip_error,
                    figures.error_bound);
  if (figures.report.error > 0) text += "  " + to_string(figures.report);
  std::size_t width = 0;
  for (const StageFigures& stage : figures.stages) width = std::max(width, stage.name.size());
  for (const StageFigures& stage : figures.stages) {
    text += formatted("  %-8s  %-*s %12.4g ms %12s", direction_name(stage.direction).c_str(),
                      static_cast<int>(width), stage.name.c_str(), stage.seconds * 1e3,
                      human_bytes(static_cast<double>(stage.bytes)).c_str());
    const double rate =
        stage.seconds > 0 ? static_cast<double>(stage.bytes) / stage.seconds / 1e9 : 0;
    // The bytes of a wait say nothing of how fast they moved.
    text += stage.moves_data && figures.overlaps ? "  of waiting, no rate"
                                                 : formatted(" %10.4g GB/s", rate);
    const std::optional<double> share = figures.share_of_ceiling(stage);
    text += share ? formatted(", %.3g%% of the ceiling\n", 100 * *share) : "\n";
    text += parts_line(stage.parts);
  }
  if (figures.hidden) {
    text += formatted("  %.3g%% of the exchanges' time is hidden behind passes\n",
                      100 * figures.hidden->share());
  }
  return text;
}

namespace {

std::string option_text(const Options& options, std::string_view name) {
  const auto table = option_table();
  const auto row = std::find_if(table.begin(), table.end(),
                                [&](const OptionRow& each) { return each.name == name; });
  return row->read(*row, options);
}

}  // namespace

std::string bench_json(const CaseOptions& given, const Options& options, int repeat,
                       const BenchFigures& figures) {
  Json json;
  json["library"] = "weft";
  json["version"] = WEFT_VERSION_STRING;
  json["shape"] = std::vector<Index>(figures.shape.begin(), figures.shape.end());
  if (!given.input_points.empty()) json["input_points"] = given.input_points;
  if (!given.modes.empty()) json["modes"] = given.modes;
  json["kind"] = given.kinds;
  json["kinds"] = figures.kinds;
  json["precision"] = given.precision;
  json["batch"] = given.batch;
  json["interleaved"] = given.interleaved;
  json["norm"] = given.norm;
  json["in_place"] = given.in_place;
  json["ranks"] = figures.ranks;
  json["threads"] = figures.threads;
  json["device"] = options.device;
  json["in"] = given.input;
  json["out"] = given.output_or_default();
  json["grid"] = options.grid.empty() ? "auto" : to_string(options.grid);
  json["algorithm"] = option_text(options, "algorithm");
  json["exchange"] = figures.exchange;
  json["codec"] = codec_of(figures.report);
  json["tolerance"] = options.tolerance ? Json(*options.tolerance) : Json(nullptr);
  json["chunks"] = figures.chunks;
  json["receive_chunks"] = figures.receive_chunks;
  json["fields"] = given.fields;
  json["fields_in_flight"] = options.fields_in_flight;
  json["progress"] = option_text(options, "progress");
  json["compression"] = to_json(figures.report);
  json["local"] = figures.local;
  json["rigor"] = option_text(options, "rigor");
  json["reorder"] = options.reorder.value_or(false);
  json["repeat"] = repeat;
  json["plan_seconds"] = figures.plan_seconds;
  json["forward_seconds"] = to_json(figures.forward);
  json["backward_seconds"] = to_json(figures.backward);
  json["gflops"] = figures.gflops;
  json["forward_error"] = figures.forward_error;
  json["roundtrip_error"] = figures.roundtrip_error;
  json["error_bound"] = figures.error_bound;
  json["bytes_sent"] = figures.bytes_sent;
  json["workspace_bytes"] = figures.workspace_bytes;
  json["shared_bytes"] = figures.shared_bytes;
  json["stages"] = Json::array();
  for (const StageFigures& stage : figures.stages) {
    json["stages"].push_back({{"direction", direction_name(stage.direction)},
                              {"name", stage.name},
                              {"seconds", stage.seconds},
                              {"bytes", stage.bytes},
                              {"moves_data", stage.moves_data}});
    for (const auto& [name, part] : stage_parts) {
      if (stage.parts.*part > 0) json["stages"].back()["parts"][name] = stage.parts.*part;
    }
    if (const auto share = figures.share_of_ceiling(stage)) {
      json["stages"].back()["share_of_ceiling"] = *share;
    }
  }
  if (figures.hidden) json["hidden_exchange_share"] = figures.hidden->share();
  json["machine"] = to_json(figures.machine);
  return json.dump();
}

}  // namespace weft
