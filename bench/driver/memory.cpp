#include "driver/memory.hpp"

#include <fstream>
#include <map>
#include <sstream>
#include <string>

namespace weft::bench {

namespace {

/// The lines "Name:   123 kB" of a file, in bytes.
std::map<std::string, std::int64_t> kilobyte_fields(const char* path) {
  std::map<std::string, std::int64_t> fields;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string name, unit;
    std::int64_t value = 0;
    if (words >> name >> value >> unit && unit == "kB") fields[name] = value * 1024;
  }
  return fields;
}

}  // namespace

MemoryUse memory_use() {
  auto fields = kilobyte_fields("/proc/self/status");
  return {fields["VmRSS:"], fields["VmHWM:"], fields["VmData:"]};
}

void reset_peak() {
  std::ofstream("/proc/self/clear_refs") << "5";  // see proc(5)
}

std::int64_t available_memory() {
  return kilobyte_fields("/proc/meminfo")["MemAvailable:"];
}

}  // namespace weft::bench
