// Block floating point: the numbers of a block are integer multiples of one step.
#include <cmath>

#include "codec/bfp_scheme.hpp"
#include "codec/block_codec.hpp"
#include "codec/methods.hpp"
#include "codec/parameter.hpp"

namespace weft {

namespace {

ParameterRange range_of(CodecElement element) {
  return {2, element.precision == Precision::f32 ? 31 : 62};
}

/// Measured for complex Gaussian data, in blocks with the largest of 64 Gaussian numbers.
constexpr double narrow_error = 1.555;
constexpr double wide_error = 2.27;

}  // namespace

std::unique_ptr<Codec> make_bfp(const std::string& parameter, CodecElement element,
                                InstructionSet set) {
  const std::string name = "bfp:" + parameter;
  const int width = parse_parameter(name, parameter, "bits", range_of(element), element);
  if (width > BfpScheme<double>::most_width) {
    return make_block_codec(WideBfpScheme{width}, element, name, std::ldexp(wide_error, -width),
                            set);
  }
  // Twice the largest quotient of a number and a step.
  const double steps = std::ldexp(1, width) - 2 + 2 * beyond_largest;
  if (element.precision == Precision::f32) {
    return make_block_codec(BfpScheme<float>{width}, element, name, narrow_error / steps, set);
  }
  return make_block_codec(BfpScheme<double>{width}, element, name, narrow_error / steps, set);
}

CodecMethod bfp_method() {
  return {"bfp",
          "bits",
          "block floating point: 64 reals share one step, integers of that many bits",
          [](const std::string& parameter, CodecElement element) {
            return make_bfp(parameter, element, usable_instruction_sets().back());
          },
          [](CodecElement element) { return parameters(range_of(element)); },
          true};
}

}  // namespace weft
