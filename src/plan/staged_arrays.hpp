#pragma once

#include "device/buffer.hpp"
#include "plan/user_array.hpp"

namespace weft {

/// Copies of arrays that the caller has on the host, for a plan that works on a device, and of
/// inputs that functions change before a library reads them. Memory is allocated when the first
/// such array comes, and kept.
class StagedArrays {
 public:
  /// Makes room for copies of what is the host's, and of an input that is changed on its way, while
  /// no run is under way. Throws Error where there is none.
  void reserve(const RunArrays& arrays, bool input_is_changed, Device& device);
  /// Before a run, with room: puts copies in the place of arrays of the host.
  void begin(const RunArrays& arrays, const std::byte*& in, std::byte*& out, Stream& stream);
  /// Where the numbers of an input may be changed, if room was made for that: where they are, if
  /// they are a copy or the caller's output takes their place, or in a copy to be made.
  std::byte* changeable(const std::byte* in, const std::byte* out) const {
    return in == out ? const_cast<std::byte*>(in) : in_.data();
  }
  /// After it: copies the result to where the caller wants it, and waits for it.
  void complete(Stream& stream);

 private:
  Buffer in_;
  Buffer out_;
  std::byte* result_ = nullptr;  // where the caller wants it; null: there already
  const std::byte* copy_ = nullptr;
  std::size_t result_bytes_ = 0;
};

}  // namespace weft
