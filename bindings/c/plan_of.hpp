#pragma once

#include <optional>
#include <string>
#include <vector>

#include "c/boundary.hpp"
#include "c/plan_info.hpp"
#include "weft/plan.hpp"
#include "weft/shell_spectrum.hpp"

namespace weft::c {

/// A trace, and its spans as C sees them.
struct ToldTrace {
  Trace trace;
  std::vector<weft_trace_span> spans;
};

}  // namespace weft::c

/// A plan, and what was last told of it.
struct weft_plan_object {
  weft::Plan plan;
  std::string description = {}, report_text = {};
  std::optional<weft::c::ToldInfo> info = {};
  std::vector<weft_stage_timing> timings = {};
  weft::Report report = {};
  weft::ShellSpectrum shells = {};
  std::vector<weft_redistribution_report> redistributions = {};
  std::optional<weft::c::ToldTrace> trace = {};
};

namespace weft::c {

/// The plan that a handle stands for.
inline Plan& plan_of(weft_plan handle) {
  return object_of(handle, "plan").plan;
}

}  // namespace weft::c
