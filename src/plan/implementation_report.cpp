#include "geometry/human_units.hpp"
#include "plan/implementation.hpp"
#include "schedule/describe.hpp"

namespace weft {

bool Plan::Implementation::compresses_on_device() const {
  if (context_->on_host()) return false;
  for (const Direction direction : {Direction::forward, Direction::backward}) {
    for (const auto& chunks : pipelines_.front()->redistributions(direction)) {
      for (const auto& chunk : chunks) {
        if (chunk->may_repeat()) return true;
      }
    }
  }
  return false;
}

Report Plan::Implementation::report() const {
  return make_report(last_->redistributions(last_->last()), context_->codec.tolerance);
}

Report Plan::Implementation::report(Index field) const {
  const std::size_t count = last_reports_ == nullptr ? 1 : last_reports_->count();
  if (field < 0 || static_cast<std::size_t>(field) >= count) {
    throw Error("there is no report of field " + std::to_string(field) +
                ": the last transform was of " + std::to_string(count) +
                (count == 1 ? " field" : " fields"));
  }
  if (last_reports_ == nullptr) return report();
  return make_report((*last_reports_)[static_cast<std::size_t>(field)], context_->codec.tolerance);
}

std::string Plan::Implementation::describe() const {
  const std::string device =
      context_->on_host()
          ? ""
          : ", on " + std::string(context_->backend->device) + " (" +
                context_->device->info().model + "; arrays of the host are copied" +
                (compresses_on_device() ? "; runs wait for what encoding measures" : "") + ")";
  std::string chosen;
  for (const PlanChoice& choice : info_.choices) {
    if (choice.why != "wisdom" && choice.why != "tuned" && choice.option != "tune") continue;
    chosen += choice.option + " " + choice.value + " (" + choice.why + ")\n";
  }
  const auto text_of = [&](const Schedule& schedule) {
    return weft::describe(schedule, context_->problem, context_->machine);
  };
  return text_of(schedule_) + text_of(reversed(schedule_)) + "exchange " +
         context_->exchange.name() + ", local " + context_->backend->name + ", " +
         std::to_string(context_->tuning.threads) + " threads, tiles of " +
         human_bytes(static_cast<double>(context_->tile_bytes())) + ", workspace " +
         human_bytes(static_cast<double>(info_.workspace_bytes)) +
         (info_.shared_bytes > 0
              ? ", shared " + human_bytes(static_cast<double>(info_.shared_bytes))
              : "") +
         device + "\n" + chosen;
}

}  // namespace weft
