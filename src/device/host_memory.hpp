#pragma once

#include <cstddef>
#include <memory>
#include <span>

namespace weft {

/// Alignment of every buffer and message: a cache line, and enough for any vector unit.
inline constexpr std::size_t buffer_alignment = 64;

constexpr std::size_t aligned_up(std::size_t bytes) {
  return (bytes + buffer_alignment - 1) / buffer_alignment * buffer_alignment;
}

/// Owning array of bytes in host memory, aligned to buffer_alignment; large ones ask for huge
/// pages.
class HostBuffer {
 public:
  HostBuffer() = default;
  /// Throws Error, with the number of bytes, when there is not enough memory.
  explicit HostBuffer(std::size_t bytes);

  std::byte* data() const { return data_.get(); }
  std::size_t size() const { return size_; }

 private:
  struct Free {
    void operator()(std::byte* pointer) const;
  };
  std::unique_ptr<std::byte[], Free> data_;
  std::size_t size_ = 0;
};

/// Bytes of the second-level cache of a core; 1 MiB where the system does not tell.
std::size_t second_level_cache_bytes();
/// Bytes of third-level cache for each of so many ranks on this machine, at most one cache; 0 where
/// the system does not tell.
std::size_t third_level_cache_share(int ranks);
/// Cores that the calling process may run on.
int usable_cores();
/// Cores of this machine.
int cores();

}  // namespace weft
