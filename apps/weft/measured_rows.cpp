#include "measured_rows.hpp"

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "csv_table.hpp"
#include "weft/error.hpp"
#include "weft/printable.hpp"

namespace weft {

namespace {

using Json = nlohmann::ordered_json;

const std::vector<std::string> needed{"ranks", "transform", "shape",  "precision",
                                      "in",    "out",       "seconds"};

std::vector<MeasuredRow> csv_rows(const std::string& path) {
  const CsvTable table(path);
  table.require(needed);
  if (!table.has("nodes")) table.require({"ranks_per_node"});
  std::vector<MeasuredRow> rows;
  for (std::size_t i = 0; i < table.rows(); ++i) {
    MeasuredRow row{path + " line " + std::to_string(table.line(i)), {}};
    for (const std::string& name : table.columns()) row.fields[name] = table.field(i, name);
    rows.push_back(std::move(row));
  }
  return rows;
}

/// A string without its quotation marks, numbers as they are, nothing for null.
std::string text_of(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  return value.is_null() || value.is_structured() ? std::string() : value.dump();
}

std::string member(const Json& json, const char* name) {
  return json.is_object() && json.contains(name) ? text_of(json[name]) : std::string();
}

/// [64, 64, 64] as "64x64x64".
std::string joined(const Json& numbers) {
  std::string text;
  for (const Json& number : numbers) text += (text.empty() ? "" : "x") + text_of(number);
  return text;
}

/// Layouts of the harness are grids.
std::string layout_of(const Json& json, const char* name, const char* parts) {
  if (json.contains("layout") && json["layout"].contains(parts)) {
    return "grid:" + joined(json["layout"][parts]);
  }
  return member(json, name);
}

/// The median of a direction, wherever this kind of line has it; empty if nowhere.
std::string median_of(const Json& json, const std::string& direction) {
  const std::string summary = direction + "_seconds";
  if (json.contains(summary)) {
    const Json& spread = json[summary];
    return spread.is_object() ? member(spread, "median") : text_of(spread);
  }
  if (json.contains("pooled") && json["pooled"].contains(direction)) {
    const Json& quantiles = json["pooled"][direction];
    if (quantiles.is_array() && quantiles.size() == 5) return text_of(quantiles[2]);
    return quantiles.is_object() ? member(quantiles, "median") : std::string();
  }
  return {};
}

MeasuredRow row_of(const Json& json) {
  MeasuredRow row;
  for (const char* name : {"library", "precision", "ranks", "ranks_per_node", "grid"}) {
    row.fields[name] = member(json, name);
  }
  if (row.fields["grid"] == "auto") row.fields["grid"].clear();
  row.fields["transform"] = member(json, "kind");
  if (json.contains("shape")) row.fields["shape"] = joined(json["shape"]);
  row.fields["in"] = layout_of(json, "in", "in_parts");
  row.fields["out"] = layout_of(json, "out", "out_parts");
  const Json settings = json.value("settings", Json::object());
  std::string method = member(json, "exchange");
  if (method.empty()) method = member(settings, "exchange");
  std::string chunks = member(json, "chunks");
  if (chunks.empty()) chunks = member(settings, "chunks");
  if (!chunks.empty() && chunks != "0") method += ", " + chunks + " chunks";
  row.fields["method"] = method;
  if (json.contains("machine") && json["machine"].is_object()) {
    row.fields["machine"] = member(json["machine"], "hostname");
    row.fields["nodes"] = member(json["machine"], "nodes");
  }
  if (row.fields["ranks_per_node"].empty() && row.fields["nodes"].empty()) {
    row.fields["nodes"] = "1";
  }
  return row;
}

std::vector<MeasuredRow> json_rows(std::istream& file, const std::string& path) {
  std::vector<MeasuredRow> rows;
  std::string line;
  for (std::size_t number = 1; std::getline(file, line); ++number) {
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    const std::string place = path + " line " + std::to_string(number);
    Json json;
    try {
      json = Json::parse(line);
    } catch (const Json::exception& error) {
      throw Error("'" + path + "' line " + std::to_string(number) +
                  " is not JSON: " + printable(error.what(), printable_excerpt));
    }
    if (!json.is_object()) {
      throw Error("'" + path + "' line " + std::to_string(number) + " contains no JSON object");
    }
    for (const std::string direction : {"forward", "backward"}) {
      const std::string seconds = median_of(json, direction);
      if (seconds.empty()) continue;
      MeasuredRow row = row_of(json);
      row.place = place;
      row.fields["id"] = "line " + std::to_string(number) + " " + direction;
      row.fields["quantity"] = direction;
      row.fields["seconds"] = seconds;
      rows.push_back(std::move(row));
    }
  }
  return rows;
}

}  // namespace

std::string MeasuredRow::field(const std::string& column) const {
  const auto found = fields.find(column);
  return found == fields.end() ? std::string() : found->second;
}

std::vector<MeasuredRow> read_measured_rows(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw Error("'" + path + "' cannot be read");
  const bool json = (file >> std::ws).peek() == '{';
  file.clear();
  file.seekg(0);
  std::vector<MeasuredRow> rows = json ? json_rows(file, path) : csv_rows(path);
  if (rows.empty()) throw Error("'" + path + "' has no measured times");
  return rows;
}

}  // namespace weft
