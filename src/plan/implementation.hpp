#pragma once

#include <exception>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "device/buffer.hpp"
#include "pass/callbacks.hpp"
#include "pass/context.hpp"
#include "plan/field_pipeline.hpp"
#include "plan/started.hpp"
#include "plan/tracing.hpp"
#include "plan/user_array.hpp"
#include "weft/plan.hpp"

namespace weft {

/// What a plan is made of: a pipeline for each field in flight, memory for them, and the promise
/// that all ranks do the same. The methods of Plan work on its members.
class Plan::Implementation {
 public:
  /// Settings that are known take the place of wisdom, which is asked for where there are none.
  Implementation(MPI_Comm comm, const Problem& given, const Options& options,
                 const Known* known = nullptr);
  ~Implementation();
  /// Collective, before this is destroyed, which waits for all ranks in a way that cannot end
  /// otherwise. False where not all of them call it within so many seconds.
  bool all_ranks_destroy(double seconds);

  /// Arrays of a caller, beside those that were planned.
  RunArrays arrays_of(Direction direction, const detail::AnyArray& in,
                      const detail::AnyArray& out) const;
  /// All that has to be done on a rank before the ranks agree to run. What is wrong, if anything.
  std::optional<Error> prepare(const RunArrays& arrays, const detail::PointFunctions& functions,
                               std::size_t fields = 1);
  /// One small reduction tells whether any rank has something to say, and what all are up to.
  void agree_to_run(Direction direction, std::optional<Error> error,
                    const detail::PointFunctions& functions, Index fields = 1);
  void begin(FieldPipeline& pipeline, const RunArrays& arrays, const Callbacks& callbacks,
             Index field = 0);
  /// Ends what is under way, if anything is.
  void finish();
  /// Collective. Throws Error on all ranks where a function of the caller has thrown on any.
  void agree_on(const std::exception_ptr& failure) const;
  /// Whether a transform was started whose end this rank has not seen.
  bool is_under_way() const { return started.is_under_way() || last->executor().is_running(); }
  /// Collective. Throws Error on all ranks where a transform is under way on any.
  void check_idle();
  /// Whether messages of a device may be compressed: then the host has to wait for it.
  bool compresses_on_device() const;
  /// Puts there what compression did in the last run of a pipeline. Allocates nothing in a report
  /// that has had such a one before.
  void tell(const FieldPipeline& pipeline, Report& report) const;

  std::unique_ptr<Context> context;
  Schedule schedule;
  std::unique_ptr<SharedWindow> window;
  std::vector<std::unique_ptr<FieldPipeline>> pipelines;
  Tracing tracing;
  Started started;
  FieldPipeline* last = nullptr;      ///< that has begun a run
  std::vector<Report> field_reports;  ///< of transforms of many fields
  std::size_t reported_fields = 0;    ///< of the last one; 0: that was of one field
  PlanInfo info;
  Buffer own_workspace;
  std::byte* workspace = nullptr;

 private:
  /// Of messages of the plan's communicator; those of exchanges have smaller ones.
  static constexpr int destroy_tag = 10;

  /// By the first of them for which there is enough memory to share.
  void make_pipelines(std::span<const ExchangeChoice> exchanges);
  void make_pipelines();
  void tell_arrays(const Problem& given);
  void tell_choices();
  void check_arrays(const RunArrays& arrays) const;
  /// What is wrong with calling anything but test and wait now. Ends what is under way, for which
  /// the caller may still wait.
  std::optional<std::string> find_under_way();
};

}  // namespace weft
