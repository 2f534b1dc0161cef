#pragma once

#include <cstring>
#include <string>
#include <vector>

#include "codec/codec.hpp"

namespace weft::test {

/// A run that went through a codec.
template <class Real>
struct CodecRun {
  std::vector<std::byte> message;
  std::vector<Real> decoded;
  EncodingMeasure measure;
  std::string fault;  ///< bytes that must not have been touched; empty: none
};

/// Encodes and decodes with all memory `shift` bytes past an aligned address and known bytes before
/// and behind: NaN where numbers are read, so that reading them shows.
template <class Real>
CodecRun<Real> run_codec(const Codec& codec, const std::vector<Real>& values, bool complex,
                         std::size_t shift) {
  constexpr std::byte mark{0xff};
  constexpr std::size_t margin = 64;
  const std::size_t value_bytes = values.size() * sizeof(Real);
  const auto elements = static_cast<Index>(values.size()) / (complex ? 2 : 1);
  const auto message_bytes = static_cast<std::size_t>(codec.bytes(elements));
  const auto marked = [&](std::size_t bytes) {
    return std::vector<std::byte>(bytes + 2 * margin + shift, mark);
  };
  const std::size_t begin = margin + shift;
  CodecRun<Real> run;
  const auto expect_marks = [&](const std::vector<std::byte>& memory, std::size_t bytes,
                                const char* what) {
    for (std::size_t i = 0; i < memory.size(); ++i) {
      if ((i < begin || i >= begin + bytes) && memory[i] != mark) {
        run.fault = std::string(what) + " wrote to byte " +
                    std::to_string(static_cast<Index>(i) - static_cast<Index>(begin)) + " of " +
                    std::to_string(bytes);
      }
    }
  };
  auto source = marked(value_bytes), target = marked(value_bytes), message = marked(message_bytes);
  if (value_bytes > 0) std::memcpy(source.data() + begin, values.data(), value_bytes);
  codec.encode(source.data() + begin, elements, message.data() + begin, run.measure);
  expect_marks(message, message_bytes, "encode");
  codec.decode(message.data() + begin, elements, target.data() + begin);
  expect_marks(target, value_bytes, "decode");
  run.message.assign(message.begin() + static_cast<std::ptrdiff_t>(begin),
                     message.begin() + static_cast<std::ptrdiff_t>(begin + message_bytes));
  run.decoded.resize(values.size());
  if (value_bytes > 0) std::memcpy(run.decoded.data(), target.data() + begin, value_bytes);
  return run;
}

}  // namespace weft::test
