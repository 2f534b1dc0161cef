#include "plan.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <span>

#include "bindings.hpp"
#include "exchange/agreement.hpp"
#include "integer.hpp"
#include "problem.hpp"
#include "trace/stage_parts.hpp"
#include "weft/shell_spectrum.hpp"
#include "weft/verify.hpp"

namespace weft::python {

namespace {

Direction direction_of(bool forward) {
  return forward ? Direction::forward : Direction::backward;
}

nb::typed<nb::list, AnyTuple> timings(const CorePlan& core) {
  const std::vector<StageTiming> steps = core.alone([](Plan& plan) { return plan.timings(); });
  nb::typed<nb::list, AnyTuple> rows;
  for (const StageTiming& step : steps) {
    nb::dict parts;
    for (const auto& [name, part] : stage_parts) parts[name] = step.parts.*part;
    rows.append(nb::make_tuple(step.name, step.seconds, step.bytes, step.moves_data, parts));
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

/// What weft.PlanInfo is made of.
Members info_of(const PlanInfo& info) {
  nb::list kinds, choices, trials;
  for (const Kind kind : info.kinds) kinds.append(to_string(kind));
  for (const PlanChoice& choice : info.choices) {
    choices.append(nb::make_tuple(choice.option, choice.value, choice.why));
  }
  for (const PlanTrial& trial : info.trials) {
    trials.append(nb::make_tuple(trial.settings, trial.predicted_seconds, trial.seconds,
                                 trial.share, trial.remark, trial.chosen));
  }
  Members members;
  members["shape"] = tuple_of_axes(info.shape);
  members["kinds"] = nb::tuple(kinds);
  members["input_points"] = tuple_of_axes(info.input_points);
  members["modes"] = tuple_of_axes(info.modes);
  members["norm"] = to_string(info.norm);
  members["orthogonal"] = info.orthogonal;
  members["batch"] = info.batch;
  members["exchange"] = info.exchange;
  members["local"] = info.local;
  members["device"] = info.device;
  members["device_number"] = info.device_number;
  members["threads"] = info.threads;
  members["chunks"] = info.chunks;
  members["receive_chunks"] = info.receive_chunks;
  members["choices"] = choices;
  members["trials"] = trials;
  members["workspace_bytes"] = info.workspace_bytes;
  members["shared_bytes"] = info.shared_bytes;
  members["bytes_sent"] = info.bytes_sent;
  members["predicted_seconds"] = info.predicted_seconds;
  members["text"] = to_string(info);
  return members;
}

}  // namespace

CorePlan::CorePlan(int comm, const Members& request, const std::string& refusal)
    : Collective("the plan") {
  Problem problem;
  Options options;
  create(
      comm, refusal,
      [&] {
        problem = problem_of(request);
        options = options_of(request);
      },
      [&] { return std::make_unique<Plan>(MPI_Comm_f2c(comm), problem, options); });
  const Batch batch{problem.batch, problem.interleaved};
  const DeviceOfPlan device{get().info().device, get().info().device_number};
  input_ = {get().input(), batch, device};
  output_ = {get().output(), batch, device};
}

ForeignArray CorePlan::read(nb::handle array, bool forward, bool is_written) const {
  return {array, side(forward != is_written), is_written ? "output" : "input", is_written};
}

GivenCallbacks CorePlan::functions(bool forward, nb::handle on_input, nb::handle on_output) const {
  return {on_input, on_output, side(forward), side(!forward), forward, get()};
}

void CorePlan::run(bool forward, nb::handle in, nb::handle out, nb::handle on_input,
                   nb::handle on_output) {
  ForeignArray source = read(in, forward, false), sink = read(out, forward, true);
  const GivenCallbacks given = functions(forward, on_input, on_output);
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
  const GivenCallbacks given = functions(forward, on_input, on_output);
  if (!given.refusal().empty()) {
    // One field at least, to complain about.
    sources.assign(1, ForeignArray(side(forward), given.refusal()));
    sinks.assign(1, ForeignArray(side(!forward), given.refusal()));
  }
  const std::vector<detail::AnyArray> from = any_of(sources), to = any_of(sinks);
  alone([&](Plan& plan) { plan.run_many(direction_of(forward), from, to, given.functions()); });
}

void CorePlan::start(bool forward, nb::handle in, nb::handle out) {
  const ForeignArray source = read(in, forward, false), sink = read(out, forward, true);
  begin(nb::make_tuple(in, out),
        [&](Plan& plan) { plan.start(direction_of(forward), source.any(), sink.any()); });
}

void CorePlan::set_workspace(nb::handle memory) {
  nb::ndarray<nb::c_contig> view;
  if (!nb::try_cast(memory, view, false)) {
    throw Error("workspace is not a writable contiguous array, but '" + name_of_type(memory) + "'");
  }
  const std::span<std::byte> bytes(static_cast<std::byte*>(view.data()), view.nbytes());
  alone([&](Plan& plan) { plan.set_workspace(bytes); });
  workspace_ = nb::borrow(memory);
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

AnyTuple CorePlan::shell_spectrum(const nb::list& fields, const std::vector<double>& lengths,
                                  double width, const std::string& refusal) const {
  std::vector<ForeignArray> arrays;
  for (nb::handle field : fields) arrays.emplace_back(field, output_, "spectral", false);
  if (!refusal.empty()) arrays.assign(1, ForeignArray(output_, refusal));
  const std::vector<detail::AnyArray> given = any_of(arrays);
  const ShellSpectrum spectrum =
      alone([&](Plan& plan) { return weft::shell_spectrum(plan, given, lengths, width); });
  return AnyTuple(nb::make_tuple(spectrum.width, spectrum.energy));
}

void bind_plan(nb::module_& module) {
  module.def("living_plans", &CollectiveEntry::living);
  bind_collective<CorePlan>(module, "Plan")
      .def("run", &CorePlan::run, nb::arg("forward"), nb::arg("x").none(), nb::arg("out").none(),
           nb::arg("on_input") = nb::none(), nb::arg("on_output") = nb::none())
      .def("run_many", &CorePlan::run_many, nb::arg("forward"), nb::arg("xs"), nb::arg("outs"),
           nb::arg("on_input") = nb::none(), nb::arg("on_output") = nb::none())
      .def("start", &CorePlan::start, nb::arg("forward"), nb::arg("x").none(),
           nb::arg("out").none())
      .def("set_workspace", &CorePlan::set_workspace, nb::arg("memory").none())
      .def("test", &CorePlan::test)
      .def("wait", &CorePlan::wait)
      .def(
          "side", [](const CorePlan& of, bool input) { return members_of(of.side(input)); },
          nb::arg("input"))
      .def("sampled_error", &CorePlan::sampled_error, nb::arg("forward"), nb::arg("x").none(),
           nb::arg("out").none(), nb::arg("samples").none(), nb::arg("seed").none())
      .def("shell_spectrum", &CorePlan::shell_spectrum, nb::arg("fields"), nb::arg("lengths"),
           nb::arg("width"), nb::arg("refusal"))
      .def("describe",
           [](const CorePlan& of) { return of.alone([](Plan& plan) { return plan.describe(); }); })
      .def("timings", timings)
      .def("report", report, nb::arg("field").none())
      .def("start_trace",
           [](const CorePlan& of) { of.alone([](Plan& plan) { plan.start_trace(); }); })
      .def(
          "stop_trace",
          [](const CorePlan& of) { return of.alone([](Plan& plan) { return plan.stop_trace(); }); })
      .def("info", [](const CorePlan& of) { return info_of(of.get().info()); });
}

}  // namespace weft::python
