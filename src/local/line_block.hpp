#pragma once

// What a block of threads does in a pass over lines. On the host the same, phase by phase.
#include "local/line_forms.hpp"
#include "local/stockham_butterfly.hpp"

namespace weft::stockham {

namespace {

/// What a thread works on in a phase: numbers first, first + threads, ... of a line.
struct ThreadShare {
  std::uint32_t lane = 0;
  std::uint32_t first = 0;
};

WEFT_INLINE ThreadShare share_of(const LinePass& pass, bool across, std::uint32_t thread) {
  std::uint32_t rest = thread;
  const std::uint32_t inside = take(rest, across ? pass.lanes : pass.threads);
  return across ? ThreadShare{inside, rest} : ThreadShare{rest, inside};
}

/// A thread of a block. Where its lines lie is found when it is needed, so that it takes no
/// registers meanwhile.
struct LineThread {
  std::uint32_t block;
  std::uint32_t number;

  WEFT_INLINE LinePlace place(const LinePass& pass, const LineSide& side,
                              const ThreadShare& share) const {
    return locate(pass, side, block * pass.lanes.count + share.lane);
  }
};

/// Which stage of a transform: the first one reads the array, the last one writes it and has no
/// twiddle factors.
enum class Role { only, first, middle, last };

/// Butterflies of a stage that a thread makes.
template <Role role, int radix, class Real, class Load, class Store>
WEFT_INLINE void run_butterflies(const LinePass& pass, const LineStage& stage,
                                 const LineThread& thread, Complex<Real>* buffer) {
  constexpr bool is_first = role == Role::first || role == Role::only;
  constexpr bool is_last = role == Role::last || role == Role::only;
  constexpr bool loads = is_first && !Load::is_mirrored;
  constexpr bool stores = is_last && !Store::is_mirrored;
  const ThreadShare share = share_of(pass, (is_last ? pass.out : pass.in).across, thread.number);
  const std::uint32_t butterflies = stage.butterflies.count;
  Complex<Real>* const rows = buffer + share.lane * pass.pitch;
  LinePlace from, to;
  if constexpr (loads) from = thread.place(pass, pass.in, share);
  if constexpr (stores) to = thread.place(pass, pass.out, share);
  for (std::uint32_t b = share.first; b < butterflies; b += pass.threads.count) {
    Complex<Real> z[radix];
    Complex<Real>* first = nullptr;
    if constexpr (!loads || !stores) first = rows + (is_first ? b : stage.first_row[b]);
    if constexpr (loads) {
      Load::load(pass, from, b, butterflies, z);
    } else {
      unrolled<radix>([&](auto q) {
        constexpr int i = decltype(q)::number;
        z[i] = first[i * stage.leg];
      });
    }
    butterfly<radix>(z);
    if constexpr (!is_last) {
      const auto* const twiddles = static_cast<const Complex<Real>*>(stage.twiddles);
      unrolled<radix>([&](auto q) {
        constexpr int i = decltype(q)::number;
        if constexpr (i > 0) z[i] = times(z[i], twiddles[b + (i - 1) * butterflies]);
      });
    }
    if constexpr (stores) {
      Store::store(pass, to, b, butterflies, z);
    } else {
      unrolled<radix>([&](auto q) {
        constexpr int i = decltype(q)::number;
        first[i * stage.leg] = z[i];
      });
    }
  }
}

template <Role role, class Real, class Load, class Store, int... radices>
WEFT_INLINE void run_stage(const LinePass& pass, std::uint32_t number, const LineThread& thread,
                           Complex<Real>* buffer, Sequence<radices...>) {
  const LineStage& stage = pass.stage[number];
  const auto run_if = [&](auto candidate) {
    constexpr int radix = decltype(candidate)::number;
    if (stage.radix != radix) return false;
    run_butterflies<role, radix, Real, Load, Store>(pass, stage, thread, buffer);
    return true;
  };
  static_cast<void>((run_if(Constant<radices>{}) || ...));
}

/// Transforms the lines of a block. `team` runs phases: each thread's share of one, then all wait
/// for each other.
template <class Radices, class Real, class Load, class Store, class Team>
WEFT_INLINE void transform_block(const LinePass& pass, const Team& team, Complex<Real>* buffer) {
  const auto stage = [&](auto role, std::uint32_t number) {
    team.phase([&](const LineThread& thread) {
      run_stage<static_cast<Role>(decltype(role)::number), Real, Load, Store>(pass, number, thread,
                                                                              buffer, Radices{});
    });
  };
  if constexpr (Load::is_mirrored) {
    team.phase([&](const LineThread& thread) {
      const ThreadShare share = share_of(pass, pass.in.across, thread.number);
      const LinePlace place = thread.place(pass, pass.in, share);
      Complex<Real>* const rows = buffer + share.lane * pass.pitch;
      for (std::uint32_t k = share.first; 2 * k <= pass.points; k += pass.threads.count) {
        Load::load(pass, place, k, rows);
      }
    });
  }
  if (pass.stages == 1) {
    stage(Constant<static_cast<int>(Role::only)>{}, 0);
  } else {
    stage(Constant<static_cast<int>(Role::first)>{}, 0);
    for (std::uint32_t number = 1; number + 1 < pass.stages; ++number) {
      stage(Constant<static_cast<int>(Role::middle)>{}, number);
    }
    stage(Constant<static_cast<int>(Role::last)>{}, pass.stages - 1);
  }
  if constexpr (Store::is_mirrored) {
    team.phase([&](const LineThread& thread) {
      const ThreadShare share = share_of(pass, pass.out.across, thread.number);
      const LinePlace place = thread.place(pass, pass.out, share);
      const Complex<Real>* const rows = buffer + share.lane * pass.pitch;
      for (std::uint32_t k = share.first; 2 * k <= pass.points; k += pass.threads.count) {
        Store::store(pass, place, k, rows);
      }
    });
  }
}

/// Forms of passes, as types.
template <LineForm form, class Real>
struct Forms;
template <class Real>
struct Forms<LineForm::whole, Real> {
  using Load = WholeLoad<Real>;
  using Store = WholeStore<Real>;
};
template <class Real>
struct Forms<LineForm::complex, Real> {
  using Load = NumberLoad<ComplexNumber<Real>>;
  using Store = NumberStore<ComplexNumber<Real>>;
};
template <class Real>
struct Forms<LineForm::from_reals, Real> {
  using Load = NumberLoad<RealNumber<Real>>;
  using Store = MirroredStore<Real>;
};
template <class Real>
struct Forms<LineForm::to_reals, Real> {
  using Load = MirroredLoad<Real>;
  using Store = NumberStore<RealNumber<Real>>;
};
template <class Real>
struct Forms<LineForm::real_pairs, Real> {
  using Load = NumberLoad<RealPair<Real>>;
  using Store = NumberStore<RealPair<Real>>;
};

/// The radices of all transforms, those first that are used most.
using LineRadices = Sequence<16, 8, 10, 4, 9, 6, 5, 2, 3, 7, 13, 11, 1>;

}  // namespace

}  // namespace weft::stockham
