#pragma once

#include "local/line_plan.hpp"
#include "local/sequence.hpp"

namespace weft {

/// One step for each axis, in the order of their execution: the halved axis, then those that are
/// nearest in memory. Backward, a halved axis comes last, in the reverse of this order; otherwise
/// the farthest of three axes or more comes first. So both directions have an axis at the side of
/// the spectrum that is not one of the planes which share a kernel; there callbacks cost least.
std::vector<Sequence::Step> line_steps(const LocalProblem& problem);

/// Whether steps would work in an input that is to be kept.
bool must_keep_input(const LocalProblem& problem);

/// Transforms of arrays on a device by passes over their lines, one for each axis: of any kind,
/// batched and with any strides; a single axis may be pruned. Lines whose number of points has no
/// prime factor above 13, and that a block of threads has room for, take one pass. Longer complex
/// ones take two: over columns of shorter lines, and over rows. Those with larger prime factors are
/// convolved with a chirp, in one pass or three: L. I. Bluestein, A linear filtering approach to
/// the computation of discrete Fourier transform, IEEE Transactions on Audio and Electroacoustics
/// 18 (1970).
bool supports_lines(const LineRunner& runner, const LocalProblem& problem);
std::unique_ptr<LocalTransform> make_lines(const LineRunner& runner, const LocalProblem& problem);

}  // namespace weft
