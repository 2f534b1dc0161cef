#pragma once

// How passes over lines read and write messages.
#include <bit>
#include <cstring>
#include <type_traits>

#include "codec/cast_scheme.hpp"
#include "codec/trim_scheme.hpp"
#include "device/number_sums.hpp"
#include "local/piece_places.hpp"
#include "weft/kernels/fold_forms.hpp"
#include "weft/kernels/line_forms.hpp"

namespace weft::stockham {

namespace {

/// Codes of half the size of numbers, those of codecs without headers. GPUs convert double
/// precision themselves: what is not a number stays so.
template <class Real>
struct ShortCodes;
template <>
struct ShortCodes<double> {
  using Code = std::uint32_t;
  WEFT_INLINE static Code encode(double value) {
#if WEFT_ON_DEVICE
    return std::bit_cast<Code>(static_cast<float>(value));
#else
    return static_cast<Code>(Fp32Scheme{}.encoder(0)(value));
#endif
  }
  WEFT_INLINE static double decode(Code code) {
#if WEFT_ON_DEVICE
    return static_cast<double>(std::bit_cast<float>(code));
#else
    return Fp32Scheme{}.decoder(0)(code);
#endif
  }
};
template <>
struct ShortCodes<float> {
  using Code = std::uint16_t;
  WEFT_INLINE static Code encode(float value) {
    return static_cast<Code>(TrimScheme<float>(16).encoder(0)(value));
  }
  WEFT_INLINE static float decode(Code code) { return TrimScheme<float>(16).decoder(0)(code); }
};

template <class Code>
struct alignas(2 * sizeof(Code)) CodePair {
  Code re, im;
};

/// Numbers of which codes are in the first half until all have arrived.
template <class Real, int count>
class StoredNumbers {
 public:
  WEFT_INLINE void load(int i, const PiecePlace& place, std::uint32_t number) {
    codes_ |= place.state.short_bit() << i;
    read_either(place.at(number), place.state.short_bit(), numbers_[i]);
  }
  WEFT_INLINE Complex<Real> (&decoded())[count] {
    // Where there is none, threads pass over all.
    if (codes_ != 0) {
      each<count>([&](int i) {
        if ((codes_ >> i & 1) == 0) return;
        CodePair<typename ShortCodes<Real>::Code> code;
        memcpy(&code, &numbers_[i].re, sizeof(code));
        numbers_[i] = {ShortCodes<Real>::decode(code.re), ShortCodes<Real>::decode(code.im)};
      });
    }
    if (conjugated_) each<count>([&](int i) { numbers_[i].im = -numbers_[i].im; });
    return numbers_;
  }
  WEFT_INLINE void conjugate(bool all) { conjugated_ = all; }

 private:
  static_assert(count <= 32);

  /// Without a branch, so that many are on their way together, and past the nearest cache, which
  /// they leave to tables.
  WEFT_INLINE static void read_either(const std::byte* from, std::uint32_t half,
                                      Complex<Real>& to) {
#if WEFT_ON_DEVICE && WEFT_IS_CUDA
    if constexpr (sizeof(Real) == sizeof(double)) {
      asm("{ .reg .pred half; setp.ne.u32 half, %3, 0;\n\t"
          "@half ld.global.cg.f64 %0, [%2]; @!half ld.global.cg.v2.f64 {%0, %1}, [%2]; }"
          : "=d"(to.re), "=d"(to.im)
          : "l"(from), "r"(half));
    } else {
      asm("{ .reg .pred half; setp.ne.u32 half, %3, 0;\n\t"
          "@half ld.global.cg.f32 %0, [%2]; @!half ld.global.cg.v2.f32 {%0, %1}, [%2]; }"
          : "=f"(to.re), "=f"(to.im)
          : "l"(from), "r"(half));
    }
#else
    memcpy(&to, from, half != 0 ? sizeof(Real) : sizeof(to));
#endif
  }

