#pragma once

#include <span>
#include <vector>

#include "weft/plan.hpp"

namespace weft::test {

/// What functions multiply numbers with: different for neighbors along every axis. Inlined it would
/// be compiled for each number of a thread in each kernel, for many minutes.
[[gnu::noinline]] WEFT_HOST_DEVICE inline double weight_of(const Extents& index, Index field) {
  Index number = field;
  for (int axis = 0; axis < index.size(); ++axis) number += (axis + 1) * index[axis];
  return 0.75 + 0.25 * static_cast<double>(number % 3);
}

/// A transform of one field or several with functions on a device, in files that compilers for GPUs
/// compile. Fused functions have kernels for these lengths, or for the usual ones.
template <class In, class Out, int... lengths>
struct DeviceCall {
  Plan& plan;
  Direction direction;
  std::vector<std::span<const In>> in;  ///< of the host
  std::vector<std::span<Out>> out;
  bool on_input;  ///< multiply by weights
  bool on_output;
  bool many;  ///< by forward_many
  bool in_place;
  bool fused;             ///< by fused_function
  bool arrays_on_device;  ///< the plan is handed copies of the arrays in memory of the device

  /// The numbers that the function of the output was called for once; one that it was called for
  /// more often counts a million times.
  Index run();
};

}  // namespace weft::test
