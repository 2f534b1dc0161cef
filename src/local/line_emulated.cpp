// Passes over lines on the emulated device: what threads of a GPU do, one after another.
#include <algorithm>
#include <array>
#include <limits>

#include "local/line_block.hpp"
#include "local/line_transform.hpp"
#include "weft/error.hpp"

namespace weft {

namespace {

/// As the smallest GPUs have it.
constexpr std::size_t block_bytes = std::size_t{64} << 10;

struct EmulatedTeam {
  const LinePass& pass;
  std::uint32_t block;

  template <class Work>
  void phase(const Work& work) const {
    const std::uint32_t threads = pass.lanes.count * pass.threads.count;
    for (std::uint32_t thread = 0; thread < threads; ++thread) {
      work(stockham::LineThread{block, thread});
    }
  }
};

template <LineForm form, class Real>
void run_block(const LinePass& pass, std::uint32_t block) {
  using Forms = stockham::Forms<form, Real>;
  using Number = stockham::Complex<Real>;
  const std::size_t numbers = std::size_t{pass.lanes.count} * pass.pitch;
  if (pass.lanes.count * pass.threads.count > most_line_threads(sizeof(Real) == sizeof(double)) ||
      numbers * sizeof(Number) > block_bytes) {
    throw Error("a block of threads beyond what a device has", ErrorCode::device);
  }
  constexpr Real poison = std::numeric_limits<Real>::quiet_NaN();
  alignas(Number) thread_local std::array<std::byte, block_bytes> memory;
  auto* const buffer = reinterpret_cast<Number*>(memory.data());
  std::fill_n(buffer, numbers, Number{poison, poison});
  stockham::with_shape(pass, typename stockham::KnownShapes<Real>::List{}, [&](auto shape) {
    stockham::transform_block<decltype(shape), Real, typename Forms::Load, typename Forms::Store>(
        pass, EmulatedTeam{pass, block}, buffer);
    return true;
  });
}

template <LineForm form, class Real>
void run_form(const LinePass& pass) {
  for (std::uint32_t block = 0; block * std::uint64_t{pass.lanes.count} < pass.lines; ++block) {
    run_block<form, Real>(pass, block);
  }
}

/// Blocks would wait forever here, where none runs at the same time.
template <class Real>
void run_planes_of(const PlanePass& pass) {
  for (std::uint32_t number = 0; number < block_count(pass); ++number) {
    const PlaneBlock block = plane_block(pass, number);
    if (!block.exists) continue;
    std::uint32_t& finished = pass.finished[block.plane];
    if (block.is_second && finished < pass.first_blocks) {
      throw Error("a block of threads works on a plane that is not ready", ErrorCode::device);
    }
    run_block<LineForm::whole, Real>(block.is_second ? pass.second : pass.first, block.number);
    finished = (finished + 1) % (pass.first_blocks + pass.second_blocks);
  }
}

template <class Real>
void run_of(LineForm form, const LinePass& pass) {
  switch (form) {
    case LineForm::whole:
      return run_form<LineForm::whole, Real>(pass);
    case LineForm::complex:
      return run_form<LineForm::complex, Real>(pass);
    case LineForm::from_packed:
      return run_form<LineForm::from_packed, Real>(pass);
    case LineForm::to_packed:
      return run_form<LineForm::to_packed, Real>(pass);
    case LineForm::from_reals:
      return run_form<LineForm::from_reals, Real>(pass);
    case LineForm::to_reals:
      return run_form<LineForm::to_reals, Real>(pass);
    case LineForm::real_pairs:
      return run_form<LineForm::real_pairs, Real>(pass);
  }
}

constexpr LineRunner runner{[] { return block_bytes; }, [](LineForm, Precision, const LinePass&) {},
                            [](Stream&, LineForm form, Precision precision, const LinePass& pass) {
                              if (precision == Precision::f32) {
                                run_of<float>(form, pass);
                              } else {
                                run_of<double>(form, pass);
                              }
                            },
                            [](Precision, const PlanePass&) -> std::uint32_t { return 2; },
                            [](Stream&, Precision precision, const PlanePass& pass) {
                              if (precision == Precision::f32) {
                                run_planes_of<float>(pass);
                              } else {
                                run_planes_of<double>(pass);
                              }
                            }};

}  // namespace

LocalBackend emulated_lines_backend() {
  return {.name = "stockham",
          .description = "weft's own kernels for GPUs, emulated",
          .usable = [] { return true; },
          .recommended = [] { return true; },
          .supports = [](const LocalProblem& problem) { return supports_lines(runner, problem); },
          .make = [](const LocalProblem& problem) { return make_lines(runner, problem); },
          .in_place = true,
          .scales = true,
          .device = "emulated",
          .any_layout = true};
}

}  // namespace weft