  Complex<Real> numbers_[count];
  std::uint32_t codes_ = 0;  ///< a bit for each number
  bool conjugated_ = false;
};

template <class Real>
class PieceReader {
 public:
  WEFT_INLINE PieceReader(const LinePass& pass, const LinePlace& line)
      : stored_(static_cast<const PieceLines&>(pass).sides.in.numbers),
        line_(PieceLine<Real>::of_input(static_cast<const PieceLines&>(pass), line)) {}

  template <int per_lookup, int count>
  WEFT_INLINE void load(const SpacedNumbers<count>& numbers,
                        StoredNumbers<Real, count>& loaded) const {
    PiecePlace place;
    each<count>([&](int i) {
      if (i % per_lookup == 0) place = line_.place_of(numbers[i]);
      loaded.load(i, place, numbers[i]);
    });
  }
  /// Those that are not stored are zero.
  template <int count>
  WEFT_INLINE void read(const SpacedNumbers<count>& numbers, Complex<Real> (&z)[count]) const {
    StoredNumbers<Real, count> loaded;
    each<count>([&](int i) {
      const std::uint32_t there = numbers.has_below(i, stored_) ? numbers[i] : 0;
      loaded.load(i, line_.place_of(there), there);
    });
    const auto& decoded = loaded.decoded();
    each<count>(
        [&](int i) { z[i] = numbers.has_below(i, stored_) ? decoded[i] : Complex<Real>{}; });
  }

 private:
  std::uint32_t stored_;
  PieceLine<Real> line_;
};

template <class Real>
class PieceWriter {
 public:
  WEFT_INLINE PieceWriter(const LinePass& pass, const LinePlace& line)
      : pass_(static_cast<const PieceLines&>(pass)),
        line_(PieceLine<Real>::of_output(pass_, line)) {}

  /// Drops those that are not stored, where some may be.
  template <bool all_stored = false, int per_lookup = 1, int count>
  WEFT_INLINE void write(const SpacedNumbers<count>& numbers, const Complex<Real> (&z)[count]) {
    // What registers have room for.
    constexpr int group = count > 16 ? 8 : count > 5 ? 4 : 5;
    in_groups<count, group>([&](auto begin, auto size) {
      constexpr int first = decltype(begin)::number, of_group = decltype(size)::number;
      const bool has_last = numbers.has(first + of_group - 1);
      write_group<all_stored, per_lookup>(
          SpacedNumbers<of_group>{numbers[first], numbers.step, has_last}, z + first);
    });
  }

 private:
  using Codes = ShortCodes<Real>;
  using Pair = CodePair<typename Codes::Code>;

  template <bool all_stored, int per_lookup, int count>
  WEFT_INLINE void write_group(const SpacedNumbers<count>& numbers, const Complex<Real>* z) {
    PiecePlace place[count];
    each<count>([&](int i) {
      const bool stored = all_stored || numbers.has_below(i, pass_.sides.out.numbers);
      place[i] = i % per_lookup == 0 ? line_.place_of(stored ? numbers[i] : 0) : place[i - 1];
      if (!stored) place[i].state.leave_out();
    });
    Pair code[count] = {};
    bool has_short = false;
    each<count>([&](int i) {
      const PieceState state = place[i].state;
      has_short |= state.is_short();
      if (state.is_written() && !state.is_short()) store_at(place[i].at(numbers[i]), z[i]);
    });
    if (has_short) {
      each<count>([&](int i) {
        const PieceState state = place[i].state;
        code[i] = {Codes::encode(z[i].re), Codes::encode(z[i].im)};
        if (state.is_written() && state.is_short()) store_at(place[i].at(numbers[i]), code[i]);
      });
    }
    for (std::uint32_t array = 0; array < pass_.sides.out.sum_count; ++array) {
      bool has_some = false;
      each<count>([&](int i) { has_some |= place[i].state.adds_to(array); });
      if (!has_some) continue;
      NumberSums<Real> sums;
      const auto add = [&](Real value, bool counts, bool is_short, typename Codes::Code encoded) {
        // Those that do not count are zero, whatever their codes.
        const Real exact = counts ? value : 0;
        sums.see(exact);
        sums.add(exact, counts && is_short ? Codes::decode(encoded) : exact);
      };
      each<count>([&](int i) {
        const PieceState state = place[i].state;
        add(z[i].re, state.adds_to(array), state.is_short(), code[i].re);
        add(z[i].im, state.adds_to(array), state.is_short(), code[i].im);
      });
      PieceMemory<Real>::sums(pass_, array).add(sums.all());
    }
  }

