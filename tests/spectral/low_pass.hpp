#pragma once

#include <vector>

#include "weft/calculus.hpp"

namespace weft::test {

/// Keeps the waves below a wavenumber: in a file that compilers for GPUs compile.
void keep_low(Calculus<>& calculus, const std::vector<double>& u, std::vector<double>& result,
              double limit);

}  // namespace weft::test
