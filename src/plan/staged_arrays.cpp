#include "plan/staged_arrays.hpp"

#include <algorithm>

namespace weft {

namespace {

/// Which arrays are the host's.
struct Copied {
  Copied(const RunArrays& arrays, const Device& device)
      : in_bytes(bytes_of(arrays.planned_in)),
        out_bytes(bytes_of(arrays.planned_out)),
        input(in_bytes > 0 && !reaches(device, arrays.in.data)),
        output(out_bytes > 0 && !reaches(device, arrays.out.data)) {}

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

void StagedArrays::reserve(const RunArrays& arrays, bool input_is_changed, Device& device) {
  const Copied copied(arrays, device);
  if (arrays.are_one()) {
    if (copied.input || copied.output) {
      grow(in_, device, std::max(copied.in_bytes, copied.out_bytes));
    }
    return;
  }
  if (copied.input || input_is_changed) grow(in_, device, copied.in_bytes);
  if (copied.output) grow(out_, device, copied.out_bytes);
}

void StagedArrays::begin(const RunArrays& arrays, const std::byte*& in, std::byte*& out,
                         Stream& stream) {
  const Copied copied(arrays, stream.device());
  if (!copied.input && !copied.output) return;
  std::byte* const wanted = out;
  // What the run does not write must come back as it was.
  const bool keeps = copied.output && may_have_gaps(arrays.planned_out);
  const std::size_t kept_bytes = keeps ? copied.out_bytes : 0;
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
