#pragma once

// What a block of threads does in a pass over lines. On the host the same, phase by phase.
#include "weft/kernels/line_stage.hpp"

namespace weft::stockham {

namespace {

/// Transforms the lines of a block. `team` runs phases: each thread's share of one, then all wait
/// for each other.
template <class Shape, class Real, class Load, class Store, class Team>
WEFT_INLINE void run_stages(const LinePass& pass, const Team& team, Complex<Real>* buffer) {
  if constexpr (Shape::is_fixed) {
    unrolled<Shape::stages>([&](auto which) {
      constexpr int number = decltype(which)::number;
      team.phase([&](const LineThread& thread) {
        const FixedStage<Shape, number> stage{pass.stage[number]};
        run_butterflies<Shape::radix(number), Real, Load, Store, Shape>(
            pass, stage, StageShare::of<Shape, Load, Store>(pass, stage, thread), buffer, [] {});
      });
    });
  } else {
    const auto run = [&](auto role, std::uint32_t number) {
      team.phase([&](const LineThread& thread) {
        run_any_stage<static_cast<Role>(decltype(role)::number), Real, Load, Store>(pass, number,
                                                                                    thread, buffer);
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
    constexpr Role role = is_first ? Role::first : Role::last;
    return AnyStage<role>{pass.stage[is_first ? 0 : pass.stages - 1]};
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
      const LinePlace place = thread.place<Shape>(pass, pass.in, share);
      const auto stage = outer_stage<Shape, true>(pass);
      for (MirroredRun run = run_of(share); run.has(0); next(run)) {
        MirroredNumbers<Real> numbers[MirroredRun::count];
        Load::load(pass, place, run, numbers);
        each<MirroredRun::count>([&](int i) {
          if (run.has(i)) enter(pass, stage, run.number(i), numbers[i], rows_of(share));
        });
      }
    });
  }
  run_stages<Shape, Real, Load, Store>(pass, team, buffer);
  if constexpr (Store::is_mirrored) {
    team.phase([&](const LineThread& thread) {
      const ThreadShare share = share_of<Shape>(pass, pass.out.across, thread.number);
      const LinePlace place = thread.place<Shape>(pass, pass.out, share);
      if (!place.exists) return;
      for (MirroredRun run = run_of(share); run.has(0); next(run)) {
        Store::store(pass, outer_stage<Shape, false>(pass), place, run, rows_of(share));
      }
    });
  }
}

}  // namespace

}  // namespace weft::stockham
