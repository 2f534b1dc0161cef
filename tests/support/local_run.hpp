#pragma once

#include <string>
#include <vector>

#include "local/local_transform.hpp"
#include "support/random_distribution.hpp"

namespace weft::test {

/// A local transform with arrays of its own, whose gaps are poisoned.
struct LocalRun {
  LocalProblem problem;
  std::size_t in_shift = 0;  ///< bytes past an aligned address
  std::size_t out_shift = 0;

  /// Makes it a problem for the device of this backend, aligned as that needs it. Where real
  /// results cannot preserve their input, they need not.
  void place_on(const LocalBackend& backend);
  /// Transforms random data with both backends; what is wrong with `backend`, or nothing. Also in
  /// place, where the transform can. The problem has been placed on the device of `backend`; that
  /// of `with` is the host, and it need not scale.
  std::string compare(const LocalBackend& backend, const LocalBackend& with, unsigned seed) const;
};

/// The name of a backend; of devices other than the host after that of the device.
std::string label_of(const LocalBackend& backend);
/// By label.
const LocalBackend& backend_named(const std::string& name);
inline bool on_host(const LocalBackend& backend) {
  return backend.device == std::string("host");
}

/// Executes with poisoned memory to work in, and nothing beyond it.
void execute(const LocalTransform& transform, const std::byte* in, std::byte* out);
template <class In, class Out>
void execute(const LocalTransform& transform, const std::vector<In>& in, std::vector<Out>& out) {
  execute(transform, reinterpret_cast<const std::byte*>(in.data()),
          reinterpret_cast<std::byte*>(out.data()));
}
/// Product of the logical lengths of the transformed axes.
Index points(const LocalProblem& problem);
/// Adds axes of 1 to `longest` points, whose strides are still to be set.
void add_random_axes(Axes<LocalAxis>& axes, Index count, Index longest, Random& random);
/// Axes in any order in memory on either side, with gaps at times.
void set_random_strides(LocalProblem& problem, Random& random);
std::string describe(const LocalProblem& problem);

}  // namespace weft::test
