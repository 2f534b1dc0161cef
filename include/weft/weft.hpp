#pragma once

/// @file
/// All of weft: spectral transforms of arrays that are spread over many processes.
///
///     weft::Plan plan({.shape = {nx, ny, nz}, .comm = MPI_COMM_WORLD, .kinds = weft::r2c,
///                      .in = weft::slab(0), .out = weft::pencil(2)});
///     plan.forward(u, uh);
///     plan.backward(uh, u);

#include "weft/calculus.hpp"
#include "weft/convolution.hpp"
#include "weft/error.hpp"
#include "weft/halo.hpp"
#include "weft/long_transform.hpp"
#include "weft/plan.hpp"
#include "weft/printable.hpp"
#include "weft/trace.hpp"
#include "weft/verify.hpp"
#include "weft/waves.hpp"
#include "weft/wisdom.hpp"
