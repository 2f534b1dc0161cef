#include "driver/block.hpp"

#include <algorithm>
#include <cmath>

#include "driver/energy_of_pairs.hpp"
#include "driver/leak_watch.hpp"
#include "driver/memory.hpp"
#include "driver/mpi_time.hpp"
#include "kind/kind.hpp"
#include "layouts.hpp"
#include "trace/stage_parts.hpp"

namespace weft::bench {

namespace {

using Json = nlohmann::ordered_json;

double slowest(double seconds, MPI_Comm comm) {
  MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, comm);
  return seconds;
}

std::int64_t sum_over_ranks(std::int64_t value, MPI_Comm comm) {
  MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_INT64_T, MPI_SUM, comm);
  return value;
}

/// Seconds of this rank.
template <class Work>
double timed(MPI_Comm comm, const Work& work) {
  MPI_Barrier(comm);
  const double begin = MPI_Wtime();
  work();
  return MPI_Wtime() - begin;
}

/// Repetitions of one direction on this rank.
class Repetitions {
 public:
  explicit Repetitions(int most) {
    seconds_.reserve(static_cast<std::size_t>(most));
    in_mpi_.reserve(static_cast<std::size_t>(most));
  }

  template <class Work>
  void add(MPI_Comm comm, const Work& work) {
    double in_mpi = 0;
    seconds_.push_back(timed(comm, [&] {
      in_mpi = -seconds_in_mpi();
      work();
      in_mpi += seconds_in_mpi();
    }));
    in_mpi_.push_back(in_mpi);
  }
  std::size_t count() const { return seconds_.size(); }
  const std::vector<double>& seconds() const { return seconds_; }
  const std::vector<double>& in_mpi() const { return in_mpi_; }

 private:
  std::vector<double> seconds_, in_mpi_;
};

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

/// The slowest rank of each repetition.
std::vector<double> slowest_of_each(std::vector<double> seconds, MPI_Comm comm) {
  MPI_Allreduce(MPI_IN_PLACE, seconds.data(), static_cast<int>(seconds.size()), MPI_DOUBLE, MPI_MAX,
                comm);
  return seconds;
}

/// Of the ranks' mean in each repetition.
double median_of_means(std::vector<double> seconds, const Case& problem) {
  MPI_Allreduce(MPI_IN_PLACE, seconds.data(), static_cast<int>(seconds.size()), MPI_DOUBLE, MPI_SUM,
                problem.comm);
  return median(std::move(seconds)) / ranks_of(problem);
}

Json spread(const std::vector<double>& seconds) {
  const auto [least, most] = std::minmax_element(seconds.begin(), seconds.end());
  return {{"min", *least}, {"median", median(seconds)}, {"max", *most}, {"all", seconds}};
}

Json parts_json(const std::optional<Extents>& parts) {
  if (!parts) return nullptr;
  return std::vector<Index>(parts->begin(), parts->end());
}

Json layout_json(const LayoutFigures& layout) {
  const auto order = [](const AxisList& axes) {
    return std::vector<int>(axes.begin(), axes.end());
  };
  return {{"in_parts", parts_json(layout.in_parts)},
          {"in_order", order(layout.in_order)},
          {"out_parts", parts_json(layout.out_parts)},
          {"out_order", order(layout.out_order)}};
}

Json optional_json(const std::optional<double>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json checks_json(const Checks& checks) {
  return {{"unwritten", checks.unwritten},
          {"parseval_error", optional_json(checks.parseval_error)},
          {"forward_error", checks.forward_error},
          {"forward_error_max", checks.forward_error_max},
          {"whole_error", optional_json(checks.whole_error)},
          {"roundtrip_error", checks.roundtrip_error},
          {"roundtrip_error_max", checks.roundtrip_error_max},
          {"error_bound", checks.error_bound},
          {"promised_error", checks.promised_error}};
}

std::string joined(const std::vector<std::string>& texts) {
  std::string all;
  for (const std::string& text : texts) all += (all.empty() ? "" : "; ") + text;
  return all;
}

/// Collective, unless only this rank counts.
double mean_of_ranks(double value, bool all, MPI_Comm comm) {
  if (!all) return value;
  int ranks = 1;
  MPI_Comm_size(comm, &ranks);
  MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_DOUBLE, MPI_SUM, comm);
  return value / ranks;
}

