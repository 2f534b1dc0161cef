#include "schedule/planner.hpp"

namespace weft {

Index predicted_chunks(const ResolvedProblem& problem, Options options, const Machine& machine) {
  constexpr double worth_it = 0.95;
  const auto seconds = [&](Index chunks) {
    options.chunks = chunks;
    return predicted_seconds(plan_schedule(problem, options, machine), problem.precision, machine);
  };
  Index best = 1;
  double least = worth_it * seconds(1);
  for (const Index chunks : {4, 8, 16}) {
    const double predicted = seconds(chunks);
    if (predicted >= least) continue;
    best = chunks;
    least = worth_it * predicted;
  }
  return best;
}

}  // namespace weft
