#include "device/cpu.hpp"

#include <omp.h>
#include <sched.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <string>

#include "schedule/option_table.hpp"

namespace weft {

std::size_t second_level_cache_bytes() {
  const long bytes = sysconf(_SC_LEVEL2_CACHE_SIZE);
  return bytes > 0 ? static_cast<std::size_t>(bytes) : std::size_t{1} << 20;
}

std::size_t third_level_cache_share(int ranks) {
  // In virtual machines sysconf tells what the processor has, not the part of it that is there.
  const std::string cache = "/sys/devices/system/cpu/cpu0/cache/index3/";
  std::ifstream size(cache + "size");  // "32768K"
  std::int64_t kibibytes = 0;
  char unit = 0;
  size >> kibibytes >> unit;
  // "0-7,64-71": the cores that share the cache of the first one.
  std::ifstream list(cache + "shared_cpu_list");
  std::string range;
  int sharing = 0;
  while (std::getline(list, range, ',')) {
    const std::size_t dash = range.find('-');
    const int first = std::atoi(range.c_str());
    sharing += dash == std::string::npos ? 1 : std::atoi(range.c_str() + dash + 1) - first + 1;
  }
  if (kibibytes <= 0 || unit != 'K' || sharing <= 0) return 0;
  const std::int64_t caches = std::max(1, cores() / sharing);
  return static_cast<std::size_t>(1024 * kibibytes * std::min<std::int64_t>(caches, ranks) / ranks);
}

std::string cpu_model() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    const std::size_t colon = line.find(": ");
    if (line.starts_with("model name") && colon != line.npos) return line.substr(colon + 2);
  }
  utsname system{};
  return uname(&system) == 0 ? system.machine : "unknown";
}

int usable_cores() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) == 0) return std::max(1, CPU_COUNT(&set));
  return cores();
}

int threads_of_environment() {
  return std::getenv("OMP_NUM_THREADS") != nullptr ? omp_get_max_threads() : 0;
}

int threads_of_rank(const Options& options, int ranks_on_node) {
  if (options.threads > 0) return options.threads;
  if (const int asked = threads_of_environment(); asked > 0) return asked;
  // A rank that is bound to some cores has them for itself; unbound ranks share all of them.
  const int own = usable_cores() < cores() ? usable_cores() : cores() / ranks_on_node;
  return std::clamp(own, 1, most_threads);
}

int cores() {
  return static_cast<int>(std::max(1L, sysconf(_SC_NPROCESSORS_ONLN)));
}

}  // namespace weft
