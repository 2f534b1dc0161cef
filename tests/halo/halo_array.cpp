#include "halo/halo_array.hpp"

#include <complex>

namespace weft::test {

namespace {

constexpr std::size_t margin_bytes = 1024;

/// Calls visit with the data as a pointer of their type.
template <class Visit>
void with_type(HaloArray& array, Visit&& visit) {
  const auto as = [&]<class T>(T*) { visit(reinterpret_cast<T*>(array.data())); };
  const ElementType type = array.layout().type;
  if (type.precision == Precision::f32) {
    type.complex ? as(static_cast<std::complex<float>*>(nullptr))
                 : as(static_cast<float*>(nullptr));
  } else {
    type.complex ? as(static_cast<std::complex<double>*>(nullptr))
                 : as(static_cast<double*>(nullptr));
  }
}

}  // namespace

HaloArray::HaloArray(const Halo& halo, const HaloProblem& problem)
    : layout_(halo.array()), lower_(halo.lower()), upper_(halo.upper()), shape_(problem.shape) {
  const int axes = shape_.size();
  periodic_ = problem.periodic.empty() ? Axes<bool>::filled(axes, false) : problem.periodic;
  // With explicit strides the halo reaches before the data pointer.
  Index before = 0;
  for (int axis = 0; axis < axes; ++axis) before += lower_[axis] * layout_.strides[axis];
  if (layout_.offset > 0 || layout_.box.empty()) before = 0;
  const std::size_t size = element_size(layout_.type);
  start_ = margin_bytes + static_cast<std::size_t>(before) * size;
  memory_.assign(start_ + static_cast<std::size_t>(layout_.allocation_size) * size + margin_bytes,
                 std::byte{0xff});
}

Index HaloArray::position(const Extents& point, Index field) const {
  Index position = layout_.offset;
  for (int axis = 0; axis < shape_.size(); ++axis) {
    position += (point[axis] - layout_.box.lower[axis]) * layout_.strides[axis];
  }
  return field == 0 ? position : position + field * layout_.strides[shape_.size()];
}

Complex HaloArray::get(const Extents& point, Index field) const {
  return load(layout_, memory_.data() + start_, position(point, field));
}

void HaloArray::set(const Extents& point, Index field, Complex value) {
  put(layout_, memory_.data() + start_, position(point, field), value);
}

void HaloArray::for_each_point(
    const std::function<void(const Extents&, bool, const Extents&)>& visit) const {
  if (layout_.box.empty()) return;
  Box around = layout_.box;
  for (int axis = 0; axis < shape_.size(); ++axis) {
    around.lower[axis] -= lower_[axis];
    around.upper[axis] += upper_[axis];
  }
  const Extents extents = around.extents();
  for (Index number = 0; number < around.count(); ++number) {
    Extents point = around.lower, global = point;
    bool owned = true, exists = true;
    Index rest = number;
    for (int axis = shape_.size() - 1; axis >= 0; --axis) {
      const Index n = shape_[axis], i = around.lower[axis] + rest % extents[axis];
      rest /= extents[axis];
      point[axis] = i;
      global[axis] = (i % n + n) % n;
      owned = owned && i >= layout_.box.lower[axis] && i < layout_.box.upper[axis];
      exists = exists && (periodic_[axis] || i == global[axis]);
    }
    if (exists) visit(point, owned, global);
  }
}

void exchange(Halo& halo, HaloArray& array) {
  with_type(array, [&](auto* data) { halo.exchange(data); });
}
void accumulate(Halo& halo, HaloArray& array) {
  with_type(array, [&](auto* data) { halo.accumulate(data); });
}
void start_exchange(Halo& halo, HaloArray& array) {
  with_type(array, [&](auto* data) { halo.start_exchange(data); });
}
void start_accumulate(Halo& halo, HaloArray& array) {
  with_type(array, [&](auto* data) { halo.start_accumulate(data); });
}

}  // namespace weft::test
