// Plans are made here, because tuning makes and runs other plans.
#include <charconv>
#include <memory>
#include <sstream>

#include "exchange/agreement.hpp"
#include "geometry/human_units.hpp"
#include "plan/implementation.hpp"
#include "tune/candidates.hpp"
#include "tune/race.hpp"
#include "tune/tuning_watcher.hpp"
#include "verify/random.hpp"
#include "weft/plan_array.hpp"
#include "weft/wisdom.hpp"
#include "wisdom/record.hpp"

namespace weft {

namespace {

/// Of a rank, where the plan works on it. All plans that are tried use the same.
struct TrialArrays {
  PlanMemory input, output, workspace;
};

detail::AnyArray array_in(const PlanMemory& memory, const LocalArray& array) {
  return {memory.data(), static_cast<std::size_t>(array.allocation_size), array.type};
}

PlanMemory memory_for(const Plan& plan, const LocalArray& array) {
  const std::size_t real = array.type.precision == Precision::f32 ? 4 : 8;
  return PlanMemory(plan, static_cast<std::size_t>(array.allocation_size) *
                              (array.type.complex ? 2 * real : real));
}

/// Zeros would be transformed faster than numbers.
void fill_input(const PlanInfo& info, PlanMemory& memory) {
  constexpr std::uint64_t seed = 27;
  std::vector<std::byte> numbers(memory.size());
  fill_random(info.input, info.input_points, info.batch, seed, numbers.data());
  memory.copy_from(numbers);
}

class TimedPlan : public Contestant {
 public:
  TimedPlan(std::shared_ptr<Plan> plan, const Context& context, TrialArrays& arrays)
      : plan_(std::move(plan)), context_(context), arrays_(arrays) {
    collectively(context.comm, [&] {
      const std::size_t needed = plan_->info().workspace_bytes;
      if (arrays_.workspace.size() < needed) arrays_.workspace = PlanMemory(*plan_, needed);
    });
  }

  double run() override {
    const PlanInfo& info = plan_->info();
    // Without scaling numbers would grow with every run.
    if (info.norm == Norm::none) fill_input(info, arrays_.input);
    plan_->set_workspace({arrays_.workspace.data(), arrays_.workspace.size()});
    const auto input = array_in(arrays_.input, info.input);
    const auto output = array_in(arrays_.output, info.output);
    check_mpi(MPI_Barrier(context_.comm.get()), "MPI_Barrier");
    const double begin = MPI_Wtime();
    plan_->forward(input, output);
    plan_->backward(output, input);
    context_.caller->synchronize();
    double seconds = MPI_Wtime() - begin;
    check_mpi(MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, context_.comm.get()),
              "MPI_Allreduce");
    return seconds;
  }

 private:
  std::shared_ptr<Plan> plan_;
  const Context& context_;
  TrialArrays& arrays_;
};

/// Collective: those of rank 0. Ranks on other machines may have other libraries.
std::vector<PlanTrial> of_first_rank(const std::vector<PlanTrial>& own, const Communicator& comm) {
  std::string text;
  for (const PlanTrial& trial : own) {
    text += exact_text(trial.predicted_seconds);
    text += ' ';
    text += trial.settings;
    text += '\n';
  }
  std::istringstream lines(broadcast(comm, std::move(text), 0));
  std::vector<PlanTrial> trials;
  for (std::string line; std::getline(lines, line);) {
    const std::size_t space = line.find(' ');
    PlanTrial trial{.settings = line.substr(space + 1)};
    std::from_chars(line.data(), line.data() + space, trial.predicted_seconds);
    trials.push_back(trial);
  }
  return trials;
}

double clock_of_first_rank(const Communicator& comm) {
  double now = MPI_Wtime();
  check_mpi(MPI_Bcast(&now, 1, MPI_DOUBLE, 0, comm.get()), "MPI_Bcast");
  return now;
}

/// Collective: what went wrong, if anything did. A plan is no worse for being forgotten.
std::string remember(const WisdomRecord& record, const Communicator& comm) {
  std::string remark;
  if (comm.rank() == 0) {
    try {
      add_wisdom({record});
    } catch (const std::exception& error) {
      remark = "not remembered: " + std::string(error.what());
    }
  }
  return broadcast(comm, std::move(remark), 0);
}

}  // namespace

thread_local TuningWatcher tuning_watcher;

Plan::Plan(MPI_Comm comm, const Problem& problem, const Options& options)
    : Plan(make(comm, problem, options)) {}

std::unique_ptr<Plan::Implementation> Plan::make(MPI_Comm comm, const Problem& problem,
                                                 const Options& options) {
  auto first = std::make_unique<Implementation>(comm, problem, options);
  const Context& context = *first->context;
  if (!context.tunes) return first;

  const std::shared_ptr<Plan> defaults(new Plan(std::move(first)));
  TrialArrays arrays;
  collectively(context.comm, [&] {
    arrays.input = memory_for(*defaults, defaults->info().input);
    arrays.output = memory_for(*defaults, defaults->info().output);
    fill_input(defaults->info(), arrays.input);
  });
  const auto known_to_be = [&](const std::string& settings) {
    Known known = context.known;
    known.settings = settings;
    known.why = "tuned";
    return known;
  };
  Options without_workspace = options;
  without_workspace.allocate_workspace = false;
  const auto make_contestant = [&](const std::string& settings) -> std::unique_ptr<Contestant> {
    if (settings.empty()) return std::make_unique<TimedPlan>(defaults, context, arrays);
    const Known known = known_to_be(settings);
    const std::shared_ptr<Plan> plan(
        new Plan(std::make_unique<Implementation>(comm, problem, without_workspace, &known)));
    return std::make_unique<TimedPlan>(plan, context, arrays);
  };
  const Candidates candidates(context);
  Race race({make_contestant, [&] { return clock_of_first_rank(context.comm); },
             static_cast<double>(context.given.tune_seconds), context.given.tune_trials},
            candidates.predicted_seconds(""));
  const auto try_out = [&](const PlanTrial& trial) {
    const bool goes_on = race.try_out(trial);
    if (tuning_watcher.tried) tuning_watcher.tried(race.trials().back());
    return goes_on;
  };
  for (const PlanTrial& trial : of_first_rank(candidates.near(), context.comm)) try_out(trial);
  for (int stage = 0; stage < Candidates::stages; ++stage) {
    const auto trials = candidates.of_stage(stage, race.best());
    for (const PlanTrial& trial : of_first_rank(trials, context.comm)) {
      if (!try_out(trial)) break;
    }
  }
  race.finish();
  if (tuning_watcher.ended) tuning_watcher.ended(candidates, race.trials());

  const PlanTrial& best = race.best_trial();
  Known known = known_to_be(best.settings);
  known.remark += remember({context.key.problem, context.key.machine, best.settings, best.seconds,
                            race.trials().front().seconds, date_of_today()},
                           context.comm);
  auto tuned = std::make_unique<Implementation>(comm, problem, options, &known);
  tuned->info.trials = race.trials();
  return tuned;
}

}  // namespace weft
