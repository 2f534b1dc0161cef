// Kernels that encode blocks of messages. Numbers are loaded many at a time, in the order of
// memory; codes that are whole bytes go straight to the message, others by way of shared memory,
// where lanes put their bits together.
#include <cmath>

#include "device/gpu/code.hpp"
#include "device/number_sums.hpp"

namespace weft {

namespace {

template <class Scheme>
struct EncodeLaunch {
  CodeTasks tasks;
  Scheme scheme;
  double scale;
  EncodingSums* sums;
};

/// On a processor, which bounds registers.
template <class Scheme>
constexpr unsigned encoding_ctas = has_byte_codes<Scheme> ? 4 : 3;

template <class Real>
__device__ inline Word<Real> larger(Word<Real> a, Word<Real> b) {
  return a > b ? a : b;
}

/// Over the lanes of a block.
template <class Real>
__device__ inline Word<Real> largest_of_block(Word<Real> value, const LaneShare& share) {
#pragma unroll
  for (int lanes = 1; lanes < block_lanes; lanes *= 2) {
    value = larger<Real>(value, of_lane(value, group_lane() ^ (lanes * share.distance)));
  }
  return value;
}

/// Adds what this CTA has found to its place among the sums.
__device__ inline void add_to(EncodingSums* sums, EncodingSums mine) {
  __shared__ SharedArray<EncodingSums, static_cast<int>(code_groups)> of_group;
#pragma unroll
  for (int distance = group_lanes / 2; distance > 0; distance /= 2) {
    mine.add(of_lane(mine, group_lane() ^ distance));  // in the same order every time
  }
  if (group_lane() == 0) of_group[static_cast<int>(group_number())] = mine;
  __syncthreads();
  if (threadIdx.x != 0) return;
  for (int group = 0; group < static_cast<int>(code_groups); ++group) {
    sums[blockIdx.x].add(of_group[group]);
  }
}

template <int element_reals, class Real>
__device__ inline void load_share(const LaneShare& share, Real (&reals)[lane_reals]) {
  constexpr int elements = lane_reals / element_reals;
  if (share.regular) {
    const std::byte* from = share.begin();
#pragma unroll
    for (int i = 0; i < elements; ++i, from += block_lanes * share.stride) {
      load_several<element_reals>(from, reals + i * element_reals);
    }
    return;
  }
#pragma unroll
  for (int i = 0; i < elements; ++i) {
    const int element = share.element(i);
    const bool there = element < share.place.elements;
    const auto* const from = reinterpret_cast<const Real*>(share.address(element));
#pragma unroll
    for (int part = 0; part < element_reals; ++part) {
      reals[i * element_reals + part] = there ? from[part] : 0;
    }
  }
}

/// In shared memory for codes of a block that are put together. Lanes of other blocks use other
/// banks.
template <class Scheme>
constexpr int words_of_block() {
  constexpr int bytes = block_reals * static_cast<int>(sizeof(typename Scheme::Real)) + 2;
  return has_byte_codes<Scheme> ? 1 : (bytes + 3 + 3) / 4 / 32 * 32 + 8;
}

/// Puts the codes of this lane, of which the first one begins at a bit, into words. Codes of up to
/// 32 bits go in pairs where they are neighbors.
template <int element_reals, class Code, class Put>
__device__ inline void put_codes(const Code (&codes)[lane_reals], unsigned width, unsigned bit,
                                 const Put& put) {
  const unsigned step = width * element_reals * block_lanes;
#pragma unroll
  for (int i = 0; i < lane_reals; i += element_reals, bit += step) {
    if (sizeof(Code) == 8 && width > 32) {
#pragma unroll
      for (int part = 0; part < element_reals; ++part) {
        put_code<true>(bit + part * width, codes[i + part], put);
      }
    } else if constexpr (element_reals == 2) {
      put_code<true>(bit, codes[i] | std::uint64_t{codes[i + 1]} << width, put);
    } else {
      put_code<false>(bit, static_cast<std::uint32_t>(codes[i]), put);
    }
  }
}

/// By way of shared memory.
template <class Scheme, int element_reals, class Code>
__device__ inline void store_bits(const BlockShape& shape, const LaneShare& share,
                                  std::uint32_t header, const Code (&codes)[lane_reals],
                                  std::uint32_t* words) {
  const BlockPlace& place = share.place;
  const MessageWords message(place.message, shape.bytes(place.elements));
  const auto width = static_cast<unsigned>(shape.format.width);
  const auto first = static_cast<unsigned>(share.first);
  const auto put = [&](unsigned number, std::uint32_t bits) { atomicOr(words + number, bits); };
  unsigned bit = 8 * static_cast<unsigned>(message.begin);
  if constexpr (Scheme::header_bytes > 0) {
    if (first == 0 && place.elements > 0) put_code<false>(bit, header, put);
    bit += 8 * Scheme::header_bytes;
  }
  put_codes<element_reals>(codes, width, bit + first * element_reals * width, put);
  meet();
  for (int word = share.first; word < message.count(); word += block_lanes) {
    store_word(message, word, words[word]);
    words[word] = 0;
  }
  meet();
}

/// Codes that are whole bytes.
template <int element_reals, class Code>
__device__ inline void store_codes(const LaneShare& share, const Code (&codes)[lane_reals]) {
  constexpr int bytes = sizeof(Code) * element_reals, elements = lane_reals / element_reals;
  if (share.regular) {
    std::byte* const to = share.place.message + share.first * bytes;
#pragma unroll
    for (int i = 0; i < elements; ++i) {
      store_several<element_reals>(to + i * block_lanes * bytes, codes + i * element_reals);
    }
    return;
  }
#pragma unroll
  for (int i = 0; i < lane_reals; ++i) {
    const int element = share.element(i / element_reals);
    if (element >= share.place.elements) continue;
    const int real = element * element_reals + i % element_reals;
    std::byte* const to = share.place.message + real * static_cast<int>(sizeof(Code));
#pragma unroll
    for (unsigned byte = 0; byte < sizeof(Code); ++byte) {
      to[byte] = static_cast<std::byte>(codes[i] >> (8 * byte));
    }
  }
}

template <class Scheme>
struct Shared {
  Places places;
  /// Zero between their uses.
  std::uint32_t words[code_groups][blocks_at_once * words_of_block<Scheme>()];
};

template <class Scheme, int element_reals>
__device__ inline void encode_shares(const EncodeLaunch<Scheme>& launch, Shared<Scheme>& shared) {
  using Real = typename Scheme::Real;
  using Code = LaneCode<Scheme>;
  const CodeTasks& all = launch.tasks;
  const Real scale = static_cast<Real>(launch.scale);
  constexpr int block_words = words_of_block<Scheme>();
  std::uint32_t* const words = shared.words[group_number()];
  for (int i = group_lane(); i < blocks_at_once * block_words; i += group_lanes) words[i] = 0;
  NumberSums<Real> sums;
  for_each_share(all, shared.places, [&](const LaneShare& share) {
    Real reals[lane_reals];
    load_share<element_reals>(share, reals);
    Word<Real> largest = 0;
#pragma unroll
    for (Real& value : reals) {
      sums.see(value);
      value *= scale;
      if constexpr (Scheme::by_largest) largest = larger<Real>(largest, magnitude_of(value));
    }
    if constexpr (Scheme::by_largest) largest = largest_of_block<Real>(largest, share);
    const auto encode = launch.scheme.encoder(largest);
    const auto decode = launch.scheme.decoder(encode.header);
    Code codes[lane_reals];
#pragma unroll
    for (int i = 0; i < lane_reals; ++i) {
      const Word<Real> code = encode(reals[i]);
      sums.add(reals[i], decode(code));
      codes[i] = static_cast<Code>(code);
    }
    if constexpr (has_byte_codes<Scheme>) {
      store_codes<element_reals>(share, codes);
    } else {
      store_bits<Scheme, element_reals>(all.shape, share, encode.header, codes,
                                        words + share.slot * block_words);
    }
  });
  add_to(launch.sums, sums.all());
}

template <class Scheme>
__global__ void __launch_bounds__(code_threads, encoding_ctas<Scheme>)
    encode_blocks(WEFT_KERNEL_ARGUMENT EncodeLaunch<Scheme> launch) {
  __shared__ Shared<Scheme> shared;
  if (launch.tasks.shape.element_reals == 2) {
    encode_shares<Scheme, 2>(launch, shared);
  } else {
    encode_shares<Scheme, 1>(launch, shared);
  }
}

}  // namespace

void load_encode_kernels() {
  for_each_scheme([](auto scheme) { load(encode_blocks<decltype(scheme)>); });
}

void launch_encode(gpuStream_t stream, int processors, std::span<const CodedPart> parts,
                   const BlockFormat& format, CopyElement element, double scale,
                   EncodingSums* sums) {
  with_scheme(format, element.precision, [&](auto scheme) {
    EncodeLaunch<decltype(scheme)> arguments{
        {{}, {}, BlockShape(format, element.complex), 0, false, 0}, scheme, scale, sums};
    launch_codes(stream, static_cast<unsigned>(processors) * encoding_ctas<decltype(scheme)>, parts,
                 element, byte_code_bytes<decltype(scheme)>, encode_blocks<decltype(scheme)>,
                 arguments);
  });
}

}  // namespace weft
