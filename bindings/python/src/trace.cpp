#include <nanobind/stl/string.h>

#include "array.hpp"
#include "bindings.hpp"
#include "collective.hpp"
#include "exchange/agreement.hpp"
#include "weft/trace.hpp"

namespace weft::python {

namespace {

/// (rank, place, lane, name, detail, direction, run, field, chunk, begin, end) of each span.
nb::typed<nb::list, AnyTuple> trace_rows(const Trace& trace) {
  nb::typed<nb::list, AnyTuple> all;
  for (const TraceSpan& span : trace.spans) {
    const bool forward = span.direction == Direction::forward;
    all.append(nb::make_tuple(span.rank, span.place, to_string(span.lane), span.name, span.detail,
                              forward ? "forward" : "backward", span.run, span.field, span.chunk,
                              span.begin, span.end));
  }
  return all;
}

/// (exchange_seconds, hidden_seconds)
nb::typed<nb::tuple, double, double> trace_exchanges(const Trace& trace) {
  const HiddenExchange hidden = hidden_exchange(trace);
  return nb::typed<nb::tuple, double, double>(
      nb::make_tuple(hidden.exchange_seconds, hidden.hidden_seconds));
}

/// Collective over `comm`, Fortran's handle. `refusal` says what Python found wrong with the path.
void write(const Trace& trace, int comm, const std::string& path, const std::string& refusal) {
  InsideCallback::refuse();
  const nb::gil_scoped_release released;
  const MpiTurn turn;
  const Communicator agreement = Communicator::duplicate(MPI_Comm_f2c(comm));
  collectively(agreement, [&] {
    if (!refusal.empty()) throw Error(refusal);
  });
  collectively(agreement, [&] {
    if (agreement.rank() == 0) write_chrome_json(trace, path);
  });
}

}  // namespace

void bind_trace(nb::module_& module) {
  nb::class_<Trace>(module, "Trace")
      .def_ro("ranks", &Trace::ranks)
      .def_ro("uncertainty", &Trace::uncertainty)
      .def("rows", trace_rows)
      .def("exchanges", trace_exchanges)
      .def("write", write, nb::arg("comm"), nb::arg("path"), nb::arg("refusal"));
}

}  // namespace weft::python
