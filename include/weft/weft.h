#ifndef WEFT_WEFT_H
#define WEFT_WEFT_H

/// @file
/// The C interface of weft: spectral transforms of distributed arrays.
///
///     weft_problem problem;
///     weft_problem_init(&problem, 3, (int64_t[]){nx, ny, nz});
///     problem.kinds[2] = WEFT_KIND_R2C;
///     weft_plan plan;
///     if (weft_plan_create(MPI_COMM_WORLD, &problem, NULL, &plan) != WEFT_SUCCESS) {
///       fprintf(stderr, "%s\n", weft_error_message());
///     }
///     weft_plan_forward(plan, u, uh);
///     weft_plan_backward(plan, uh, u);
///     weft_plan_destroy(&plan);
///
/// Structs that begin with struct_size may grow in later versions; their initializer records the
/// size that the program was compiled with. The other structs that a program fills in do not
/// change.

#include "weft/c/basics.h"
#include "weft/c/calculus.h"
#include "weft/c/files.h"
#include "weft/c/halo.h"
#include "weft/c/layout.h"
#include "weft/c/plan.h"
#include "weft/c/spectral.h"
#include "weft/c/trace.h"
#include "weft/c/verify.h"

#endif
