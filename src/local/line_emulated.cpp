// Passes over lines on the emulated device.
#include "local/line_emulated.hpp"
#include "weft/kernels/emulated_team.hpp"

namespace weft {

namespace {

/// A pass over lines or planes.
template <class Pass>
void run(Precision precision, const Pass& pass) {
  if (precision == Precision::f32) {
    EmulatedPasses<float>::run(pass);
  } else {
    EmulatedPasses<double>::run(pass);
  }
}

constexpr LineRunner runner{
    [] { return stockham::emulated_block_bytes; },
    [] { return std::uint32_t{0}; },
    [](Precision, const LinePass&) -> LineKernel { return nullptr; },
    [](Stream&, Precision precision, LineKernel, const LinePass& pass) { run(precision, pass); },
    [](Precision, const PieceLines&) -> LineKernel { return nullptr; },
    [](Stream&, Precision precision, LineKernel, const PieceLines& pass) { run(precision, pass); },
    [](Precision precision, PlanePass<>& pass) -> std::optional<LineKernel> {
      pass.mixed = precision == Precision::f32;
      pass.lag = pass.mixed ? 1 : 2;
      pass.lag_blocks = pass.mixed ? pass.second_blocks() / 3 : 0;
      return nullptr;
    },
    [](Stream&, Precision precision, LineKernel, const PlanePass<>& pass) { run(precision, pass); },
    [](const detail::FusedCalls&, const detail::FusedPass& pass) {
      return pass.planes == nullptr && pass.has_whole_numbers();
    },
    [](Stream&, const detail::PointFunction& function, const detail::FusedPass& pass) {
      function.fused_calls()->run(function.object(), pass);
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
