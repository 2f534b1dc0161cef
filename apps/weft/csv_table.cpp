#include "csv_table.hpp"

#include <fstream>
#include <iterator>

#include "geometry/unknown_name.hpp"
#include "weft/printable.hpp"

namespace weft {

namespace {

/// Reads record after record.
class CsvReader {
 public:
  CsvReader(std::string text, std::string path) : text_(std::move(text)), path_(std::move(path)) {}

  bool done() const { return at_ >= text_.size(); }
  std::size_t line() const { return line_; }

  std::vector<std::string> record() {
    std::vector<std::string> fields;
    do fields.push_back(field());
    while (!done() && text_[at_ - 1] == ',');
    return fields;
  }

 private:
  /// Up to and including the comma or the end of the line behind it.
  std::string field() {
    std::string value;
    bool quoted = false;
    const std::size_t begin = line_;
    for (; !done(); ++at_) {
      const char c = text_[at_];
      if (c == '\n') ++line_;
      if (c == '"') {
        const bool doubled = quoted && at_ + 1 < text_.size() && text_[at_ + 1] == '"';
        if (doubled) {
          value += '"';
          ++at_;
        } else {
          quoted = !quoted;
        }
      } else if (!quoted && (c == ',' || c == '\n')) {
        ++at_;
        return value;
      } else if (quoted || c != '\r') {
        value += c;
      }
    }
    if (quoted) {
      throw Error("'" + path_ + "' line " + std::to_string(begin) +
                  ": a quotation mark is missing");
    }
    return value;
  }

  std::string text_;
  std::string path_;
  std::size_t at_ = 0;
  std::size_t line_ = 1;
};

}  // namespace

CsvTable::CsvTable(const std::string& path) : path_(path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw Error("'" + path + "' cannot be read");
  CsvReader reader({std::istreambuf_iterator<char>(file), {}}, path);
  if (reader.done()) throw Error("'" + path + "' is empty");
  const std::vector<std::string> names = reader.record();
  for (std::size_t i = 0; i < names.size(); ++i) columns_[names[i]] = i;
  while (!reader.done()) {
    const std::size_t begin = reader.line();
    std::vector<std::string> fields = reader.record();
    if (fields.size() == 1 && fields[0].empty()) continue;
    if (fields.size() != names.size()) {
      throw Error("'" + path + "' line " + std::to_string(begin) + ": " +
                  std::to_string(fields.size()) + " fields; the first line names " +
                  std::to_string(names.size()));
    }
    fields_.push_back(std::move(fields));
    lines_.push_back(begin);
  }
}

void CsvTable::require(const std::vector<std::string>& columns) const {
  std::vector<std::string> missing;
  for (const std::string& column : columns) {
    if (!has(column)) missing.push_back(column);
  }
  if (missing.empty()) return;
  throw Error("'" + path_ + "' has no column " + comma_list(missing) + "; it has " +
              printable(comma_list(this->columns()), printable_excerpt));
}

std::vector<std::string> CsvTable::columns() const {
  std::vector<std::string> names;
  for (const auto& [name, index] : columns_) names.push_back(name);
  return names;
}

std::string CsvTable::field(std::size_t row, const std::string& column) const {
  const auto found = columns_.find(column);
  return found == columns_.end() ? std::string() : fields_[row][found->second];
}

}  // namespace weft
