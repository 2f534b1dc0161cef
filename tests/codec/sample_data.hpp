#pragma once

#include <string>
#include <vector>

#include "support/random_distribution.hpp"

namespace weft::test {

/// What numbers of a run look like.
enum class Data {
  gaussian,
  positive,        ///< their magnitudes: rounding that is biased shows
  ties,            ///< few bits, so that most numbers lie in the middle between two codes
  alternating,     ///< equal magnitudes with alternating signs, some a bit smaller
  mostly_zero,     ///< both zeros, and now and then a number
  every_exponent,  ///< normal and subnormal
  subnormal,
  nearly_overflow,  ///< decoding may
};

std::vector<Data> every_data();
std::string to_string(Data data);

template <class Real>
std::vector<Real> sample(Data data, std::size_t count, Random& random);

}  // namespace weft::test
