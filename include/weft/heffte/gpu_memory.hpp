#pragma once

#include <cstddef>

// The compiled part of the interface of heFFTe for GPUs, whose headers must do without C++20.
namespace weft {
namespace detail {

/// The GPU that is the current one of this thread, or the device that WEFT_HEFFTE_DEVICE names.
/// Functions throw weft::Error where there is none.
struct HeffteGpu {
  static int count();                            ///< of GPUs that this process sees
  static void choose(int number);                ///< makes it the current one
  static void* allocate(std::size_t bytes);      ///< memory of it
  static void free(void* memory) noexcept;       ///< of any GPU; waits for work under way
  static void synchronize(void* native_stream);  ///< waits for what is in a stream
  /// Copies to, from or within its memory, behind what is in a stream, and waits for it.
  static void copy(void* to, void const* from, std::size_t bytes, void* native_stream);
};

}  // namespace detail
}  // namespace weft
