#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace weft::bench {

/// What happened in a block, a line of JSON for each event, written at once: it tells how far a
/// block came that did not end.
class Journal {
 public:
  /// An empty path: standard output.
  explicit Journal(std::string path) : path_(std::move(path)) {}

  void write(const std::string& event,
             const nlohmann::ordered_json& fields = nlohmann::ordered_json::object()) const;
  /// The last event, of a block that got as far as it could.
  void end(const std::string& status, const std::string& reason) const;

 private:
  std::string path_;
};

}  // namespace weft::bench
