#pragma once

// How passes over lines read and write messages: a line lies in several, each of which has
// neighboring numbers of all lines, as they are or shortened by a codec.
#include "codec/cast_scheme.hpp"
#include "codec/trim_scheme.hpp"
#include "device/coded_part.hpp"
#include "weft/kernels/fold_forms.hpp"
#include "weft/kernels/line_teams.hpp"

namespace weft {

/// A message: numbers of all lines from one number on.
struct SidePiece {
  static constexpr int max_loops = 3;

  std::byte* data = nullptr;  ///< number `first` of line 0; null: it is not written
  std::int64_t step = 1;      ///< as those of LineSide
  std::int64_t loop_step[max_loops] = {};
  std::uint32_t first = 0;
  bool is_short = false;  ///< numbers are codes of half the size
};

/// One side of a pass, in pieces. A side that is an array is one piece.
struct SidePieces {
  static constexpr std::uint32_t most = 32;

  SidePiece piece[most];
  const std::uint8_t* piece_of = nullptr;  ///< by number; null: there is one piece
  /// What shortening did to the numbers is added to these; null: nobody asks. Before that it is
  /// summed up by blocks of threads.
  EncodingSums* sums = nullptr;
  EncodingSums* block_sums = nullptr;
};

struct PieceSides {
  SidePieces in, out;
};

/// Where a line is in a piece: number n is n steps from the address. The last bit of this says
/// whether the piece is short; 0: it is not written.
struct PiecePlace {
  std::uint64_t address = 0;
  std::int64_t step = 0;  ///< in bytes
};

/// The argument of a pass whose sides are in pieces. Beside numbers, threads of a block share the
/// places of their lines, those of the input first, and sums.
struct PieceLines : LinePass {
  PieceSides pieces;
  std::uint32_t in_count = 1, out_count = 1;  ///< of pieces

