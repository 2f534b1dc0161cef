#pragma once

#include <string>
#include <vector>

#include "codec/codec.hpp"

namespace weft {

/// Numbers that may follow the colon.
struct ParameterRange {
  int least;
  int most;
};

/// The number. Throws Error, with the name of the codec, for anything else: "codec 'bfp:99': bits
/// must be between 2 and 62 for f64".
int parse_parameter(const std::string& codec, const std::string& text, const std::string& meaning,
                    ParameterRange range, CodecElement element);

/// All of them as text, the smallest first.
std::vector<std::string> parameters(ParameterRange range);

/// Relative rms error of rounding to `mantissa_bits` bits behind the leading one, for numbers that
/// are distributed as Gaussian ones are, over several powers of two.
double rounding_error(int mantissa_bits);

}  // namespace weft
