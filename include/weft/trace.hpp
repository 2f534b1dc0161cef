#pragma once

#include <string>
#include <vector>

#include "weft/axes.hpp"
#include "weft/kinds.hpp"

namespace weft {

/// What does the work of a span, or waits.
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

/// Something that a rank did, from `begin` to `end`, in seconds since the start of the trace.
struct TraceSpan {
  int rank = 0;                     ///< whose
  int place = 0;                    ///< among the fields in flight, from 0
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
  /// Times of different ranks, and of the host and the device of a rank, may be off by so many
  /// seconds when the trace starts. Clocks of machines, and of devices, drift apart meanwhile, by
  /// some microseconds in a second.
  double uncertainty = 0;
  std::vector<TraceSpan> spans;  ///< spans of all ranks, on rank 0; on the others there are none
};

/// How much of the time that exchanges take does not count because passes go on meanwhile.
struct HiddenExchange {
  /// Seconds in which an exchange of this rank is under way, in any way (lanes send, own, wait,
  /// messages); sum over ranks.
  double exchange_seconds = 0;
  double hidden_seconds = 0;  ///< those of them in which a pass of the rank is at work too
  /// The hidden share of the exchanges' time, 0 to 1; 0 where there were none.
  double share() const { return exchange_seconds > 0 ? hidden_seconds / exchange_seconds : 0; }
};
/// What a trace says of hidden exchanges. On hosts an exchange counts as under way until the
/// program looks for what has arrived.
HiddenExchange hidden_exchange(const Trace& trace);

/// JSON that ui.perfetto.dev and chrome://tracing show: a process for each rank, a thread for each
/// lane.
std::string to_chrome_json(const Trace& trace);
/// Writes that to a file, which is there as a whole or not at all. Not collective: what there is to
/// write is on rank 0. Throws Error, with the system's reason, where it cannot be written.
void write_chrome_json(const Trace& trace, const std::string& path);

}  // namespace weft
