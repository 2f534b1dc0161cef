#include <algorithm>
#include <vector>

#include "weft/trace.hpp"

namespace weft {

namespace {

struct TimeInterval {
  double begin;
  double end;
};

/// Makes one of those that touch, in order of time.
std::vector<TimeInterval> united(std::vector<TimeInterval> intervals) {
  std::sort(intervals.begin(), intervals.end(),
            [](const TimeInterval& a, const TimeInterval& b) { return a.begin < b.begin; });
  std::vector<TimeInterval> result;
  for (const TimeInterval& interval : intervals) {
    if (!result.empty() && interval.begin <= result.back().end) {
      result.back().end = std::max(result.back().end, interval.end);
    } else {
      result.push_back(interval);
    }
  }
  return result;
}

double length(const std::vector<TimeInterval>& intervals) {
  double sum = 0;
  for (const TimeInterval& interval : intervals) sum += interval.end - interval.begin;
  return sum;
}

/// Of what two lists have in common, each without overlaps and in order.
double common_length(const std::vector<TimeInterval>& a, const std::vector<TimeInterval>& b) {
  double sum = 0;
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    sum += std::max(0.0, std::min(a[i].end, b[j].end) - std::max(a[i].begin, b[j].begin));
    if (a[i].end < b[j].end) {
      ++i;
    } else {
      ++j;
    }
  }
  return sum;
}

}  // namespace

HiddenExchange hidden_exchange(const Trace& trace) {
  std::vector<std::vector<TimeInterval>> exchanges(static_cast<std::size_t>(trace.ranks));
  std::vector<std::vector<TimeInterval>> passes(exchanges.size());
  for (const TraceSpan& span : trace.spans) {
    if (span.lane == TraceLane::run || span.lane == TraceLane::host) continue;
    auto& lists = span.lane == TraceLane::compute ? passes : exchanges;
    lists[static_cast<std::size_t>(span.rank)].push_back({span.begin, span.end});
  }
  HiddenExchange result;
  for (std::size_t rank = 0; rank < exchanges.size(); ++rank) {
    const auto exchange = united(std::move(exchanges[rank]));
    result.exchange_seconds += length(exchange);
    result.hidden_seconds += common_length(exchange, united(std::move(passes[rank])));
  }
  return result;
}

}  // namespace weft
