#pragma once

// What a thread does in a stage of a pass over lines: some butterflies.
#include "weft/kernels/butterfly.hpp"
#include "weft/kernels/line_forms.hpp"
#include "weft/kernels/line_shape.hpp"

namespace weft::stockham {

namespace {

/// What a thread works on in a phase: numbers first, first + threads, ... of a line.
struct ThreadShare {
  std::uint32_t lane = 0;
  std::uint32_t first = 0;
};

template <class Shape>
WEFT_INLINE ThreadShare share_of(const LinePass& pass, bool across, std::uint32_t thread) {
  std::uint32_t rest = thread;
  const std::uint32_t inside =
      across ? Shape::take_lane(pass, rest) : Shape::take_thread(pass, rest);
  return across ? ThreadShare{inside, rest} : ThreadShare{rest, inside};
}

/// A thread of a block. Where its lines lie is found when it is needed, so that it takes no
/// registers meanwhile.
struct LineThread {
  BlockLines lines;
  std::uint32_t number;

  template <class Shape>
  WEFT_INLINE LinePlace place(const LinePass& pass, const LineSide& side,
                              const ThreadShare& share) const {
    const std::uint32_t line = lines.first + share.lane;
    const bool exists = Shape::is_full || line < lines.end;
    LinePlace place = locate(pass, side, exists ? line : lines.end - 1);
    place.exists = exists;
    return place;
  }
};

/// How many butterflies of a stage each thread makes at once: all that it does, where two stages
/// make a line. With more stages, one after another was faster (H200, 384 points: 0.82 of the
/// time).
template <class Shape, class Stage>
WEFT_HOST_DEVICE constexpr int turns_of() {
  if constexpr (Shape::is_fixed) {
    constexpr std::uint32_t threads = Shape::line_threads;
    constexpr bool all =
        Shape::stages == 2 && (Stage::count < threads || Stage::count % threads == 0);
    return all ? (Stage::count + threads - 1) / threads : 0;
  } else {
    return 0;
  }
}

/// Calls work(butterfly, Constant<turn>) for those of a thread whose first one is given. As a loop
/// it takes more registers.
template <class Shape, class Stage, class Work>
WEFT_INLINE void each_turn(std::uint32_t first, const Work& work) {
  unrolled<turns_of<Shape, Stage>()>([&](auto turn) {
    if (Stage::count < Shape::line_threads && first >= Stage::count) return;
    work(first + decltype(turn)::number * Shape::line_threads, turn);
  });
}

/// Numbers of a butterfly as a load leaves them: complex, or codes of these.
template <class Load, class Real, int radix>
struct LoadedNumbers {
  using Type = Complex<Real>[radix];
};
template <class Load, class Real, int radix>
requires requires {
  typename Load::template Loaded<radix>;
}
struct LoadedNumbers<Load, Real, radix> {
  using Type = typename Load::template Loaded<radix>;
};

/// What a butterfly works on.
template <class Loaded>
WEFT_INLINE auto& decoded(Loaded& loaded) {
  if constexpr (std::is_array_v<Loaded>) {
    return loaded;
  } else {
    return loaded.decoded();
  }
}

/// Whether a stage reads the array, or writes it.
template <class Load, class Stage>
constexpr bool loads_in = Stage::is_first && !Load::is_mirrored;
template <class Store, class Stage>
constexpr bool stores_in = Stage::is_last && !Store::is_mirrored;

/// What a thread does in a stage, and where the line is that it reads from the array or writes.
struct StageShare {
  ThreadShare share;
  LinePlace line = {};

