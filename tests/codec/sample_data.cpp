#include "codec/sample_data.hpp"

#include <cmath>
#include <limits>
#include <random>

namespace weft::test {

namespace {

template <class Real>
Real one_number(Data data, std::size_t place, Random& random) {
  using Limits = std::numeric_limits<Real>;
  constexpr int least = Limits::min_exponent - Limits::digits;
  std::normal_distribution<double> gaussian;
  const auto mantissa = static_cast<Real>(1 + std::uniform_real_distribution()(random.engine()));
  const auto sign = static_cast<Real>(random.chance(50) ? -1 : 1);
  switch (data) {
    case Data::gaussian:
      return static_cast<Real>(gaussian(random.engine()));
    case Data::positive:
      return static_cast<Real>(std::abs(gaussian(random.engine())));
    case Data::ties:
      return std::ldexp(static_cast<Real>(random.below(4096) - 2048), -8);
    case Data::alternating: {
      const Real magnitude = random.chance(20) ? std::nextafter(Real{3}, Real{0}) : Real{3};
      return place % 2 == 0 ? magnitude : -magnitude;
    }
    case Data::mostly_zero:
      return random.chance(5) ? sign * mantissa : sign * 0;
    case Data::every_exponent: {
      // Not so large that rounding could overflow.
      const Index exponent = least + random.below(Limits::max_exponent - 2 - least);
      return sign * std::ldexp(mantissa, static_cast<int>(exponent));
    }
    case Data::subnormal:
      return sign * std::ldexp(mantissa, static_cast<int>(least + random.below(Limits::digits)));
    case Data::nearly_overflow:
      return random.chance(30) ? sign * Limits::max()
                               : sign * std::ldexp(mantissa, Limits::max_exponent - 1);
  }
  return 0;
}

}  // namespace

std::vector<Data> every_data() {
  return {Data::gaussian,    Data::positive,       Data::ties,      Data::alternating,
          Data::mostly_zero, Data::every_exponent, Data::subnormal, Data::nearly_overflow};
}

std::string to_string(Data data) {
  static const char* const names[] = {"gaussian",    "positive",       "ties",
                                      "alternating", "mostly_zero",    "every_exponent",
                                      "subnormal",   "nearly_overflow"};
  return names[static_cast<int>(data)];
}

template <class Real>
std::vector<Real> sample(Data data, std::size_t count, Random& random) {
  std::vector<Real> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = one_number<Real>(data, i, random);
  return values;
}

template std::vector<float> sample(Data, std::size_t, Random&);
template std::vector<double> sample(Data, std::size_t, Random&);

}  // namespace weft::test
