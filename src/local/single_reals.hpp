#pragma once

#include "local/local_transform.hpp"

namespace weft {

/// The transform between real lines of one number and their half spectra on a device: numbers
/// become the real parts of others, or the other way round. Libraries get it wrong.
std::unique_ptr<LocalTransform> make_single_reals(const LocalProblem& problem);

}  // namespace weft
