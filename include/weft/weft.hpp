#pragma once

/// @file
/// All of weft: spectral transforms of arrays that are spread over many processes.
///
///     weft::Plan plan(MPI_COMM_WORLD, {.shape = {nx, ny, nz}, .kinds = weft::r2c,
///                      .input = weft::slab_split(0), .output = weft::pencil_along(2)});
///     plan.forward(u, uh);
///     plan.backward(uh, u);

#include "weft/calculus.hpp"
#include "weft/convolution.hpp"
#include "weft/error.hpp"
#include "weft/files.hpp"
#include "weft/halo.hpp"
#include "weft/long_transform.hpp"
#include "weft/plan.hpp"
#include "weft/printable.hpp"
#include "weft/shell_spectrum.hpp"
#include "weft/trace.hpp"
#include "weft/verify.hpp"
#include "weft/version.h"
#include "weft/wavenumbers.hpp"
#include "weft/wisdom.hpp"
