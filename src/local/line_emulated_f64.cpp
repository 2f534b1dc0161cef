#include "local/line_emulated_kernels.hpp"

template struct weft::EmulatedPasses<double>;
