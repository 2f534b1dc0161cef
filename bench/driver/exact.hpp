#pragma once

#include <optional>

#include "adapter.hpp"

namespace weft::bench {

/// Largest number of points, fields included, for which the whole exact transform is computed.
inline constexpr Index exact_limit = Index{1} << 21;

/// Relative L2 error of all that was computed, against a serial transform in long double of the
/// random field of that seed, made anew on every rank without any of the code that is measured.
/// Collective. None where the harness was built without FFTW in long
/// double.
std::optional<double> whole_error(const TransformDescription& transform, std::uint64_t seed,
                                  const void* spectral);

}  // namespace weft::bench
