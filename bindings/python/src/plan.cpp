#include "plan.hpp"

#include <nanobind/stl/string.h>

#include <optional>

#include "exchange/agreement.hpp"
#include "integer.hpp"
#include "problem.hpp"
#include "weft/verify.hpp"

namespace weft::python {

namespace {

Direction direction_of(bool forward) {
  return forward ? Direction::forward : Direction::backward;
}

nb::typed<nb::tuple, nb::str, nb::ellipsis> kind_names(const Plan& plan) {
  nb::list names;
  for (Kind kind : plan.kinds()) names.append(to_string(kind));
  return nb::typed<nb::tuple, nb::str, nb::ellipsis>(nb::tuple(names));
}

nb::typed<nb::list, AnyTuple> timings(const CorePlan& core) {
  const std::vector<StageTiming> steps = core.alone([](Plan& plan) { return plan.timings(); });
  nb::typed<nb::list, AnyTuple> rows;
  for (const StageTiming& step : steps) {
    rows.append(nb::make_tuple(step.name, step.seconds, step.bytes, step.moves_data));
  }
  return rows;
}

Members report(const CorePlan& core, nb::handle of_field) {
  std::optional<Index> field;
  if (!of_field.is_none()) field = integer_of<Index>(of_field, "field");
  const Report all =
      core.alone([&](Plan& plan) { return field ? plan.report(*field) : plan.report(); });
  nb::list parts;
  for (const RedistributionReport& part : all.redistributions) {
    nb::dict row;
    row["codec"] = part.codec;
    row["predicted_error"] = part.predicted_error;
    row["error"] = part.error;
    row["bytes"] = part.bytes;
    row["plain_bytes"] = part.plain_bytes;
    row["repeated"] = part.repeated;
    row["broken"] = part.broken;
    parts.append(row);
  }
  Members result;
  result["tolerance"] = all.tolerance.value_or(0);
  result["predicted_error"] = all.predicted_error;
  result["error"] = all.error;
  result["bytes"] = all.bytes;
  result["plain_bytes"] = all.plain_bytes;
  result["redistributions"] = parts;
  result["text"] = to_string(all);
  return result;
}

}  // namespace

CorePlan::CorePlan(int comm, const Members& request, const std::string& refusal) {
  Problem problem;
  Options options;
  object_.create(
      comm, refusal,
      [&] {
        problem = problem_of(request);
        options = options_of(request);
      },
      [&] { return std::make_unique<Plan>(MPI_Comm_f2c(comm), problem, options); });
  const Batch batch{problem.batch, problem.interleaved};
  const DeviceOfPlan device{plan().device_name(), plan().device_number()};
  input_ = {plan().input(), batch, device};
  output_ = {plan().output(), batch, device};
}

ForeignArray CorePlan::read(nb::handle array, bool forward, bool is_written) const {
  return {array, side(forward != is_written), is_written ? "output" : "input", is_written};
}

GivenFunctions CorePlan::functions(bool forward, nb::handle on_input, nb::handle on_output) const {
  return {on_input, on_output, side(forward), side(!forward), forward, plan()};
}

void CorePlan::run(bool forward, nb::handle in, nb::handle out, nb::handle on_input,
                   nb::handle on_output) {
  ForeignArray source = read(in, forward, false), sink = read(out, forward, true);
  const GivenFunctions given = functions(forward, on_input, on_output);
  if (!given.refusal().empty()) source.refuse(given.refusal());
  alone([&](Plan& plan) {
    plan.run(direction_of(forward), source.any(), sink.any(), given.functions());
  });
}

void CorePlan::run_many(bool forward, nb::handle in, nb::handle out, nb::handle on_input,
                        nb::handle on_output) {
  std::vector<ForeignArray> sources, sinks;
  for (nb::handle field : in) sources.push_back(read(field, forward, false));
  for (nb::handle field : out) sinks.push_back(read(field, forward, true));
  const GivenFunctions given = functions(forward, on_input, on_output);
  if (!given.refusal().empty()) {
    // One field at least, to complain about.
    sources.assign(1, ForeignArray(side(forward), given.refusal()));
    sinks.assign(1, ForeignArray(side(!forward), given.refusal()));
  }
  const std::vector<AnyArray> from = any_of(sources), to = any_of(sinks);
  alone([&](Plan& plan) { plan.run_many(direction_of(forward), from, to, given.functions()); });
}

void CorePlan::start(bool forward, nb::handle in, nb::handle out) {
  const ForeignArray source = read(in, forward, false), sink = read(out, forward, true);
  object_.start(nb::make_tuple(in, out),
                [&](Plan& plan) { plan.start(direction_of(forward), source.any(), sink.any()); });
}

bool CorePlan::test() {
  return object_.proceed([](Plan& plan) { return plan.test(); });
}

void CorePlan::wait() {
  object_.proceed([](Plan& plan) {
    plan.wait();
    return true;
  });
}

AnyTuple CorePlan::sampled_error(bool forward, nb::handle in, nb::handle out,
                                 nb::handle sample_count, nb::handle given_seed) const {
  int samples = 0;
  std::uint64_t seed = 0;
  std::string refusal;
  try {
    samples = integer_of<int>(sample_count, "samples");
    seed = integer_of<std::uint64_t>(given_seed, "seed");
  } catch (const std::exception& error) {
    refusal = error.what();
  }
  // Exact sums are made on the host.
  const Side source_side{side(forward).array, side(forward).batch},
      result_side{side(!forward).array, side(!forward).batch};
  const ForeignArray source(in, source_side, "input", false),
      result(out, result_side, "output", false);
  const SampledError error = alone([&](Plan& plan) {
    collectively(Communicator::duplicate(plan.communicator()), [&] {
      if (!refusal.empty()) throw Error(refusal);
      for (const ForeignArray* array : {&source, &result}) {
        if (array->any().refusal != nullptr) throw Error(array->any().refusal);
      }
      if (samples < 1) throw Error("samples " + std::to_string(samples) + ": at least 1 is needed");
    });
    return weft::sampled_error(plan, direction_of(forward), source.any().data, result.any().data,
                               samples, seed);
  });
  return AnyTuple(nb::make_tuple(error.relative_l2, error.largest, error.samples));
}

void bind_plan(nb::module_& module) {
  module.def("living_plans", &CollectiveEntry::living);
  nb::class_<CorePlan>(module, "Plan")
      .def(nb::init<int, const Members&, const std::string&>(), nb::arg("comm"), nb::arg("request"),
           nb::arg("refusal"))
      .def("run", &CorePlan::run, nb::arg("forward"), nb::arg("x").none(), nb::arg("out").none(),
           nb::arg("on_input") = nb::none(), nb::arg("on_output") = nb::none())
      .def("run_many", &CorePlan::run_many, nb::arg("forward"), nb::arg("xs"), nb::arg("outs"),
           nb::arg("on_input") = nb::none(), nb::arg("on_output") = nb::none())
      .def("start", &CorePlan::start, nb::arg("forward"), nb::arg("x").none(),
           nb::arg("out").none())
      .def("test", &CorePlan::test)
      .def("wait", &CorePlan::wait)
      .def("destroy", &CorePlan::destroy)
      .def(
          "side", [](const CorePlan& of, bool input) { return members_of(of.side(input)); },
          nb::arg("input"))
      .def("sampled_error", &CorePlan::sampled_error, nb::arg("forward"), nb::arg("x").none(),
           nb::arg("out").none(), nb::arg("samples").none(), nb::arg("seed").none())
      .def("describe",
           [](const CorePlan& of) { return of.alone([](Plan& plan) { return plan.describe(); }); })
      .def("timings", timings)
      .def("report", report, nb::arg("field").none())
      .def("start_trace",
           [](const CorePlan& of) { of.alone([](Plan& plan) { plan.start_trace(); }); })
      .def(
          "stop_trace",
          [](const CorePlan& of) { return of.alone([](Plan& plan) { return plan.stop_trace(); }); })
      .def_prop_ro("is_destroyed", &CorePlan::is_destroyed)
      .def_prop_ro("kinds", [](const CorePlan& of) { return kind_names(of.plan()); })
      .def_prop_ro("shape", [](const CorePlan& of) { return tuple_of_axes(of.plan().shape()); })
      .def_prop_ro("input_points",
                   [](const CorePlan& of) { return tuple_of_axes(of.plan().input_points()); })
      .def_prop_ro("modes", [](const CorePlan& of) { return tuple_of_axes(of.plan().modes()); })
      .def_prop_ro("norm", [](const CorePlan& of) { return to_string(of.plan().norm()); })
      .def_prop_ro("orthogonal", [](const CorePlan& of) { return of.plan().orthogonal(); })
      .def_prop_ro("batch", [](const CorePlan& of) { return of.plan().batch(); })
      .def_prop_ro("threads", [](const CorePlan& of) { return of.plan().threads(); })
      .def_prop_ro("chunks", [](const CorePlan& of) { return of.plan().chunks(); })
      .def_prop_ro("receive_chunks", [](const CorePlan& of) { return of.plan().receive_chunks(); })
      .def_prop_ro("workspace_bytes",
                   [](const CorePlan& of) { return of.plan().workspace_bytes(); })
      .def_prop_ro("shared_bytes", [](const CorePlan& of) { return of.plan().shared_bytes(); })
      .def_prop_ro(
          "bytes_sent",
          [](const CorePlan& of) { return of.alone([](Plan& plan) { return plan.bytes_sent(); }); })
      .def_prop_ro("exchange_name", [](const CorePlan& of) { return of.plan().exchange_name(); })
      .def_prop_ro("local_name", [](const CorePlan& of) { return of.plan().local_name(); })
      .def_prop_ro("device_name", [](const CorePlan& of) { return of.plan().device_name(); })
      .def_prop_ro("device_number", [](const CorePlan& of) { return of.plan().device_number(); });
}

}  // namespace weft::python
