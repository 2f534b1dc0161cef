#pragma once

#include <cstring>
#include <utility>

#include "codec/bit_pack.hpp"
#include "codec/codec.hpp"
#include "codec/instruction_set.hpp"
#include "codec/measure.hpp"
#include "codec/number_bits.hpp"

namespace weft {

// A codec for blocks of 64 reals is made of a Scheme:
//
//   using Real;                          type of the numbers
//   static constexpr BlockScheme name;   by which devices know it
//   static constexpr int header_bytes;   0, or 2 for what the codes of a block share
//   static constexpr bool by_largest;    whether the largest magnitude of a block is looked for
//   static constexpr int fixed_width;    bits of a code; 0: a parameter says how many
//   int width;                           bits of a code
//   Encoder encoder(Word<Real> largest) const;   has a header, and makes codes of numbers
//   Decoder decoder(uint32_t header) const;      makes numbers of codes
//
// for one number at a time, inlined into kernels that are compiled for several instruction sets and
// for devices. Zero must have the code zero: the last block of a run is filled up with zeros, of
// which nothing is stored.

template <class Scheme>
constexpr BlockFormat format_of(const Scheme& scheme) {
  return {Scheme::name, scheme.width, Scheme::header_bytes};
}

/// Bytes of a block with `reals` numbers.
template <class Scheme>
Index bytes_of_block(const Scheme& scheme, Index reals) {
  return format_of(scheme).bytes(static_cast<int>(reals));
}

template <class Scheme>
[[gnu::always_inline]] inline void encode_block(const Scheme& scheme, const std::byte* from,
                                                std::byte* to, EncodingMeasure& measure) {
  using Real = typename Scheme::Real;
  Real values[block_reals], decoded[block_reals];
  Word<Real> codes[block_reals];
  std::memcpy(values, from, sizeof values);
  const auto encode = scheme.encoder(Scheme::by_largest ? largest_magnitude(values) : 0);
  const auto header = static_cast<std::uint16_t>(encode.header);
  const auto decode = scheme.decoder(header);
  for (int i = 0; i < block_reals; ++i) codes[i] = encode(values[i]);
  for (int i = 0; i < block_reals; ++i) decoded[i] = decode(codes[i]);
  measure_block(values, decoded, measure);
  std::memcpy(to, &header, Scheme::header_bytes);
  pack(codes, scheme.width, to + Scheme::header_bytes);
}

template <class Scheme>
[[gnu::always_inline]] inline void decode_block(const Scheme& scheme, const std::byte* from,
                                                std::byte* to) {
  using Real = typename Scheme::Real;
  Real values[block_reals];
  Word<Real> codes[block_reals];
  std::uint16_t header = 0;
  std::memcpy(&header, from, Scheme::header_bytes);
  unpack(from + Scheme::header_bytes, scheme.width, codes);
  const auto decode = scheme.decoder(header);
  for (int i = 0; i < block_reals; ++i) values[i] = decode(codes[i]);
  std::memcpy(to, values, sizeof values);
}

template <class Scheme>
[[gnu::always_inline]] inline void encode_run(const Scheme& scheme, const std::byte* values,
                                              Index reals, std::byte* to,
                                              EncodingMeasure& measure) {
  constexpr Index real_bytes = sizeof(typename Scheme::Real);
  const Index block_bytes = bytes_of_block(scheme, block_reals);
  for (; reals >= block_reals; reals -= block_reals) {
    encode_block(scheme, values, to, measure);
    values += block_reals * real_bytes;
    to += block_bytes;
  }
  if (reals == 0) return;
  std::byte rest[block_reals * real_bytes] = {};
  std::byte encoded[block_reals * real_bytes + Scheme::header_bytes];
  std::memcpy(rest, values, static_cast<std::size_t>(reals * real_bytes));
  encode_block(scheme, rest, encoded, measure);
  std::memcpy(to, encoded, static_cast<std::size_t>(bytes_of_block(scheme, reals)));
}

template <class Scheme>
[[gnu::always_inline]] inline void decode_run(const Scheme& scheme, const std::byte* from,
                                              Index reals, std::byte* values) {
  constexpr Index real_bytes = sizeof(typename Scheme::Real);
  const Index block_bytes = bytes_of_block(scheme, block_reals);
  for (; reals >= block_reals; reals -= block_reals) {
    decode_block(scheme, from, values);
    values += block_reals * real_bytes;
    from += block_bytes;
  }
  if (reals == 0) return;
  std::byte encoded[block_reals * real_bytes + Scheme::header_bytes] = {};
  std::byte rest[block_reals * real_bytes];
  std::memcpy(encoded, from, static_cast<std::size_t>(bytes_of_block(scheme, reals)));
  decode_block(scheme, encoded, rest);
  std::memcpy(values, rest, static_cast<std::size_t>(reals * real_bytes));
}

/// The two kernels of a scheme, for one instruction set.
template <class Scheme>
struct BlockKernels {
  void (*encode)(const Scheme&, const std::byte*, Index, std::byte*, EncodingMeasure&);
  void (*decode)(const Scheme&, const std::byte*, Index, std::byte*);
};

template <class Scheme>
struct PortableKernels {
  static void encode(const Scheme& scheme, const std::byte* values, Index reals, std::byte* to,
                     EncodingMeasure& measure) {
    encode_run(scheme, values, reals, to, measure);
  }
  static void decode(const Scheme& scheme, const std::byte* from, Index reals, std::byte* values) {
    decode_run(scheme, from, reals, values);
  }
};

#if defined(__x86_64__)
template <class Scheme>
struct Avx2Kernels {
  [[gnu::target("avx2")]] static void encode(const Scheme& scheme, const std::byte* values,
                                             Index reals, std::byte* to, EncodingMeasure& measure) {
    encode_run(scheme, values, reals, to, measure);
  }
  [[gnu::target("avx2")]] static void decode(const Scheme& scheme, const std::byte* from,
                                             Index reals, std::byte* values) {
    decode_run(scheme, from, reals, values);
  }
};

template <class Scheme>
struct Avx512Kernels {
  [[gnu::target("avx512f,avx512bw,avx512dq,avx512vl,prefer-vector-width=512")]] static void encode(
      const Scheme& scheme, const std::byte* values, Index reals, std::byte* to,
      EncodingMeasure& measure) {
    encode_run(scheme, values, reals, to, measure);
  }
  [[gnu::target("avx512f,avx512bw,avx512dq,avx512vl,prefer-vector-width=512")]] static void decode(
      const Scheme& scheme, const std::byte* from, Index reals, std::byte* values) {
    decode_run(scheme, from, reals, values);
  }
};
#endif

template <class Scheme>
BlockKernels<Scheme> kernels_for([[maybe_unused]] InstructionSet set) {
#if defined(__x86_64__)
  using Avx512 = Avx512Kernels<Scheme>;
  using Avx2 = Avx2Kernels<Scheme>;
  if (set == InstructionSet::avx512) return {Avx512::encode, Avx512::decode};
  if (set == InstructionSet::avx2) return {Avx2::encode, Avx2::decode};
#endif
  return {PortableKernels<Scheme>::encode, PortableKernels<Scheme>::decode};
}

template <class Scheme>
class BlockCodec final : public Codec {
 public:
  BlockCodec(Scheme scheme, bool complex, std::string name, double predicted_error,
             InstructionSet set)
      : scheme_(scheme),
        kernels_(kernels_for<Scheme>(set)),
        reals_(complex ? 2 : 1),
        name_(std::move(name)),
        predicted_error_(predicted_error) {}

  Index block_elements() const override { return block_reals / reals_; }
  Index bytes(Index elements) const override {
    const Index reals = elements * reals_;
    return reals / block_reals * bytes_of_block(scheme_, block_reals) +
           bytes_of_block(scheme_, reals % block_reals);
  }
  void encode(const std::byte* values, Index elements, std::byte* to,
              EncodingMeasure& measure) const override {
    kernels_.encode(scheme_, values, elements * reals_, to, measure);
  }
  void decode(const std::byte* from, Index elements, std::byte* values) const override {
    kernels_.decode(scheme_, from, elements * reals_, values);
  }
  double predicted_error() const override { return predicted_error_; }
  std::string name() const override { return name_; }
  std::optional<BlockFormat> format() const override { return format_of(scheme_); }

 private:
  Scheme scheme_;
  BlockKernels<Scheme> kernels_;
  Index reals_;  ///< of an element
  std::string name_;
  double predicted_error_;
};

template <class Scheme>
std::unique_ptr<Codec> make_block_codec(Scheme scheme, CodecElement element, std::string name,
                                        double predicted_error, InstructionSet set) {
  return std::make_unique<BlockCodec<Scheme>>(scheme, element.complex, std::move(name),
                                              predicted_error, set);
}

}  // namespace weft
