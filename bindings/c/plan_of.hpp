#pragma once

#include "c/boundary.hpp"
#include "weft/plan.hpp"

namespace weft::c {

/// The plan that a handle stands for.
Plan& plan_of(weft_plan handle);

}  // namespace weft::c
