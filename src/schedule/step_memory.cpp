#include "schedule/step_memory.hpp"

namespace weft {

bool StepMemory::is_one_loop() const {
  int runs = 0;
  bool inside = false;
  for (int axis : order) {
    if (extents[axis] <= 1) continue;
    if (in_loop(axis) && !inside) ++runs;
    inside = in_loop(axis);
  }
  return runs <= 1;
}

int StepMemory::slowest_in_loop() const {
  for (int axis : order) {
    if (in_loop(axis)) return axis;
  }
  return -1;
}

AxisMask StepMemory::cuts() const {
  // If it is not one loop, it will be copied to another order on the way.
  return is_one_loop() ? bit(slowest_in_loop()) : any_cut();
}

AxisMask StepMemory::any_cut() const {
  AxisMask all = 0;
  for (int axis : order) {
    if (in_loop(axis)) all |= bit(axis);
  }
  return all;
}

AxisList StepMemory::order_for(int cut) const {
  if (is_one_loop() && (cut < 0 || cut == slowest_in_loop())) return order;
  AxisList lines, loop;
  if (cut >= 0) loop.push_back(cut);
  for (int axis : order) {
    if ((transformed & bit(axis)) == 0) {
      if (axis != cut) loop.push_back(axis);
    } else if (axis != halved) {
      lines.push_back(axis);
    }
  }
  // Libraries are fastest with lines across long contiguous loops; but real lines are contiguous.
  const bool halves = (transformed & bit(halved)) != 0;
  if (halves) lines.push_back(halved);
  AxisList result = halves ? loop : lines;
  for (int axis : halves ? lines : loop) result.push_back(axis);
  return result;
}

}  // namespace weft
