#pragma once

#include "local/local_transform.hpp"

namespace weft {

/// A cosine or sine transform along one axis, by a Fourier transform of `backend` or, where it does
/// not support that length, of the fallback.
std::unique_ptr<LocalTransform> make_real_kind_on_host(const LocalBackend& backend,
                                                       const LocalProblem& problem);

}  // namespace weft
