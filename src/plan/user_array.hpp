#pragma once

#include <cstddef>

#include "device/device.hpp"
#include "geometry/layout.hpp"
#include "schedule/problem.hpp"
#include "weft/plan.hpp"

namespace weft {

/// What a caller gives for a run, and how it has to lie.
struct RunArrays {
  Direction direction;
  detail::AnyArray in;
  detail::AnyArray out;
  const LocalArray& planned_in;
  const LocalArray& planned_out;

  bool are_one() const { return in.data == out.data; }
};

/// What the user is told of an array of this rank: without the axis that stands for the batch.
LocalArray user_array(const ResolvedProblem& problem, const Layout& layout, const Extents& shape,
                      bool complex);

/// Of its memory, from the first element to past the last.
std::size_t bytes_of(const LocalArray& array);

/// Throws Error unless an array is as planned. `name` is "input" or "output"; `user` works on the
/// array.
void check_array(const char* name, const detail::AnyArray& given, const LocalArray& planned,
                 const char* user = "the plan");

/// The same of an array for a plan that works on a device: it must be memory of that device, or of
/// the host.
void check_owner(const char* name, const void* data, const LocalArray& planned,
                 const Device& device);

/// Throws Error where input and output share memory in a way that a run does not allow.
void check_overlap(const RunArrays& arrays);

}  // namespace weft
