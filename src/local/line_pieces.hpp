#pragma once

// How passes over lines read and write messages: a line lies in several, each of which has
// neighboring numbers of all lines, as they are or shortened by a codec.
#include "codec/cast_scheme.hpp"
#include "codec/trim_scheme.hpp"
#include "device/coded_part.hpp"
#include "weft/kernels/fold_forms.hpp"

namespace weft {

/// Numbers of all lines from one number on: those of a message.
struct LinePiece {
  static constexpr int max_loops = 3;

  std::byte* data = nullptr;  ///< number `first` of line 0; null: it is not written
  std::int64_t step = 1;      ///< as those of LineSide
  std::int64_t loop_step[max_loops] = {};
  std::uint32_t first = 0;
  bool is_short = false;  ///< numbers are codes of half the size
};

/// One side of a pass, in pieces. A side that is an array is one piece.
struct LinePieces {
  static constexpr std::uint32_t most = 32;

  LinePiece piece[most];
  const std::uint8_t* piece_of = nullptr;  ///< by number; null: there is one piece
  /// What shortening did to the numbers is added to these; null: nobody asks. Before that it is
  /// summed up by blocks of threads.
  EncodingSums* sums = nullptr;
  EncodingSums* block_sums = nullptr;
};

struct PieceSides {
  LinePieces in, out;
};

/// The argument of a pass whose sides are in pieces.
struct PieceLines : LinePass {
  PieceSides pieces;

  /// Where the sums of threads are in the memory that a block shares.
  std::size_t shared_bytes(std::size_t number_bytes) const {
    return shared_numbers() * number_bytes + block_threads() * sizeof(EncodingSums);
  }
};

namespace stockham {

namespace {

/// Codes of half the size of numbers, those of codecs without headers.
template <class Real>
struct ShortCodes;
template <>
struct ShortCodes<double> {
  using Scheme = Fp32Scheme;
  using Code = std::uint32_t;
  WEFT_INLINE static Scheme scheme() { return {}; }
};
template <>
struct ShortCodes<float> {
  using Scheme = TrimScheme<float>;
  using Code = std::uint16_t;
  WEFT_INLINE static Scheme scheme() { return Scheme(16); }
};

template <class Code>
struct alignas(2 * sizeof(Code)) CodePair {
  Code re, im;
};

/// Where the sums of this thread are. On the host the threads of a block are one.
template <class Real>
WEFT_INLINE EncodingSums& thread_sums([[maybe_unused]] const LinePass& pass,
                                      [[maybe_unused]] const LinePieces& pieces) {
#if WEFT_ON_DEVICE
  extern __shared__ double2 memory[];
  auto* const numbers = reinterpret_cast<Complex<Real>*>(memory);
  return reinterpret_cast<EncodingSums*>(numbers + pass.lanes.count * pass.pitch)[threadIdx.x];
#else
  return *pieces.sums;
#endif
}

WEFT_INLINE void add(EncodingSums& to, const EncodingSums& more) {
  to.squared_error += more.squared_error;
  to.squared_norm += more.squared_norm;
  to.broken |= more.broken;
  to.nonzero |= more.nonzero;
}

/// A line on one side.
class PieceLine {
 public:
  WEFT_INLINE PieceLine(const LinePass& pass, const LinePieces& pieces, const LinePlace& line)
      : pieces_(pieces) {
    std::uint32_t rest = line.number;
    for (int loop = LinePiece::max_loops - 1; loop > 0; --loop) {
      at_[loop] = take(rest, pass.loop[loop]);
    }
    at_[0] = rest;
  }

  WEFT_INLINE const LinePiece& piece(std::uint32_t number) const {
    return pieces_.piece[pieces_.piece_of == nullptr ? 0 : pieces_.piece_of[number]];
  }
  WEFT_INLINE std::int64_t place(const LinePiece& piece, std::uint32_t number) const {
    std::int64_t place = (number - piece.first) * piece.step;
    for (int loop = 0; loop < LinePiece::max_loops; ++loop) {
      place += at_[loop] * piece.loop_step[loop];
    }
    return place;
  }

 private:
  const LinePieces& pieces_;
  std::uint32_t at_[LinePiece::max_loops];
};

template <class Real>
class PieceReader {
 public:
  WEFT_INLINE PieceReader(const LinePass& pass, const LinePlace& line)
      : line_(pass, static_cast<const PieceLines&>(pass).pieces.in, line) {}

