#pragma once

#include "local/gpu/fft_api.hpp"
#include "local/local_transform.hpp"

namespace weft {

/// Lets the last kernel of a plan multiply what it stores by the scale of the problem, which saves
/// a pass over the output. To be called before the plan is made, which takes longer then, as
/// kernels have to be linked. False where the library cannot do that; the plan must not be used
/// then, nor if it cannot be made.
bool set_scaled_store(gpu_fft::Handle plan, const LocalProblem& problem);

}  // namespace weft
