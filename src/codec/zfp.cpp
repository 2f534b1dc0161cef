// ZFP at a fixed rate. Real and imaginary parts are planes of their own: interleaved they would be
// five times less accurate. 64 numbers of a plane make a block of 4 x 4 x 4, the rest of a run
// blocks of 4 x 4 and of 4. ZFP truncates, which leaves a bias of about 1 percent of the error.
#include <zfp.h>

#include <cmath>
#include <cstring>
#include <memory>

#include "codec/measure.hpp"
#include "codec/methods.hpp"
#include "codec/parameter.hpp"

namespace weft {

namespace {

constexpr int most_rate = 63;

/// A stream of libzfp over memory for one block. The library has these on the heap only, so each
/// thread makes one, once.
class BlockStream {
 public:
  static BlockStream& of_this_thread() {
    thread_local BlockStream stream;
    return stream;
  }

  BlockStream() : bits_(stream_open(words_, sizeof words_)), zfp_(zfp_stream_open(bits_)) {}
  ~BlockStream() {
    zfp_stream_close(zfp_);
    stream_close(bits_);
  }
  BlockStream(const BlockStream&) = delete;
  BlockStream& operator=(const BlockStream&) = delete;

  /// Blocks of exactly so many bits, from the beginning of the memory.
  zfp_stream* rewind(int bits) {
    const auto exactly = static_cast<unsigned>(bits);
    zfp_stream_set_params(zfp_, exactly, exactly, ZFP_MAX_PREC, ZFP_MIN_EXP);
    stream_rewind(bits_);
    return zfp_;
  }
  void flush() { stream_flush(bits_); }
  std::byte* bytes() { return reinterpret_cast<std::byte*>(words_); }

 private:
  std::uint64_t words_[block_reals + 2];  // the library may touch the word behind the last one
  bitstream* bits_;
  zfp_stream* zfp_;
};

void encode_values(zfp_stream* zfp, const double* values, int count) {
  if (count == 64) {
    zfp_encode_block_double_3(zfp, values);
  } else if (count == 16) {
    zfp_encode_block_double_2(zfp, values);
  } else {
    zfp_encode_block_double_1(zfp, values);
  }
}
void encode_values(zfp_stream* zfp, const float* values, int count) {
  if (count == 64) {
    zfp_encode_block_float_3(zfp, values);
  } else if (count == 16) {
    zfp_encode_block_float_2(zfp, values);
  } else {
    zfp_encode_block_float_1(zfp, values);
  }
}
void decode_values(zfp_stream* zfp, double* values, int count) {
  if (count == 64) {
    zfp_decode_block_double_3(zfp, values);
  } else if (count == 16) {
    zfp_decode_block_double_2(zfp, values);
  } else {
    zfp_decode_block_double_1(zfp, values);
  }
}
void decode_values(zfp_stream* zfp, float* values, int count) {
  if (count == 64) {
    zfp_decode_block_float_3(zfp, values);
  } else if (count == 16) {
    zfp_decode_block_float_2(zfp, values);
  } else {
    zfp_decode_block_float_1(zfp, values);
  }
}

/// Numbers of the next block of a plane with so many left.
int next_block(Index left) {
  return left >= 64 ? 64 : left >= 16 ? 16 : 4;
}

template <class Real>
class ZfpCodec final : public Codec {
 public:
  ZfpCodec(int rate, bool complex, std::string name, double predicted_error)
      : rate_(rate),
        planes_(complex ? 2 : 1),
        name_(std::move(name)),
        predicted_error_(predicted_error) {}

  Index block_elements() const override { return block_reals; }

  Index bytes(Index elements) const override {
    const Index rest = elements % 64;
    return planes_ * (elements / 64 * bytes_of(64) + rest / 16 * bytes_of(16) +
                      (rest % 16 + 3) / 4 * bytes_of(4));
  }

