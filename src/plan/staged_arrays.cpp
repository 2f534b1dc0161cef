#include "plan/staged_arrays.hpp"

#include <algorithm>

#include "plan/user_array.hpp"

namespace weft {

namespace {

/// Which arrays are the host's.
struct Copied {
  Copied(const void* in, const LocalArray& planned_in, const void* out,
         const LocalArray& planned_out, const Device& device)
      : in_bytes(bytes_of(planned_in)),
        out_bytes(bytes_of(planned_out)),
        input(in_bytes > 0 && !reaches(device, in)),
        output(out_bytes > 0 && !reaches(device, out)) {}

  std::size_t in_bytes, out_bytes;
  bool input, output;
};

void grow(Buffer& buffer, Device& device, std::size_t bytes) {
  if (buffer.size() >= bytes) return;
  buffer = Buffer();
  buffer = Buffer(device, bytes);
}

/// Whether parts of the memory between first and last element are not the plan's to write.
bool may_have_gaps(const LocalArray& array) {
  return array.allocation_size != array.box.count() || array.strides.size() != array.box.axes();
}

}  // namespace

void StagedArrays::reserve(const void* in, const LocalArray& planned_in, const void* out,
                           const LocalArray& planned_out, bool input_is_changed, Device& device) {
  const Copied copied(in, planned_in, out, planned_out, device);
  if (in == out) {
    if (copied.input || copied.output) {
      grow(in_, device, std::max(copied.in_bytes, copied.out_bytes));
    }
    return;
  }
  if (copied.input || input_is_changed) grow(in_, device, copied.in_bytes);
  if (copied.output) grow(out_, device, copied.out_bytes);
}

void StagedArrays::begin(const std::byte*& in, const LocalArray& planned_in, std::byte*& out,
                         const LocalArray& planned_out, Stream& stream) {
  const Copied copied(in, planned_in, out, planned_out, stream.device());
  if (!copied.input && !copied.output) return;
  std::byte* const wanted = out;
  // What the run does not write must come back as it was.
  const std::size_t kept_bytes = copied.output && may_have_gaps(planned_out) ? copied.out_bytes : 0;
  if (in == out) {
    stream.copy(in_.data(), in, std::max(copied.in_bytes, kept_bytes));
    in = out = in_.data();
  } else {
    if (copied.output) {
      stream.copy(out_.data(), out, kept_bytes);
      out = out_.data();
    }
    if (copied.input) {
      stream.copy(in_.data(), in, copied.in_bytes);
      in = in_.data();
    }
  }
  if (!copied.output) return;
  result_ = wanted;
  copy_ = out;
  result_bytes_ = copied.out_bytes;
}

void StagedArrays::complete(Stream& stream) {
  if (result_ == nullptr) return;
  stream.copy(result_, copy_, result_bytes_);
  result_ = nullptr;
  stream.synchronize();
}

}  // namespace weft
