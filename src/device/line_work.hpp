#pragma once

// What threads of a device do for a step: on the host the same, one after another.
#include <cstdint>

#include "device/line_step.hpp"
#include "weft/kernels/inline.hpp"

namespace weft {

/// Each thread works on so many pairs, to have enough memory under way and to read its entry once.
inline constexpr std::uint32_t pairs_at_once = 4;

/// A step and how threads share it: neighbors take neighboring pairs as far as those are closer
/// together than numbers of a line, then entries, then other pairs.
struct LineWork {
  LineStep step;
  Divisor inner_threads;
  Divisor items;  ///< of the table: an entry, or two plain ones, for a thread
  /// From a pair of a thread to its next one. One of both is 0.
  std::uint32_t inner_step = 0;
  std::uint32_t outer_step = 0;
  std::uint32_t threads = 0;
  bool adjacent = false;  ///< numbers of both lines are neighbors, and aligned to two reals
};

LineWork make_line_work(const LineStep& step);

template <class Real>
struct alignas(2 * sizeof(Real)) TwoReals {
  Real first, second;
};

/// The pairs of a thread, and its place in the table.
struct ThreadPairs {
  std::int64_t line[pairs_at_once];     ///< of the first line, in reals
  std::int64_t complex[pairs_at_once];  ///< in complex numbers
  bool is_there[pairs_at_once];
  bool has_second[pairs_at_once];
  std::uint32_t item;
};

WEFT_INLINE ThreadPairs locate(const LineWork& work, std::uint32_t thread) {
  const LinePairs& pairs = work.step.pairs;
  ThreadPairs result;
  const std::uint32_t inner = take(thread, work.inner_threads);
  result.item = take(thread, work.items);
  for (std::uint32_t i = 0; i < pairs_at_once; ++i) {
    const std::uint32_t inside = inner + i * work.inner_step;
    std::uint32_t number = (thread + i * work.outer_step) * pairs.inner + inside;
    result.is_there[i] = inside < pairs.inner && number < pairs.count;
    result.has_second[i] = true;
    result.line[i] = 0;
    result.complex[i] = number * pairs.complex_pair;
    for (int loop = static_cast<int>(pairs.loops) - 1; loop >= 0; --loop) {
      const std::uint32_t at = take(number, pairs.loop[loop]);
      result.line[i] += at * pairs.loop_step[loop];
      if (static_cast<std::uint32_t>(loop) == pairs.odd_loop && at == pairs.odd_place) {
        result.has_second[i] = false;
      }
    }
  }
  return result;
}

/// Numbers at a place of both lines of a pair.
template <class Real>
WEFT_INLINE TwoReals<Real> load_reals(const LineWork& work, const ThreadPairs& at, std::uint32_t i,
                                      std::int32_t place) {
  if (place == no_place || !at.is_there[i]) return {};
  const LinePairs& pairs = work.step.pairs;
  const Real* const from =
      reinterpret_cast<const Real*>(work.step.from) + at.line[i] + place * pairs.number_step;
  if (work.adjacent) return *reinterpret_cast<const TwoReals<Real>*>(from);
  return {from[0], at.has_second[i] ? from[pairs.second] : Real{0}};
}

template <class Real>
WEFT_INLINE void store_reals(const LineWork& work, const ThreadPairs& at, std::uint32_t i,
                             std::int32_t place, const TwoReals<Real>& numbers) {
  if (place == no_place || !at.is_there[i]) return;
  const LinePairs& pairs = work.step.pairs;
  Real* const to = reinterpret_cast<Real*>(work.step.to) + at.line[i] + place * pairs.number_step;
  if (work.adjacent) {
    *reinterpret_cast<TwoReals<Real>*>(to) = numbers;
    return;
  }
  to[0] = numbers.first;
  if (at.has_second[i]) to[pairs.second] = numbers.second;
}

/// A number of a complex line: that of the pair, or of its second line.
template <class Real>
WEFT_INLINE TwoReals<Real> load_complex(const LineWork& work, const ThreadPairs& at,
                                        std::uint32_t i, std::int32_t place, bool second = false) {
  if (place == no_place || !at.is_there[i]) return {};
  const LinePairs& pairs = work.step.pairs;
  return reinterpret_cast<const TwoReals<Real>*>(
      work.step
          .from)[at.complex[i] + place * pairs.complex_step + (second ? pairs.complex_second : 0)];
}

template <class Real>
WEFT_INLINE void store_complex(const LineWork& work, const ThreadPairs& at, std::uint32_t i,
                               std::int32_t place, const TwoReals<Real>& number,
                               bool second = false) {
  if (place == no_place || !at.is_there[i]) return;
  const LinePairs& pairs = work.step.pairs;
  reinterpret_cast<TwoReals<Real>*>(work.step.to)[at.complex[i] + place * pairs.complex_step +
                                                  (second ? pairs.complex_second : 0)] = number;
}

/// Where the conjugate of a number stands in a Hermitian line.
WEFT_INLINE std::int32_t mirrored(const LinePairs& pairs, std::int32_t place) {
  return place == 0 ? 0 : static_cast<std::int32_t>(pairs.complex_points) - place;
}

// Operations of a thread. All of its numbers are loaded before any is stored, so that the loads are
// under way together.

template <class Real>
struct PreparePlain {
  WEFT_INLINE static void run(const LineWork& work, const ThreadPairs& at) {
    const auto* const entries =
        reinterpret_cast<const PlainEntry<Real>*>(work.step.entries) + 2 * at.item;
    const PlainEntry<Real> entry[2] = {entries[0], entries[1]};
    TwoReals<Real> numbers[pairs_at_once][2];
    for (std::uint32_t i = 0; i < pairs_at_once; ++i) {
      for (int which = 0; which < 2; ++which) {
        numbers[i][which] = load_reals<Real>(work, at, i, entry[which].from);
      }
    }
    for (std::uint32_t i = 0; i < pairs_at_once; ++i) {
      for (int which = 0; which < 2; ++which) {
        const TwoReals<Real> number = numbers[i][which];
        const Real factor = entry[which].factor;
        store_complex<Real>(work, at, i, entry[which].to,
                            {factor * number.first, factor * number.second});
      }
    }
  }
};

template <class Real>
struct FinishPlain {
  WEFT_INLINE static void run(const LineWork& work, const ThreadPairs& at) {
    const auto* const entries =
        reinterpret_cast<const PlainEntry<Real>*>(work.step.entries) + 2 * at.item;
    const PlainEntry<Real> entry[2] = {entries[0], entries[1]};
    TwoReals<Real> numbers[pairs_at_once][2];
    for (std::uint32_t i = 0; i < pairs_at_once; ++i) {
      for (int which = 0; which < 2; ++which) {
        numbers[i][which] = load_complex<Real>(work, at, i, entry[which].from);
      }
    }
    for (std::uint32_t i = 0; i < pairs_at_once; ++i) {
      for (int which = 0; which < 2; ++which) {
        const TwoReals<Real> number = numbers[i][which];
        const Real factor = entry[which].factor;
        store_reals<Real>(work, at, i, entry[which].to,
                          {factor * number.first, factor * number.second});
      }
    }
  }
};

/// (re + i im) (first - i second)
template <class Real>
WEFT_INLINE TwoReals<Real> twisted(const PairEntry<Real>& entry, Real first, Real second) {
  return {entry.re * first + entry.im * second, entry.im * first - entry.re * second};
}

template <class Real>
struct PreparePairs {
  WEFT_INLINE static void run(const LineWork& work, const ThreadPairs& at) {
    const PairEntry<Real> entry =
        reinterpret_cast<const PairEntry<Real>*>(work.step.entries)[at.item];
    const bool joined = work.step.pairs.complex_second == 0;
    const auto place = static_cast<std::int32_t>(at.item);
    const std::int32_t mirror = mirrored(work.step.pairs, place);
    TwoReals<Real> first[pairs_at_once], second[pairs_at_once];
    for (std::uint32_t i = 0; i < pairs_at_once; ++i) {
      first[i] = load_reals<Real>(work, at, i, entry.first);
      second[i] = load_reals<Real>(work, at, i, entry.second);
    }
    for (std::uint32_t i = 0; i < pairs_at_once; ++i) {
      const TwoReals<Real> a = twisted(entry, first[i].first, second[i].first);
      const TwoReals<Real> b = twisted(entry, first[i].second, second[i].second);
      if (!joined) {
        store_complex(work, at, i, place, a);
        store_complex(work, at, i, place, b, true);
      } else if (mirror == place) {
        // Its own conjugate: it has no imaginary part.
        store_complex<Real>(work, at, i, place, {a.first, b.first});
      } else {
        store_complex<Real>(work, at, i, place, {a.first - b.second, a.second + b.first});
        store_complex<Real>(work, at, i, mirror, {a.first + b.second, b.first - a.second});
      }
    }
  }
};

template <class Real>
struct FinishParts {
  WEFT_INLINE static void run(const LineWork& work, const ThreadPairs& at) {
    const PartsEntry<Real> entry =
        reinterpret_cast<const PartsEntry<Real>*>(work.step.entries)[at.item];
    const bool joined = work.step.pairs.complex_second == 0;
    const std::int32_t other = joined ? mirrored(work.step.pairs, entry.from) : entry.from;
    TwoReals<Real> first[pairs_at_once], second[pairs_at_once];
    for (std::uint32_t i = 0; i < pairs_at_once; ++i) {
      first[i] = load_complex<Real>(work, at, i, entry.from);
      second[i] = load_complex<Real>(work, at, i, other, !joined);
    }
    for (std::uint32_t i = 0; i < pairs_at_once; ++i) {
      TwoReals<Real> a = first[i], b = second[i];
      if (joined) {
        a = {first[i].first + second[i].first, first[i].second - second[i].second};
        b = {first[i].second + second[i].second, second[i].first - first[i].first};
      }
      for (int which = 0; which < 2; ++which) {
        store_reals<Real>(work, at, i, entry.to[which],
                          {entry.re[which] * a.first - entry.im[which] * a.second,
                           entry.re[which] * b.first - entry.im[which] * b.second});
      }
    }
  }
};

}  // namespace weft
