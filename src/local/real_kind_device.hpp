#pragma once

#include "local/local_transform.hpp"

namespace weft {

/// A cosine or sine transform along one axis of an array on a device: kernels read the array as it
/// lies and write the result where it is to lie, around a complex Fourier transform of `backend` in
/// memory of its own, which holds pairs of real lines as complex ones. The axis may be pruned.
std::unique_ptr<LocalTransform> make_real_kind_on_device(const LocalBackend& backend,
                                                         const LocalProblem& problem);

}  // namespace weft
