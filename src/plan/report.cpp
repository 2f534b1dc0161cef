#include <algorithm>
#include <cmath>
#include <sstream>

#include "geometry/human_units.hpp"
#include "plan/implementation.hpp"
#include "schedule/describe.hpp"

namespace weft {

namespace {

using Chunks = std::vector<std::unique_ptr<Redistribution>>;

RedistributionReport report_of(const Chunks& chunks) {
  RedistributionReport report;
  report.codec = "none";
  double squared_error = 0, squared_norm = 0;
  for (const auto& chunk : chunks) {
    const Redistribution::Use& use = chunk->use();
    if (!use.codec.empty()) report.codec = use.codec;
    report.predicted_error = std::max(report.predicted_error, use.predicted);
    squared_error += use.squared_error;
    squared_norm += use.squared_norm;
    report.bytes += use.bytes;
    report.plain_bytes += use.plain_bytes;
    report.repeated += use.repeated;
    report.broken = report.broken || use.broken;
  }
  if (squared_error > 0) report.error = std::sqrt(squared_error / squared_norm);
  return report;
}

}  // namespace

void Plan::Implementation::tell(const FieldPipeline& pipeline, Report& report) const {
  report.tolerance = context->options.tolerance;
  report.predicted_error = report.error = 0;
  report.bytes = report.plain_bytes = 0;
  report.redistributions.clear();
  for (const Chunks& chunks : pipeline.redistributions(pipeline.last())) {
    const RedistributionReport part = report_of(chunks);
    report.predicted_error = std::hypot(report.predicted_error, part.predicted_error);
    report.error = std::hypot(report.error, part.error);
    report.bytes += part.bytes;
    report.plain_bytes += part.plain_bytes;
    report.redistributions.push_back(part);
  }
}

bool Plan::Implementation::compresses_on_device() const {
  if (context->on_host()) return false;
  for (const Direction direction : {Direction::forward, Direction::backward}) {
    for (const Chunks& chunks : pipelines.front()->redistributions(direction)) {
      for (const auto& chunk : chunks) {
        if (chunk->may_repeat()) return true;
      }
    }
  }
  return false;
}

Report Plan::report() const {
  Report report;
  implementation_->tell(*implementation_->last, report);
  return report;
}

Report Plan::report(Index field) const {
  const std::size_t fields = implementation_->reported_fields;
  const std::size_t count = std::max<std::size_t>(fields, 1);
  if (field < 0 || static_cast<std::size_t>(field) >= count) {
    throw Error("there is no report of field " + std::to_string(field) +
                ": the last transform was of " + std::to_string(count) +
                (count == 1 ? " field" : " fields"));
  }
  return fields == 0 ? report() : implementation_->field_reports[static_cast<std::size_t>(field)];
}

std::string Plan::describe() const {
  const Implementation& plan = *implementation_;
  const Context& context = *plan.context;
  const std::string device =
      context.on_host()
          ? ""
          : ", on " + std::string(context.backend->device) + " (" + context.device->info().model +
                "; arrays of the host are copied" +
                (plan.compresses_on_device() ? "; runs wait for what encoding measures" : "") + ")";
  std::string chosen;
  for (const PlanChoice& choice : plan.info.choices) {
    if (choice.why != "wisdom" && choice.why != "tuned" && choice.option != "tune") continue;
    chosen += choice.option + " " + choice.value + " (" + choice.why + ")\n";
  }
  const auto text_of = [&](const Schedule& schedule) {
    return weft::describe(schedule, context.problem, context.machine);
  };
  return text_of(plan.schedule) + text_of(reversed(plan.schedule)) + "exchange " +
         context.exchange.name() + ", local " + context.backend->name + ", " +
         std::to_string(context.threads) + " threads, tiles of " +
         human_bytes(static_cast<double>(context.tile_bytes())) + ", workspace " +
         human_bytes(static_cast<double>(plan.info.workspace_bytes)) +
         (plan.info.shared_bytes > 0
              ? ", shared " + human_bytes(static_cast<double>(plan.info.shared_bytes))
              : "") +
         device + "\n" + chosen;
}

std::string to_string(const Report& report) {
  std::ostringstream text;
  text.precision(3);
  const auto bytes = [](Index count) { return human_bytes(static_cast<double>(count)); };
  int number = 0;
  for (const RedistributionReport& part : report.redistributions) {
    text << "redistribution " << ++number << ": codec " << part.codec << ", error " << part.error
         << " (predicted " << part.predicted_error << "), sent " << bytes(part.bytes) << " of "
         << bytes(part.plain_bytes);
    if (part.repeated > 0) text << ", sent again " << part.repeated << " times";
    if (part.broken) text << ", data cannot be compressed (Inf, NaN or overflow)";
    text << "\n";
  }
  text << "all: error " << report.error << " (predicted " << report.predicted_error << "), sent "
       << bytes(report.bytes) << " of " << bytes(report.plain_bytes);
  if (report.tolerance) text << ", tolerance " << *report.tolerance;
  text << "\n";
  return text.str();
}

}  // namespace weft
