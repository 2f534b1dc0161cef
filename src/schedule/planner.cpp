#include "schedule/planner.hpp"

#include "schedule/axis_groups.hpp"
#include "schedule/chunks.hpp"
#include "schedule/layout_search.hpp"
#include "schedule/path.hpp"

namespace weft {

Schedule plan_schedule(const ResolvedProblem& problem, const Options& options,
                       const Machine& machine) {
  const auto path = shortest_path(problem, options, machine);
  const int halved = halved_axis(problem.kinds);
  const PathDetails details = choose_details(path, problem, options);
  const CacheSizes caches = caches_of_groups(options, machine);

  Schedule schedule;
  ArrayState state{problem.shape, problem.complex_input(), problem.input};
  for (std::size_t i = 0; i < path.size(); ++i) {
    const auto& step = path[i];
    Memory memory;
    memory.order = details.orders[i];
    memory = memory.dense();
    if (i > 0 && !same_boxes(state.layout.distribution, step.distribution, state.shape)) {
      ArrayState after{state.shape, state.complex, {step.distribution, memory}};
      const Group group = common_group(state.layout.distribution, step.distribution, problem.ranks);
      schedule.stages.push_back(
          RedistributeStage{state, after, group, details.message_order, details.chunkings[i]});
      state = after;
    }
    const bool complex = problem.complex_after(step.done_on_departure);
    const Index bytes_per_point = 2 * element_bytes(complex, problem.precision);
    std::vector<AxisList> groups;
    const int cut_in = details.chunkings[i].receiver.axis;
    const int cut_out = details.chunkings[i + 1].sender.axis;
    for (AxisMask part : separate(step.transformed(), cut_in, cut_out, halved)) {
      for (const AxisList& axes :
           group_axes(part, problem, memory.order, bytes_per_point, caches)) {
        groups.push_back(axes);
      }
    }
    AxisMask done = step.done_on_arrival;
    for (const AxisList& axes : groups) {
      for (int axis : axes) done |= AxisMask{1} << axis;
      ArrayState after{problem.shape_after(done), problem.complex_after(done), {{}, memory}};
      after.layout.distribution = *at_shape(state.layout.distribution, state.shape, after.shape);
      schedule.stages.push_back(LocalStage{axes, state, after});
      state = after;
    }
  }
  if (schedule.stages.empty()) schedule.stages.push_back(LocalStage{{}, state, state});
  std::visit([&](auto& last) { last.after.layout = problem.output; }, schedule.stages.back());
  return schedule;
}

}  // namespace weft
