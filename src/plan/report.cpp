#include "plan/report.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>

#include "geometry/human_units.hpp"

namespace weft {

namespace {

RedistributionReport report_of(const std::vector<Redistribution::Use>& chunks) {
  RedistributionReport report;
  report.codec = "none";
  double squared_error = 0, squared_norm = 0;
  for (const Redistribution::Use& use : chunks) {
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

/// Allocates nothing where `uses` has the shape of the redistributions already.
void copy_uses(const Redistributions& redistributions, FieldReports::Uses& uses) {
  uses.resize(redistributions.size());
  for (std::size_t i = 0; i < redistributions.size(); ++i) {
    uses[i].resize(redistributions[i].size());
    for (std::size_t j = 0; j < redistributions[i].size(); ++j)
      uses[i][j] = redistributions[i][j]->use();
  }
}

}  // namespace

Report make_report(const FieldReports::Uses& uses, std::optional<double> tolerance) {
  Report report;
  report.tolerance = tolerance;
  for (const auto& chunks : uses) {
    const RedistributionReport part = report_of(chunks);
    report.predicted_error = std::hypot(report.predicted_error, part.predicted_error);
    report.error = std::hypot(report.error, part.error);
    report.bytes += part.bytes;
    report.plain_bytes += part.plain_bytes;
    report.redistributions.push_back(part);
  }
  return report;
}

Report make_report(const Redistributions& redistributions, std::optional<double> tolerance) {
  FieldReports::Uses uses;
  copy_uses(redistributions, uses);
  return make_report(uses, tolerance);
}

void FieldReports::reserve(std::size_t fields, const Redistributions& redistributions) {
  while (uses_.size() < fields) {
    FieldReports::Uses room;
    copy_uses(redistributions, room);
    uses_.push_back(std::move(room));
  }
}

void FieldReports::keep(std::size_t field, const Redistributions& redistributions) {
  copy_uses(redistributions, uses_[field]);
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
