#pragma once

#include <string>
#include <vector>

#include "weft/axes.hpp"
#include "weft/kinds.hpp"

namespace weft {

/// The lane of a span: what works, or waits.
enum class TraceLane {
  run,       ///< a whole transform of a field; the others lie in it, but for `host`
  compute,   ///< passes over memory: transforms, packing, unpacking
  send,      ///< sends to other ranks: copies of a device, or the call that starts messages
  own,       ///< a device copies what stays on the rank, or what has come by way of the host
  wait,      ///< nothing can go on before messages have arrived
  messages,  ///< messages of the host are under way, until the program has noticed their arrival
  host,      ///< with a device: the caller's thread submits work to streams
};
/// The name of a lane: "run", "compute", "send", "own", "wait", "messages" or "host".
std::string to_string(TraceLane lane);

/// A span: what a rank did from `begin` to `end`, in seconds since the start of the trace.
struct TraceSpan {
  int rank = 0;                     ///< whose
  int place = 0;                    ///< number among the fields in flight, from 0
  TraceLane lane = TraceLane::run;  ///< what did it
  std::string name;                 ///< name of the step, as in Plan::timings, or of the direction
  std::string detail;               ///< tells spans of one step apart; may be empty
  Direction direction = Direction::forward;  ///< direction of the transform
  Index run = 0;                             ///< calls of the plan since the start of the trace
  Index field = 0;                           ///< number of the field in forward_many; otherwise 0
  Index chunk = 0;   ///< number of the chunk where the step is cut into several; otherwise 0
  double begin = 0;  ///< seconds
  double end = 0;    ///< seconds
};

/// What all ranks did between Plan::start_trace and Plan::stop_trace.
struct Trace {
  int ranks = 0;  ///< how many took part
  /// Uncertainty, in seconds, of times of different ranks, and of host and device of a rank, when
  /// the trace starts. Clocks of machines and devices drift apart by some microseconds per second.
  double uncertainty = 0;
  std::vector<TraceSpan> spans;  ///< spans of all ranks, on rank 0; on the others there are none
};

/// How much of the time of exchanges is hidden behind passes.
struct HiddenExchange {
  /// Seconds in which an exchange of this rank is under way, in any way (lanes send, own, wait,
  /// messages); sum over ranks.
  double exchange_seconds = 0;
  double hidden_seconds = 0;  ///< those of them in which a pass of the rank is at work too
  /// The hidden share of the exchanges' time, 0 to 1; 0 where there were none.
  double share() const { return exchange_seconds > 0 ? hidden_seconds / exchange_seconds : 0; }
};
/// Computes the hidden time of exchanges from a trace. On hosts an exchange counts as under way
/// until the program polls for arrived messages.
HiddenExchange hidden_exchange(const Trace& trace);

/// The trace as JSON for ui.perfetto.dev and chrome://tracing: a process for each rank, a thread
/// for each lane.
std::string to_chrome_json(const Trace& trace);
/// Writes this JSON to a file, which appears complete or not at all. Not collective: the spans are
/// on rank 0. Throws Error, with the system's reason, if it cannot be written.
void write_chrome_json(const Trace& trace, const std::string& path);

}  // namespace weft
