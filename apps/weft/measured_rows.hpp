#pragma once

#include <map>
#include <string>
#include <vector>

namespace weft {

/// A measured time as a file tells it: texts by the names of columns.
struct MeasuredRow {
  std::string place;  ///< "runs.csv line 7"
  std::map<std::string, std::string> fields;

  /// Empty where it is missing.
  std::string field(const std::string& column) const;
};

/// Rows of a CSV file, or of JSON lines of `weft bench --json` or of the harness, each of which
/// gives a row for the forward and one for the backward transform. Throws Error for a file that is
/// neither, that lacks needed columns, or that has no rows.
std::vector<MeasuredRow> read_measured_rows(const std::string& path);

}  // namespace weft
