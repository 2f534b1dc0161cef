#include "c/plan_of.hpp"

namespace {

using weft::TraceLane;
using weft::c::given;
using weft::c::guarded;
using weft::c::plan_of;
using weft::c::ToldTrace;

constexpr bool same(TraceLane lane, weft_trace_lane of_c) {
  return static_cast<int>(lane) == of_c;
}
static_assert(same(TraceLane::run, WEFT_LANE_RUN) && same(TraceLane::compute, WEFT_LANE_COMPUTE) &&
              same(TraceLane::send, WEFT_LANE_SEND) && same(TraceLane::own, WEFT_LANE_OWN) &&
              same(TraceLane::wait, WEFT_LANE_WAIT) &&
              same(TraceLane::messages, WEFT_LANE_MESSAGES) &&
              same(TraceLane::host, WEFT_LANE_HOST));

std::vector<weft_trace_span> spans_of(const weft::Trace& trace) {
  std::vector<weft_trace_span> spans;
  spans.reserve(trace.spans.size());
  for (const weft::TraceSpan& span : trace.spans) {
    spans.push_back({span.rank, span.place, static_cast<int>(span.lane),
                     static_cast<int>(span.direction), span.name.c_str(), span.detail.c_str(),
                     span.run, span.field, span.chunk, span.begin, span.end});
  }
  return spans;
}

}  // namespace

weft_status weft_plan_start_trace(weft_plan plan) {
  return guarded([&] { plan_of(plan).start_trace(); });
}

weft_status weft_plan_stop_trace(weft_plan plan, weft_trace* trace) {
  return guarded([&] {
    weft::Trace stopped = plan_of(plan).stop_trace();
    ToldTrace& told = plan->trace.emplace(std::move(stopped), std::vector<weft_trace_span>());
    told.spans = spans_of(told.trace);
    if (trace == nullptr) return;
    const weft::HiddenExchange hidden = hidden_exchange(told.trace);
    *trace = {told.trace.ranks,      told.trace.uncertainty, hidden.exchange_seconds,
              hidden.hidden_seconds, told.spans.size(),      told.spans.data()};
  });
}

weft_status weft_plan_write_trace(weft_plan plan, const char* path) {
  return guarded([&] {
    const weft::Plan& of = plan_of(plan);
    const weft::Communicator comm = weft::Communicator::duplicate(of.communicator());
    weft::collectively(comm, [&] {
      if (!plan->trace) throw weft::Error("no trace has been recorded");
      if (comm.rank() == 0) write_chrome_json(plan->trace->trace, &given(path, "the path"));
    });
  });
}
