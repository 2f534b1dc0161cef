#pragma once

// What a block of threads does in a pass over lines. On the host the same, phase by phase.
#include "weft/kernels/line_convolution.hpp"
#include "weft/kernels/line_stage.hpp"
#include "weft/kernels/mirrored_run.hpp"

namespace weft::stockham {

namespace {

/// Runs phases for stages of a line, and work(Constant<radix>, stage, thread) in each. `team` runs
/// phases: each thread's share of one, then all wait for each other.
template <class Shape>
struct StageOrder {
  template <class Team, class Work>
  WEFT_INLINE static void forward(const LinePass& pass, const Team& team, const Work& work) {
    unrolled<Shape::stages>([&](auto which) { run<decltype(which)::number>(pass, team, work); });
  }
  /// From the last stage but one to the first.
  template <class Team, class Work>
  WEFT_INLINE static void back(const LinePass& pass, const Team& team, const Work& work) {
    unrolled<Shape::stages - 1>(
        [&](auto which) { run<Shape::stages - 2 - decltype(which)::number>(pass, team, work); });
  }

 private:
  template <int number, class Team, class Work>
  WEFT_INLINE static void run(const LinePass& pass, const Team& team, const Work& work) {
    team.phase([&](const LineThread& thread) {
      work(Constant<Shape::radix(number)>{}, FixedStage<Shape, number>{pass.stage[number]}, thread);
    });
  }
};
template <>
struct StageOrder<AnyShape> {
  template <class Team, class Work>
  WEFT_INLINE static void forward(const LinePass& pass, const Team& team, const Work& work) {
    run<Role::first>(pass, 0, team, work);
    for (std::uint32_t number = 1; number + 1 < pass.stages; ++number) {
      run<Role::middle>(pass, number, team, work);
    }
    run<Role::last>(pass, pass.stages - 1, team, work);
  }
  template <class Team, class Work>
  WEFT_INLINE static void back(const LinePass& pass, const Team& team, const Work& work) {
    for (std::uint32_t number = pass.stages - 2; number > 0; --number) {
      run<Role::middle>(pass, number, team, work);
    }
    run<Role::first>(pass, 0, team, work);
  }

 private:
  template <Role role, class Team, class Work>
  WEFT_INLINE static void run(const LinePass& pass, std::uint32_t number, const Team& team,
                              const Work& work) {
    team.phase([&](const LineThread& thread) {
      const AnyStage<role> stage{pass.stage[number]};
      with_radix(stage.stage.radix, [&](auto radix) { work(radix, stage, thread); });
    });
  }
};

/// Transforms the lines of a block, or convolves them.
template <class Shape, class Real, class Load, class Store, class Team>
WEFT_INLINE void run_stages(const LinePass& pass, const Team& team, Complex<Real>* buffer) {
  StageOrder<Shape>::forward(
      pass, team, [&](auto which, const auto& stage, const LineThread& thread) {
        using Stage = std::remove_cvref_t<decltype(stage)>;
        constexpr int radix = decltype(which)::number;
        if constexpr (convolves<Store> && Stage::is_last) {
          filter_spectra<radix, Shape>(pass, stage, thread, buffer);
        } else {
          run_butterflies<radix, Real, Load, Store, Shape>(
              pass, stage, StageShare::of<Shape, Load, Store>(pass, stage, thread), buffer, [] {});
        }
      });
  if constexpr (convolves<Store>) {
    StageOrder<Shape>::back(
        pass, team, [&](auto which, const auto& stage, const LineThread& thread) {
          run_transposed<decltype(which)::number, Store, Shape>(pass, stage, thread, buffer);
        });
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

/// Numbers that a thread loads at once, with their mirror images, and stores (H200, DCT-III of
/// 512^3 in double precision: 1.07 of the time where it loads five).
constexpr int loads_at_once = 4, stores_at_once = 5;

template <class Shape, class Real, class Load, class Store, class Team>
WEFT_INLINE void transform_block(const LinePass& pass, const Team& team, Complex<Real>* buffer) {
  const auto rows_of = [&](const ThreadShare& share) {
    return buffer + share.lane * Shape::lane_distance(pass);
  };
  if constexpr (Load::is_mirrored) {
    team.phase([&](const LineThread& thread) {
      const ThreadShare share = share_of<Shape>(pass, pass.in.across, thread.number);
      const LinePlace place = thread.place<Shape>(pass, pass.in, share);
      each_mirrored<Shape, loads_at_once>(
          pass, outer_stage<Shape, true>(pass), share.first, [&](const auto& run) {
            write_rows(rows_of(share), run, Load::load(pass, place, run), pass.backward);
          });
    });
  }
  run_stages<Shape, Real, Load, Store>(pass, team, buffer);
  if constexpr (Store::is_mirrored) {
    team.phase([&](const LineThread& thread) {
      const ThreadShare share = share_of<Shape>(pass, pass.out.across, thread.number);
      const LinePlace place = thread.place<Shape>(pass, pass.out, share);
      if (!place.exists) return;
      each_mirrored<Shape, stores_at_once>(
          pass, outer_stage<Shape, false>(pass), share.first,
          [&](const auto& run) { Store::store(pass, place, run, read_rows(rows_of(share), run)); });
    });
  }
}

}  // namespace

}  // namespace weft::stockham