  /// As one word, which compilers do not see.
  WEFT_INLINE static void store_at(std::byte* to, Pair code) {
    using Word = std::conditional_t<sizeof(Pair) == 8, std::uint64_t, std::uint32_t>;
    Word word;
    memcpy(&word, &code, sizeof(word));
    *on_device<Word>(to) = word;
  }
  WEFT_INLINE static void store_at(std::byte* to, Complex<Real> z) {
    *on_device<Complex<Real>>(to) = z;
  }
  /// Not in memory that a block shares.
  template <class Number>
  WEFT_INLINE static Number* on_device(std::byte* to) {
#if WEFT_ON_DEVICE && WEFT_IS_CUDA
    __builtin_assume(__isGlobal(to));
#endif
    return reinterpret_cast<Number*>(to);
  }

  const PieceLines& pass_;
  PieceLine<Real> line_;
};

/// Complex lines in pieces. Of the numbers that a thread reads or writes together, so many at a
/// time lie in one piece. Backward, lines are conjugated before and after a forward transform:
/// reversed ones would not begin where pieces do.
template <class Real, int per_lookup = 1>
struct PieceLoad {
  static constexpr bool is_mirrored = false;

  template <int radix>
  using Loaded = StoredNumbers<Real, radix>;

  template <int radix>
  WEFT_INLINE static void load(const LinePass& pass, const LinePlace& line, std::uint32_t first,
                               std::uint32_t distance, Loaded<radix>& loaded) {
    PieceReader<Real>(pass, line)
        .template load<per_lookup>(SpacedNumbers<radix>{first, static_cast<std::int32_t>(distance)},
                                   loaded);
  }
  template <class Loaded>
  WEFT_INLINE static void receive(const LinePass& pass, const LinePlace&, std::uint32_t,
                                  std::uint32_t, Loaded& loaded) {
    loaded.conjugate(pass.backward);
  }
};

template <class Real, int per_lookup = 1>
struct PieceStore {
  static constexpr bool is_mirrored = false;

  template <int radix>
  WEFT_INLINE static void store(const LinePass& pass, const LinePlace& line, std::uint32_t first,
                                std::uint32_t distance, Complex<Real> (&z)[radix]) {
    if (!line.exists) return;
    const auto scale = static_cast<Real>(pass.scale);
    const Real scale_im = pass.backward ? -scale : scale;
    each<radix>([&](int i) { z[i] = {scale * z[i].re, scale_im * z[i].im}; });
    PieceWriter<Real>(pass, line)
        .template write<true, per_lookup>(
            SpacedNumbers<radix>{first, static_cast<std::int32_t>(distance)}, z);
  }
};

/// Forms of passes of which complex sides are in pieces. Spectra are folded by numbers of both
/// ends, each with its own lookup.
template <LineForm form, class Real, int in_per_lookup = 1, int out_per_lookup = 1>
struct PieceForms;
template <class Real, int in_per_lookup, int out_per_lookup>
struct PieceForms<LineForm::whole, Real, in_per_lookup, out_per_lookup> {
  using Load = PieceLoad<Real, in_per_lookup>;
  using Store = PieceStore<Real, out_per_lookup>;
};
template <class Real, int in_per_lookup, int out_per_lookup>
struct PieceForms<LineForm::from_packed, Real, in_per_lookup, out_per_lookup> {
  using Load = WholeLoad<Real>;
  using Store = FoldStore<Real, PieceWriter>;
};
template <class Real, int in_per_lookup, int out_per_lookup>
struct PieceForms<LineForm::to_packed, Real, in_per_lookup, out_per_lookup> {
  using Load = FoldLoad<Real, PieceReader>;
  using Store = WholeStore<Real>;
};

}  // namespace

}  // namespace weft::stockham
