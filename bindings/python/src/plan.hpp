#pragma once

#include <nanobind/nanobind.h>

#include <memory>
#include <string>
#include <vector>

#include "array.hpp"
#include "plan_set.hpp"

namespace weft::python {

/// What weft.Plan is made of. Errors of collective calls come on every rank; Python's lock is not
/// held while ranks wait for each other.
class CorePlan {
 public:
  /// Collective. `comm` is Fortran's handle. `refusal` says why the arguments could not be brought
  /// into `request`; empty where they could.
  CorePlan(int comm, const Members& request, const std::string& refusal);
  ~CorePlan();
  CorePlan(const CorePlan&) = delete;
  CorePlan& operator=(const CorePlan&) = delete;

  void run(bool forward, nb::handle in, nb::handle out);
  void run_many(bool forward, nb::handle in, nb::handle out);
  void start(bool forward, nb::handle in, nb::handle out);
  bool test();
  void wait();
  /// Collective.
  void destroy();

  bool is_destroyed() const { return entry_->plan == nullptr; }
  /// Throws Error for a plan that cannot be used any more.
  Plan& plan() const;
  /// What `work` returns of the plan, which no other thread uses meanwhile. Without Python's lock.
  template <class Work>
  auto alone(Work&& work) const {
    const nb::gil_scoped_release released;
    const std::lock_guard running(entry_->running);
    const MpiTurn turn;
    return work(plan());
  }
  /// A side as (lower, upper, shape, strides, offset, size, name of the dtype).
  AnyTuple side(bool input) const;

 private:
  ForeignArray read(nb::handle array, bool forward, bool is_written) const;

  std::shared_ptr<PlanEntry> entry_;
  LocalArray input_, output_;
  Batch batch_;
  DeviceOfPlan device_;
  bool is_single_ = false;  ///< of one rank
};

void bind_plan(nb::module_& module);

}  // namespace weft::python