  WEFT_INLINE Complex<Real> read(std::uint32_t number) const {
    using Pair = CodePair<typename ShortCodes<Real>::Code>;
    const LinePiece& piece = line_.piece(number);
    const std::int64_t place = line_.place(piece, number);
    if (!piece.is_short) {
      return read_once(reinterpret_cast<const Complex<Real>*>(piece.data) + place);
    }
    const Pair codes = reinterpret_cast<const Pair*>(piece.data)[place];
    const auto decode = ShortCodes<Real>::scheme().decoder(0);
    return {decode(codes.re), decode(codes.im)};
  }

 private:
  PieceLine line_;
};

/// Where sums are asked for, it adds to those of the thread in the end.
template <class Real>
class PieceWriter {
 public:
  WEFT_INLINE PieceWriter(const LinePass& pass, const LinePlace& line)
      : pass_(pass),
        pieces_(static_cast<const PieceLines&>(pass).pieces.out),
        line_(pass, pieces_, line) {}
  PieceWriter(const PieceWriter&) = delete;
  PieceWriter& operator=(const PieceWriter&) = delete;
  WEFT_INLINE ~PieceWriter() {
    if (pieces_.sums == nullptr) return;
    // Inf and NaN leave an error that is not finite, which squares of large numbers may be too.
    sums_.broken = not_finite_ != 0;
    add(thread_sums<Real>(pass_, pieces_), sums_);
  }

  WEFT_INLINE void write(std::uint32_t number, Complex<Real> z) {
    using Pair = CodePair<typename ShortCodes<Real>::Code>;
    using Code = typename ShortCodes<Real>::Code;
    const LinePiece& piece = line_.piece(number);
    if (piece.data == nullptr) return;
    const std::int64_t place = line_.place(piece, number);
    Complex<Real> decoded = z;
    if (piece.is_short) {
      const auto encode = ShortCodes<Real>::scheme().encoder(0);
      const auto decode = ShortCodes<Real>::scheme().decoder(0);
      const Word<Real> re = encode(z.re), im = encode(z.im);
      decoded = {decode(re), decode(im)};
      reinterpret_cast<Pair*>(piece.data)[place] = {static_cast<Code>(re), static_cast<Code>(im)};
    } else {
      reinterpret_cast<Complex<Real>*>(piece.data)[place] = z;
    }
    if (pieces_.sums == nullptr) return;
    measure(z.re, decoded.re);
    measure(z.im, decoded.im);
  }

 private:
  WEFT_INLINE void measure(Real value, Real decoded) {
    const auto exact = static_cast<double>(value);
    const double error = exact - static_cast<double>(decoded);
    sums_.squared_error += error * error;
    sums_.squared_norm += exact * exact;
    not_finite_ += error * 0.0;
    sums_.nonzero |= magnitude_of(value) != 0 ? 1 : 0;
  }

  const LinePass& pass_;
  const LinePieces& pieces_;
  PieceLine line_;
  EncodingSums sums_;
  double not_finite_ = 0;  ///< NaN where there was something unsound
};

/// Complex lines in pieces. Loads reverse them, where they are to be.
template <class Real>
struct PieceLoad {
  static constexpr bool is_mirrored = false;

  template <int radix>
  WEFT_INLINE static void load(const LinePass& pass, const LinePlace& line, std::uint32_t first,
                               std::uint32_t distance, Complex<Real> (&z)[radix]) {
    const PieceReader<Real> reader(pass, line);
    unrolled<radix>([&](auto q) {
      constexpr int i = decltype(q)::number;
      const std::uint32_t number = first + i * distance;
      z[i] = reader.read(pass.backward ? reversed(number, radix * distance) : number);
    });
  }
};

template <class Real>
struct PieceStore {
  static constexpr bool is_mirrored = false;

  template <int radix>
  WEFT_INLINE static void store(const LinePass& pass, const LinePlace& line, std::uint32_t first,
                                std::uint32_t distance, Complex<Real> (&z)[radix]) {
    if (!line.exists) return;
    PieceWriter<Real> writer(pass, line);
    const auto scale = static_cast<Real>(pass.scale);
    unrolled<radix>([&](auto q) {
      constexpr int i = decltype(q)::number;
      writer.write(first + i * distance, {scale * z[i].re, scale * z[i].im});
    });
  }
};

/// Forms of passes of which complex sides are in pieces.
template <LineForm form, class Real>
struct PieceForms;
template <class Real>
struct PieceForms<LineForm::whole, Real> {
  using Load = PieceLoad<Real>;
  using Store = PieceStore<Real>;
};
template <class Real>
struct PieceForms<LineForm::from_packed, Real> {
  using Load = WholeLoad<Real>;
  using Store = FoldStore<Real, PieceWriter>;
};
template <class Real>
struct PieceForms<LineForm::to_packed, Real> {
  using Load = FoldLoad<Real, PieceReader>;
  using Store = WholeStore<Real>;
};

}  // namespace

}  // namespace stockham

}  // namespace weft
