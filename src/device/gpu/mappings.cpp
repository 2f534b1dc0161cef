#include "device/gpu/mappings.hpp"

#include <cstring>
#include <functional>
#include <map>
#include <mutex>
#include <random>

#include "device/gpu/api.hpp"

namespace weft {

namespace {

/// What a SharedName holds.
struct SharedMemory {
  gpuIpcMemHandle_t handle;
  std::uint64_t process;
  std::byte* address;  ///< in that process
  std::uint64_t bytes;
};
static_assert(sizeof(SharedMemory) <= sizeof(SharedName));

struct Mapping {
  SharedMemory memory;
  std::byte* begin;
  int device;
  int users;
};

struct Mappings {
  std::mutex mutex;
  std::vector<Mapping> all;
};

Mappings& mappings() {
  // Never destroyed: devices may end after it.
  static auto* const table = new Mappings;
  return *table;
}

/// Differs from that of all other processes; their numbers may be the same in containers.
std::uint64_t process_token() {
  static const std::uint64_t token = [] {
    std::random_device random;
    return std::uint64_t{random()} << 32 | random();
  }();
  return token;
}

bool same(const SharedMemory& a, const SharedMemory& b) {
  return a.process == b.process && a.address == b.address && a.bytes == b.bytes &&
         std::memcmp(&a.handle, &b.handle, sizeof a.handle) == 0;
}

}  // namespace

SharedName name_shared_memory(std::byte* shared, std::size_t bytes) {
  SharedMemory memory{};
  check_gpu(gpuIpcGetMemHandle(&memory.handle, shared), "sharing memory of a GPU");
  memory.process = process_token();
  memory.address = shared;
  memory.bytes = bytes;
  SharedName name{};
  std::memcpy(name.data(), &memory, sizeof memory);
  return name;
}

std::byte* map_shared_memory(const SharedName& name, int device) {
  SharedMemory memory;
  std::memcpy(&memory, name.data(), sizeof memory);
  // A process cannot map its own memory, and need not.
  if (memory.process == process_token()) return memory.address;
  Mappings& table = mappings();
  const std::lock_guard lock(table.mutex);
  for (Mapping& mapping : table.all) {
    if (mapping.device != device || !same(mapping.memory, memory)) continue;
    ++mapping.users;
    return mapping.begin;
  }
  void* mapped = nullptr;
  check_gpu(gpuIpcOpenMemHandle(&mapped, memory.handle, gpuIpcMemLazyEnablePeerAccess),
            "mapping memory of another process's GPU");
  table.all.push_back({memory, static_cast<std::byte*>(mapped), device, 1});
  return static_cast<std::byte*>(mapped);
}

void unmap_shared_memory(std::byte* mapped, int device) noexcept {
  Mappings& table = mappings();
  const std::lock_guard lock(table.mutex);
  for (std::size_t i = 0; i < table.all.size(); ++i) {
    Mapping& mapping = table.all[i];
    if (mapping.begin != mapped || mapping.device != device) continue;
    if (--mapping.users > 0) return;
    static_cast<void>(gpuIpcCloseMemHandle(mapped));
    table.all.erase(table.all.begin() + static_cast<std::ptrdiff_t>(i));
    return;
  }
}

bool is_mapped(const void* memory, int device) {
  const auto* const address = static_cast<const std::byte*>(memory);
  Mappings& table = mappings();
  const std::lock_guard lock(table.mutex);
  for (const Mapping& mapping : table.all) {
    if (mapping.device == device && !std::less<>()(address, mapping.begin) &&
        std::less<>()(address, mapping.begin + mapping.memory.bytes)) {
      return true;
    }
  }
  return false;
}

}  // namespace weft
