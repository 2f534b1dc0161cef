#pragma once

#include <cstdint>

#include "weft/plan.hpp"

namespace weft {

/// Error of one transform against the exact one at a few random points of its result, by direct
/// summation in long double (O(N) for each point). Collective.
struct SampledError {
  double relative_l2 = 0;  ///< |computed - exact| / |exact|, over the sampled points
  double largest = 0;      ///< largest |computed - exact|; infinity where it is NaN
  int samples = 0;         ///< number of points that were compared
};

/// Describes a distributed transform of any library, to check its result.
struct TransformDescription {
  Extents shape;                  ///< lengths of the transforms, without the batch
  Axes<Kind> kinds;               ///< one for each axis
  Norm norm = Norm::backward;     ///< scaling
  Index batch = 1;                ///< number of fields
  LocalArray physical;            ///< what this rank owns in physical space, and where it lies
  LocalArray spectral;            ///< this rank's part in spectral space
  MPI_Comm comm = MPI_COMM_NULL;  ///< who takes part
  int threads = 1;                ///< for the summation, at most 4096
  bool orthogonal = false;        ///< weights of cosine and sine transforms
  Extents input_points = {};  ///< points along each axis that exist in physical space; none: all
  Extents modes = {};         ///< modes along each axis that exist in spectral space; none: all

  /// Lengths of the array in physical space.
  Extents physical_shape() const { return input_points.empty() ? shape : input_points; }
  /// Lengths of the array in spectral space.
  Extents spectral_shape() const;
};

/// The transform that a plan computes.
TransformDescription description(const Plan& plan);

/// `in` and `out` are this rank's arrays: physical and spectral for forward, the other way round
/// for backward. `seed` selects the points; it must be equal on all ranks.
SampledError sampled_error(const TransformDescription& transform, Direction direction,
                           const void* in, const void* out, int samples = 32,
                           std::uint64_t seed = 1);
/// The error of a plan's transform; otherwise as above.
inline SampledError sampled_error(const Plan& plan, Direction direction, const void* in,
                                  const void* out, int samples = 32, std::uint64_t seed = 1) {
  return sampled_error(description(plan), direction, in, out, samples, seed);
}

/// Bound on the relative L2 error of a transform of n points in the working precision: 5 eps log2
/// n; for a single point, as for two.
double rounding_error_bound(Precision precision, Index points);

}  // namespace weft
