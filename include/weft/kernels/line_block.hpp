#pragma once

// What a block of threads does in a pass over lines. On the host the same, phase by phase.
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

  WEFT_INLINE LinePlace place(const LinePass& pass, const LineSide& side,
                              const ThreadShare& share) const {
    const std::uint32_t line = lines.first + share.lane;
    LinePlace place = locate(pass, side, line < lines.end ? line : lines.end - 1);
    place.exists = line < lines.end;
    return place;
  }
};

/// Which stage of a transform: the first one reads the array, or what has been fetched of it to the
/// buffer; the last one writes it and has no twiddle factors.
enum class Role { first, fetched, middle, last };

/// Rarely used radices are loops, which take a tenth of the time to compile. `radix` is n, which
/// the compiler must not know.
template <int n, class Real>
WEFT_INLINE void butterfly_in_loops(Complex<Real> (&z)[n], const Complex<Real>* roots, int radix) {
  constexpr int half = n / 2;
  Complex<Real> sum[half], difference[half];
  const Complex<Real> first = z[0];
  unrolled<half>([&](auto number) {
    constexpr int j = decltype(number)::number;
    sum[j] = z[j + 1] + z[n - 1 - j];
    difference[j] = z[j + 1] - z[n - 1 - j];
    z[0] = z[0] + sum[j];
  });
  for (int k = 1; 2 * k < radix; ++k) {
    Complex<Real> even = first, odd{0, 0};
    int turn = 0;
    unrolled<half>([&](auto number) {
      constexpr int j = decltype(number)::number;
      turn += k;
      if (turn >= n) turn -= n;
      const Complex<Real> root = roots[turn];
      even = {multiply_add(sum[j].re, root.re, even.re), multiply_add(sum[j].im, root.re, even.im)};
      odd = {multiply_add(difference[j].re, root.im, odd.re),
             multiply_add(difference[j].im, root.im, odd.im)};
    });
    z[k] = {even.re + odd.im, even.im - odd.re};
    z[n - k] = {even.re - odd.im, even.im + odd.re};
  }
}

/// Radices that are loops.
WEFT_HOST_DEVICE constexpr bool is_rare(int radix) {
  return radix == 11 || radix == 13;
}

