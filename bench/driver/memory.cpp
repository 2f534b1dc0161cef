#include "driver/memory.hpp"

#include <malloc.h>

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

/// Bytes of the heap that nobody uses; 0 where the C library does not tell.
std::int64_t free_in_heap() {
#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 33)
  return static_cast<std::int64_t>(mallinfo2().fordblks);
#else
  return 0;
#endif
}

}  // namespace

MemoryUse memory_use() {
  auto fields = kilobyte_fields("/proc/self/status");
  return {fields["VmRSS:"], fields["VmHWM:"], fields["VmData:"] - free_in_heap()};
}

void reset_peak() {
  std::ofstream("/proc/self/clear_refs") << "5";  // see proc(5)
}

std::int64_t available_memory() {
  return kilobyte_fields("/proc/meminfo")["MemAvailable:"];
}

}  // namespace weft::bench
