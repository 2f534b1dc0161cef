#include "verify/random.hpp"

#include "verify/lines.hpp"

namespace weft {

namespace {

template <class Real>
void fill(const LocalArray& array, const Extents& shape, Index batch, std::uint64_t seed,
          Real* data) {
  const int last = shape.size() - 1;
  const int parts = array.type.complex ? 2 : 1;
  for_each_line(array, batch, [&](Index field, const Extents& start, Index position) {
    Index global = field;
    for (int axis = 0; axis <= last; ++axis) global = global * shape[axis] + start[axis];
    for (Index i = 0; i < array.box.extent(last); ++i) {
      for (int part = 0; part < parts; ++part) {
        const auto number = static_cast<std::uint64_t>((global + i) * 2 + part);
        data[(position + i * array.strides[last]) * parts + part] =
            static_cast<Real>(random_value(number, seed));
      }
    }
  });
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
