#include "weft/plan.hpp"

#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "device/alignment.hpp"
#include "plan/implementation.hpp"

namespace weft {

namespace {

/// How long a rank that destroys a plan waits for the others.
double seconds_to_destroy() {
  constexpr double usual = 60;
  const char* text = std::getenv("WEFT_DESTROY_TIMEOUT");
  const double given = text != nullptr ? std::atof(text) : 0;
  return given > 0 ? given : usual;
}

}  // namespace

std::string to_string(ElementType type) {
  return (type.complex ? "complex " : "real ") + to_string(type.precision);
}

Plan::Plan(std::unique_ptr<Implementation> made) : implementation_(std::move(made)) {}
Plan::~Plan() {
  try {
    free();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "weft: %s\n", error.what());
  }
}
Plan::Plan(Plan&&) noexcept = default;
Plan& Plan::operator=(Plan&& other) noexcept {
  const Plan replaced = std::move(*this);
  implementation_ = std::move(other.implementation_);
  return *this;
}

void Plan::free() {
  std::unique_ptr<Implementation> last = std::move(implementation_);
  if (!last || mpi_is_finalized()) return;
  const double seconds = seconds_to_destroy();
  if (last->all_ranks_destroy(seconds)) return;
  const Implementation* const kept = last.release();  // others may still read and write its memory
  char text[300];
  std::snprintf(text, sizeof text,
                "rank %d destroys a plan of shape %s that not all ranks have destroyed within %g "
                "s, so its memory and communicators are kept: ranks must destroy plans in the same "
                "order",
                kept->context->comm.rank(), to_string(kept->info.shape).c_str(), seconds);
  throw Error(text);
}

void Plan::start(Direction direction, const detail::AnyArray& in, const detail::AnyArray& out) {
  Implementation& plan = *implementation_;
  const RunArrays arrays = plan.arrays_of(direction, in, out);
  plan.agree_to_run(direction, plan.prepare(arrays, {}), {});
  plan.reported_fields = 0;
  plan.begin(*plan.pipelines.front(), arrays, {});
  plan.last->executor().advance(plan.last->program(direction).blocks() ? Until::done
                                                                       : Until::message);
  plan.started.begin();
}

void Plan::run(Direction direction, const detail::AnyArray& in, const detail::AnyArray& out,
               const detail::PointFunctions& functions) {
  Implementation& plan = *implementation_;
  const RunArrays arrays = plan.arrays_of(direction, in, out);
  plan.agree_to_run(direction, plan.prepare(arrays, functions), functions);
  plan.reported_fields = 0;
  CallbackFailure failure;
  plan.begin(*plan.pipelines.front(), arrays,
             {.functions = functions, .failure = &failure, .axes = plan.info.shape.size()});
  plan.last->executor().advance(Until::done);
  plan.last->complete();
  if (functions) plan.agree_on(failure.exception());
}

bool Plan::test() {
  Implementation& plan = *implementation_;
  check_mpi_runs();
  plan.started.check("test");
  if (!plan.started.is_under_way()) return true;
  if (plan.last->executor().is_running() && !plan.last->executor().advance(Until::blocked)) {
    plan.context->progress->poll();
    return false;
  }
  plan.last->complete();
  plan.started.complete();
  return true;
}

void Plan::wait() {
  check_mpi_runs();
  implementation_->started.check("wait");
  implementation_->finish();
  implementation_->started.forget();
}

void Plan::wait_and_agree(const std::exception_ptr& failure) {
  wait();
  implementation_->agree_on(failure);
}

void Plan::start_trace() {
  implementation_->check_idle();
  implementation_->tracing.start(implementation_->context->comm, implementation_->pipelines);
}

Trace Plan::stop_trace() {
  implementation_->check_idle();
  return implementation_->tracing.stop(implementation_->context->comm, implementation_->pipelines);
}

const LocalArray& Plan::input() const {
  return implementation_->info.input;
}
const LocalArray& Plan::output() const {
  return implementation_->info.output;
}
const PlanInfo& Plan::info() const {
  return implementation_->info;
}
const std::vector<StageTiming>& Plan::timings() const {
  return implementation_->last->timings();
}
MPI_Comm Plan::communicator() const {
  return implementation_->context->comm.get();
}

void Plan::set_workspace(std::span<std::byte> memory) {
  Implementation& plan = *implementation_;
  if (plan.is_under_way()) {
    throw Error("a transform is under way in the workspace: wait for it before it is replaced");
  }
  if (memory.size() < plan.info.workspace_bytes) {
    throw Error("workspace of " + std::to_string(memory.size()) + " bytes is too small: " +
                std::to_string(plan.info.workspace_bytes) + " are needed");
  }
  if (reinterpret_cast<std::uintptr_t>(memory.data()) % buffer_alignment != 0) {
    throw Error("workspace is not aligned to " + std::to_string(buffer_alignment) + " bytes");
  }
  if (!reaches(*plan.context->device, memory.data()) && !memory.empty()) {
    throw Error("workspace is not memory of device '" + plan.info.device + "'");
  }
  plan.own_workspace = Buffer();
  plan.workspace = memory.data();
}

}  // namespace weft