  void encode(const std::byte* values, Index elements, std::byte* to,
              EncodingMeasure& measure) const override {
    BlockStream& stream = BlockStream::of_this_thread();
    for (Index done = 0; done < elements; done += block_reals) {
      const Index in_block = std::min<Index>(block_reals, elements - done);
      for (int plane = 0; plane < planes_; ++plane) {
        Real numbers[block_reals] = {}, decoded[block_reals] = {};
        for (Index i = 0; i < in_block; ++i) {
          std::memcpy(numbers + i, values + ((done + i) * planes_ + plane) * real_bytes,
                      real_bytes);
        }
        to = encode_plane(stream, numbers, in_block, to, decoded);
        measure_block(numbers, decoded, measure);
      }
    }
  }

  void decode(const std::byte* from, Index elements, std::byte* values) const override {
    BlockStream& stream = BlockStream::of_this_thread();
    for (Index done = 0; done < elements; done += block_reals) {
      const Index in_block = std::min<Index>(block_reals, elements - done);
      for (int plane = 0; plane < planes_; ++plane) {
        Real numbers[block_reals];
        for (Index at = 0; at < in_block;) {
          const int count = next_block(in_block - at);
          std::memcpy(stream.bytes(), from, static_cast<std::size_t>(bytes_of(count)));
          decode_values(stream.rewind(rate_ * count), numbers + at, count);
          from += bytes_of(count);
          at += count;
        }
        for (Index i = 0; i < in_block; ++i) {
          std::memcpy(values + ((done + i) * planes_ + plane) * real_bytes, numbers + i,
                      real_bytes);
        }
      }
    }
  }

  double predicted_error() const override { return predicted_error_; }
  std::string name() const override { return name_; }

 private:
  static constexpr Index real_bytes = sizeof(Real);
  /// The library overflows where all numbers of a block are as small as the reciprocal of the
  /// largest number; such blocks become zero.
  static constexpr Real smallest_block = power_of_two<Real>(sizeof(Real) == 8 ? -900 : -90);

  Index bytes_of(int count) const { return (rate_ * count + 7) / 8; }

  /// Numbers behind the last one are zero and serve as padding. Returns the end of what is written.
  std::byte* encode_plane(BlockStream& stream, const Real* numbers, Index total, std::byte* to,
                          Real* decoded) const {
    const Word<Real> largest = largest_magnitude(numbers);
    const bool encodable = largest < NumberBits<Real>::infinity;
    const bool zero = !encodable || std::bit_cast<Real>(largest) < smallest_block;
    Real zeros[block_reals] = {};
    for (Index at = 0; at < total;) {
      const int count = next_block(total - at);
      encode_values(stream.rewind(rate_ * count), zero ? zeros : numbers + at, count);
      stream.flush();
      std::memcpy(to, stream.bytes(), static_cast<std::size_t>(bytes_of(count)));
      decode_values(stream.rewind(rate_ * count), decoded + at, count);
      to += bytes_of(count);
      at += count;
    }
    for (Index i = total; i < block_reals; ++i) decoded[i] = 0;
    return to;
  }

  int rate_;
  int planes_;
  std::string name_;
  double predicted_error_;
};

ParameterRange range_of(CodecElement element) {
  return {4, element.precision == Precision::f32 ? 31 : most_rate};
}

/// Measured for Gaussian data.
constexpr double gaussian_error = 4.3;

std::unique_ptr<Codec> make_zfp(const std::string& parameter, CodecElement element) {
  const std::string name = "zfp:" + parameter;
  const int rate = parse_parameter(name, parameter, "rate", range_of(element), element);
  const double error = std::ldexp(gaussian_error, -rate);
  if (element.precision == Precision::f32) {
    return std::make_unique<ZfpCodec<float>>(rate, element.complex, name, error);
  }
  return std::make_unique<ZfpCodec<double>>(rate, element.complex, name, error);
}

}  // namespace

CodecMethod zfp_method() {
  return {"zfp", "bits per real", "ZFP at a fixed rate, real and imaginary parts apart", make_zfp,
          [](CodecElement element) { return parameters(range_of(element)); }};
}

}  // namespace weft
