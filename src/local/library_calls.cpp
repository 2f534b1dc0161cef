#include "local/library_calls.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "local/sequence.hpp"
#include "local/single_reals.hpp"
#include "weft/error.hpp"

namespace weft {

namespace {

/// Whether the halved axis has a single point.
bool has_single_reals(const LocalProblem& problem) {
  return problem.real() && problem.transform.back().length == 1;
}

/// Whether lines of real results have room for the spectra that they are made of. The cuFFT of
/// CUDA 13 then writes to that room too.
bool has_room_for_spectra(const LocalProblem& problem) {
  if (!problem.real() || !problem.real_output()) return false;
  const LocalAxis& halved = problem.transform.back();
  const auto is_padded = [&](const LocalAxis& axis) {
    return axis.length > 1 && std::abs(axis.out_stride) == 2 * (halved.length / 2 + 1);
  };
  return halved.out_stride == 1 &&
         (std::any_of(problem.transform.begin(), problem.transform.end(), is_padded) ||
          std::any_of(problem.batch.begin(), problem.batch.end(), is_padded));
}

/// Of the axes that are left as many as nest together, in as few calls as possible; none if no axis
/// can be done. A step across has to halve.
AxisList next_group(const LocalProblem& problem, const AxisList& left, StepPlace place) {
  const bool must_halve = place == StepPlace::across && problem.real();
  if (must_halve && has_single_reals(problem)) return {problem.transform.size() - 1};
  AxisList best;
  Index best_calls = 0;
  for (unsigned subset = 1; subset < 1U << left.size(); ++subset) {
    AxisList axes;
    for (int i = 0; i < left.size(); ++i) {
      if ((subset >> i & 1U) != 0) axes.push_back(left[i]);
    }
    if (axes.size() < best.size()) continue;
    if (must_halve && !axes.contains(problem.transform.size() - 1)) continue;
    const auto layout = advanced_layout(part_of(problem, axes, place));
    if (!layout) continue;
    if (axes.size() == best.size() && layout->calls() >= best_calls) continue;
    best = axes;
    best_calls = layout->calls();
  }
  return best;
}

/// In the order of their execution; nothing where the problem is not supported.
std::vector<Sequence::Step> library_steps(const LocalProblem& problem) {
  if (problem.on_host()) return {};
  if (problem.real_output() && problem.preserve_input) return {};
  if (problem.real() && problem.any_alignment) return {};
  if (has_room_for_spectra(problem)) return {};
  AxisList left;
  for (int axis = 0; axis < problem.transform.size(); ++axis) left.push_back(axis);
  // On the way back the halved axis is the last one.
  const StepPlace beside = problem.real_output() ? StepPlace::in_input : StepPlace::in_output;
  std::vector<Sequence::Step> steps;
  while (!left.empty()) {
    const StepPlace place = steps.empty() ? StepPlace::across : beside;
    const AxisList group = next_group(problem, left, place);
    if (group.empty()) return {};
    steps.push_back({group, place});
    AxisList others;
    for (int axis : left) {
      if (!group.contains(axis)) others.push_back(axis);
    }
    left = others;
  }
  if (beside == StepPlace::in_input) std::reverse(steps.begin(), steps.end());
  return steps;
}

}  // namespace

bool supports_library_calls(const LocalProblem& problem) {
  return !library_steps(problem).empty();
}

std::unique_ptr<LocalTransform> make_library_calls(const LocalProblem& problem,
                                                   MakeLibraryCall make) {
  return std::make_unique<Sequence>(problem, library_steps(problem), [&](const LocalProblem& part) {
    return has_single_reals(part) ? make_single_reals(part) : make(part, *advanced_layout(part));
  });
}

bool lies_alike(const AdvancedLayout& layout) {
  const auto& in = layout.in;
  const auto& out = layout.out;
  return in.embed == out.embed && in.stride == out.stride && in.distance == out.distance &&
         std::all_of(layout.loops.begin(), layout.loops.end(),
                     [](const auto& loop) { return loop.step[0] == loop.step[1]; });
}

void scale_output(const LocalProblem& problem, std::byte* out) {
  Extents extents;
  Strides strides;
  for (int axis = 0; axis < problem.transform.size(); ++axis) {
    extents.push_back(whole_points(problem, axis, false));
    strides.push_back(problem.transform[axis].out_stride);
  }
  for (const LocalAxis& axis : problem.batch) {
    extents.push_back(axis.length);
    strides.push_back(axis.out_stride);
  }
  const BlockMove block{extents, {out, strides}, {out, strides}};
  problem.stream->move({&block, 1}, {problem.precision, !problem.real_output()}, problem.scale,
                       Mover::kernel);
}

void check_alignment(const LocalProblem& problem, const std::byte* in, const std::byte* out) {
  const auto complex_bytes = static_cast<std::uintptr_t>(bytes_of({problem.precision, true}));
  for (const std::byte* data : {in, out}) {
    if (reinterpret_cast<std::uintptr_t>(data) % complex_bytes != 0) {
      throw Error("data that a device transforms must be aligned to " +
                  std::to_string(complex_bytes) + " bytes");
    }
  }
}

}  // namespace weft
