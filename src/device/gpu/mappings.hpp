#pragma once

#include <cstddef>

#include "device/device.hpp"

namespace weft {

// Memory of other processes in this one. A process may map an allocation once only, so instances
// of devices share what is mapped, and count.

/// `shared` was allocated by the current device of this process.
SharedName name_shared_memory(std::byte* shared, std::size_t bytes);
/// For the device with this number, which must be the current one.
std::byte* map_shared_memory(const SharedName& name, int device);
void unmap_shared_memory(std::byte* mapped, int device) noexcept;
/// Whether an address is in memory that this device has mapped.
bool is_mapped(const void* memory, int device);

}  // namespace weft