/// Medians of the steps that a library tells of, over repetitions, and the means of their parts.
class Stages {
 public:
  /// Makes room for so many repetitions of these steps: adding them takes no memory while that is
  /// watched.
  void expect(Direction direction, const std::vector<StageTiming>& stages, int repetitions) {
    auto& steps = steps_[direction == Direction::forward ? 0 : 1];
    for (const StageTiming& stage : stages) {
      steps.push_back({stage, {}, {}});
      steps.back().seconds.reserve(static_cast<std::size_t>(repetitions));
    }
  }

  void add(Direction direction, const std::vector<StageTiming>& stages) {
    auto& steps = steps_[direction == Direction::forward ? 0 : 1];
    for (std::size_t i = 0; i < steps.size() && i < stages.size(); ++i) {
      steps[i].seconds.push_back(stages[i].seconds);
      add_parts(steps[i].parts, stages[i].parts);
    }
  }

  /// Collective. Ranks that do nothing may have other steps; then those of rank 0 count.
  Json json(MPI_Comm comm) const {
    Json all = Json::array();
    for (int direction = 0; direction < 2; ++direction) {
      std::int64_t count = static_cast<std::int64_t>(steps_[direction].size()), least = count;
      MPI_Allreduce(MPI_IN_PLACE, &least, 1, MPI_INT64_T, MPI_MIN, comm);
      MPI_Allreduce(MPI_IN_PLACE, &count, 1, MPI_INT64_T, MPI_MAX, comm);
      for (const Step& step : steps_[direction]) {
        const bool same = least == count;
        const double seconds = median(same ? slowest_of_each(step.seconds, comm) : step.seconds);
        std::int64_t bytes = step.stage.bytes;
        if (same) MPI_Allreduce(MPI_IN_PLACE, &bytes, 1, MPI_INT64_T, MPI_MAX, comm);
        Json parts;
        for (const auto& [name, part] : stage_parts) {
          const double mean = mean_of_ranks(step.parts.*part, same, comm) /
                              static_cast<double>(std::max<std::size_t>(step.seconds.size(), 1));
          if (mean > 0) parts[name] = mean;
        }
        all.push_back({{"direction", direction == 0 ? "forward" : "backward"},
                       {"name", step.stage.name},
                       {"seconds", seconds},
                       {"bytes", bytes},
                       {"moves_data", step.stage.moves_data}});
        if (!parts.empty()) all.back()["parts"] = parts;
      }
    }
    return all;
  }

 private:
  struct Step {
    StageTiming stage;  // of the warm-up
    std::vector<double> seconds;
    StageParts parts;  // sums over the repetitions
  };
  std::vector<Step> steps_[2];
};

class Block {
 public:
  Block(const Case& problem, const Library& library, const Regime& regime, const Journal& journal)
      : problem_(problem), library_(library), regime_(regime), journal_(journal) {}

  void run() {
    enter("planning");
    reset_peak();
    const std::int64_t before = sum_over_ranks(memory_use().resident, problem_.comm);
    std::unique_ptr<Transform> transform;
    const double plan_seconds =
        slowest(timed(problem_.comm, [&] { transform = plan(problem_); }), problem_.comm);
    const TransformDescription layout = transform->layout();
    const LayoutFigures figures = check_layout(problem_, layout);
    const std::int64_t planned = sum_over_ranks(memory_use().resident, problem_.comm);

    enter("transforming for the first time");
    fill(*transform);
    transform->forward();
    transform->backward();
    const std::int64_t peak = sum_over_ranks(memory_use().peak, problem_.comm);
    const auto array_bytes = static_cast<std::int64_t>(
        bytes_of(layout.physical) + (problem_.in_place ? 0 : bytes_of(layout.spectral)));
    memory_ = {{"before", before},
               {"planned", planned},
               {"peak", peak},
               {"device", sum_over_ranks(static_cast<std::int64_t>(transform->device_bytes()),
                                         problem_.comm)},
               {"array", sum_over_ranks(array_bytes, problem_.comm)}};
    write("planned", {{"plan_seconds", plan_seconds}, {"layout", layout_json(figures)}});

    enter("checking");
    const Checks checks = check_pair(*transform, regime_.checks);
    write("checked", checks_json(checks));
    std::vector<std::string> failures = checks.failures();

    enter("repeating");
    Stages stages;
    const int count = repetitions(*transform, stages);
    LeakWatch watch(problem_.comm, array_bytes);
    repeat(*transform, count, stages, watch);
    // A library may be right once and wrong afterwards.
    const Checks last = check_roundtrip(*transform);
    if (failures.empty() && !last.failures().empty()) {
      failures.push_back("after repetitions: " + joined(last.failures()));
    }
    if (regime_.energy && failures.empty() && !watch.leaks()) measure_energy(*transform);
    finish(failures, watch);
    transform.reset();
  }

