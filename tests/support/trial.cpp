#include "support/trial.hpp"

#include <gtest/gtest.h>
#include <mpi.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <iostream>

#include "kind/kind.hpp"
#include "support/trials.hpp"
#include "weft/verify.hpp"

namespace weft::test {

namespace {

constexpr std::size_t canary_bytes = 4096;

std::size_t aligned(std::size_t bytes) {
  return (bytes + 63) / 64 * 64;
}

}  // namespace

Trial::Trial(const RandomProblem& random, std::uint64_t seed)
    : random_(random), plan_(random.comm, random.problem, random.options), seed_(seed) {}

std::byte* Trial::make_workspace(std::size_t bytes) {
  workspace_bytes_ = bytes;
  workspace_.reset(static_cast<std::byte*>(std::aligned_alloc(64, aligned(bytes + canary_bytes))));
  std::memset(workspace_.get(), 0xa5, aligned(bytes + canary_bytes));
  return workspace_.get();
}

void Trial::multiply_by_weights(GlobalArray& array, Index first_field) {
  for (Index field = 0; field < array.batch; ++field) {
    const Index count = product(array.shape);
    for (Index number = 0; number < count; ++number) {
      Extents point = array.shape;
      Index rest = number;
      for (int axis = array.shape.size() - 1; axis >= 0; --axis) {
        point[axis] = rest % array.shape[axis];
        rest /= array.shape[axis];
      }
      array.at(point, field) *= weight_of(point, first_field + field);
    }
  }
}

std::string Trial::run(Direction direction) {
  const Problem& problem = random_.problem;
  const bool forward = direction == Direction::forward;
  const LocalArray& source = forward ? plan_.input() : plan_.output();
  const LocalArray& sink = forward ? plan_.output() : plan_.input();
  const Axes<Kind> kinds = problem.kinds.resolve(problem.shape.size());
  const Extents shape = forward ? plan_.info().input_points
                                : spectral_shape(problem.shape, kinds, plan_.info().modes);
  const std::size_t fields = random_.manner == Manner::many ? 3 : 1;
  std::vector<GlobalArray> changed, exact;
  std::vector<std::vector<std::byte>> in, out;
  const std::size_t sink_bytes =
      static_cast<std::size_t>(sink.allocation_size) * element_size(sink.type);
  for (std::size_t field = 0; field < fields; ++field) {
    GlobalArray given =
        random_array(shape, problem.batch, source.type.complex, seed_ + 1000 * field);
    const Index first_field = static_cast<Index>(field) * problem.batch;
    changed.push_back(given);
    if (random_.on_input) multiply_by_weights(changed.back(), first_field);
    exact.push_back(exact_transform(changed.back(), problem.shape, kinds, direction, problem.norm,
                                    plan_.info().orthogonal, plan_.info().input_points,
                                    plan_.info().modes));
    if (random_.on_output) multiply_by_weights(exact.back(), first_field);
    in.push_back(poisoned(source, random_.in_place ? sink_bytes : 0));
    out.push_back(poisoned(sink));
    store(given, source, in.back().data());
  }
  const auto before = in;
  calls_on_output_ = 0;
  reports_.clear();
  call(direction, in, random_.in_place ? in : out);

  std::string wrong;
  const auto fields_count = static_cast<Index>(fields) * problem.batch;
  if (random_.on_output && calls_on_output_ != sink.box.count() * fields_count) {
    wrong += "function called " + std::to_string(calls_on_output_) + " times for " +
             std::to_string(sink.box.count() * fields_count) + " numbers; ";
  }
  for (std::size_t field = 0; field < fields; ++field) {
    const Difference difference =
        compare(exact[field], sink, random_.in_place ? in[field].data() : out[field].data());
    double sums[2] = {difference.squared, difference.norm};
    MPI_Allreduce(MPI_IN_PLACE, sums, 2, MPI_DOUBLE, MPI_SUM, random_.comm);
    const double error = std::sqrt(sums[0] / (sums[1] > 0 ? sums[1] : 1));
    const double bound =
        rounding_error_bound(problem.precision, transformed_points(problem.shape, kinds)) +
        compression_error(reports_.at(field)) *
            dropped_share(exact[field], changed[field], kinds, direction);
    if (!(error <= bound)) {
      wrong += "field " + std::to_string(field) + ": error " + std::to_string(error / bound) +
               " times the bound; ";
    }
    if (!random_.in_place) {
      const bool kept = random_.options.overwrite_input || in[field] == before[field];
      if (!kept) wrong += "input was changed; ";
      if (!gaps_untouched(sink, problem.batch, out[field])) {
        wrong += "wrote outside the output box; ";
      }
    }
  }
  if (workspace_ && !canary_intact()) wrong += "wrote past the workspace; ";
  return wrong;
}

/// The most that the reported errors can add up to: in arrays this small they may be alike.
double Trial::compression_error(const Report& report) const {
  double error = 0;
  for (const RedistributionReport& part : report.redistributions) error += part.error;
  const double growth =
      noise_growth(plan_.info().kinds, Direction::forward, plan_.info().orthogonal) *
      noise_growth(plan_.info().kinds, Direction::backward, plan_.info().orthogonal);
  return error * growth * 1.01 * (random_.on_output ? 1.25 / 0.75 : 1);
}

/// Errors are relative to what is sent, the result to what is kept of it.
double Trial::dropped_share(const GlobalArray& kept, const GlobalArray& in, const Axes<Kind>& kinds,
                            Direction direction) const {
  const bool forward = direction == Direction::forward;
  const Problem& problem = random_.problem;
  if ((forward ? problem.modes : problem.input_points).empty()) return 1;
  const GlobalArray all = exact_transform(
      in, problem.shape, kinds, direction, problem.norm, plan_.info().orthogonal,
      forward ? plan_.info().input_points : Extents{}, forward ? Extents{} : plan_.info().modes);
  const auto norm = [](const GlobalArray& array) {
    double sum = 0;
    for (const Complex& value : array.values) sum += std::norm(value);
    return std::sqrt(sum);
  };
  return norm(kept) > 0 ? std::max(1.0, 2 * norm(all) / norm(kept)) : 1;
}

bool Trial::canary_intact() const {
  for (std::size_t i = workspace_bytes_; i < aligned(workspace_bytes_ + canary_bytes); ++i) {
    if (workspace_.get()[i] != std::byte{0xa5}) return false;
  }
  return true;
}

void expect_exact_transforms(
    std::uint64_t problems, FunctionsOnDevices functions,
    const std::function<std::unique_ptr<Trial>(const RandomProblem&, std::uint64_t seed)>& make) {
  const std::uint64_t first = from_environment("WEFT_TEST_SEED", 20261121);
  const std::uint64_t count = from_environment("WEFT_TEST_PROBLEMS", problems);
  int rank = 0, ranks = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (rank == 0) {
    std::cout << count << " problems on " << ranks << " ranks, WEFT_TEST_SEED=" << first << "\n";
  }
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    RandomProblem random =
        random_problem(seed * 16 + static_cast<std::uint64_t>(ranks), MPI_COMM_WORLD);
    if (functions == FunctionsOnDevices::no && random.options.device != "host") {
      random.on_input = random.on_output = false;
    }
    std::string wrong;
    try {
      const std::unique_ptr<Trial> trial = make(random, seed);
      // Twice each, as plans keep state between runs.
      for (const Direction direction :
           {Direction::forward, Direction::backward, Direction::backward, Direction::forward}) {
        wrong += trial->run(direction);
      }
    } catch (const Error& error) {
      wrong = std::string("unexpected error: ") + error.what();
    }
    EXPECT_EQ(wrong, "") << "WEFT_TEST_SEED=" << seed << " rank " << rank << ": " << random.text;
    int failed = wrong.empty() ? 0 : 1;
    MPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    if (failed != 0 && from_environment("WEFT_TEST_KEEP_GOING", 0) == 0) break;
  }
}

}  // namespace weft::test
