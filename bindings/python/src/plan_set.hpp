#pragma once

#include <nanobind/nanobind.h>

#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "weft/plan.hpp"

namespace weft::python {

namespace nb = nanobind;

/// A plan and what Python may not let go of before it: the arrays of a transform under way.
struct PlanEntry {
  void make(const MpiProblem& problem, const Options& options);
  void destroy();
  /// Plans of this process that have been made and not destroyed.
  static int living();

  std::unique_ptr<Plan> plan;  ///< null: it has been destroyed, as on all ranks
  std::mutex running;          ///< a plan must not run in two threads at a time
  nb::object arrays;
  bool is_abandoned = false;
};

/// The plans of a communicator, in the order in which they were made, which is the same on all
/// ranks. It is attached to the communicator of the caller.
///
/// Destroying a plan is collective, but the garbage of different ranks is collected at different
/// times. So a plan that is collected is only marked, and destroyed when the next plan on its
/// communicator is made, if by then it is marked on all ranks.
class PlanSet {
 public:
  static PlanSet& of(MPI_Comm comm);

  void add(std::shared_ptr<PlanEntry> entry) { entries_.push_back(std::move(entry)); }
  /// Collective over `agreement`, which has the same ranks: takes out the plans that are marked on
  /// all ranks. To be called with Python's lock, which it lets go of meanwhile.
  std::vector<std::shared_ptr<PlanEntry>> take_abandoned(MPI_Comm agreement);

 private:
  static int on_delete(MPI_Comm comm, int keyval, void* set, void* extra);
  static int keyval();

  std::vector<std::shared_ptr<PlanEntry>> entries_;
};

/// Held while MPI is used, where it does not let several threads in at a time.
class MpiTurn {
 public:
  MpiTurn();

 private:
  std::unique_lock<std::mutex> lock_;
};

}  // namespace weft::python
