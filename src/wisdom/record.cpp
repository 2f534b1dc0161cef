#include "wisdom/record.hpp"

#include <charconv>
#include <cmath>
#include <cstdint>
#include <ctime>

#include "device/cached_file.hpp"
#include "geometry/human_units.hpp"

namespace weft {

namespace {

constexpr std::string_view beginning = R"({"weft":1)";
constexpr std::string_view before_checksum = R"(,"checksum":")";
constexpr std::string_view ending = R"("})";
constexpr std::size_t digits_of_checksum = 16;

constexpr const char* hexadecimal = "0123456789abcdef";

void add(std::string& line, std::string_view name) {
  line += ",\"";
  line += name;
  line += "\":";
}

void add(std::string& line, std::string_view name, const std::string& text) {
  add(line, name);
  line += '"';
  for (const char letter : text) {
    const auto code = static_cast<unsigned char>(letter);
    if (letter == '"' || letter == '\\') {
      line += '\\';
      line += letter;
    } else if (code < 0x20) {
      line += "\\u00";
      line += hexadecimal[code >> 4];
      line += hexadecimal[code & 15];
    } else {
      line += letter;
    }
  }
  line += '"';
}

void add(std::string& line, std::string_view name, double value) {
  add(line, name);
  line += exact_text(value);
}

/// Reads what line_of writes, from the left.
class Reader {
 public:
  explicit Reader(std::string_view text) : rest_(text) {}

  bool expect(std::string_view text) {
    if (!rest_.starts_with(text)) return false;
    rest_.remove_prefix(text.size());
    return true;
  }

  bool read(std::string_view name, std::string& text) {
    if (!begins(name) || !expect("\"")) return false;
    text.clear();
    while (!rest_.empty()) {
      const char letter = rest_.front();
      rest_.remove_prefix(1);
      if (letter == '"') return true;
      if (letter != '\\') {
        text += letter;
      } else if (!read_escape(text)) {
        return false;
      }
    }
    return false;
  }

  bool read(std::string_view name, double& value) {
    if (!begins(name)) return false;
    const auto [next, status] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    if (status != std::errc{} || !std::isfinite(value) || value < 0) return false;
    rest_.remove_prefix(static_cast<std::size_t>(next - rest_.data()));
    return true;
  }

  bool is_at_end() const { return rest_.empty(); }

 private:
  bool begins(std::string_view name) { return expect(",\"") && expect(name) && expect("\":"); }

  bool read_escape(std::string& text) {
    for (const std::string_view letter : {"\"", "\\"}) {
      if (!expect(letter)) continue;
      text += letter;
      return true;
    }
    unsigned code = 0;
    if (!expect("u00") || rest_.size() < 2) return false;
    const std::string digits(rest_.substr(0, 2));
    const char* const after = digits.data() + digits.size();
    if (std::from_chars(digits.data(), after, code, 16).ptr != after) return false;
    rest_.remove_prefix(2);
    text += static_cast<char>(code);
    return true;
  }

  std::string_view rest_;
};

}  // namespace

std::string line_of(const WisdomRecord& record) {
  std::string line(beginning);
  add(line, "problem", record.problem);
  add(line, "machine", record.machine);
  add(line, "settings", record.settings);
  add(line, "seconds", record.seconds);
  add(line, "default_seconds", record.default_seconds);
  add(line, "date", record.date);
  const std::string sum = checksum(line);
  line += before_checksum;
  line += sum;
  line += ending;
  return line;
}

std::optional<WisdomRecord> parse_record(std::string_view line) {
  constexpr std::size_t tail = before_checksum.size() + digits_of_checksum + ending.size();
  if (line.size() < tail) return std::nullopt;
  const std::string_view content = line.substr(0, line.size() - tail);
  Reader last(line.substr(content.size()));
  if (!last.expect(before_checksum) || !last.expect(checksum(content)) || !last.expect(ending)) {
    return std::nullopt;
  }
  WisdomRecord record;
  Reader reader(content);
  const bool is_record = reader.expect(beginning) && reader.read("problem", record.problem) &&
                         reader.read("machine", record.machine) &&
                         reader.read("settings", record.settings) &&
                         reader.read("seconds", record.seconds) &&
                         reader.read("default_seconds", record.default_seconds) &&
                         reader.read("date", record.date) && reader.is_at_end();
  return is_record ? std::optional(std::move(record)) : std::nullopt;
}

std::string date_of_today() {
  const std::time_t now = std::time(nullptr);
  std::tm local{};
  char text[sizeof "2026-11-25"] = "";
  std::strftime(text, sizeof text, "%Y-%m-%d", localtime_r(&now, &local));
  return text;
}

bool has_text(const WisdomRecord& record, const std::string& text) {
  for (const std::string* part : {&record.problem, &record.machine, &record.settings}) {
    if (part->find(text) != std::string::npos) return true;
  }
  return false;
}

bool are_alike(const WisdomRecord& a, const WisdomRecord& b) {
  return a.problem == b.problem && a.machine == b.machine;
}

}  // namespace weft
