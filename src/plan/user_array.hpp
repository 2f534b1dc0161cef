#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "device/device.hpp"
#include "geometry/layout.hpp"
#include "schedule/problem.hpp"
#include "weft/plan.hpp"

namespace weft {

/// What the user is told of an array of this rank: without the axis that stands for the batch.
LocalArray user_array(const ResolvedProblem& problem, const Layout& layout, const Extents& shape,
                      bool complex);

/// Of its memory, from the first element to past the last.
std::size_t bytes_of(const LocalArray& array);

/// What is wrong with an array that should be as planned, if anything. `name` is "input" or
/// "output"; `user` works on the array.
std::optional<std::string> find_mismatch(const char* name, const detail::AnyArray& given,
                                         const LocalArray& planned, const char* user = "the plan");

/// The same of an array for a plan that works on a device: it must be memory of that device, or of
/// the host.
std::optional<std::string> find_device_error(const char* name, const void* data,
                                             const LocalArray& planned, const Device& device);

/// Whether input and output share memory in a way that a run does not allow.
std::optional<std::string> find_overlap(const detail::AnyArray& in, const LocalArray& planned_in,
                                        const detail::AnyArray& out, const LocalArray& planned_out);

}  // namespace weft
