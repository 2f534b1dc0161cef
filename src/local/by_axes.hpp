#pragma once

#include <optional>

#include "local/local_transform.hpp"

namespace weft {

/// A transform of several axes, some of them with cosine or sine transforms, as one transform after
/// another: all Fourier transforms together and all cosine and sine transforms together; if there
/// are only the latter, axis by axis.
std::unique_ptr<LocalTransform> make_by_axes(const LocalBackend& backend,
                                             const LocalProblem& problem);

/// What a transform leaves to Fourier transforms of its own axes, in arrays as they lie: all, a
/// part of it, or nothing.
std::optional<LocalProblem> fourier_part(const LocalProblem& problem);

}  // namespace weft
