#include "device/host_add.hpp"

#include <complex>

namespace weft {

namespace {

template <class T>
void add_line(T* to, Index to_stride, const T* from, Index from_stride, Index count) {
  if (to_stride == 1 && from_stride == 1) {
    for (Index i = 0; i < count; ++i) to[i] += from[i];  // vectors
  } else {
    for (Index i = 0; i < count; ++i) to[i * to_stride] += from[i * from_stride];
  }
}

/// The axes `order[depth]` and those after it.
template <class T>
void add_axes(const Extents& extents, const AxisList& order, int depth, T* to,
              const Strides& to_stride, const T* from, const Strides& from_stride) {
  const int axis = order[depth];
  if (depth + 1 == order.size()) {
    add_line(to, to_stride[axis], from, from_stride[axis], extents[axis]);
    return;
  }
  for (Index i = 0; i < extents[axis]; ++i) {
    add_axes(extents, order, depth + 1, to + i * to_stride[axis], to_stride,
             from + i * from_stride[axis], from_stride);
  }
}

/// Axes from the slowest to the fastest in memory. Those of one point come first, as the last one
/// is that of lines.
AxisList loop_order(const Extents& extents, const Strides& strides) {
  const auto slower = [&](int a, int b) {
    if ((extents[a] == 1) != (extents[b] == 1)) return extents[a] == 1;
    return strides[a] > strides[b];
  };
  AxisList order;
  for (int axis = 0; axis < extents.size(); ++axis) {
    order.push_back(axis);
    int at = axis;
    for (; at > 0 && slower(axis, order[at - 1]); --at) order[at] = order[at - 1];
    order[at] = axis;
  }
  return order;
}

template <class T>
void add_typed(const Extents& extents, const MutableBlock& to, const ConstBlock& from) {
  add_axes(extents, loop_order(extents, to.stride), 0, reinterpret_cast<T*>(to.data), to.stride,
           reinterpret_cast<const T*>(from.data), from.stride);
}

}  // namespace

void add_block(const Extents& extents, const MutableBlock& to, const ConstBlock& from,
               CopyElement element) {
  if (element.precision == Precision::f32) {
    if (element.complex) return add_typed<std::complex<float>>(extents, to, from);
    return add_typed<float>(extents, to, from);
  }
  if (element.complex) return add_typed<std::complex<double>>(extents, to, from);
  return add_typed<double>(extents, to, from);
}

}  // namespace weft