/// How many butterflies of a stage each thread makes at once: all that it does, where two stages
/// make a line. With more stages, one after another was faster (H200, 384 points: 0.82 of the
/// time).
template <class Shape, class Stage>
WEFT_HOST_DEVICE constexpr int turns_of() {
  if constexpr (Shape::is_fixed) {
    constexpr bool all = Shape::stages == 2 && Stage::count % Shape::line_threads == 0;
    return all ? Stage::count / Shape::line_threads : 0;
  } else {
    return 0;
  }
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

/// Butterflies of a stage that a thread makes. It calls have_read() when it has read the numbers of
/// all.
template <Role role, int radix, class Real, class Load, class Store, class Shape, class Stage,
          class HaveRead>
WEFT_INLINE void run_butterflies(const LinePass& pass, const Stage& stage, const LineThread& thread,
                                 Complex<Real>* buffer, const HaveRead& have_read) {
  constexpr bool is_first = role == Role::first;
  constexpr bool is_fetched = role == Role::fetched;
  constexpr bool is_last = role == Role::last;
  constexpr bool loads = is_first && !Load::is_mirrored;
  constexpr bool stores = is_last && !Store::is_mirrored;
  constexpr std::uint32_t row_distance = Shape::row_distance;
  const ThreadShare share =
      share_of<Shape>(pass, (is_last ? pass.out : pass.in).across, thread.number);
  const std::uint32_t butterflies = stage.butterflies();
  Complex<Real>* const rows = buffer + share.lane * Shape::lane_distance(pass);
  LinePlace from, to;
  if constexpr (loads || is_fetched) from = thread.place(pass, pass.in, share);
  if constexpr (stores) to = thread.place(pass, pass.out, share);
  using Loaded = typename LoadedNumbers<std::conditional_t<loads, Load, void>, Real, radix>::Type;
  const auto read = [&](std::uint32_t b, Loaded& z) {
    if constexpr (loads) {
      Load::load(pass, from, b, butterflies, z);
    } else {
      const Complex<Real>* const first = rows + stage.row(b) * row_distance;
      unrolled<radix>([&](auto q) {
        constexpr int i = decltype(q)::number;
        z[i] = first[i * stage.leg() * row_distance];
      });
    }
  };
  const auto receive = [&](std::uint32_t b, Loaded& z) {
    if constexpr (is_fetched) Load::receive(pass, from, b, butterflies, z);
  };
  const auto transform = [&](std::uint32_t b, Complex<Real>(&z)[radix]) {
    if constexpr (is_rare(radix)) {
      butterfly_in_loops<radix>(z, static_cast<const Complex<Real>*>(stage.stage.roots),
                                static_cast<int>(stage.stage.radix));
    } else {
      butterfly<radix>(z);
    }
    if constexpr (!is_last) {
      const auto* const twiddles = static_cast<const Complex<Real>*>(stage.stage.twiddles);
      unrolled<radix>([&](auto q) {
        constexpr int i = decltype(q)::number;
        if constexpr (i > 0) z[i] = times(z[i], twiddles[b + (i - 1) * butterflies]);
      });
    }
    if constexpr (stores) {
      Store::store(pass, to, b, butterflies, z);
    } else {
      Complex<Real>* const first = rows + stage.row(b) * row_distance;
      unrolled<radix>([&](auto q) {
        constexpr int i = decltype(q)::number;
        first[i * stage.leg() * row_distance] = z[i];
      });
    }
  };
  const auto finish = [&](std::uint32_t b, Loaded& loaded) {
    if constexpr (std::is_array_v<Loaded>) {
      transform(b, loaded);
    } else {
      transform(b, loaded.decoded());
    }
  };
  if constexpr (turns_of<Shape, Stage>() > 0) {
    constexpr int turns = turns_of<Shape, Stage>();
    Loaded z[turns];
    const auto each_turn = [&](const auto& work) {
      unrolled<turns>([&](auto turn) {
        constexpr int i = decltype(turn)::number;
        work(share.first + i * Shape::line_threads, z[i]);
      });
    };
    each_turn(read);
    have_read();
    each_turn(receive);
    each_turn(finish);
  } else {
    for (std::uint32_t b = share.first; b < butterflies; b += Shape::threads(pass)) {
      Loaded z;
      read(b, z);
      receive(b, z);
      finish(b, z);
    }
  }
}

template <Role role, class Real, class Load, class Store, int... radices>
WEFT_INLINE void run_any_stage(const LinePass& pass, std::uint32_t number, const LineThread& thread,
                               Complex<Real>* buffer, Sequence<radices...>) {
  const AnyStage<role == Role::first> stage{pass.stage[number]};
  const auto run_if = [&](auto candidate) {
    constexpr int radix = decltype(candidate)::number;
    if (stage.stage.radix != radix) return false;
    run_butterflies<role, radix, Real, Load, Store, AnyShape>(pass, stage, thread, buffer, [] {});
    return true;
  };
  static_cast<void>((run_if(Constant<radices>{}) || ...));
}

/// The radices of all transforms, those first that are used most.
using LineRadices = Sequence<16, 8, 10, 4, 9, 6, 5, 2, 3, 7, 13, 11, 1>;

/// Transforms the lines of a block. `team` runs phases: each thread's share of one, then all wait
/// for each other.
template <class Shape, class Real, class Load, class Store, class Team>
WEFT_INLINE void run_stages(const LinePass& pass, const Team& team, Complex<Real>* buffer) {
  if constexpr (Shape::is_fixed) {
    unrolled<Shape::stages>([&](auto stage) {
      constexpr int number = decltype(stage)::number;
      constexpr Role role = number == 0                   ? Role::first
                            : number + 1 == Shape::stages ? Role::last
                                                          : Role::middle;
      team.phase([&](const LineThread& thread) {
        run_butterflies<role, Shape::radix(number), Real, Load, Store, Shape>(
            pass, FixedStage<Shape, number>{pass.stage[number]}, thread, buffer, [] {});
      });
    });
  } else {
    const auto run = [&](auto role, std::uint32_t number) {
      team.phase([&](const LineThread& thread) {
        run_any_stage<static_cast<Role>(decltype(role)::number), Real, Load, Store>(
            pass, number, thread, buffer, LineRadices{});
      });
    };
    run(Constant<static_cast<int>(Role::first)>{}, 0);
    for (std::uint32_t number = 1; number + 1 < pass.stages; ++number) {
      run(Constant<static_cast<int>(Role::middle)>{}, number);
    }
    run(Constant<static_cast<int>(Role::last)>{}, pass.stages - 1);
  }
}

/// What stands before the first stage, or behind the last one, of a line.
template <class Shape, bool is_first>
WEFT_INLINE auto outer_stage(const LinePass& pass) {
  if constexpr (Shape::is_fixed) {
    constexpr int number = is_first ? 0 : Shape::stages - 1;
    return FixedStage<Shape, number>{pass.stage[number]};
  } else {
    return AnyStage<is_first>{pass.stage[is_first ? 0 : pass.stages - 1]};
  }
}

template <class Real, class Stage>
WEFT_INLINE void enter(const LinePass& pass, const Stage& stage, std::uint32_t k,
                       const MirroredNumbers<Real>& numbers, Complex<Real>* rows) {
  const std::uint32_t mirror = reversed(k, pass.points);
  rows[stage.row_of(pass.backward ? mirror : k)] = numbers.number;
  if (mirror != k) rows[stage.row_of(pass.backward ? k : mirror)] = numbers.mirror;
}

template <class Shape, class Real, class Load, class Store, class Team>
WEFT_INLINE void transform_block(const LinePass& pass, const Team& team, Complex<Real>* buffer) {
  const auto rows_of = [&](const ThreadShare& share) {
    return buffer + share.lane * Shape::lane_distance(pass);
  };
  const auto run_of = [&](const ThreadShare& share) {
    return MirroredRun{share.first, Shape::threads(pass), Shape::points(pass) / 2};
  };
  const auto next = [](MirroredRun& run) { run.first += MirroredRun::count * run.step; };
  if constexpr (Load::is_mirrored) {
    team.phase([&](const LineThread& thread) {
      const ThreadShare share = share_of<Shape>(pass, pass.in.across, thread.number);
      const LinePlace place = thread.place(pass, pass.in, share);
      const auto stage = outer_stage<Shape, true>(pass);
      for (MirroredRun run = run_of(share); run.has(0); next(run)) {
        MirroredNumbers<Real> numbers[MirroredRun::count];
        Load::load(pass, place, run, numbers);
        unrolled<MirroredRun::count>([&](auto turn) {
          constexpr int i = decltype(turn)::number;
          if (run.has(i)) enter(pass, stage, run.number(i), numbers[i], rows_of(share));
        });
      }
    });
  }
  run_stages<Shape, Real, Load, Store>(pass, team, buffer);
  if constexpr (Store::is_mirrored) {
    team.phase([&](const LineThread& thread) {
      const ThreadShare share = share_of<Shape>(pass, pass.out.across, thread.number);
      const LinePlace place = thread.place(pass, pass.out, share);
      if (!place.exists) return;
      for (MirroredRun run = run_of(share); run.has(0); next(run)) {
        Store::store(pass, outer_stage<Shape, false>(pass), place, run, rows_of(share));
      }
    });
  }
}

}  // namespace

}  // namespace weft::stockham
