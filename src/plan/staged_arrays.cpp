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

void StagedArrays::begin(const std::byte*& in, const LocalArray& planned_in, std::byte*& out,
                         const LocalArray& planned_out, Device& device, Queue& queue) {
  const bool in_place = in == out;
  const std::size_t in_bytes = bytes_of(planned_in), out_bytes = bytes_of(planned_out);
  const bool stages_out = out_bytes > 0 && !device.reaches(out);
  if (stages_out) {
    result_ = out;
    result_bytes_ = out_bytes;
  }
  if (in_bytes > 0 && !device.reaches(in)) {
    grow(in_, device, in_place ? std::max(in_bytes, out_bytes) : in_bytes);
    device.copy(queue, in_.data(), in, in_bytes);
    in = in_.data();
    if (in_place) out = in_.data();
  }
  if (stages_out && !in_place) {
    grow(out_, device, out_bytes);
    if (may_have_gaps(planned_out)) device.copy(queue, out_.data(), out, out_bytes);
    out = out_.data();
  }
  if (stages_out && in_place && in_bytes == 0) {
    grow(in_, device, out_bytes);
    in = out = in_.data();
  }
  copy_ = out;
}

void StagedArrays::complete(Device& device, Queue& queue) {
  if (result_ == nullptr) return;
  device.copy(queue, result_, copy_, result_bytes_);
  result_ = nullptr;
  device.synchronize(queue);
}

}  // namespace weft
