#include "weft/halo.hpp"

#include <nanobind/stl/string.h>

#include "array.hpp"
#include "bindings.hpp"
#include "collective.hpp"
#include "problem.hpp"

namespace weft::python {

namespace {

using Operation = Halo::Operation;

Operation operation_of(bool exchange) {
  return exchange ? Operation::exchange : Operation::accumulate;
}

/// The array with its halo, as a caller hands it over: what lies before the points that the rank
/// owns is a part of it, so that nothing is written where it does not reach.
Side with_halo_of(const Halo& halo, const HaloProblem& problem) {
  const LayoutSpec& layout = problem.layout;
  const bool is_strided = !layout.strides.empty();
  const int axes = problem.shape.size();
  const auto room = [&](const Extents& of_layout, const Extents& exchanged) {
    if (is_strided) return exchanged;
    return of_layout.empty() ? Extents::filled(axes, 0) : of_layout;
  };
  const Extents lower = room(layout.halo_lower, halo.lower());
  const Extents upper = room(layout.halo_upper, halo.upper());
  Side side{halo.array(), {problem.batch, problem.interleaved}, {}, "the halo exchange"};
  LocalArray& array = side.array;
  if (array.box.empty()) return side;
  // The library is handed the first allocated element, but with explicit strides the first owned.
  array.offset = 0;
  for (int axis = 0; axis < axes; ++axis) {
    if (is_strided) array.offset -= lower[axis] * array.strides[axis];
    array.box.lower[axis] -= lower[axis];
    array.box.upper[axis] += upper[axis];
  }
  return side;
}

/// What weft.Halo is made of.
class CoreHalo : public Collective<Halo> {
 public:
  /// Collective.
  CoreHalo(int comm, const Members& request, const std::string& refusal)
      : Collective("the halo exchange") {
    HaloProblem problem;
    create(
        comm, refusal, [&] { problem = halo_problem_of(request); },
        [&] { return std::make_unique<Halo>(MPI_Comm_f2c(comm), problem); });
    owned_ = {get().array(), {problem.batch, problem.interleaved}};
    all_ = with_halo_of(get(), problem);
  }

  void run(bool exchange, nb::handle x) {
    const ForeignArray array(x, all_, "halo", true);
    alone([&](Halo& halo) { halo.run(operation_of(exchange), array.any()); });
  }
  void start(bool exchange, nb::handle x) {
    const ForeignArray array(x, all_, "halo", true);
    begin(nb::borrow(x), [&](Halo& halo) { halo.start(operation_of(exchange), array.any()); });
  }
  AnyTuple side(bool owned) const { return members_of(owned ? owned_ : all_); }

 private:
  Side owned_, all_;
};

}  // namespace

void bind_halo(nb::module_& module) {
  bind_collective<CoreHalo>(module, "Halo")
      .def("run", &CoreHalo::run, nb::arg("exchange"), nb::arg("x").none())
      .def("start", &CoreHalo::start, nb::arg("exchange"), nb::arg("x").none())
      .def("test", &CoreHalo::test)
      .def("wait", &CoreHalo::wait)
      .def("side", &CoreHalo::side, nb::arg("owned"))
      .def_prop_ro("lower", [](const CoreHalo& of) { return tuple_of_axes(of.get().lower()); })
      .def_prop_ro("upper", [](const CoreHalo& of) { return tuple_of_axes(of.get().upper()); })
      .def_prop_ro("peers", [](const CoreHalo& of) { return of.get().peers(); })
      .def_prop_ro("bytes_sent", [](const CoreHalo& of) { return of.get().bytes_sent(); });
}

}  // namespace weft::python
