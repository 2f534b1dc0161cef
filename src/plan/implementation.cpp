#include "plan/implementation.hpp"

#include <algorithm>
#include <cstdint>

#include "exchange/agreement.hpp"
#include "exchange/device_window.hpp"
#include "exchange/node_window.hpp"
#include "plan/arguments.hpp"
#include "plan/choose.hpp"
#include "plan/user_array.hpp"
#include "schedule/describe.hpp"
#include "schedule/planner.hpp"

namespace weft {

namespace {

std::unique_ptr<SharedWindow> make_window(const Context& context) {
  switch (context.exchange.method->traits.window) {
    case ExchangeTraits::node:
      return std::make_unique<NodeWindow>(context.comm);
    case ExchangeTraits::machine:
      return std::make_unique<DeviceWindow>(context.comm, *context.device);
    case ExchangeTraits::none:
    case ExchangeTraits::own:
      break;
  }
  return nullptr;
}

}  // namespace

Plan::Implementation::Implementation(MPI_Comm comm, const Problem& given, Options options,
                                     const Known* known)
    : context_(choose(comm, given, options, known)) {
  collectively(context_->comm,
               [&] { schedule_ = plan_schedule(context_->problem, options, context_->machine); });
  tell_arrays(given);
  make_pipelines(exchanges_to_try(*context_, options));
  tell_choices();
  if (options.allocate_workspace && !context_->tunes) {
    collectively(context_->comm, [&] { allocate_workspace(); });
  }
  last_ = pipelines_.front().get();
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
  for (auto& pipeline : pipelines_) attempt([&] { pipeline->streams().synchronize(); });
}

bool Plan::Implementation::all_ranks_destroy(double seconds) {
  // Others may still wait for what this rank has to do in a transform under way.
  const auto go_on = [&] {
    if (last_->executor().is_running()) last_->executor().advance(Until::blocked);
    context_->progress->poll();
  };
  // Two times: once all have come, they are here, so that nobody gives up between the two.
  return barrier_within(seconds, context_->comm, destroy_tag, go_on) &&
         barrier_within(seconds, context_->comm, destroy_tag + 1, go_on);
}

void Plan::Implementation::allocate_workspace() {
  own_workspace_ = Buffer(*context_->device, info_.workspace_bytes);
  workspace_ = own_workspace_.data();
}

void Plan::Implementation::make_pipelines(std::span<const ExchangeChoice> exchanges) {
  for (const ExchangeChoice& exchange : exchanges) {
    try {
      context_->exchange = exchange;
      return make_pipelines();
    } catch (const SharedMemoryError&) {
      pipelines_.clear();
      window_.reset();
      // Whoever asks for shared memory by name wants to know that there is not enough.
      if (&exchange == &exchanges.back()) throw;
    }
  }
}

void Plan::Implementation::make_pipelines() {
  const Communicator& comm = context_->comm;
  window_ = make_window(*context_);
  collectively(comm, [&] {
    for (int i = 0; i < context_->fields_in_flight; ++i) {
      pipelines_.push_back(std::make_unique<FieldPipeline>(*context_, pipelines_.size()));
    }
  });
  const Schedule backward = reversed(schedule_);
  for (auto& pipeline : pipelines_) {
    pipeline->make_redistributions(*context_, schedule_, backward, window_.get());
  }
  if (window_) window_->allocate();
  for (auto& pipeline : pipelines_) pipeline->bind();
  for (auto& pipeline : pipelines_) pipeline->make_programs(schedule_, backward);
}

void Plan::Implementation::start(Direction direction, const detail::AnyArray& in,
                                 const detail::AnyArray& out) {
  agree_to_run(direction, prepare(direction, in, out, {}), {});
  last_reports_ = nullptr;
  begin(*pipelines_.front(), direction, in, out, {});
  last_->executor().advance(last_->program(direction).blocks() ? Until::done : Until::message);
  started_.begin();
}

void Plan::Implementation::run(Direction direction, const detail::AnyArray& in,
                               const detail::AnyArray& out,
                               const detail::PointFunctions& functions) {
  agree_to_run(direction, prepare(direction, in, out, functions), functions);
  last_reports_ = nullptr;
  CallbackFailure failure;
  begin(*pipelines_.front(), direction, in, out,
        {.functions = functions, .failure = &failure, .axes = info_.shape.size()});
  last_->executor().advance(Until::done);
  last_->complete();
  if (functions) agree_on(failure.exception());
}

bool Plan::Implementation::test() {
  check_mpi_runs();
  started_.check("test");
  if (!started_.is_under_way()) return true;
  if (last_->executor().is_running() && !last_->executor().advance(Until::blocked)) {
    context_->progress->poll();
    return false;
  }
  last_->complete();
  started_.complete();
  return true;
}

void Plan::Implementation::wait() {
  check_mpi_runs();
  started_.check("wait");
  finish();
  started_.forget();
}

void Plan::Implementation::wait_and_agree(const std::exception_ptr& failure) {
  wait();
  agree_on(failure);
}

void Plan::Implementation::finish() {
  if (last_->executor().is_running()) last_->executor().advance(Until::done);
  last_->complete();
}

void Plan::Implementation::agree_on(const std::exception_ptr& failure) {
  collectively(context_->comm, [&] {
    if (!failure) return;
    try {
      std::rethrow_exception(failure);
    } catch (const Error&) {
      throw;
    } catch (const std::exception& thrown) {
      throw Error(thrown.what(), ErrorCode::callback);
    } catch (...) {
      throw Error("a callback threw something that is no std::exception", ErrorCode::callback);
    }
  });
}

void Plan::Implementation::agree_to_run(Direction direction, std::optional<Error> error,
                                        const detail::PointFunctions& functions, Index fields) {
  if (const auto busy = find_under_way(); busy && !error) error = Error(*busy);
  const bool traced = tracing_.is_on();
  if ((compresses_on_device() || (!context_->on_host() && traced)) && !error &&
      context_->caller->is_captured()) {
    error = Error(std::string(traced ? "a trace needs times of every run"
                                     : "compressed messages need the host") +
                  ", so the transform cannot be captured in a graph");
  }
  const bool forward = direction == Direction::forward;
  const Index given = (functions.input ? 1 : 0) + (functions.output ? 2 : 0);
  Index flags[7] = {error ? 1 : 0, forward ? 1 : 0, forward ? 0 : 1, fields,
                    -fields,       given,           -given};
  check_mpi(MPI_Allreduce(MPI_IN_PLACE, flags, 7, MPI_INT64_T, MPI_MAX, context_->comm.get()),
            "MPI_Allreduce");
  if (flags[0] != 0) agree(context_->comm, error);
  if (flags[1] + flags[2] == 2) throw Error("some ranks called forward, others backward");
  if (flags[3] != -flags[4]) {
    throw Error("the number of fields differs between ranks: from " + std::to_string(-flags[4]) +
                " to " + std::to_string(flags[3]));
  }
  if (flags[5] != -flags[6]) {
    throw Error("only some ranks gave functions for the numbers of the input or the output");
  }
  started_.forget();
  tracing_.next_call();
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
  agree(context_->comm, find_under_way());
}

void Plan::Implementation::start_trace() {
  check_idle();
  tracing_.start(context_->comm, pipelines_);
}

Trace Plan::Implementation::stop_trace() {
  check_idle();
  return tracing_.stop(context_->comm, pipelines_);
}

std::optional<std::string> Plan::Implementation::find_error(Direction direction,
                                                            const detail::AnyArray& in,
                                                            const detail::AnyArray& out) const {
  for (const detail::AnyArray* array : {&in, &out}) {
    if (array->refusal != nullptr) return array->refusal;
  }
  const bool forward = direction == Direction::forward;
  const LocalArray& source = forward ? info_.input : info_.output;
  const LocalArray& sink = forward ? info_.output : info_.input;
  if (auto error = find_mismatch("input", in, source)) return error;
  if (auto error = find_mismatch("output", out, sink)) return error;
  if (workspace_ == nullptr && info_.workspace_bytes > 0) return "the plan has no workspace";
  if (!context_->on_host()) {
    if (auto error = find_device_error("input", in.data, source, *context_->device)) return error;
    if (auto error = find_device_error("output", out.data, sink, *context_->device)) return error;
  }
  return find_overlap(in, source, out, sink);
}

std::optional<Error> Plan::Implementation::prepare(Direction direction, const detail::AnyArray& in,
                                                   const detail::AnyArray& out,
                                                   const detail::PointFunctions& functions,
                                                   std::size_t fields) {
  if (auto error = find_error(direction, in, out)) return error;
  const bool forward = direction == Direction::forward;
  try {
    for (const detail::PointFunction* function : {&functions.input, &functions.output}) {
      if (*function) check_function(*function, *context_->device);
    }
    // Copies of a run under way are in use; that it is will be the error.
    if (context_->on_host() || is_under_way()) return std::nullopt;
    for (std::size_t i = 0; i < std::min(fields, pipelines_.size()); ++i) {
      pipelines_[i]->reserve_copies(direction, in, forward ? info_.input : info_.output, out,
                                    forward ? info_.output : info_.input,
                                    static_cast<bool>(functions.input));
    }
  } catch (const std::exception&) {
    return caught_error();
  }
  return std::nullopt;
}

void Plan::Implementation::begin(FieldPipeline& pipeline, Direction direction,
                                 const detail::AnyArray& in, const detail::AnyArray& out,
                                 const Callbacks& callbacks, Index field) {
  last_ = &pipeline;
  const bool forward = direction == Direction::forward;
  std::byte* workspace = workspace_;
  if (workspace != nullptr) workspace += pipeline.place() * pipeline.workspace_bytes();
  pipeline.streams().recorder().begin_run(direction, tracing_.call(), field);
  pipeline.begin(direction, in, forward ? info_.input : info_.output, out,
                 forward ? info_.output : info_.input, workspace, callbacks);
}

void Plan::Implementation::set_workspace(std::span<std::byte> memory) {
  if (is_under_way()) {
    throw Error("a transform is under way in the workspace: wait for it before it is replaced");
  }
  if (memory.size() < info_.workspace_bytes) {
    throw Error("workspace of " + std::to_string(memory.size()) +
                " bytes is too small: " + std::to_string(info_.workspace_bytes) + " are needed");
  }
  if (reinterpret_cast<std::uintptr_t>(memory.data()) % buffer_alignment != 0) {
    throw Error("workspace is not aligned to " + std::to_string(buffer_alignment) + " bytes");
  }
  if (!reaches(*context_->device, memory.data()) && !memory.empty()) {
    throw Error("workspace is not memory of device '" + std::string(context_->backend->device) +
                "'");
  }
  own_workspace_ = Buffer();
  workspace_ = memory.data();
}

}  // namespace weft
