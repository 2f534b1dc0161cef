#include "halo/random_halo.hpp"

#include <algorithm>
#include <sstream>

#include "support/random_distribution.hpp"
#include "support/random_problem.hpp"

namespace weft::test {

namespace {

/// Axes are short, so that many ranks own nothing and halos reach over several neighbors.
Extents random_lengths(Random& random) {
  const Index longest[] = {40, 12, 7, 5, 3, 3};  // by number of axes
  const auto axes = random.below(100) < 80 ? 1 + random.below(3) : 1 + random.below(max_axes);
  Extents shape;
  for (Index axis = 0; axis < axes; ++axis) shape.push_back(1 + random.below(longest[axes - 1]));
  return shape;
}

Extents random_widths(Random& random, int axes) {
  const Index widest = axes <= 3 ? 1 + random.below(4) : 2;
  Extents widths;
  for (int axis = 0; axis < axes; ++axis) widths.push_back(random.below(widest + 1));
  return widths;
}

Extents sum(Extents a, const Extents& b) {
  for (int axis = 0; axis < a.size(); ++axis) a[axis] += b[axis];
  return a;
}

std::string describe(const HaloProblem& problem) {
  std::ostringstream text;
  text << "shape " << to_string(problem.shape) << " form " << static_cast<int>(problem.layout.form)
       << " order " << to_string(problem.layout.order) << " halo "
       << to_string(problem.layout.halo_lower) << "/" << to_string(problem.layout.halo_upper)
       << " strides " << to_string(problem.layout.strides) << " widths " << to_string(problem.lower)
       << "/" << to_string(problem.upper) << " periodic";
  for (const bool wraps : problem.periodic) text << (wraps ? " yes" : " no");
  text << " " << to_string(problem.type) << " batch " << problem.batch
       << (problem.interleaved ? " interleaved" : "");
  return text.str();
}

}  // namespace

RandomHalo random_halo(std::uint64_t seed, MPI_Comm comm) {
  Random random(seed);
  int ranks = 1, rank = 0;
  MPI_Comm_size(comm, &ranks);
  MPI_Comm_rank(comm, &rank);
  HaloProblem problem{.shape = random_lengths(random)};
  const int axes = problem.shape.size();
  for (int axis = 0; axis < axes; ++axis) problem.periodic.push_back(random.chance(60));
  problem.type = {random.chance(50) ? Precision::f32 : Precision::f64, random.chance(50)};
  problem.batch = random.chance(30) ? 2 + random.below(2) : 1;
  problem.interleaved = random.chance(50);
  problem.layout =
      random_layout(random.engine(), problem.shape, problem.batch, ranks, rank).with_halo({}, {});
  problem.lower = random_widths(random, axes);
  problem.upper = random_widths(random, axes);
  const auto strides_seed = random.engine()();
  if (!problem.layout.strides.empty()) {
    // Strides with room for the halo, of this rank's box; a halo of no width tells which that is.
    problem.layout.strides.clear();
    HaloProblem without = problem;
    without.lower = without.upper = Extents::filled(axes, 0);
    Box around = Halo(MPI_COMM_WORLD, without).array().box;
    if (!around.empty()) around.upper = sum(sum(around.upper, problem.lower), problem.upper);
    Random own(strides_seed + static_cast<std::uint64_t>(rank));
    problem.layout.strides = random_strides(own.engine(), around, problem.batch);
  } else if (random.chance(30)) {
    problem.layout = problem.layout.with_halo(problem.lower, problem.upper);
    problem.lower = problem.upper = {};
  } else {
    problem.layout = problem.layout.with_halo(sum(problem.lower, random_widths(random, axes)),
                                              sum(problem.upper, random_widths(random, axes)));
  }
  return {comm, problem, describe(problem)};
}

}  // namespace weft::test
