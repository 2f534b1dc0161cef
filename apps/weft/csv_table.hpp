#pragma once

#include <map>
#include <string>
#include <vector>

namespace weft {

/// A file of comma-separated values whose first line names the columns (RFC 4180: fields may be in
/// double quotes).
class CsvTable {
 public:
  /// Throws Error, with the path and the line, for a file that is none.
  explicit CsvTable(const std::string& path);

  bool has(const std::string& column) const { return columns_.contains(column); }
  /// Throws Error, with those that there are, unless all of these columns are there.
  void require(const std::vector<std::string>& columns) const;

  /// Names, in alphabetical order.
  std::vector<std::string> columns() const;
  std::size_t rows() const { return fields_.size(); }
  /// Empty where the row or the table lacks it.
  std::string field(std::size_t row, const std::string& column) const;
  /// Line of the file that a row begins at.
  std::size_t line(std::size_t row) const { return lines_[row]; }

 private:
  std::string path_;
  std::map<std::string, std::size_t> columns_;
  std::vector<std::vector<std::string>> fields_;
  std::vector<std::size_t> lines_;
};

}  // namespace weft
