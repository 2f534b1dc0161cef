#ifndef WEFT_C_VERIFY_H
#define WEFT_C_VERIFY_H

/// @file
/// Errors of transforms against exact ones.

#include <mpi.h>

#include "weft/c/plan.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Error of one transform against the exact one at a few random points of its result, by direct
/// summation in extended precision (O(N) for each point).
typedef struct weft_sampled_error {
  double relative_l2;  ///< |computed - exact| / |exact|, over the sampled points
  double largest;      ///< largest |computed - exact|; infinity where it is NaN
  int samples;         ///< number of points that were compared
} weft_sampled_error;

/// The error of a plan's transform. Collective. `in` and `out` are this rank's arrays: physical and
/// spectral for WEFT_DIRECTION_FORWARD, the other way round for WEFT_DIRECTION_BACKWARD. `samples`
/// is the number of points, for example 32, and `seed` selects them; both must be equal on all
/// ranks.
weft_status weft_plan_sampled_error(weft_plan plan, int direction, const void* in, const void* out,
                                    int samples, uint64_t seed, weft_sampled_error* error);

/// Describes a distributed transform of any library, to check its result. Initialize it with
/// weft_transform_init.
typedef struct weft_transform {
  size_t struct_size;            ///< set by the initializer
  int axes;                      ///< 1 to 6
  int64_t shape[WEFT_MAX_AXES];  ///< lengths of the transforms, without the batch
  int kinds[WEFT_MAX_AXES];      ///< a weft_kind for each axis
  int norm;                      ///< a weft_norm; default: WEFT_NORM_BACKWARD
  int64_t batch;                 ///< default: 1
  weft_local_array physical;     ///< what this rank owns in physical space, and where it lies
  weft_local_array spectral;     ///< this rank's part in spectral space
  int threads;                   ///< for the summation, at most 4096; default: 1
  int orthogonal;                ///< weights of cosine and sine transforms
  int64_t input_points[WEFT_MAX_AXES];  ///< points along each axis that exist in physical space;
                                        ///< all zero: all
  int64_t modes[WEFT_MAX_AXES];         ///< modes that exist in spectral space; all zero: all
} weft_transform;

/// Initializes a description: complex transforms of this shape along all axes. The local arrays
/// must still be set.
static inline void weft_transform_init(weft_transform* transform, int axes, const int64_t* shape) {
  int axis;
  memset(transform, 0, sizeof *transform);
  transform->struct_size = sizeof *transform;
  transform->axes = axes;
  for (axis = 0; axis < WEFT_MAX_AXES; ++axis) {
    if (axis < axes) transform->shape[axis] = shape[axis];
    transform->kinds[axis] = WEFT_KIND_C2C;
  }
  transform->batch = 1;
  transform->threads = 1;
}

/// The transform that a plan computes, with all that was left to defaults: `modes` and
/// `input_points` are always there. `*transform` must have been initialized, for any shape.
weft_status weft_plan_transform(weft_plan plan, weft_transform* transform);

/// Collective over `comm`, otherwise like weft_plan_sampled_error.
weft_status weft_transform_sampled_error(MPI_Comm comm, const weft_transform* transform,
                                         int direction, const void* in, const void* out,
                                         int samples, uint64_t seed, weft_sampled_error* error);

/// Bound on the relative L2 error of a transform of so many points in the working precision: 5 eps
/// log2(points); for a single point, as for two. NaN for an unknown precision.
double weft_rounding_error_bound(int precision, int64_t points);

#ifdef __cplusplus
}
#endif

#endif
