#include "plan/staged_arrays.hpp"

#include <algorithm>

#include "schedule/stage.hpp"

namespace weft {

namespace {

std::size_t bytes_of(const LocalArray& array) {
  return static_cast<std::size_t>(array.size *
                                  element_bytes(array.type.complex, array.type.precision));
}

void grow(DeviceBuffer& buffer, Device& device, std::size_t bytes) {
  if (buffer.size() >= bytes) return;
  buffer = DeviceBuffer();
  buffer = DeviceBuffer(device, bytes);
}

/// Whether parts of the memory between first and last element are not the plan's to write.
bool may_have_gaps(const LocalArray& array) {
  return array.size != array.box.count() || array.strides.size() != array.box.axes();
}

}  // namespace

void StagedArrays::reserve(const void* in, const LocalArray& planned_in, const void* out,
                           const LocalArray& planned_out, Device& device) {
  const std::size_t in_bytes = bytes_of(planned_in), out_bytes = bytes_of(planned_out);
  const bool copies_in = in_bytes > 0 && !device.reaches(in);
  const bool copies_out = out_bytes > 0 && !device.reaches(out);
  if (in == out) {
    if (copies_in || copies_out) grow(in_, device, std::max(in_bytes, out_bytes));
    return;
  }
  if (copies_in) grow(in_, device, in_bytes);
  if (copies_out) grow(out_, device, out_bytes);
}

void StagedArrays::begin(const std::byte*& in, const LocalArray& planned_in, std::byte*& out,
                         const LocalArray& planned_out, Device& device, Queue& queue) {
  const bool in_place = in == out;
  const std::size_t in_bytes = bytes_of(planned_in), out_bytes = bytes_of(planned_out);
  const bool copies_in = in_bytes > 0 && !device.reaches(in);
  const bool copies_out = out_bytes > 0 && !device.reaches(out);
  std::byte* const wanted = out;
  // What the run does not write must come back as it was.
  const std::size_t kept_bytes = copies_out && may_have_gaps(planned_out) ? out_bytes : 0;
  if (in_place) {
    if (!copies_in && !copies_out) return;
    device.copy(queue, in_.data(), in, std::max(in_bytes, kept_bytes));
    in = out = in_.data();
  } else {
    if (copies_out) {
      device.copy(queue, out_.data(), out, kept_bytes);
      out = out_.data();
    }
    if (copies_in) {
      device.copy(queue, in_.data(), in, in_bytes);
      in = in_.data();
    }
  }
  if (!copies_out) return;
  result_ = wanted;
  copy_ = out;
  result_bytes_ = out_bytes;
}

void StagedArrays::complete(Device& device, Queue& queue) {
  if (result_ == nullptr) return;
  device.copy(queue, result_, copy_, result_bytes_);
  result_ = nullptr;
  device.synchronize(queue);
}

}  // namespace weft
