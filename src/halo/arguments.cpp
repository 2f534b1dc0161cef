#include "halo/arguments.hpp"

#include "exchange/agreement.hpp"
#include "plan/arguments.hpp"
#include "plan/user_array.hpp"

namespace weft {

namespace {

/// A problem that transforms nothing, but where real lines are padded for their half spectra: that
/// is told by the axis of kind r2c, which is then the fastest one.
Problem as_problem(const HaloProblem& given) {
  const int axes = given.shape.size();
  auto kinds = Axes<Kind>::filled(axes, none);
  if (given.layout.r2c_padding && axes > 0) {
    const AxisList& order = given.layout.order;
    const int fastest = order.empty() ? axes - 1 : order.back();
    if (fastest >= 0 && fastest < axes) kinds[fastest] = r2c;
  }
  return {.shape = given.shape,
          .kinds = kinds,
          .input = given.layout,
          .output = slab_split(0),
          .precision = given.type.precision,
          .numbers = given.type.complex ? Numbers::complex : Numbers::real,
          .batch = given.batch,
          .interleaved = given.interleaved};
}

std::string text_of(const Axes<bool>& periodic) {
  std::string text;
  for (const bool wraps : periodic)
    text += std::string(text.empty() ? "" : ",") + (wraps ? "yes" : "no");
  return text.empty() ? "no" : text;
}

/// The widths of one side, which must not be more than the halo of the layout on that side.
Extents checked_widths(const HaloProblem& given, const Extents& widths_given,
                       const Extents& halo_given, const std::string& side) {
  const int axes = given.shape.size();
  const bool strided = !given.layout.strides.empty();
  if (widths_given.empty() && strided) {
    throw Error(side + " widths must be given, because explicit strides define no halo");
  }
  const Extents halo = halo_given.empty() ? Extents::filled(axes, 0) : halo_given;
  const Extents widths = widths_given.empty() ? halo : widths_given;
  const std::string name = side + " widths " + to_string(widths);
  if (widths.size() != axes) {
    throw Error(name + " do not have the " + std::to_string(axes) + " axes of the array " +
                to_string(given.shape));
  }
  for (int axis = 0; axis < axes; ++axis) {
    if (widths[axis] < 0) throw Error(name + " are negative");
    if (!strided && widths[axis] > halo[axis]) {
      throw Error(name + " are more than the halo " + to_string(halo) + " of the layout");
    }
    const bool wraps = !given.periodic.empty() && given.periodic[axis];
    if (wraps && widths[axis] > most_halo_rounds * given.shape[axis]) {
      throw Error(name + " are more than " + std::to_string(most_halo_rounds) +
                  " rounds about the " + std::to_string(given.shape[axis]) + " points of axis " +
                  std::to_string(axis));
    }
  }
  return widths;
}

HaloWidths checked_widths(const HaloProblem& given) {
  const int axes = given.shape.size();
  if (!given.periodic.empty() && given.periodic.size() != axes) {
    throw Error("periodic has " + std::to_string(given.periodic.size()) + " axes, the array " +
                to_string(given.shape) + " has " + std::to_string(axes));
  }
  HaloWidths widths{checked_widths(given, given.lower, given.layout.halo_lower, "lower"),
                    checked_widths(given, given.upper, given.layout.halo_upper, "upper"),
                    given.periodic.empty() ? Axes<bool>::filled(axes, false) : given.periodic};
  if (given.batch > 1) {
    widths.lower.push_back(0);
    widths.upper.push_back(0);
    widths.periodic.push_back(false);
  }
  return widths;
}

/// Elements from the data pointer to the end of the halo that is exchanged, where explicit strides
/// say nothing of a halo. Throws Error where elements of it share memory.
Index strided_size(const ResolvedHalo& halo, const Box& own) {
  const Memory& memory = halo.problem.input.memory;
  const Box reach = with_halo(own, halo.problem.shape, halo.widths);
  check_strides(reach, memory.strides, "input");
  const View view = memory.view(reach);
  return view.size - view.position(own.lower);
}

}  // namespace

ResolvedHalo resolve_collectively(const HaloProblem& given, const Communicator& comm) {
  ResolvedHalo halo;
  halo.problem = resolve_collectively(as_problem(given), {}, comm);
  agree_same(comm, to_string(given.lower), "lower width");
  agree_same(comm, to_string(given.upper), "upper width");
  agree_same(comm, text_of(given.periodic), "periodic");
  collectively(comm, [&] {
    const ResolvedProblem& problem = halo.problem;
    halo.widths = checked_widths(given);
    halo.array = user_array(problem, problem.input, problem.shape, given.type.complex);
    halo.order = problem.input.memory.order;
    if (given.layout.strides.empty()) return;
    halo.order = natural_order(problem.shape.size());  // that of strides may differ between ranks
    const Box own = problem.input.distribution.box(problem.shape, problem.rank);
    if (!own.empty()) halo.array.allocation_size = strided_size(halo, own);
  });
  return halo;
}

}  // namespace weft
