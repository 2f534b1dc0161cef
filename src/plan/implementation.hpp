#pragma once

#include <exception>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "device/alignment.hpp"
#include "device/buffer.hpp"
#include "pass/callbacks.hpp"
#include "pass/context.hpp"
#include "plan/field_pipeline.hpp"
#include "plan/report.hpp"
#include "plan/started.hpp"
#include "plan/tracing.hpp"
#include "weft/plan.hpp"

namespace weft {

/// What a plan is made of: a pipeline for each field in flight, memory for them, and the promise
/// that all ranks do the same.
class Plan::Implementation {
 public:
  /// Settings that are known take the place of wisdom, which is asked for where there are none.
  Implementation(MPI_Comm comm, const Problem& given, Options options,
                 const Known* known = nullptr);
  ~Implementation();
  /// Collective, before this is destroyed, which waits for all ranks in a way that cannot end
  /// otherwise. False where not all of them call it within so many seconds.
  bool all_ranks_destroy(double seconds);

  void start(Direction direction, const detail::AnyArray& in, const detail::AnyArray& out);
  bool test();
  void wait();
  void wait_and_agree(const std::exception_ptr& failure);
  void run(Direction direction, const detail::AnyArray& in, const detail::AnyArray& out,
           const detail::PointFunctions& functions);
  void run_many(Direction direction, const Fields& in, const Fields& out,
                const detail::PointFunctions& functions);

  void start_trace();
  Trace stop_trace();

  Report report() const;
  Report report(Index field) const;
  std::string describe() const;
  const PlanInfo& info() const { return info_; }
  void set_workspace(std::span<std::byte> memory);
  const Context& context() const { return *context_; }
  /// Of settings that were tried before this was made.
  void tell_trials(std::vector<PlanTrial> trials) { info_.trials = std::move(trials); }
  const std::vector<StageTiming>& timings() const { return last_->timings(); }

 private:
  /// Of messages of the plan's communicator; those of exchanges have smaller ones.
  static constexpr int destroy_tag = 10;

  /// By the first of them for which there is enough memory to share.
  void make_pipelines(std::span<const ExchangeChoice> exchanges);
  void make_pipelines();
  std::optional<std::string> find_error(Direction direction, const detail::AnyArray& in,
                                        const detail::AnyArray& out) const;
  /// One small reduction tells whether any rank has something to say, and what all are up to.
  void agree_to_run(Direction direction, std::optional<Error> error,
                    const detail::PointFunctions& functions, Index fields = 1);
  void allocate_workspace();
  void tell_arrays(const Problem& given);
  void tell_choices();
  /// Whether messages of a device may be compressed: then the host has to wait for it.
  bool compresses_on_device() const;
  /// Whether a transform was started whose end this rank has not seen.
  bool is_under_way() const { return started_.is_under_way() || last_->executor().is_running(); }
  /// What is wrong with calling anything but test and wait now. Ends what is under way, for which
  /// the caller may still wait.
  std::optional<std::string> find_under_way();
  /// Collective. Throws Error on all ranks where a transform is under way on any.
  void check_idle();
  /// Ends what is under way, if anything is.
  void finish();
  /// Collective. Throws Error on all ranks where a function of the caller has thrown on any.
  void agree_on(const std::exception_ptr& failure);
  void begin(FieldPipeline& pipeline, Direction direction, const detail::AnyArray& in,
             const detail::AnyArray& out, const Callbacks& callbacks, Index field = 0);
  /// All that has to be done on a rank before the ranks agree to run. What is wrong, if anything.
  std::optional<Error> prepare(Direction direction, const detail::AnyArray& in,
                               const detail::AnyArray& out, const detail::PointFunctions& functions,
                               std::size_t fields = 1);

  std::unique_ptr<Context> context_;
  Schedule schedule_;
  std::unique_ptr<SharedWindow> window_;
  std::vector<std::unique_ptr<FieldPipeline>> pipelines_;
  Tracing tracing_;
  Started started_;
  FieldPipeline* last_ = nullptr;  // that has begun a run
  FieldReports forward_reports_;
  FieldReports backward_reports_;
  const FieldReports* last_reports_ = nullptr;  // null: the last transform was of one field
  PlanInfo info_;
  Buffer own_workspace_;
  std::byte* workspace_ = nullptr;
};

}  // namespace weft
