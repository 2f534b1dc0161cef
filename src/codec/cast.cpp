// Numbers in a shorter floating point format.
#include "codec/block_codec.hpp"
#include "codec/cast_scheme.hpp"
#include "codec/methods.hpp"
#include "codec/parameter.hpp"
#include "codec/trim_scheme.hpp"
#include "weft/error.hpp"

namespace weft {

std::unique_ptr<Codec> make_cast(const std::string& parameter, CodecElement element,
                                 InstructionSet set) {
  const std::string name = "cast:" + parameter;
  const bool single = element.precision == Precision::f32;
  const auto make = [&](auto scheme, int mantissa_bits) {
    return make_block_codec(scheme, element, name, rounding_error(mantissa_bits), set);
  };
  if (parameter == "fp32") {
    if (single) return nullptr;
    return make(Fp32Scheme{}, 23);
  }
  if (parameter == "fp16") {
    if (single) return make(Fp16Scheme<float>{}, 10);
    return make(Fp16Scheme<double>{}, 10);
  }
  if (parameter == "bf16") {
    // It has the exponent of FP32.
    if (single) return make(TrimScheme<float>::with_mantissa(7), 7);
    return make(Bf16Scheme{}, 7);
  }
  throw Error("codec '" + name + "': the format must be bf16, fp16 or fp32");
}

CodecMethod cast_method() {
  return {"cast",
          "bf16, fp16 or fp32",
          "a shorter floating point format; fp16 with a scale for each block",
          [](const std::string& parameter, CodecElement element) {
            return make_cast(parameter, element, usable_instruction_sets().back());
          },
          [](CodecElement) {
            return std::vector<std::string>{"bf16", "fp16", "fp32"};
          },
          true};
}

}  // namespace weft
