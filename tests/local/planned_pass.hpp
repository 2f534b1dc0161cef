#pragma once

// Passes over lines that tests run on the emulated device with shapes of their own.
#include <gtest/gtest.h>

#include <complex>
#include <memory>
#include <vector>

#include "device/methods.hpp"
#include "local/line_plan.hpp"
#include "verify/random_value.hpp"
#include "weft/kernels/emulated_team.hpp"

namespace weft::test {

using stockham::FixedShape;

/// A pass over contiguous lines, with the tables of its plan.
struct PlannedPass {
  PlannedPass(Index points, Index lines, Precision precision = Precision::f64,
              LineForm form = LineForm::complex,
              std::size_t block_bytes = stockham::emulated_block_bytes, bool across = false,
              Index block_lines = 0)
      : device(find_device_method("emulated").open(0)), stream(device->make_stream()) {
    LinePlan plan(points, precision, form, {block_bytes}, block_lines);
    is_wide = plan.is_wide();
    plan.add_to(tables);
    tables.load(*stream);
    pass.in.across = across;
    plan.enter(tables, lines, pass);
    pass.lines = static_cast<std::uint32_t>(lines);
    pass.loop[0] = make_divisor(pass.lines);
    pass.loops = 1;
    pass.in.loop_step[0] = pass.out.loop_step[0] = points;
  }

  template <class Shape>
  void take() {
    pass.lanes = make_divisor(Shape::block_lanes);
    pass.threads = make_divisor(Shape::line_threads);
    pass.pitch = Shape::line_pitch;
  }

  std::unique_ptr<Device> device;
  std::unique_ptr<Stream> stream;
  LineTables tables;
  LinePass pass;
  bool is_wide = false;
};

/// One and two radices, with several turns, one, and threads that have none; more radices; few and
/// many lines; one point.
using Shapes = ::testing::Types<
    FixedShape<3, 1, 1, 1, 1>, FixedShape<40, 1, 1, 1, 4>, FixedShape<2, 1, 1, 1, 13>,
    FixedShape<4, 2, 1, 3, 7>, FixedShape<8, 5, 1, 10, 10>, FixedShape<1, 6, 1, 11, 13>,
    FixedShape<2, 14, 1, 11, 13>, FixedShape<2, 7, 1, 5, 8, 9>, FixedShape<4, 30, 1, 6, 10, 10>,
    FixedShape<1, 128, 1, 8, 16, 16>, FixedShape<1, 256, 1, 5, 7, 11, 13>>;

/// What a pass reads, which is not written.
inline std::byte* data_of(const std::vector<std::complex<double>>& numbers) {
  return reinterpret_cast<std::byte*>(const_cast<std::complex<double>*>(numbers.data()));
}

inline std::vector<std::complex<double>> random_numbers(std::size_t count, std::uint64_t seed) {
  std::vector<std::complex<double>> result(count);
  for (std::size_t i = 0; i < count; ++i) {
    result[i] = random_number<std::complex<double>>(static_cast<Index>(i), seed);
  }
  return result;
}

}  // namespace weft::test
