#include "weft/plan.hpp"

#include <cstdio>
#include <cstdlib>

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
                kept->context().comm.rank(), to_string(kept->info().shape).c_str(), seconds);
  throw Error(text);
}

void Plan::run(Direction direction, const detail::AnyArray& in, const detail::AnyArray& out,
               const detail::PointFunctions& functions) {
  implementation_->run(direction, in, out, functions);
}
void Plan::start(Direction direction, const detail::AnyArray& in, const detail::AnyArray& out) {
  implementation_->start(direction, in, out);
}
bool Plan::test() {
  return implementation_->test();
}
void Plan::wait() {
  implementation_->wait();
}
void Plan::wait_and_agree(const std::exception_ptr& failure) {
  implementation_->wait_and_agree(failure);
}
void Plan::run_many(Direction direction, const Fields& in, const Fields& out,
                    const detail::PointFunctions& functions) {
  implementation_->run_many(direction, in, out, functions);
}
void Plan::run_many(Direction direction, std::span<const detail::AnyArray> in,
                    std::span<const detail::AnyArray> out,
                    const detail::PointFunctions& functions) {
  run_many(direction, of_fields(in), of_fields(out), functions);
}
void Plan::start_trace() {
  implementation_->start_trace();
}
Trace Plan::stop_trace() {
  return implementation_->stop_trace();
}
Report Plan::report() const {
  return implementation_->report();
}
Report Plan::report(Index field) const {
  return implementation_->report(field);
}
const LocalArray& Plan::input() const {
  return implementation_->info().input;
}
const LocalArray& Plan::output() const {
  return implementation_->info().output;
}
const PlanInfo& Plan::info() const {
  return implementation_->info();
}
void Plan::set_workspace(std::span<std::byte> memory) {
  implementation_->set_workspace(memory);
}
std::string Plan::describe() const {
  return implementation_->describe();
}
const std::vector<StageTiming>& Plan::timings() const {
  return implementation_->timings();
}
MPI_Comm Plan::communicator() const {
  return implementation_->context().comm.get();
}

}  // namespace weft
