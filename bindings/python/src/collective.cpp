#include "collective.hpp"

#include <atomic>
#include <iterator>

#include "exchange/agreement.hpp"

namespace weft::python {

namespace {

std::atomic<int> living_objects{0};

/// With Python's lock only.
std::vector<std::shared_ptr<CollectiveEntry>>& postponed() {
  static auto* const entries = new std::vector<std::shared_ptr<CollectiveEntry>>;
  return *entries;
}

thread_local int callbacks_entered = 0;

}  // namespace

int CollectiveEntry::living() {
  return living_objects;
}
void CollectiveEntry::count(int more) {
  living_objects += more;
}

int CollectiveSet::on_delete(MPI_Comm, int, void* set, void*) {
  // Destroying objects is no work for MPI_Comm_free, or MPI_Finalize: what is still marked stays
  // until the process ends. Entries whose objects Python still has live on there.
  auto* const deleted = static_cast<CollectiveSet*>(set);
  for (std::shared_ptr<CollectiveEntry>& entry : deleted->entries_) {
    if (entry->is_abandoned) new std::shared_ptr<CollectiveEntry>(std::move(entry));
  }
  delete deleted;
  return MPI_SUCCESS;
}

int CollectiveSet::keyval() {
  static const int made = [] {
    int value = MPI_KEYVAL_INVALID;
    check_mpi(
        MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, &CollectiveSet::on_delete, &value, nullptr),
        "MPI_Comm_create_keyval");
    return value;
  }();
  return made;
}

CollectiveSet& CollectiveSet::of(MPI_Comm comm) {
  void* found = nullptr;
  int is_there = 0;
  check_mpi(MPI_Comm_get_attr(comm, keyval(), &found, &is_there), "MPI_Comm_get_attr");
  if (is_there != 0) return *static_cast<CollectiveSet*>(found);
  auto set = std::make_unique<CollectiveSet>();
  check_mpi(MPI_Comm_set_attr(comm, keyval(), set.get()), "MPI_Comm_set_attr");
  return *set.release();
}

std::vector<std::shared_ptr<CollectiveEntry>> CollectiveSet::take_abandoned(MPI_Comm agreement) {
  std::erase_if(entries_, [](const auto& entry) { return entry->is_destroyed(); });
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
  std::vector<std::shared_ptr<CollectiveEntry>> taken, left;
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

InsideCallback::InsideCallback() {
  ++callbacks_entered;
}
InsideCallback::~InsideCallback() {
  --callbacks_entered;
}
bool InsideCallback::holds() {
  return callbacks_entered > 0;
}
void InsideCallback::refuse() {
  if (holds()) {
    throw Error(
        "a callback cannot make, use or destroy plans: other ranks, and this transform, would "
        "wait");
  }
}

CollectiveSet* begin_making(MPI_Comm comm, const std::optional<Error>& error) {
  Communicator agreement;
  CollectiveSet* set = nullptr;
  {
    const nb::gil_scoped_release released;
    const MpiTurn turn;
    agreement = Communicator::duplicate(comm);
    agree(agreement, error);
    set = &CollectiveSet::of(comm);
  }
  auto abandoned = set->take_abandoned(agreement.get());
  std::move(postponed().begin(), postponed().end(), std::back_inserter(abandoned));
  postponed().clear();
  {
    const nb::gil_scoped_release released;
    const MpiTurn turn;
    for (const auto& entry : abandoned) entry->destroy();
    const bool is_single = agreement.size() == 1;
    agreement = Communicator();
    return is_single ? nullptr : set;
  }
}

void destroy_later(std::shared_ptr<CollectiveEntry> entry) {
  postponed().push_back(std::move(entry));
}

}  // namespace weft::python
