#include "plan.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include "exchange/agreement.hpp"
#include "problem.hpp"

namespace weft::python {

namespace {

TupleOfInts tuple_of(const Extents& extents) {
  nb::list entries;
  for (Index entry : extents) entries.append(entry);
  return TupleOfInts(nb::tuple(entries));
}

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
    rows.append(nb::make_tuple(step.name, step.seconds, step.bytes));
  }
  return rows;
}

Members report(const CorePlan& core, std::optional<Index> field) {
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

CorePlan::CorePlan(int comm, const Members& request, const std::string& refusal)
    : entry_(std::make_shared<PlanEntry>()) {
  const MPI_Comm given = MPI_Comm_f2c(comm);
  MpiProblem problem;
  Options options;
  std::optional<std::string> error;
  if (!refusal.empty()) error = refusal;
  try {
    if (!error) problem = problem_of(request, given);
    if (!error) options = options_of(request);
  } catch (const std::exception& failure) {
    error = failure.what();
  }
  Communicator agreement;
  PlanSet* set = nullptr;
  {
    const nb::gil_scoped_release released;
    const MpiTurn turn;
    agreement = Communicator::duplicate(given);
    agree(agreement, error);
    set = &PlanSet::of(given);
  }
  const auto abandoned = set->take_abandoned(agreement.get());
  {
    const nb::gil_scoped_release released;
    const MpiTurn turn;
    for (const auto& entry : abandoned) entry->destroy();
    entry_->make(problem, options);
    is_single_ = agreement.size() == 1;
    agreement = Communicator();
  }
  input_ = plan().input();
  output_ = plan().output();
  batch_ = {problem.batch, problem.interleaved};
  device_ = options.device;
  if (!is_single_) set->add(entry_);
}

CorePlan::~CorePlan() {
  if (is_destroyed()) return;
  if (is_single_) {
    const nb::gil_scoped_release released;
    const MpiTurn turn;
    entry_->destroy();
    return;
  }
  entry_->is_abandoned = true;
  // The communicator is no more, and with it the set: nobody will destroy the plan.
  if (entry_.use_count() == 1) new std::shared_ptr<PlanEntry>(std::move(entry_));
}

Plan& CorePlan::plan() const {
  if (is_destroyed()) throw Error("the plan has been destroyed");
  if (mpi_is_finalized()) throw Error("MPI is finalized: the plan cannot be used any more");
  return *entry_->plan;
}

AnyTuple CorePlan::side(bool input) const {
  const LocalArray& array = input ? input_ : output_;
  return AnyTuple(nb::make_tuple(tuple_of(array.box.lower), tuple_of(array.box.upper),
                                 shape_of(array, batch_), strides_of(array, batch_), array.offset,
                                 array.size, dtype_name(array.type)));
}

ForeignArray CorePlan::read(nb::handle array, bool forward, bool is_written) const {
  const LocalArray& planned = forward != is_written ? input_ : output_;
  return {array, planned, batch_, is_written ? "output" : "input", is_written, device_};
}

void CorePlan::run(bool forward, nb::handle in, nb::handle out) {
  const ForeignArray source = read(in, forward, false), sink = read(out, forward, true);
  alone([&](Plan& plan) { plan.run(direction_of(forward), source.any(), sink.any()); });
}

void CorePlan::run_many(bool forward, nb::handle in, nb::handle out) {
  std::vector<ForeignArray> arrays;
  const auto read_all = [&](nb::handle fields, bool is_written) {
    for (nb::handle field : fields) arrays.push_back(read(field, forward, is_written));
    return arrays.size();
  };
  const std::size_t sources = read_all(in, false);
  read_all(out, true);
  std::vector<AnyArray> fields;
  for (const ForeignArray& array : arrays) fields.push_back(array.any());
  const std::span<const AnyArray> all(fields);
  alone([&](Plan& plan) {
    plan.run_many(direction_of(forward), all.first(sources), all.subspan(sources));
  });
}

void CorePlan::start(bool forward, nb::handle in, nb::handle out) {
  const ForeignArray source = read(in, forward, false), sink = read(out, forward, true);
  alone([&](Plan& plan) { plan.start(direction_of(forward), source.any(), sink.any()); });
  entry_->arrays = nb::make_tuple(in, out);
}

bool CorePlan::test() {
  const bool done = alone([](Plan& plan) { return plan.test(); });
  if (done) entry_->arrays.reset();
  return done;
}

void CorePlan::wait() {
  alone([](Plan& plan) { plan.wait(); });
  entry_->arrays.reset();
}

void CorePlan::destroy() {
  {
    const nb::gil_scoped_release released;
    const std::lock_guard running(entry_->running);
    const MpiTurn turn;
    if (is_destroyed()) return;
    entry_->destroy();
  }
  entry_->arrays.reset();
}

void bind_plan(nb::module_& module) {
  module.def("living_plans", &PlanEntry::living);
  nb::class_<CorePlan>(module, "Plan")
      .def(nb::init<int, const Members&, const std::string&>(), nb::arg("comm"), nb::arg("request"),
           nb::arg("refusal"))
      .def("run", &CorePlan::run, nb::arg("forward"), nb::arg("x").none(), nb::arg("out").none())
      .def("run_many", &CorePlan::run_many, nb::arg("forward"), nb::arg("xs"), nb::arg("outs"))
      .def("start", &CorePlan::start, nb::arg("forward"), nb::arg("x").none(),
           nb::arg("out").none())
      .def("test", &CorePlan::test)
      .def("wait", &CorePlan::wait)
      .def("destroy", &CorePlan::destroy)
      .def("side", &CorePlan::side, nb::arg("input"))
      .def("describe",
           [](const CorePlan& of) { return of.alone([](Plan& plan) { return plan.describe(); }); })
      .def("timings", timings)
      .def("report", report, nb::arg("field").none())
      .def_prop_ro("is_destroyed", &CorePlan::is_destroyed)
      .def_prop_ro("kinds", [](const CorePlan& of) { return kind_names(of.plan()); })
      .def_prop_ro("shape", [](const CorePlan& of) { return tuple_of(of.plan().shape()); })
      .def_prop_ro("points", [](const CorePlan& of) { return tuple_of(of.plan().points()); })
      .def_prop_ro("keep", [](const CorePlan& of) { return tuple_of(of.plan().keep()); })
      .def_prop_ro("norm", [](const CorePlan& of) { return to_string(of.plan().norm()); })
      .def_prop_ro("orthogonal", [](const CorePlan& of) { return of.plan().orthogonal(); })
      .def_prop_ro("batch", [](const CorePlan& of) { return of.plan().batch(); })
      .def_prop_ro("threads", [](const CorePlan& of) { return of.plan().threads(); })
      .def_prop_ro("chunks", [](const CorePlan& of) { return of.plan().chunks(); })
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
