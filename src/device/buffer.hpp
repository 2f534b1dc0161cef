#pragma once

#include <utility>

#include "device/device.hpp"

namespace weft {

/// Owning memory of a device, which outlives it. That of the host is aligned to buffer_alignment.
class Buffer {
 public:
  Buffer() = default;
  /// Of the host. Throws Error, with the number of bytes, where there is not enough memory.
  explicit Buffer(std::size_t bytes) : Buffer(host_device(), bytes) {}
  Buffer(Device& device, std::size_t bytes, MemoryKind kind = MemoryKind::device)
      : device_(&device),
        kind_(kind),
        data_(bytes > 0 ? device.allocate(bytes, kind) : nullptr),
        size_(bytes) {}
  ~Buffer() {
    if (data_ != nullptr) device_->free(data_, kind_);
  }
  Buffer(Buffer&& other) noexcept { swap(other); }
  Buffer& operator=(Buffer&& other) noexcept {
    Buffer taken(std::move(other));
    swap(taken);
    return *this;
  }

  std::byte* data() const { return data_; }
  std::size_t size() const { return size_; }

 private:
  void swap(Buffer& other) noexcept {
    std::swap(device_, other.device_);
    std::swap(kind_, other.kind_);
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
  }

  Device* device_ = nullptr;
  MemoryKind kind_ = MemoryKind::device;
  std::byte* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace weft
