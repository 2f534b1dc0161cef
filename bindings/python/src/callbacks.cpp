#include "callbacks.hpp"

#include <nanobind/stl/string.h>

#include "c/element.hpp"
#include "collective.hpp"
#include "weft/verify.hpp"

namespace weft::python {

namespace {

/// Multiplies all numbers of a block with the scale that they still need.
template <class T>
void scale(const PointBlock& block) {
  const auto multiply = [&](const auto& self, T* values, int loop) -> void {
    const PointBlock::Loop& along = block.loops[loop];
    for (Index i = 0; i < along.count; ++i) {
      T* const value = values + i * along.to;
      if (loop == 0) {
        detail::scale_number(*value, block.scale);
      } else {
        self(self, value, loop - 1);
      }
    }
  };
  multiply(multiply, reinterpret_cast<T*>(block.to), block.loop_count - 1);
}

/// A NumPy view of a block, with the axis of a batch where arrays of the side have it.
nb::object view_of(const PointBlock& block, const Batch& batch, ElementType type) {
  // Fastest loops come first, and none for axes with one element.
  const int own_axes = block.first.index.size();
  Extents extents = Extents::filled(own_axes + 1, 1), distances = extents;
  for (int loop = 0; loop < block.loop_count; ++loop) {
    const PointBlock::Loop& along = block.loops[loop];
    if (along.count == 1) continue;
    extents[along.axis] = along.count;
    distances[along.axis] = along.to;
  }
  std::vector<std::size_t> shape;
  std::vector<std::int64_t> strides;
  const auto append = [&](int axis) {
    shape.push_back(static_cast<std::size_t>(extents[axis]));
    strides.push_back(distances[axis]);
  };
  if (batch.fields > 1 && !batch.interleaved) append(own_axes);
  for (int axis = 0; axis < own_axes; ++axis) append(axis);
  if (batch.fields > 1 && batch.interleaved) append(own_axes);
  const nb::ndarray<nb::numpy> view(block.to, shape.size(), shape.data(), nb::none(),
                                    strides.data(), dtype_of(type));
  return nb::cast(view, nb::rv_policy::reference);
}

}  // namespace

GivenCallback::GivenCallback(nb::handle given, const Side& side, const std::string& name,
                             const Plan* plan)
    : batch_(side.batch), type_(side.array.type) {
  if (given.is_none()) return;
  given_ = nb::borrow(given);
  if (nb::isinstance<Operator>(given)) {
    operator_ = nb::cast<const Operator*>(given);
    if (plan == nullptr) {
      refusal_ = name + ": " + operator_->name() + " is for coefficients, on the other side";
    } else if (operator_->spectrum() != spectrum_of(*plan)) {
      refusal_ = name + ": " + operator_->name() + " is that of another plan";
    }
  } else if (PyExceptionInstance_Check(given.ptr())) {
    refusal_ = name_of_type(given) + ": " + nb::cast<std::string>(nb::str(given));
  } else if (PyCallable_Check(given.ptr()) == 0) {
    refusal_ = name + " is not callable: '" + name_of_type(given) + "'";
  }
}

detail::PointFunction GivenCallback::function() const {
  if (!given_.is_valid() || !refusal_.empty()) return {};
  if (operator_ != nullptr) return operator_->function();
  detail::PointFunction result;
  c::with_type(type_, [&](auto number) {
    result = detail::PointFunction::of<typename decltype(number)::type>(*this);
  });
  return result;
}

void GivenCallback::operator()(const PointBlock& block) const {
  if (block.scale != 1) {
    c::with_type(type_, [&](auto number) { scale<typename decltype(number)::type>(block); });
  }
  const nb::gil_scoped_acquire acquired;
  const InsideCallback inside;
  try {
    const nb::object failure =
        given_(view_of(block, batch_, type_), tuple_of_axes(block.first.index), block.first.field);
    if (failure.is_none()) return;
    throw Error(nb::cast<std::string>(failure), ErrorCode::callback);
  } catch (const nb::python_error& error) {
    throw Error(error.what(), ErrorCode::callback);
  }
}

Operator::Spectrum spectrum_of(const Plan& plan) {
  return {plan.output().box, description(plan).spectral_shape(), plan.info().kinds,
          plan.output().type};
}

}  // namespace weft::python
