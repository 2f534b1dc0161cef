#pragma once

#include <complex>
#include <cstdint>
#include <string>
#include <vector>

#include "support/plan_run.hpp"

namespace weft::test {

using Field = std::vector<Complex>;

/// Two redistributions where there are ranks enough.
Problem pencils(const Kinds& kinds = c2c);

/// Options for one thread.
Options with(const std::string& exchange, Index chunks = 1, int fields = 1);
/// The same, with pencils between input and output.
Options with_pencils(const std::string& exchange, Index chunks = 1, int fields = 1);

Field random_field(const LocalArray& array, std::uint64_t seed);
Field forward_of(Plan& plan, const Field& in);
Field backward_of(Plan& plan, const Field& in);

}  // namespace weft::test
