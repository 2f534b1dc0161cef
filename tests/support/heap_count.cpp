#include "support/heap_count.hpp"

#include <malloc.h>

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <new>

namespace weft::test {

namespace {

std::atomic<std::int64_t> allocations{0};
std::atomic<std::int64_t> bytes{0};
std::atomic<std::int64_t> peak{0};

void* counted(void* pointer) {
  if (pointer == nullptr) return nullptr;
  ++allocations;
  const std::int64_t now = bytes += static_cast<std::int64_t>(malloc_usable_size(pointer));
  std::int64_t before = peak;
  while (before < now && !peak.compare_exchange_weak(before, now)) {
  }
  return pointer;
}

void* allocate(std::size_t size, std::size_t alignment) {
  void* pointer = nullptr;
  if (posix_memalign(&pointer, alignment, size == 0 ? 1 : size) != 0) return nullptr;
  return counted(pointer);
}

void release(void* pointer) {
  if (pointer != nullptr) bytes -= static_cast<std::int64_t>(malloc_usable_size(pointer));
  std::free(pointer);
}

}  // namespace

void reset_heap_count() {
  allocations = bytes = peak = 0;
}

HeapCount heap_count() {
  return {allocations, bytes, peak};
}

}  // namespace weft::test

using weft::test::allocate;
using weft::test::release;

void* operator new(std::size_t size) {
  void* const pointer = allocate(size, alignof(std::max_align_t));
  if (pointer == nullptr) throw std::bad_alloc();
  return pointer;
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  return allocate(size, alignof(std::max_align_t));
}
void* operator new(std::size_t size, std::align_val_t alignment) {
  void* const pointer = allocate(size, static_cast<std::size_t>(alignment));
  if (pointer == nullptr) throw std::bad_alloc();
  return pointer;
}
void operator delete(void* pointer) noexcept {
  release(pointer);
}
void operator delete(void* pointer, std::size_t) noexcept {
  release(pointer);
}
void operator delete(void* pointer, std::align_val_t) noexcept {
  release(pointer);
}
void operator delete(void* pointer, std::size_t, std::align_val_t) noexcept {
  release(pointer);
}

#if !defined(__SANITIZE_ADDRESS__)
// Buffers of weft come from here. What they free is not counted, as free stays as it is.
extern "C" void* aligned_alloc(std::size_t alignment, std::size_t size) {
  void* pointer = nullptr;
  if (posix_memalign(&pointer, alignment, size) != 0) return nullptr;
  ++weft::test::allocations;
  return pointer;
}
#endif
