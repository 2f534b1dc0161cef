#include "program/stage_choices.hpp"

namespace weft {

std::size_t scaling_stage(const Schedule& schedule, bool on_host) {
  std::size_t first = schedule.stages.size();
  for (std::size_t i = schedule.stages.size(); i-- > 0;) {
    const auto* local = std::get_if<LocalStage>(&schedule.stages[i]);
    if (local == nullptr || local->axes.empty()) continue;
    const int contiguous = local->before.layout.memory.common().order.back();
    if (!on_host && local->axes.contains(contiguous)) return i;
    first = i;
  }
  return first;
}

bool stays_in_output(const Schedule& schedule, std::size_t stage) {
  for (std::size_t i = stage + 1; i < schedule.stages.size(); ++i) {
    const auto* local = std::get_if<LocalStage>(&schedule.stages[i]);
    if (local == nullptr || local->axes.empty()) return false;
    if (local->before.complex != local->after.complex) return false;
    if (!(local->before.shape == local->after.shape)) return false;
  }
  const auto* own = std::get_if<LocalStage>(&schedule.stages[stage]);
  return stage + 1 == schedule.stages.size() || (own != nullptr && !own->axes.empty());
}

}  // namespace weft
