#include "device/emulated_codes.hpp"

#include <cstring>

#include "codec/measure.hpp"
#include "codec/schemes.hpp"
#include "device/block_codes.hpp"

namespace weft {

namespace {

/// Calls work(task, place) for each block of the tasks.
template <class Work>
class ForEachBlock : public CodeSink {
 public:
  ForEachBlock(const BlockShape& shape, Work work) : shape_(shape), work_(work) {}
  void add(const CodeTask& task) override {
    for (std::uint32_t block = 0; block < task.blocks; ++block) {
      work_(task, locate(task, shape_, block));
    }
  }

 private:
  const BlockShape& shape_;
  Work work_;
};

template <class Real>
std::byte* real_at(const CodeTask& task, const BlockPlace& place, int number, int element_reals) {
  return element_at(task, place, number / element_reals) +
         number % element_reals * static_cast<int>(sizeof(Real));
}

template <class Scheme>
void encode_block(const Scheme& scheme, const BlockShape& shape, const CodeTask& task,
                  const BlockPlace& place, double scale, EncodingSums& sums) {
  using Real = typename Scheme::Real;
  Real values[block_reals] = {};
  Word<Real> codes[block_reals];
  const int reals = place.elements * shape.element_reals;
  for (int i = 0; i < reals; ++i) {
    std::memcpy(&values[i], real_at<Real>(task, place, i, shape.element_reals), sizeof(Real));
    if (magnitude_of(values[i]) != 0) sums.nonzero = 1;
    values[i] *= static_cast<Real>(scale);
  }
  const auto encode = scheme.encoder(Scheme::by_largest ? largest_magnitude(values) : 0);
  const auto decode = scheme.decoder(encode.header);
  for (int i = 0; i < block_reals; ++i) {
    codes[i] = encode(values[i]);
    const Real decoded = decode(codes[i]);
    sums.squared_error += squared_error_of(values[i], decoded);
    sums.squared_norm += square_of(values[i]);
    if (is_unsound(values[i], decoded)) sums.broken = 1;
  }
  const MessageWords message(place.message, shape.bytes(place.elements));
  std::uint32_t words[(sizeof values + 2) / 4 + 3] = {};
  const auto put = [&](unsigned number, std::uint32_t bits) { words[number] |= bits; };
  auto bit = static_cast<unsigned>(8 * message.begin);
  if (shape.format.header_bytes > 0) put_code<false>(bit, encode.header, put);
  bit += static_cast<unsigned>(8 * shape.format.header_bytes);
  for (int i = 0; i < reals; ++i, bit += static_cast<unsigned>(shape.format.width)) {
    put_code<true>(bit, codes[i], put);
  }
  for (int number = 0; number < message.count(); ++number) {
    store_word(message, number, words[number]);
  }
}

template <class Scheme>
void decode_block(const Scheme& scheme, const BlockShape& shape, const CodeTask& task,
                  const BlockPlace& place) {
  using Real = typename Scheme::Real;
  const auto decode = scheme.decoder(load_header(place, shape));
  const MessageWords words(place.message, shape.bytes(place.elements));
  for (int i = place.begin * shape.element_reals; i < place.end * shape.element_reals; ++i) {
    const Real value = decode(load_code<Word<Real>>(words, shape, i));
    std::memcpy(real_at<Real>(task, place, i, shape.element_reals), &value, sizeof(Real));
  }
}

template <class Work>
void for_each_block(std::span<const CodedPart> parts, const BlockShape& shape, CopyElement element,
                    const Work& work) {
  ForEachBlock<Work> blocks(shape, work);
  for (const CodedPart& part : parts) make_tasks(part, shape, bytes_of(element), blocks);
}

}  // namespace

void encode_blocks(std::span<const CodedPart> parts, const BlockFormat& format, CopyElement element,
                   double scale, EncodingSums& sums) {
  const BlockShape shape(format, element.complex);
  with_scheme(format, element.precision, [&](const auto& scheme) {
    for_each_block(parts, shape, element, [&](const CodeTask& task, const BlockPlace& place) {
      encode_block(scheme, shape, task, place, scale, sums);
    });
  });
}

void decode_blocks(std::span<const CodedPart> parts, const BlockFormat& format,
                   CopyElement element) {
  const BlockShape shape(format, element.complex);
  with_scheme(format, element.precision, [&](const auto& scheme) {
    for_each_block(parts, shape, element, [&](const CodeTask& task, const BlockPlace& place) {
      decode_block(scheme, shape, task, place);
    });
  });
}

}  // namespace weft
