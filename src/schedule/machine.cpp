#include "schedule/machine.hpp"

#include <algorithm>
#include <cmath>

namespace weft {

double redistribution_seconds(double bytes, double peers, const Machine& machine) {
  return peers * machine.message_latency + bytes / machine.exchange_bandwidth +
         4 * bytes / machine.memory_bandwidth;
}

double message_count(const Distribution& before, const Distribution& after, const Extents& shape) {
  if (!before.is_grid() || !after.is_grid()) {
    double count = 0;
    after.for_each_overlap(shape, before.box(shape, 0), [&](Index, const Box&) { ++count; });
    return count;
  }
  double count = 1;
  for (int axis = 0; axis < shape.size(); ++axis) {
    const GridAxis& from = before.grid()[axis];
    const GridAxis& to = after.grid()[axis];
    if (from == to) continue;
    const Index spanned = to.parts / from.parts + (to.parts % from.parts == 0 ? 0 : 1);
    count *= static_cast<double>(std::min({spanned, to.parts, shape[axis]}));
  }
  return count;
}

double predicted_seconds(const Stage& stage, Precision precision, const Machine& machine) {
  const auto bytes = [&](const ArrayState& state) {
    return static_cast<double>(state.layout.distribution.largest_count(state.shape)) *
           static_cast<double>(element_bytes(state.complex, precision));
  };
  if (const auto* move = std::get_if<RedistributeStage>(&stage)) {
    return redistribution_seconds(
        std::max(bytes(move->before), bytes(move->after)),
        message_count(move->before.layout.distribution, move->after.layout.distribution,
                      move->before.shape) *
            static_cast<double>(move->chunks().size()),
        machine);
  }
  const auto& local = std::get<LocalStage>(stage);
  double operations = 0;
  for (int axis : local.axes) {
    const double n =
        static_cast<double>(std::max(local.before.shape[axis], local.after.shape[axis]));
    const double points = bytes(local.after) / element_bytes(true, precision);
    operations += 5 * points * std::log2(std::max(n, 2.0));
  }
  return operations / machine.flops +
         (bytes(local.before) + bytes(local.after)) / machine.memory_bandwidth;
}

double predicted_seconds(const Schedule& schedule, Precision precision, const Machine& machine) {
  double total = 0;
  for (const Stage& stage : schedule.stages) total += predicted_seconds(stage, precision, machine);
  return total;
}

}  // namespace weft