  template <class Shape, class Load, class Store, class Stage>
  WEFT_INLINE static StageShare of(const LinePass& pass, const Stage&, const LineThread& thread) {
    StageShare mine{
        share_of<Shape>(pass, (Stage::is_last ? pass.out : pass.in).across, thread.number)};
    if constexpr (loads_in<Load, Stage>) mine.line = thread.place<Shape>(pass, pass.in, mine.share);
    if constexpr (stores_in<Store, Stage>)
      mine.line = thread.place<Shape>(pass, pass.out, mine.share);
    return mine;
  }
};

/// Butterflies of a stage that a thread makes: the first stage reads the array, or what has been
/// fetched of it to the buffer; the last one writes it and has no twiddle factors. It calls
/// have_read() when it has read the numbers of all.
template <int radix, class Real, class Load, class Store, class Shape, bool fetched = false,
          class Stage, class HaveRead>
WEFT_INLINE void run_butterflies(const LinePass& pass, const Stage& stage, const StageShare& mine,
                                 Complex<Real>* buffer, const HaveRead& have_read) {
  constexpr bool loads = loads_in<Load, Stage> && !fetched;
  constexpr bool stores = stores_in<Store, Stage>;
  constexpr std::uint32_t row_distance = Shape::row_distance;
  const std::uint32_t butterflies = stage.butterflies();
  Complex<Real>* const rows = buffer + mine.share.lane * Shape::lane_distance(pass);
  using Numbers = Complex<Real>[radix];
  using Loaded = typename LoadedNumbers<std::conditional_t<loads, Load, void>, Real, radix>::Type;
  const auto read = [&](std::uint32_t b, Loaded& z) {
    if constexpr (loads) {
      Load::load(pass, mine.line, b, butterflies, z);
    } else {
      const Complex<Real>* const row = rows + stage.row(b) * row_distance;
      each<radix>([&](int i) { z[i] = row[i * stage.leg() * row_distance]; });
    }
  };
  const auto receive = [&](std::uint32_t b, Loaded& z) {
    if constexpr (loads_in<Load, Stage>) Load::receive(pass, mine.line, b, butterflies, z);
  };
  const auto transform = [&](std::uint32_t b, Numbers& z) {
    butterfly<radix>(z);
    if constexpr (!Stage::is_last) {
      const auto* const twiddles = static_cast<const Complex<Real>*>(stage.stage.twiddles);
      each<radix>([&](int i) {
        if (i > 0) z[i] = times(z[i], twiddles[b + (i - 1) * butterflies]);
      });
    }
    if constexpr (stores) {
      Store::store(pass, mine.line, b, butterflies, z);
    } else {
      Complex<Real>* const row = rows + stage.row(b) * row_distance;
      each<radix>([&](int i) { row[i * stage.leg() * row_distance] = z[i]; });
    }
  };
  if constexpr (turns_of<Shape, Stage>() > 0) {
    Loaded z[turns_of<Shape, Stage>()];
    const auto each_of_mine = [&](const auto& work) {
      each_turn<Shape, Stage>(mine.share.first, [&](std::uint32_t b, auto turn) {
        work(b, z[decltype(turn)::number]);
      });
    };
    each_of_mine(read);
    have_read();
    each_of_mine(receive);
    each_of_mine([&](std::uint32_t b, Loaded& loaded) { transform(b, decoded(loaded)); });
  } else {
    for (std::uint32_t b = mine.share.first; b < butterflies; b += Shape::threads(pass)) {
      Loaded z;
      read(b, z);
      receive(b, z);
      transform(b, decoded(z));
    }
  }
}

/// Those that have butterflies.
using Radices = Sequence<32, 25, 20, 16, 8, 10, 4, 9, 6, 5, 2, 3, 7, 13, 11, 1>;

/// Calls work(Constant<radix>) for a radix that the pass says: on the host.
template <class Work>
WEFT_INLINE void with_radix(std::uint32_t radix, const Work& work) {
  const auto run_one_of = [&]<int... radices>(Sequence<radices...>) {
    const auto run_if = [&](auto candidate) {
      if (radix != std::uint32_t{decltype(candidate)::number}) return false;
      work(candidate);
      return true;
    };
    (run_if(Constant<radices>{}) || ...);
  };
  run_one_of(Radices{});
}

}  // namespace

}  // namespace weft::stockham
