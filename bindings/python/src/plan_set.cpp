#include "plan_set.hpp"

#include <atomic>

#include "exchange/communicator.hpp"

namespace weft::python {

namespace {

std::atomic<int> living_plans{0};

}  // namespace

void PlanEntry::make(const MpiProblem& problem, const Options& options) {
  plan = std::make_unique<Plan>(problem, options);
  ++living_plans;
}

void PlanEntry::destroy() {
  plan.reset();
  --living_plans;
}

int PlanEntry::living() {
  return living_plans;
}

int PlanSet::on_delete(MPI_Comm, int, void* set, void*) {
  // Destroying plans is no work for MPI_Comm_free, or MPI_Finalize: what is still marked stays
  // until the process ends. Entries whose plans Python still has live on there.
  auto* const deleted = static_cast<PlanSet*>(set);
  for (std::shared_ptr<PlanEntry>& entry : deleted->entries_) {
    if (entry->is_abandoned) new std::shared_ptr<PlanEntry>(std::move(entry));
  }
  delete deleted;
  return MPI_SUCCESS;
}

int PlanSet::keyval() {
  static const int made = [] {
    int value = MPI_KEYVAL_INVALID;
    check_mpi(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, &PlanSet::on_delete, &value, nullptr),
              "MPI_Comm_create_keyval");
    return value;
  }();
  return made;
}

PlanSet& PlanSet::of(MPI_Comm comm) {
  void* found = nullptr;
  int is_there = 0;
  check_mpi(MPI_Comm_get_attr(comm, keyval(), &found, &is_there), "MPI_Comm_get_attr");
  if (is_there != 0) return *static_cast<PlanSet*>(found);
  auto set = std::make_unique<PlanSet>();
  check_mpi(MPI_Comm_set_attr(comm, keyval(), set.get()), "MPI_Comm_set_attr");
  return *set.release();
}

std::vector<std::shared_ptr<PlanEntry>> PlanSet::take_abandoned(MPI_Comm agreement) {
  std::erase_if(entries_, [](const auto& entry) { return entry->plan == nullptr; });
  std::vector<int> marked;
  for (const auto& entry : entries_) marked.push_back(entry->is_abandoned ? 1 : 0);
  if (marked.empty()) return {};
  {
    const nb::gil_scoped_release released;
    const MpiTurn turn;
    check_mpi(MPI_Allreduce(MPI_IN_PLACE, marked.data(), static_cast<int>(marked.size()), MPI_INT,
                            MPI_MIN, agreement),
              "MPI_Allreduce");
  }
  std::vector<std::shared_ptr<PlanEntry>> taken, left;
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    (i < marked.size() && marked[i] != 0 ? taken : left).push_back(entries_[i]);
  }
  entries_ = std::move(left);
  return taken;
}

MpiTurn::MpiTurn() {
  static std::mutex turns;
  static const bool at_will = [] {
    int provided = MPI_THREAD_SINGLE;
    MPI_Query_thread(&provided);
    return provided == MPI_THREAD_MULTIPLE;
  }();
  if (!at_will) lock_ = std::unique_lock(turns);
}

}  // namespace weft::python
