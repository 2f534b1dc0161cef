// Kernels that decode blocks of messages. Codes are loaded from where they are in the message, and
// numbers are stored in the order of memory.
#include "device/gpu/code.hpp"

namespace weft {

namespace {

template <class Scheme>
struct DecodeLaunch {
  CodeTasks tasks;
  Scheme scheme;
};

constexpr unsigned decoding_ctas = 4;  ///< on a processor, which bounds registers

template <class Code, int element_reals, class Word>
__device__ inline void load_codes(const BlockShape& shape, const LaneShare& share,
                                  Word (&codes)[lane_reals]) {
  const BlockPlace& place = share.place;
  const MessageWords words(place.message, shape.bytes(place.elements));
#pragma unroll
  for (int i = 0; i < lane_reals; ++i) {
    const int element = share.element(i / element_reals);
    const int real = element * element_reals + i % element_reals;
    codes[i] = element < place.elements ? load_code<Code>(words, shape, real) : 0;
  }
}

/// Codes that are whole bytes.
template <int element_reals, class Code>
__device__ inline void load_codes(const LaneShare& share, Code (&codes)[lane_reals]) {
  constexpr int bytes = sizeof(Code) * element_reals, elements = lane_reals / element_reals;
  if (share.regular) {
    const std::byte* const from = share.place.message + share.first * bytes;
#pragma unroll
    for (int i = 0; i < elements; ++i) {
      load_several<element_reals>(from + i * block_lanes * bytes, codes + i * element_reals);
    }
    return;
  }
#pragma unroll
  for (int i = 0; i < lane_reals; ++i) {
    const int element = share.element(i / element_reals);
    const int real = element * element_reals + i % element_reals;
    codes[i] = 0;
    if (element >= share.place.elements) continue;
    const std::byte* const from = share.place.message + real * static_cast<int>(sizeof(Code));
#pragma unroll
    for (unsigned byte = 0; byte < sizeof(Code); ++byte) {
      codes[i] |= static_cast<Code>(static_cast<Code>(from[byte]) << (8 * byte));
    }
  }
}

/// Those that are in the part.
template <int element_reals, class Real>
__device__ inline void store_share(const LaneShare& share, const Real (&reals)[lane_reals]) {
  constexpr int elements = lane_reals / element_reals;
  if (share.regular) {
    std::byte* to = share.begin();
#pragma unroll
    for (int i = 0; i < elements; ++i, to += block_lanes * share.stride) {
      store_several<element_reals>(to, reals + i * element_reals);
    }
    return;
  }
#pragma unroll
  for (int i = 0; i < elements; ++i) {
    const int element = share.element(i);
    if (element < share.place.begin || element >= share.place.end) continue;
    auto* const to = reinterpret_cast<Real*>(share.address(element));
#pragma unroll
    for (int part = 0; part < element_reals; ++part) to[part] = reals[i * element_reals + part];
  }
}

template <class Scheme, int element_reals>
__device__ inline void decode_shares(const DecodeLaunch<Scheme>& launch, Places& places) {
  using Real = typename Scheme::Real;
  using Code = LaneCode<Scheme>;
  const CodeTasks& all = launch.tasks;
  for_each_share(all, places, [&](const LaneShare& share) {
    Code codes[lane_reals];
    std::uint32_t header = 0;
    if constexpr (has_byte_codes<Scheme>) {
      load_codes<element_reals>(share, codes);
    } else {
      if (share.place.elements > 0) header = load_header(share.place, all.shape);
      if (sizeof(Code) == 4 || all.shape.format.width <= 32) {
        load_codes<std::uint32_t, element_reals>(all.shape, share, codes);
      } else {
        load_codes<Code, element_reals>(all.shape, share, codes);
      }
    }
    const auto decode = launch.scheme.decoder(header);
    Real reals[lane_reals];
#pragma unroll
    for (int i = 0; i < lane_reals; ++i) reals[i] = decode(codes[i]);
    store_share<element_reals>(share, reals);
  });
}

template <class Scheme>
__global__ void __launch_bounds__(code_threads, decoding_ctas)
    decode_blocks(WEFT_KERNEL_ARGUMENT DecodeLaunch<Scheme> launch) {
  __shared__ Places places;
  if (launch.tasks.shape.element_reals == 2) {
    decode_shares<Scheme, 2>(launch, places);
  } else {
    decode_shares<Scheme, 1>(launch, places);
  }
}

}  // namespace

void load_decode_kernels() {
  for_each_scheme([](auto scheme) { load(decode_blocks<decltype(scheme)>); });
}

void launch_decode(gpuStream_t stream, int processors, std::span<const CodedPart> parts,
                   const BlockFormat& format, CopyElement element) {
  with_scheme(format, element.precision, [&](auto scheme) {
    DecodeLaunch<decltype(scheme)> arguments{
        {{}, {}, BlockShape(format, element.complex), 0, false, 0}, scheme};
    launch_codes(stream, static_cast<unsigned>(processors) * decoding_ctas, parts, element,
                 byte_code_bytes<decltype(scheme)>, decode_blocks<decltype(scheme)>, arguments);
  });
}

}  // namespace weft
