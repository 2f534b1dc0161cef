#include "bench_measure.hpp"

#include <cstddef>
#include <string>

#include "exchange/agreement.hpp"
#include "trace/stage_parts.hpp"

namespace weft {

void reduce_max(const Communicator& comm, std::vector<double>& values) {
  check_mpi(MPI_Allreduce(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()), MPI_DOUBLE,
                          MPI_MAX, comm.get()),
            "MPI_Allreduce");
}

Index largest_of(const Communicator& comm, Index value) {
  check_mpi(MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_INT64_T, MPI_MAX, comm.get()),
            "MPI_Allreduce");
  return value;
}

namespace {

/// Multiplied by a factor.
StageParts mean_of_ranks(const Communicator& comm, const StageParts& parts, double factor) {
  StageParts result;
  add_parts(result, parts, factor / comm.size());
  for (const auto& [name, part] : stage_parts) {
    check_mpi(MPI_Allreduce(MPI_IN_PLACE, &(result.*part), 1, MPI_DOUBLE, MPI_SUM, comm.get()),
              "MPI_Allreduce");
  }
  return result;
}

/// Times of all repetitions on this rank.
class Stopwatch {
 public:
  Stopwatch(Direction direction, int repeat)
      : direction_(direction), seconds_(static_cast<std::size_t>(repeat)) {}

  void run(const Communicator& comm, Plan& plan, std::size_t repetition,
           const BenchArrays& arrays) {
    check_mpi(MPI_Barrier(comm.get()), "MPI_Barrier");
    const double start = MPI_Wtime();
    arrays.run(plan, direction_);
    arrays.finish();
    seconds_[repetition] = MPI_Wtime() - start;
    const auto& timings = plan.timings();
    stage_seconds_.resize(seconds_.size() * timings.size());
    for (std::size_t i = 0; i < timings.size(); ++i) {
      stage_seconds_[i * seconds_.size() + repetition] = timings[i].seconds;
    }
    if (repetition == 0) stages_ = timings;
    for (std::size_t i = 0; i < timings.size() && repetition > 0; ++i) {
      add_parts(stages_[i].parts, timings[i].parts);
    }
  }

  /// Collective. Figures of the slowest rank in each repetition.
  Spread spread(const Communicator& comm) {
    reduce_max(comm, seconds_);
    return spread_of(seconds_);
  }

  void add_stages(const Communicator& comm, std::vector<StageFigures>& figures) {
    agree_same(comm, std::to_string(stages_.size()), "number of stages");
    reduce_max(comm, stage_seconds_);
    const auto repeat = static_cast<std::ptrdiff_t>(seconds_.size());
    auto first = stage_seconds_.begin();
    for (const StageTiming& stage : stages_) {
      figures.push_back({direction_, stage.name, spread_of({first, first + repeat}).median,
                         largest_of(comm, stage.bytes), stage.moves_data,
                         mean_of_ranks(comm, stage.parts, 1.0 / static_cast<double>(repeat))});
      first += repeat;
    }
  }

 private:
  Direction direction_;
  std::vector<double> seconds_;
  std::vector<double> stage_seconds_;  // of the first stage in all repetitions, the second, ...
  std::vector<StageTiming> stages_;    // of the first repetition, parts of all
};

}  // namespace

void measure(const Communicator& comm, Plan& plan, const BenchArrays& arrays, int repeat,
             BenchFigures& figures, Progress& progress) {
  arrays.run(plan, Direction::forward);
  arrays.run(plan, Direction::backward);
  Stopwatch forward(Direction::forward, repeat);
  Stopwatch backward(Direction::backward, repeat);
  for (std::size_t i = 0; i < static_cast<std::size_t>(repeat); ++i) {
    forward.run(comm, plan, i, arrays);
    backward.run(comm, plan, i, arrays);
    progress.update(static_cast<double>(i + 1) / repeat);
  }
  figures.forward = forward.spread(comm);
  figures.backward = backward.spread(comm);
  forward.add_stages(comm, figures.stages);
  backward.add_stages(comm, figures.stages);
}

}  // namespace weft