 private:
  /// Ranks go on when it is written: what ends the job from then on happened in this stage.
  void enter(const char* what) const {
    write("stage", {{"name", what}});
    MPI_Barrier(problem_.comm);
  }

  void write(const std::string& event, const Json& fields) const {
    if (rank_of(problem_) == 0) journal_.write(event, fields);
  }

  /// Repetitions that fit into the time, by one pair of warm-up, whose steps are to be expected.
  int repetitions(Transform& transform, Stages& stages) const {
    fill(transform);
    double pair = timed(problem_.comm, [&] { transform.forward(); });
    stages.expect(Direction::forward, transform.stages(), regime_.most);
    pair += timed(problem_.comm, [&] { transform.backward(); });
    stages.expect(Direction::backward, transform.stages(), regime_.most);
    pair = slowest(pair, problem_.comm);
    const double fitting = std::ceil(regime_.seconds / std::max(pair, 1e-9));
    return static_cast<int>(std::clamp(fitting, double(regime_.least), double(regime_.most)));
  }

  void repeat(Transform& transform, int count, Stages& stages, LeakWatch& watch) {
    Repetitions forwards(count), backwards(count);
    while (static_cast<int>(forwards.count()) < count) {
      fill(transform);
      watch.before_pair();
      MPI_Barrier(problem_.comm);
      forwards.add(problem_.comm, [&] { transform.forward(); });
      stages.add(Direction::forward, transform.stages());
      backwards.add(problem_.comm, [&] { transform.backward(); });
      stages.add(Direction::backward, transform.stages());
      if (watch.too_much_after_pair()) break;
    }
    const auto forward = slowest_of_each(forwards.seconds(), problem_.comm);
    const auto backward = slowest_of_each(backwards.seconds(), problem_.comm);
    const double points = static_cast<double>(product(problem_.shape) * problem_.batch);
    const double logarithm =
        std::log2(static_cast<double>(transformed_points(problem_.shape, problem_.kinds)));
    const double operations = (is_real(problem_) ? 2.5 : 5) * points * logarithm;
    write("measured", {{"forward_seconds", spread(forward)},
                       {"backward_seconds", spread(backward)},
                       {"mpi_seconds",
                        {{"forward", median_of_means(forwards.in_mpi(), problem_)},
                         {"backward", median_of_means(backwards.in_mpi(), problem_)}}},
                       {"gflops", operations / median(forward) / 1e9},
                       {"stages", stages.json(problem_.comm)}});
  }

  /// Apart from the repetitions: counters of energy tick too seldom to tell one from the next.
  void measure_energy(Transform& transform) const {
    enter("measuring energy");
    write("energy", {{"energy", energy_of_pairs(transform, problem_, library_, regime_.powercap)}});
  }

  void finish(const std::vector<std::string>& failures, const LeakWatch& watch) {
    const bool leaks = watch.leaks();
    const std::int64_t per_pair =
        sum_over_ranks(std::max<std::int64_t>(0, watch.growth_per_pair()), problem_.comm);
    memory_["growth_per_pair"] = per_pair;
    write("memory", {{"memory", memory_}});
    if (rank_of(problem_) != 0) return;
    if (!failures.empty()) {
      journal_.end("wrong", joined(failures));
    } else if (leaks) {
      journal_.end("leaks", "memory grows by " + std::to_string(per_pair >> 20) +
                                " MiB with every forward and backward transform");
    } else {
      journal_.end("ok", "");
    }
  }

  const Case& problem_;
  const Library& library_;
  const Regime& regime_;
  const Journal& journal_;
  Json memory_;
};

}  // namespace

void run_block(const Case& problem, const Library& library, const Regime& regime,
               const Journal& journal) {
  Block(problem, library, regime, journal).run();
}

}  // namespace weft::bench
