#include <cmath>

#include "codec/codec.hpp"
#include "codec/methods.hpp"
#include "geometry/unknown_name.hpp"
#include "weft/error.hpp"

namespace weft {

const std::vector<CodecMethod>& codec_methods() {
  static const std::vector<CodecMethod> table{
      bfp_method(),
      trim_method(),
      cast_method(),
#ifdef WEFT_HAVE_ZFP
      zfp_method(),
#endif
  };
  return table;
}

namespace {

/// `name` without parameter; `given` is what the error shows.
const CodecMethod& find_method(const std::string& name, const std::string& given) {
  std::vector<std::string_view> known{"auto", "none", "lossless"};
  for (const CodecMethod& method : codec_methods()) {
    if (name == method.name) return method;
    known.push_back(method.name);
  }
  throw unknown_name("codec", given, known);
}

Index bytes_of_element(CodecElement element) {
  return (element.precision == Precision::f32 ? 4 : 8) * (element.complex ? 2 : 1);
}

/// Null where it would not make messages shorter.
std::unique_ptr<Codec> make_shorter(const CodecMethod& method, const std::string& parameter,
                                    CodecElement element) {
  std::unique_ptr<Codec> codec = method.make(parameter, element);
  if (codec == nullptr) return nullptr;
  const Index elements = codec->block_elements();
  return codec->bytes(elements) < elements * bytes_of_element(element) ? std::move(codec) : nullptr;
}

/// Codecs tried for an error: the one that just suffices for white data, and those for data that
/// are up to 2^4 times harder.
constexpr std::size_t ladder_length = 5;

}  // namespace

std::unique_ptr<Codec> make_codec(const std::string& name, CodecElement element) {
  if (name == "none") return nullptr;
  const std::size_t colon = name.find(':');
  const CodecMethod& method = find_method(name.substr(0, colon), name);
  if (colon == std::string::npos) {
    throw Error("codec '" + name + "': " + method.parameter + " must follow, as in '" + name + ":" +
                method.parameters(element).back() + "'");
  }
  return make_shorter(method, name.substr(colon + 1), element);
}

std::vector<std::unique_ptr<Codec>> codecs_within(double error, const std::string& family,
                                                  CodecElement element) {
  if (!(error >= 0)) {
    throw Error("codec '" + family + "': an error of " + std::to_string(error) + " is invalid");
  }
  const CodecMethod& method =
      family == "auto" ? codec_methods().front() : find_method(family, family);
  std::vector<std::unique_ptr<Codec>> ladder;
  for (const std::string& parameter : method.parameters(element)) {
    std::unique_ptr<Codec> codec = make_shorter(method, parameter, element);
    if (codec != nullptr && codec->predicted_error() <= error) ladder.push_back(std::move(codec));
    if (ladder.size() == ladder_length) break;
  }
  return ladder;
}

}  // namespace weft
