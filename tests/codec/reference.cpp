#include "codec/reference.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace weft::test {

namespace {

using Wide = long double;  // its products with powers of two are exact here

template <class Real>
struct Format {
  int smallest_exponent = std::numeric_limits<Real>::min_exponent - 1;  ///< of normal numbers
  int largest_exponent = std::numeric_limits<Real>::max_exponent - 1;
  int mantissa = std::numeric_limits<Real>::digits - 1;
};

/// To the nearest number of a format, to even in the middle. nearbyint rounds so.
template <class Real>
Wide round_to(const Format<Real>& format, Wide value) {
  if (value == 0) return value;
  const int exponent = std::max(std::ilogb(value), format.smallest_exponent);
  const int last = exponent - format.mantissa;
  const Wide rounded = std::ldexp(std::nearbyint(std::ldexp(value, -last)), last);
  const bool overflows = std::abs(rounded) >= std::ldexp(Wide{1}, format.largest_exponent + 1);
  return overflows ? std::copysign(std::numeric_limits<Wide>::infinity(), value) : rounded;
}

template <class Real>
Real largest_of(const Real* values, std::size_t count) {
  Real largest = 0;
  for (std::size_t i = 0; i < count; ++i) largest = std::max(largest, std::abs(values[i]));
  return largest;
}

template <class Real>
void bfp_block(int bits, Real* values, std::size_t count) {
  const auto largest = static_cast<double>(largest_of(values, count));
  const Wide most = std::ldexp(Wide{1}, bits - 1) - 1;
  if (largest == 0) {
    std::fill_n(values, count, Real{0});
  } else if (bits > 48) {
    int exponent = std::max(std::ilogb(largest) + 2 - bits, -1074);
    if (std::nearbyint(std::ldexp(Wide{largest}, -exponent)) > most) ++exponent;
    for (std::size_t i = 0; i < count; ++i) {
      const Wide code = std::nearbyint(std::ldexp(Wide{values[i]}, -exponent));
      values[i] = static_cast<Real>(std::ldexp(code, exponent));
    }
  } else {
    const int raise = largest < 0x1p-512 ? 512 : 0;
    const double least_step = std::ldexp(largest, raise) / static_cast<double>(most + 0.4L);
    int exponent = 0;
    const double mantissa = std::frexp(least_step, &exponent);
    const double step = std::ldexp(std::ceil(mantissa * 32) / 32, exponent);
    const double inverse = 1 / step;
    for (std::size_t i = 0; i < count; ++i) {
      const auto raised = static_cast<double>(std::ldexp(Wide{values[i]}, raise));
      const double code = std::nearbyint(raised * inverse);
      values[i] = static_cast<Real>(std::ldexp(Wide{code} * step, -raise));
    }
  }
  // Integers have no negative zero.
  for (std::size_t i = 0; i < count; ++i) {
    if (values[i] == 0) values[i] = 0;
  }
}

template <class Real>
void fp16_block(Real* values, std::size_t count) {
  const Real largest = largest_of(values, count);
  if (largest == 0) return;
  const int scale = 14 - std::ilogb(largest);
  for (std::size_t i = 0; i < count; ++i) {
    const Wide half = round_to(Format<Real>{-14, 15, 10}, std::ldexp(Wide{values[i]}, scale));
    values[i] = static_cast<Real>(std::ldexp(half, -scale));
  }
}

}  // namespace

template <class Real>
std::vector<Real> reference_decoded(const std::string& name, const std::vector<Real>& given) {
  std::vector<Real> values = given;
  const std::size_t colon = name.find(':');
  const std::string family = name.substr(0, colon), parameter = name.substr(colon + 1);
  Format<Real> format;
  if (family == "bfp" || parameter == "fp16") {
    for (std::size_t at = 0; at < values.size(); at += 64) {
      const std::size_t count = std::min<std::size_t>(64, values.size() - at);
      if (family == "bfp") {
        bfp_block(std::stoi(parameter), values.data() + at, count);
      } else {
        fp16_block(values.data() + at, count);
      }
    }
    return values;
  }
  if (family == "trim") {
    format.mantissa = std::stoi(parameter);
  } else {
    format = {-126, 127, parameter == "bf16" ? 7 : 23};
  }
  for (Real& value : values) value = static_cast<Real>(round_to(format, Wide{value}));
  return values;
}

template std::vector<float> reference_decoded(const std::string&, const std::vector<float>&);
template std::vector<double> reference_decoded(const std::string&, const std::vector<double>&);

}  // namespace weft::test