  /// Behind the numbers.
  WEFT_INLINE std::size_t place_bytes(std::size_t number_bytes) const {
    constexpr std::size_t alignment = sizeof(PiecePlace);
    return (std::size_t{lanes.count} * pitch * number_bytes + alignment - 1) / alignment *
           alignment;
  }
  WEFT_INLINE std::size_t places() const {
    return std::size_t{lanes.count} * (in_count + out_count);
  }
  std::size_t shared_bytes(std::size_t number_bytes) const {
    return place_bytes(number_bytes) + places() * sizeof(PiecePlace) +
           block_threads() * sizeof(EncodingSums);
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

/// What the threads of a block share beside numbers. On the host they are one thread.
template <class Real>
struct PieceMemory {
  WEFT_INLINE static PiecePlace* places([[maybe_unused]] const PieceLines& pass) {
#if WEFT_ON_DEVICE
    extern __shared__ double2 memory[];
    return reinterpret_cast<PiecePlace*>(reinterpret_cast<std::byte*>(memory) +
                                         pass.place_bytes(sizeof(Complex<Real>)));
#else
    thread_local PiecePlace all[emulated_block_bytes / sizeof(PiecePlace)];
    return all;
#endif
  }
  WEFT_INLINE static EncodingSums& sums(const PieceLines& pass) {
#if WEFT_ON_DEVICE
    return reinterpret_cast<EncodingSums*>(places(pass) + pass.places())[threadIdx.x];
#else
    return *pass.pieces.out.sums;
#endif
  }
};

WEFT_INLINE void add(EncodingSums& to, const EncodingSums& more) {
  to.squared_error += more.squared_error;
  to.squared_norm += more.squared_norm;
  to.broken |= more.broken;
  to.nonzero |= more.nonzero;
}

/// A thread's share of the places of a block's lines.
template <class Real>
WEFT_INLINE void enter_places(const PieceLines& pass, const BlockLines& lines, std::uint32_t thread,
                              std::uint32_t threads) {
  PiecePlace* const places = PieceMemory<Real>::places(pass);
  for (std::uint32_t i = thread; i < pass.places(); i += threads) {
    std::uint32_t number = i;
    const std::uint32_t lane = take(number, pass.lanes);
    const bool is_output = number >= pass.in_count;
    const SidePiece& piece =
        is_output ? pass.pieces.out.piece[number - pass.in_count] : pass.pieces.in.piece[number];
    std::uint32_t rest = lines.first + lane;
    if (rest >= lines.end) rest = lines.end - 1;
    std::int64_t at = -std::int64_t{piece.first} * piece.step;
    for (int loop = SidePiece::max_loops - 1; loop > 0; --loop) {
      at += take(rest, pass.loop[loop]) * piece.loop_step[loop];
    }
    at += rest * piece.loop_step[0];
    const std::int64_t bytes = sizeof(Complex<Real>) / (piece.is_short ? 2 : 1);
    if (piece.data == nullptr) {
      places[i] = {};
    } else {
      places[i] = {(reinterpret_cast<std::uintptr_t>(piece.data) + at * bytes) | piece.is_short,
                   piece.step * bytes};
    }
  }
}

/// The places of a line on one side.
template <class Real>
class PieceLine {
 public:
  struct At {
    std::byte* data;  ///< null: it is not written
    bool is_short;
  };

  WEFT_INLINE PieceLine(const PieceLines& pass, const SidePieces& pieces, std::uint32_t first,
                        const LinePlace& line)
      : piece_of_(pieces.piece_of), lanes_(pass.lanes.count) {
    std::uint32_t number = line.number;
    const std::uint32_t lane = take(number, pass.lanes);
    places_ = PieceMemory<Real>::places(pass) + first * lanes_ + lane;
  }

  WEFT_INLINE At at(std::uint32_t number) const {
    const PiecePlace place = places_[piece_of_ == nullptr ? 0 : piece_of_[number] * lanes_];
    if (place.address == 0) return {nullptr, false};
    const std::uint64_t begin = place.address & ~std::uint64_t{1};
    return {reinterpret_cast<std::byte*>(begin + static_cast<std::uint64_t>(number * place.step)),
            (place.address & 1) != 0};
  }

 private:
  const std::uint8_t* piece_of_;
  std::uint32_t lanes_;
  const PiecePlace* places_;
};

/// Numbers as they are in memory, in two halves: short ones have but the first.
template <class Real>
struct PieceNumber {
  using Codes = ShortCodes<Real>;
  using Code = typename Codes::Code;
  using Half = CodePair<Code>;
  Half first, second;
  bool is_short;

  /// Without a branch, so that many are on their way together.
  WEFT_INLINE static PieceNumber load(const typename PieceLine<Real>::At& at) {
    const auto* const from = reinterpret_cast<const Half*>(at.data);
    return {from[0], from[at.is_short ? 0 : 1], at.is_short};
  }
  WEFT_INLINE Complex<Real> number() const {
    Complex<Real> whole;
    static_assert(sizeof(whole) == 2 * sizeof(Half));
    __builtin_memcpy(&whole.re, &first, sizeof(Half));
    __builtin_memcpy(&whole.im, &second, sizeof(Half));
    const auto decode = Codes::scheme().decoder(0);
    return {is_short ? decode(first.re) : whole.re, is_short ? decode(first.im) : whole.im};
  }
};

/// Of spectra, number by number.
template <class Real>
class PieceReader {
 public:
  WEFT_INLINE PieceReader(const LinePass& pass, const LinePlace& line)
      : line_(static_cast<const PieceLines&>(pass), static_cast<const PieceLines&>(pass).pieces.in,
              0, line) {}

  WEFT_INLINE PieceNumber<Real> load(std::uint32_t number) const {
    return PieceNumber<Real>::load(line_.at(number));
  }
  WEFT_INLINE Complex<Real> read(std::uint32_t number) const { return load(number).number(); }

 private:
  PieceLine<Real> line_;
};

/// Where sums are asked for, it adds to those of the thread in the end.
template <class Real>
class PieceWriter {
 public:
  WEFT_INLINE PieceWriter(const LinePass& pass, const LinePlace& line)
      : pass_(static_cast<const PieceLines&>(pass)),
        line_(pass_, pass_.pieces.out, pass_.in_count, line) {}
  PieceWriter(const PieceWriter&) = delete;
  PieceWriter& operator=(const PieceWriter&) = delete;
  WEFT_INLINE ~PieceWriter() {
    if (pass_.pieces.out.sums == nullptr) return;
    // Inf and NaN leave an error that is not finite, which squares of large numbers may be too.
    sums_.broken = not_finite_ != 0;
    add(PieceMemory<Real>::sums(pass_), sums_);
  }

  WEFT_INLINE void write(std::uint32_t number, Complex<Real> z) {
    using Code = typename ShortCodes<Real>::Code;
    const typename PieceLine<Real>::At at = line_.at(number);
    if (at.data == nullptr) return;
    const auto encode = ShortCodes<Real>::scheme().encoder(0);
    const Word<Real> re = encode(z.re), im = encode(z.im);
    if (at.is_short) {
      *reinterpret_cast<CodePair<Code>*>(at.data) = {static_cast<Code>(re), static_cast<Code>(im)};
    } else {
      *reinterpret_cast<Complex<Real>*>(at.data) = z;
    }
    if (pass_.pieces.out.sums == nullptr) return;
    const auto decode = ShortCodes<Real>::scheme().decoder(0);
    measure(z.re, at.is_short ? decode(re) : z.re);
    measure(z.im, at.is_short ? decode(im) : z.im);
  }

 private:
  WEFT_INLINE void measure(Real value, Real decoded) {
    const auto exact = static_cast<double>(value);
    const double error = exact - static_cast<double>(decoded);
    sums_.squared_error = multiply_add(error, error, sums_.squared_error);
    sums_.squared_norm = multiply_add(exact, exact, sums_.squared_norm);
    not_finite_ = multiply_add(error, 0.0, not_finite_);
    sums_.nonzero |= magnitude_of(value) != 0 ? 1 : 0;
  }

  const PieceLines& pass_;
  PieceLine<Real> line_;
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
    PieceNumber<Real> numbers[radix];
    unrolled<radix>([&](auto q) {
      constexpr int i = decltype(q)::number;
      const std::uint32_t number = first + i * distance;
      numbers[i] = reader.load(pass.backward ? reversed(number, radix * distance) : number);
    });
    unrolled<radix>([&](auto q) {
      constexpr int i = decltype(q)::number;
      z[i] = numbers[i].number();
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
