#include "verify/random.hpp"

#include <complex>

namespace weft {

namespace {

template <class Real>
void fill(const LocalArray& array, const Extents& shape, Index batch, std::uint64_t seed,
          Real* data) {
  const Box& box = array.box;
  if (box.empty()) return;
  const int last = box.axes() - 1;
  const int parts = array.type.complex ? 2 : 1;
  for (Index field = 0; field < batch; ++field) {
    const Index field_offset = batch > 1 ? field * array.strides[box.axes()] : 0;
    Extents at = box.lower;
    while (true) {
      Index global = field, position = array.offset + field_offset;
      for (int axis = 0; axis <= last; ++axis) {
        global = global * shape[axis] + at[axis];
        position += (at[axis] - box.lower[axis]) * array.strides[axis];
      }
      for (Index i = 0; i < box.extent(last); ++i) {
        for (int part = 0; part < parts; ++part) {
          const auto number = static_cast<std::uint64_t>((global + i) * 2 + part);
          data[(position + i * array.strides[last]) * parts + part] =
              static_cast<Real>(random_value(number, seed));
        }
      }
      int axis = last - 1;
      while (axis >= 0 && ++at[axis] == box.upper[axis]) {
        at[axis] = box.lower[axis];
        --axis;
      }
      if (axis < 0) break;
    }
  }
}

}  // namespace

void fill_random(const LocalArray& array, const Extents& shape, Index batch, std::uint64_t seed,
                 void* data) {
  if (array.type.precision == Precision::f32) {
    fill(array, shape, batch, seed, static_cast<float*>(data));
  } else {
    fill(array, shape, batch, seed, static_cast<double*>(data));
  }
}

}  // namespace weft
