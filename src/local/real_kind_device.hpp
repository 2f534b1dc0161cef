#pragma once

#include "local/local_transform.hpp"

namespace weft {

/// Whether tables have room for the places of the reals that a halved axis is stored as.
bool has_places_of_reals(const LocalProblem& problem);

/// A cosine or sine transform, or one with a halved axis, along one axis of an array on a device:
/// kernels read the array as it lies and write the result where it is to lie, around a complex
/// Fourier transform of `backend` in memory of its own, which holds pairs of real lines as complex
/// ones. The axis may be pruned.
std::unique_ptr<LocalTransform> make_real_kind_on_device(const LocalBackend& backend,
                                                         const LocalProblem& problem);

}  // namespace weft
