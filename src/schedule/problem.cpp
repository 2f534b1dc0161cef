#include "schedule/problem.hpp"

#include <limits>

namespace weft {

namespace {

void check_lengths(const Extents& shape, const Axes<Kind>& kinds) {
  for (int axis = 0; axis < shape.size(); ++axis) {
    const KindTraits& kind = traits(kinds[axis]);
    if (shape[axis] >= kind.least_length) continue;
    throw Error("shape " + to_string(shape) + ": kind " + kind.name + " along axis " +
                std::to_string(axis) + " needs at least " + std::to_string(kind.least_length) +
                " points");
  }
}

/// The number of points or modes that exist along each axis.
Extents existing(const Extents& given, const Extents& shape, const Axes<Kind>& kinds,
                 const std::string& name) {
  if (given.empty()) return shape;
  if (given.size() != shape.size()) {
    throw Error(name + " " + to_string(given) + ": must be as many numbers as the axes of shape " +
                to_string(shape));
  }
  for (int axis = 0; axis < shape.size(); ++axis) {
    const bool all = given[axis] == shape[axis];
    if (!all && (given[axis] < 1 || given[axis] > shape[axis])) {
      throw Error(name + " " + to_string(given) + ": must be between 1 and the lengths of shape " +
                  to_string(shape));
    }
    if (!all && !traits(kinds[axis]).transforms) {
      throw Error(name + " " + to_string(given) + ": axis " + std::to_string(axis) +
                  " is not transformed and has all of its " + std::to_string(shape[axis]) +
                  " points");
    }
  }
  return given;
}

}  // namespace

ResolvedProblem resolve(const Problem& given, Index ranks, Index rank) {
  const int axes = given.shape.size();
  if (axes < 1 || axes > max_axes) {
    throw Error("shape " + to_string(given.shape) + " has " + std::to_string(axes) +
                " axes; 1 to " + std::to_string(max_axes) + " are supported");
  }
  for (Index length : given.shape) {
    if (length < 1) throw Error("shape " + to_string(given.shape) + ": lengths must be positive");
  }
  if (given.batch < 1) {
    throw Error("batch " + std::to_string(given.batch) + ": must be positive");
  }
  Extents everything = given.shape;
  if (given.batch > 1) everything.push_back(given.batch);
  if (product(everything) > (Index{1} << 62) / 16) {
    throw Error("an array of " + to_string(everything) + " points is too large");
  }
  constexpr Index most_ranks = std::numeric_limits<int>::max();  // MPI counts them in ints
  if (ranks < 1 || ranks > most_ranks) {
    throw Error("number of ranks " + std::to_string(ranks) + ": must be between 1 and " +
                std::to_string(most_ranks));
  }
  ResolvedProblem problem;
  problem.lengths = given.shape;
  problem.kinds = given.kinds.resolve(axes);
  check_lengths(problem.lengths, problem.kinds);
  problem.shape = existing(given.input_points, problem.lengths, problem.kinds, "input_points");
  problem.real = is_real(given.numbers, problem.kinds);
  problem.spectral = spectral_shape(problem.lengths, problem.kinds,
                                    existing(given.modes, problem.lengths, problem.kinds, "modes"));
  problem.precision = given.precision;
  problem.norm = given.norm;
  problem.orthogonal = given.orthogonalize.value_or(given.norm == Norm::ortho);
  problem.ranks = ranks;
  problem.rank = rank;
  problem.batch = given.batch;

  LayoutContext context{problem.shape, given.batch, given.interleaved,
                        ranks,         rank,        halved_axis(problem.kinds)};
  const bool out_as_in = given.output.form == LayoutSpec::Form::as_input;
  problem.input = resolve(given.input, context, "input");
  context.shape = problem.spectral;
  context.halved_axis = -1;
  LayoutSpec out = given.output;
  if (out_as_in) {
    out = given.input;
    const bool same_memory = problem.spectral == problem.shape;
    if (given.input.form == LayoutSpec::Form::boxes && !same_memory) {
      throw Error("output layout: must be given when boxes are listed for a real input");
    }
    out.r2c_padding = false;
    if (!out.strides.empty() && !same_memory) {
      throw Error("output layout: must be given when the input has explicit strides");
    }
    if (!given.output.order.empty()) out.order = given.output.order;
  }
  problem.output = resolve(out, context, "output");

  if (given.batch > 1) {
    problem.lengths.push_back(given.batch);
    problem.shape.push_back(given.batch);
    problem.spectral.push_back(given.batch);
    problem.kinds.push_back(Kind::none);
  }
  return problem;
}

}  // namespace weft
