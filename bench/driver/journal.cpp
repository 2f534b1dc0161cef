#include "driver/journal.hpp"

#include <fstream>
#include <iostream>

namespace weft::bench {

void Journal::write(const std::string& event, const nlohmann::ordered_json& fields) const {
  nlohmann::ordered_json line{{"event", event}};
  line.update(fields);
  const std::string text = line.dump() + "\n";
  if (path_.empty()) {
    std::cout << text << std::flush;
    return;
  }
  std::ofstream file(path_, std::ios::app);
  file << text << std::flush;
  if (!file) throw std::runtime_error("cannot write '" + path_ + "'");
}

void Journal::end(const std::string& status, const std::string& reason) const {
  write("end", {{"status", status}, {"reason", reason}});
}

}  // namespace weft::bench
