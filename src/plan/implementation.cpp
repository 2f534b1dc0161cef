#include "plan/implementation.hpp"

#include <algorithm>
#include <cstdint>

#include "exchange/agreement.hpp"
#include "exchange/shared_window.hpp"
#include "plan/arguments.hpp"
#include "plan/choose.hpp"
#include "plan/user_array.hpp"
#include "schedule/describe.hpp"
#include "schedule/planner.hpp"

namespace weft {

Plan::Implementation::Implementation(MPI_Comm comm, const Problem& given, const Options& options,
                                     const Known* known)
    : context(choose(comm, given, options, known)) {
  collectively(context->comm, [&] {
    schedule = plan_schedule(context->problem, context->options, context->machine);
  });
  tell_arrays(given);
  make_pipelines(exchanges_to_try(*context));
  tell_choices();
  if (context->options.allocate_workspace && !context->tunes) {
    collectively(context->comm, [&] {
      own_workspace = Buffer(*context->device, info.workspace_bytes);
      workspace = own_workspace.data();
    });
  }
  last = pipelines.front().get();
}

Plan::Implementation::~Implementation() {
  const auto attempt = [](auto&& work) {
    try {
      work();
    } catch (const std::exception&) {
    }
  };
  // Messages and work still under way would use memory that is no longer there.
  if (!mpi_is_finalized()) attempt([this] { finish(); });
  for (auto& pipeline : pipelines) attempt([&] { pipeline->streams().synchronize(); });
}

bool Plan::Implementation::all_ranks_destroy(double seconds) {
  // Others may still wait for what this rank has to do in a transform under way.
  const auto go_on = [&] {
    if (last->executor().is_running()) last->executor().advance(Until::blocked);
    context->progress->poll();
  };
  // Two times: once all have come, they are here, so that nobody gives up between the two.
  return barrier_within(seconds, context->comm, destroy_tag, go_on) &&
         barrier_within(seconds, context->comm, destroy_tag + 1, go_on);
}

void Plan::Implementation::make_pipelines(std::span<const ExchangeChoice> exchanges) {
  for (const ExchangeChoice& exchange : exchanges) {
    try {
      context->exchange = exchange;
      return make_pipelines();
    } catch (const SharedMemoryError&) {
      pipelines.clear();
      window.reset();
      // Whoever asks for shared memory by name wants to know that there is not enough.
      if (&exchange == &exchanges.back()) throw;
    }
  }
}

void Plan::Implementation::make_pipelines() {
  const Communicator& comm = context->comm;
  window = make_window(context->exchange.method->traits.window, context->comm, *context->device);
  collectively(comm, [&] {
    for (int i = 0; i < context->options.fields_in_flight; ++i) {
      pipelines.push_back(std::make_unique<FieldPipeline>(*context, pipelines.size()));
    }
  });
  const Schedule backward = reversed(schedule);
  for (auto& pipeline : pipelines) {
    pipeline->make_redistributions(*context, schedule, backward, window.get());
  }
  if (window) window->allocate();
  for (auto& pipeline : pipelines) pipeline->bind();
  for (auto& pipeline : pipelines) pipeline->make_programs(schedule, backward);
}

void Plan::Implementation::finish() {
  if (last->executor().is_running()) last->executor().advance(Until::done);
  last->complete();
}

void Plan::Implementation::agree_on(const std::exception_ptr& failure) const {
  collectively(context->comm, [&] {
    if (!failure) return;
    try {
      std::rethrow_exception(failure);
    } catch (const Error&) {
      throw;
    } catch (const std::exception& thrown) {
      throw Error(thrown.what(), ErrorCode::callback);
    } catch (...) {
      throw Error("a callback threw something that is not a std::exception", ErrorCode::callback);
    }
  });
}

void Plan::Implementation::agree_to_run(Direction direction, std::optional<Error> error,
                                        const detail::PointFunctions& functions, Index fields) {
  if (const auto busy = find_under_way(); busy && !error) error = Error(*busy);
  const bool traced = tracing.is_on();
  if ((compresses_on_device() || (!context->on_host() && traced)) && !error &&
      context->caller->is_captured()) {
    error = Error(std::string(traced ? "a trace needs times of every run"
                                     : "compressed messages need the host") +
                  ", so the transform cannot be captured in a graph");
  }
  const bool forward = direction == Direction::forward;
  const Index given = (functions.input ? 1 : 0) + (functions.output ? 2 : 0);
  Index flags[7] = {error ? 1 : 0, forward ? 1 : 0, forward ? 0 : 1, fields,
                    -fields,       given,           -given};
  check_mpi(MPI_Allreduce(MPI_IN_PLACE, flags, 7, MPI_INT64_T, MPI_MAX, context->comm.get()),
            "MPI_Allreduce");
  if (flags[0] != 0) agree(context->comm, error);
  if (flags[1] + flags[2] == 2) throw Error("some ranks called forward, others backward");
  if (flags[3] != -flags[4]) {
    throw Error("the number of fields differs between ranks: from " + std::to_string(-flags[4]) +
                " to " + std::to_string(flags[3]));
  }
  if (flags[5] != -flags[6]) {
    throw Error("only some ranks gave functions for the numbers of the input or the output");
  }
  started.forget();
  tracing.next_call();
}

std::optional<std::string> Plan::Implementation::find_under_way() {
  check_mpi_runs();
  if (!is_under_way()) return std::nullopt;
  // Ranks may have come to different collective calls of the transform; one more among these would
  // not be the same on all. Where test has found the end, others still may not have.
  finish();
  return "a transform is under way: wait for it before the next call";
}

void Plan::Implementation::check_idle() {
  agree(context->comm, find_under_way());
}

RunArrays Plan::Implementation::arrays_of(Direction direction, const detail::AnyArray& in,
                                          const detail::AnyArray& out) const {
  if (direction == Direction::forward) return {direction, in, out, info.input, info.output};
  return {direction, in, out, info.output, info.input};
}

void Plan::Implementation::check_arrays(const RunArrays& arrays) const {
  for (const detail::AnyArray* array : {&arrays.in, &arrays.out}) {
    if (array->refusal != nullptr) throw Error(array->refusal);
  }
  check_array("input", arrays.in, arrays.planned_in);
  check_array("output", arrays.out, arrays.planned_out);
  if (workspace == nullptr && info.workspace_bytes > 0) throw Error("the plan has no workspace");
  if (!context->on_host()) {
    check_owner("input", arrays.in.data, arrays.planned_in, *context->device);
    check_owner("output", arrays.out.data, arrays.planned_out, *context->device);
  }
  check_overlap(arrays);
}

std::optional<Error> Plan::Implementation::prepare(const RunArrays& arrays,
                                                   const detail::PointFunctions& functions,
                                                   std::size_t fields) {
  return error_of([&] {
    check_arrays(arrays);
    for (const detail::PointFunction* function : {&functions.input, &functions.output}) {
      if (*function) check_function(*function, *context->device);
    }
    // Copies of a run under way are in use; that it is will be the error.
    if (context->on_host() || is_under_way()) return;
    for (std::size_t i = 0; i < std::min(fields, pipelines.size()); ++i) {
      pipelines[i]->reserve_copies(arrays, functions.input);
    }
  });
}

void Plan::Implementation::begin(FieldPipeline& pipeline, const RunArrays& arrays,
                                 const Callbacks& callbacks, Index field) {
  last = &pipeline;
  std::byte* memory = workspace;
  if (memory != nullptr) memory += pipeline.place() * pipeline.workspace_bytes();
  pipeline.streams().recorder().begin_run(arrays.direction, tracing.call(), field);
  pipeline.begin(arrays, memory, callbacks);
}

}  // namespace weft
