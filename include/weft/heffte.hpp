#pragma once

// The interface of heFFTe 2.4 for C++, carried out by weft: heffte::fft3d, heffte::fft3d_r2c and
// what goes with them, for C++11 and newer. Programs that include <heffte.h> are compiled with the
// folder weft/dropin among their folders of headers, and stay as they are. What differs is on the
// page "From heFFTe" of the guide. These names clash with heFFTe's: a program has one or the other.

#include "weft/heffte/box.hpp"
#include "weft/heffte/fft3d.hpp"
#include "weft/heffte/options.hpp"
#include "weft/heffte/types.hpp"
