// Numbers that keep their sign and exponent, and fewer bits of the mantissa.
#include "codec/block_codec.hpp"
#include "codec/methods.hpp"
#include "codec/parameter.hpp"
#include "codec/trim_scheme.hpp"

namespace weft {

namespace {

template <class Real>
ParameterRange mantissa_range() {
  return {1, NumberBits<Real>::mantissa - 1};
}

ParameterRange range_of(CodecElement element) {
  return element.precision == Precision::f32 ? mantissa_range<float>() : mantissa_range<double>();
}

}  // namespace

std::unique_ptr<Codec> make_trim(const std::string& parameter, CodecElement element,
                                 InstructionSet set) {
  const std::string name = "trim:" + parameter;
  const int kept = parse_parameter(name, parameter, "mantissa bits", range_of(element), element);
  const double error = rounding_error(kept);
  if (element.precision == Precision::f32) {
    return make_block_codec(TrimScheme<float>::with_mantissa(kept), element, name, error, set);
  }
  return make_block_codec(TrimScheme<double>::with_mantissa(kept), element, name, error, set);
}

CodecMethod trim_method() {
  return {"trim",
          "mantissa bits",
          "sign, exponent and the first bits of the mantissa",
          [](const std::string& parameter, CodecElement element) {
            return make_trim(parameter, element, usable_instruction_sets().back());
          },
          [](CodecElement element) { return parameters(range_of(element)); },
          true};
}

}  // namespace weft
