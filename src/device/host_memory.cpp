#include "device/host_memory.hpp"

#include <sched.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <string>

#include "weft/error.hpp"

namespace weft {

namespace {

constexpr std::size_t huge_page_bytes = std::size_t{2} << 20;

}  // namespace

void HostBuffer::Free::operator()(std::byte* pointer) const {
  std::free(pointer);
}

HostBuffer::HostBuffer(std::size_t bytes) : size_(bytes) {
  if (bytes == 0) return;
  const bool large = bytes >= 4 * huge_page_bytes;
  const std::size_t alignment = large ? huge_page_bytes : buffer_alignment;
  const std::size_t rounded = (bytes + alignment - 1) / alignment * alignment;
  void* pointer = rounded < bytes ? nullptr : std::aligned_alloc(alignment, rounded);
  if (pointer == nullptr) {
    throw Error("cannot allocate " + std::to_string(bytes) + " bytes of host memory");
  }
  // A hint only: fewer page-table walks in strided access.
  if (large) madvise(pointer, rounded, MADV_HUGEPAGE);
  data_.reset(static_cast<std::byte*>(pointer));
}

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

int usable_cores() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) == 0) return std::max(1, CPU_COUNT(&set));
  return cores();
}

int cores() {
  return static_cast<int>(std::max(1L, sysconf(_SC_NPROCESSORS_ONLN)));
}

}  // namespace weft
