#include "shared_plans.hpp"

#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <utility>

namespace weft::fftw_mpi {

namespace {

using Identity = std::intptr_t;

/// A number of this process for a communicator, kept with it. MPI may give a new communicator the
/// handle of one that was freed, but not its attributes.
Identity identity_of(MPI_Comm comm) {
  static const int keyval = [] {
    int made = MPI_KEYVAL_INVALID;
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &made, nullptr);
    return made;
  }();
  static std::atomic<Identity> last{0};
  void* value = nullptr;
  int found = 0;
  MPI_Comm_get_attr(comm, keyval, &value, &found);
  if (found) return reinterpret_cast<Identity>(value);
  const Identity made = ++last;
  // NOLINTNEXTLINE(performance-no-int-to-ptr): attributes are pointers
  MPI_Comm_set_attr(comm, keyval, reinterpret_cast<void*>(made));
  return made;
}

std::mutex mutex;
std::map<std::pair<Identity, std::string>, std::weak_ptr<Plan>>& known_plans() {
  // Never destroyed: plans may outlive this library's own objects.
  static auto* const plans = new std::map<std::pair<Identity, std::string>, std::weak_ptr<Plan>>;
  return *plans;
}

}  // namespace

std::shared_ptr<Plan> shared_plan(MPI_Comm comm, const std::string& key,
                                  const std::function<std::shared_ptr<Plan>()>& make) {
  const std::pair<Identity, std::string> place(identity_of(comm), key);
  std::shared_ptr<Plan> plan;
  {
    const std::lock_guard lock(mutex);
    std::erase_if(known_plans(), [](const auto& entry) { return entry.second.expired(); });
    const auto entry = known_plans().find(place);
    if (entry != known_plans().end()) plan = entry->second.lock();
  }
  // Ranks need not have destroyed earlier plans at the same time. The newest one of a key is the
  // same one wherever it lives.
  int lives = plan != nullptr ? 1 : 0;
  MPI_Allreduce(MPI_IN_PLACE, &lives, 1, MPI_INT, MPI_MIN, comm);
  if (lives == 1) return plan;
  if (!make) return nullptr;
  plan = make();
  const std::lock_guard lock(mutex);
  known_plans()[place] = plan;
  return plan;
}

}  // namespace weft::fftw_mpi
