#ifndef WEFT_C_TRACE_H
#define WEFT_C_TRACE_H

/// @file
/// Timelines: what every rank does when.

#include "weft/c/plan.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The lane of a span: what works, or waits.
typedef enum weft_trace_lane {
  WEFT_LANE_RUN,      ///< a whole transform of a field; the others lie in it, but for the host's
  WEFT_LANE_COMPUTE,  ///< passes over memory: transforms, packing, unpacking
  WEFT_LANE_SEND,  ///< sends to other ranks: copies of a device, or the call that starts messages
  WEFT_LANE_OWN,   ///< a device copies what stays, or what has come by way of the host
  WEFT_LANE_WAIT,  ///< nothing can go on before messages have arrived
  WEFT_LANE_MESSAGES,  ///< messages of the host, under way until the program has noticed their
                       ///< arrival
  WEFT_LANE_HOST       ///< with a device: the caller's thread submits work to streams
} weft_trace_lane;

/// A span: what a rank did from `begin` to `end`, in seconds since the start of the trace.
typedef struct weft_trace_span {
  int rank;            ///< rank of the span
  int place;           ///< among the fields in flight, from 0
  int lane;            ///< a weft_trace_lane
  int direction;       ///< direction of the transform, a weft_direction
  const char* name;    ///< name of the step, as in weft_plan_timings, or of the direction
  const char* detail;  ///< tells spans of one step apart; may be ""
  int64_t run;         ///< calls of the plan since the start of the trace
  int64_t field;       ///< number of the field in forward_many and backward_many; otherwise 0
  int64_t chunk;       ///< number of the chunk where the step is cut into several; otherwise 0
  double begin;        ///< in seconds
  double end;          ///< in seconds
} weft_trace_span;

/// What all ranks did while a trace was recorded. Only rank 0 knows the spans, and the seconds that
/// follow from them: on the others all these are 0.
typedef struct weft_trace {
  int ranks;  ///< how many took part
  /// Uncertainty, in seconds, of times of different ranks, and of host and device of a rank, when
  /// the trace starts; clocks drift apart by some microseconds in a second.
  double uncertainty;
  /// Seconds in which exchanges are under way, in any way (lanes send, own, wait and messages); sum
  /// over ranks.
  double exchange_seconds;
  double hidden_seconds;         ///< those of them in which a pass of the same rank is at work too
  size_t span_count;             ///< number of spans
  const weft_trace_span* spans;  ///< spans of all ranks
} weft_trace;

/// Starts a trace: every rank records when it does what. Collective, while no transform is under
/// way. Without a trace this costs no time or memory. A traced plan cannot be captured in a graph
/// of a device.
weft_status weft_plan_start_trace(weft_plan plan);
/// Ends the trace and gathers the spans of all ranks on rank 0 of the plan's communicator.
/// Collective, while no transform is under way. `trace` may be null on any rank; its lists belong
/// to the plan, until the next trace ends or the plan is destroyed.
weft_status weft_plan_stop_trace(weft_plan plan, weft_trace* trace);
/// Writes the last trace of the plan to a file for ui.perfetto.dev or chrome://tracing: a process
/// for each rank, a thread for each lane. Collective; rank 0 writes, to the path that it is given.
weft_status weft_plan_write_trace(weft_plan plan, const char* path);

#ifdef __cplusplus
}
#endif

#endif
