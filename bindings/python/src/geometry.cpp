#include "array.hpp"
#include "bindings.hpp"
#include "geometry/layout.hpp"
#include "integer.hpp"
#include "problem.hpp"

namespace weft::python {

namespace nb = nanobind;

namespace {

/// Returns (boxes, strides, offset, size), boxes as pairs of corners.
AnyTuple resolve_layout(nb::handle layout, const TupleOfInts& shape, Index ranks, Index rank) {
  LayoutContext context;
  for (nb::handle length : shape) context.shape.push_back(integer_of<Index>(length, "shape"));
  context.ranks = ranks;
  context.rank = rank;
  const Layout resolved = resolve(layout_of(layout), context, "the array's");
  nb::list boxes;
  for (Index other = 0; other < ranks; ++other) {
    const Box box = resolved.distribution.box(context.shape, other);
    boxes.append(nb::make_tuple(tuple_of_axes(box.lower), tuple_of_axes(box.upper)));
  }
  const View view = resolved.memory.view(resolved.distribution.box(context.shape, rank));
  return AnyTuple(nb::make_tuple(boxes, tuple_of_axes(view.stride), view.offset, view.size));
}

}  // namespace

void bind_geometry(nb::module_& module) {
  module.def("resolve_layout", resolve_layout, nb::arg("layout"), nb::arg("shape"),
             nb::arg("ranks"), nb::arg("rank"));
}

}  // namespace weft::python
