// Shapes that compilers know, for any length, against what passes say in tables: on GPUs every
// kernel has such a shape, on the emulated device those of a few lengths.
#include <gtest/gtest.h>

#include <algorithm>
#include <complex>
#include <numbers>

#include "local/planned_pass.hpp"
#include "weft/complex.hpp"
#include "weft/kernels/fused_access.hpp"
#include "weft/kernels/line_convolution.hpp"
#include "weft/kernels/planned_shape.hpp"

namespace weft {
namespace {

using stockham::FixedShape;
using test::data_of;
using test::PlannedPass;
using test::random_numbers;
using test::Shapes;

template <class Shape>
class LineShapes : public ::testing::Test {};
TYPED_TEST_SUITE(LineShapes, Shapes);

TYPED_TEST(LineShapes, HaveTheRowsOfTables) {
  using Shape = TypeParam;
  const PlannedPass planned(Shape::line_points, 100);
  const LinePass& pass = planned.pass;
  ASSERT_EQ(pass.stages, Shape::stages);
  EXPECT_EQ(pass.pitch, stockham::pitch_of(Shape::first_leg * Shape::radix(0),
                                           static_cast<int>(pass.lanes.count)));
  stockham::unrolled<Shape::stages>([&](auto which) {
    constexpr int number = decltype(which)::number;
    const LineStage& stage = pass.stage[number];
    using Fixed = stockham::FixedStage<Shape, number>;
    ASSERT_EQ(stage.radix, static_cast<std::uint32_t>(Shape::radix(number)));
    ASSERT_EQ(stage.butterflies.count, Fixed::butterflies());
    EXPECT_EQ(stage.leg, Fixed::leg());
    for (std::uint32_t b = 0; b < Fixed::butterflies(); ++b) {
      ASSERT_EQ(stage.first_row[b], static_cast<std::int32_t>(Fixed::row(b))) << number << " " << b;
    }
  });
}

TYPED_TEST(LineShapes, TransformAsTablesDo) {
  using Shape = TypeParam;
  using Load = stockham::WholeLoad<double>;
  using Store = stockham::WholeStore<double>;
  PlannedPass planned(Shape::line_points, Shape::block_lanes + 1);
  LinePass& pass = planned.pass;
  planned.template take<Shape>();
  const auto in = random_numbers(std::size_t{pass.points} * pass.lines, 20261128);
  for (const bool backward : {false, true}) {
    pass.backward = backward;
    const auto transform = [&](auto shapes) {
      std::vector<std::complex<double>> out(in.size(), {1e300, 1e300});
      pass.in.data = data_of(in);
      pass.out.data = reinterpret_cast<std::byte*>(out.data());
      for (std::uint32_t line = 0; line < pass.lines; line += pass.lanes.count) {
        stockham::emulate_block<decltype(shapes), double, Load, Store>(pass, {line, pass.lines});
      }
      return out;
    };
    ASSERT_TRUE(stockham::has_shape(pass, Shape{}));
    EXPECT_EQ(transform(stockham::ShapeList<Shape>{}), transform(stockham::ShapeList<>{}));
  }
}

/// The last numbers of each line are zero, and dropped.
TYPED_TEST(LineShapes, ConvolveAsTablesDo) {
  using Shape = TypeParam;
  using Load = stockham::NumberLoad<stockham::ComplexNumber<double>>;
  using Store = stockham::ConvolvedStore<double>;
  PlannedPass planned(Shape::line_points, Shape::block_lanes + 1);
  LinePass& pass = planned.pass;
  planned.template take<Shape>();
  const std::uint32_t points = pass.points, stored = points / 2 + 1;
  pass.in.stored = pass.out.stored = stored;
  const auto in = random_numbers(std::size_t{points} * pass.lines, 20261129);
  auto filter = random_numbers(points, 20261130);
  for (auto& z : filter) z /= double(points);
  pass.filter = filter.data();
  const auto convolve = [&](auto shapes) {
    std::vector<std::complex<double>> out(in.size(), {1e300, 1e300});
    pass.in.data = data_of(in);
    pass.out.data = reinterpret_cast<std::byte*>(out.data());
    for (std::uint32_t line = 0; line < pass.lines; line += pass.lanes.count) {
      stockham::emulate_block<decltype(shapes), double, Load, Store>(pass, {line, pass.lines});
    }
    return out;
  };
  const auto convolved = convolve(stockham::ShapeList<>{});
  EXPECT_EQ(convolve(stockham::ShapeList<Shape>{}), convolved);
  // The definition, of the last line.
  const auto transform = [&](const std::vector<std::complex<double>>& from, double sign) {
    std::vector<std::complex<double>> to(points);
    for (std::uint32_t k = 0; k < points; ++k) {
      for (std::uint32_t j = 0; j < points; ++j) {
        const std::uint64_t turns = std::uint64_t{j} * k % points;
        to[k] += from[j] * std::polar(1.0, sign * 2 * std::numbers::pi * double(turns) / points);
      }
    }
    return to;
  };
  const std::size_t last = in.size() - points;
  std::vector<std::complex<double>> line(points);
  std::copy_n(in.begin() + static_cast<std::ptrdiff_t>(last), stored, line.begin());
  line = transform(line, -1);
  for (std::uint32_t k = 0; k < points; ++k) line[k] *= filter[k];
  line = transform(line, 1);
  for (std::uint32_t j = 0; j < points; ++j) {
    const std::complex<double> expected = j < stored ? line[j] : std::complex(1e300, 1e300);
    ASSERT_LE(std::abs(convolved[last + j] - expected), 1e-12) << j;
  }
}

/// Tells points apart, and places in the array.
struct Mark {
  WEFT_HOST_DEVICE void operator()(Complex<double>& value, const Point& point) const {
    const Index place = point.index[0] * 5 + point.index[1] % 97 * 7 + point.index[2] * 11;
    value = value * static_cast<double>(1 + place + point.offset % 13);
  }
};

/// The middle one of three axes with a callback on one side, where the compiler knows that axis and
/// that blocks are full, and where it does not, against a callback before or after.
template <class Shape, bool on_input>
void expect_callback_within() {
  constexpr std::uint32_t outer = 3, inner = 2 * Shape::block_lanes, points = Shape::line_points;
  PlannedPass planned(points, outer * inner);
  LinePass& pass = planned.pass;
  planned.template take<Shape>();
  pass.loop[0] = make_divisor(outer);
  pass.loop[1] = make_divisor(inner);
  pass.loops = 2;
  for (LineSide* side : {&pass.in, &pass.out}) {
    side->step = inner;
    side->loop_step[0] = points * inner;
    side->loop_step[1] = 1;
  }
  PointBlock block;
  block.first = {{40, 300, 2000}};
  block.loop_count = 3;
  block.loops[0] = {inner, 1, 1, 1, 2};
  block.loops[1] = {points, inner, inner, inner, 1};
  block.loops[2] = {outer, points * inner, points * inner, points * inner, 0};
  detail::PointPlaces places;
  ASSERT_TRUE(detail::make_point_places(block, places));
  ASSERT_TRUE(places.has_lines_along(1, inner));
  places.follow_lines(inner);

  std::vector<std::complex<double>> in(std::size_t{points} * outer * inner);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = {double(i % 101) - 50, double(i % 37)};
  const auto apply = [&](std::vector<std::complex<double>>& numbers) {
    for (std::uint32_t i = 0; i < numbers.size(); ++i) {
      Complex<double> z{numbers[i].real(), numbers[i].imag()};
      Mark{}(z, places.at(i));
      numbers[i] = {z.re, z.im};
    }
  };
  std::vector<std::complex<double>> marked = in;
  apply(marked);
  const auto transform = [&](auto shape, const auto& numbers, auto load, auto store) {
    std::vector<std::complex<double>> out(in.size(), {1e300, 1e300});
    pass.in.data = data_of(numbers);
    pass.out.data = reinterpret_cast<std::byte*>(out.data());
    const detail::FusedLines<Mark> lines{pass, places, Mark{}};
    for (std::uint32_t line = 0; line < pass.lines; line += pass.lanes.count) {
      stockham::emulate_block<stockham::ShapeList<decltype(shape)>, double, decltype(load),
                              decltype(store)>(lines, {line, pass.lines});
    }
    return out;
  };
  const auto transform_and_apply = [&](auto shape, auto axis) {
    using Forms = detail::FusedForms<Complex<double>, Mark, on_input, decltype(axis)::number,
                                     stockham::PlainMemory, 4>;
    return transform(shape, in, typename Forms::Load{}, typename Forms::Store{});
  };
  for (const bool backward : {false, true}) {
    pass.backward = backward;
    // Callbacks need lines that are not reversed on their side.
    auto expected = transform(Shape{}, on_input ? marked : in,
                              stockham::WholeLoad<double, stockham::PlainAccess, !on_input>{},
                              stockham::WholeStore<double, stockham::PlainAccess, on_input>{});
    if (!on_input) apply(expected);
    EXPECT_EQ(transform_and_apply(stockham::FullShape<Shape>{}, stockham::Constant<1>{}), expected);
    EXPECT_EQ(transform_and_apply(Shape{}, stockham::Constant<detail::PointPlaces::any_axis>{}),
              expected);
  }
}

TEST(FullShapes, ApplyCallbacksAlongKnownAxes) {
  expect_callback_within<FixedShape<4, 32, 1, 32, 32>, true>();
  expect_callback_within<FixedShape<4, 32, 1, 32, 32>, false>();
  expect_callback_within<FixedShape<8, 24, 1, 6, 8, 8>, true>();
  expect_callback_within<FixedShape<8, 24, 1, 6, 8, 8>, false>();
}

template <class Real, LineForm form, int length>
using ShapesOfAxis = stockham::ShapesOfAxes<Real, form, length>;

/// One of the shapes that kernels for callbacks have along axes of a length is that of plans on a
/// GPU.
template <class Real, LineForm form, int length>
void expect_shape_of_plan() {
  const Precision precision = sizeof(Real) == sizeof(double) ? Precision::f64 : Precision::f32;
  const Index points = length / stockham::axis_numbers(form);
  for (const bool across : {false, true}) {
    const PlannedPass planned(points, 100000, precision, form, stockham::usual_block_bytes, across);
    bool found = false;
    stockham::each_shape(ShapesOfAxis<Real, form, length>{}, [&]<class Shape>(Shape shape) {
      const auto block = static_cast<std::size_t>(Shape::block_lanes * Shape::line_pitch);
      EXPECT_LE(block * 2 * sizeof(Real) * Shape::blocks, stockham::usual_block_bytes) << length;
      found = found ||
              (stockham::has_shape(planned.pass, shape) && planned.pass.pitch == Shape::line_pitch);
    });
    EXPECT_TRUE(found) << length << " across: " << across;
  }
}

/// The same of many lines that are neighbors, where blocks last; and they fill warps.
template <class Real, int length>
void expect_wide_shape_of_plan() {
  constexpr bool is_double = sizeof(Real) == sizeof(double);
  PlannedPass planned(length, 100000, is_double ? Precision::f64 : Precision::f32, LineForm::whole,
                      stockham::usual_block_bytes, true, 1000);
  planned.pass.lasting_blocks = 1;
  bool found = false;
  stockham::each_shape(
      ShapesOfAxis<Real, LineForm::whole, length>{}, [&]<class Shape>(Shape shape) {
        if (!Shape::is_wide) return;
        found = true;
        EXPECT_TRUE(stockham::has_shape(planned.pass, shape)) << length;
        EXPECT_EQ(planned.pass.pitch, Shape::line_pitch) << length;
        EXPECT_EQ(planned.pass.block_threads(), Shape::block_threads) << length;
        EXPECT_LE(planned.pass.shared_numbers() * 2 * sizeof(Real), stockham::usual_block_bytes);
        EXPECT_LE(Shape::line_points, Shape::radix(1) * Shape::line_threads) << length;
      });
  EXPECT_EQ(found, planned.is_wide) << length;
}

template <int... lengths>
void expect_wide_shapes_of_plans() {
  (expect_wide_shape_of_plan<double, lengths>(), ...);
  (expect_wide_shape_of_plan<float, lengths>(), ...);
}

TEST(WideShapes, AreThoseOfPlans) {
  for (const int points : {520, 600, 1000}) EXPECT_TRUE(stockham::wide_radices(points).exist());
  for (const int points : {480, 637, 1014}) EXPECT_FALSE(stockham::wide_radices(points).exist());
  expect_wide_shapes_of_plans<64, 480, 500, 512, 520, 525, 600, 625, 637, 720, 800, 960, 1000>();
  expect_wide_shapes_of_plans<1001, 1014, 1024, 1029, 1040, 2048>();
}

template <int... lengths>
void expect_shapes_of_plans() {
  (expect_shape_of_plan<double, LineForm::whole, lengths>(), ...);
  (expect_shape_of_plan<float, LineForm::whole, lengths>(), ...);
  (expect_shape_of_plan<double, LineForm::from_packed, 2 * lengths>(), ...);
  (expect_shape_of_plan<float, LineForm::to_packed, 2 * lengths>(), ...);
}

TEST(PlannedShapes, AreThoseOfPlans) {
  expect_shapes_of_plans<1, 2, 13, 20, 60, 64, 77, 96, 130, 192, 360, 480, 500>();
  expect_shapes_of_plans<512, 600, 625, 720, 768, 1000, 1001, 1024, 1536, 2000, 4096, 5005>();
}

TEST(PlannedShapes, AreNoneWhereThereIsNoKernel) {
  using None = stockham::ShapeList<>;
  const auto same = []<class One, class Other>(One, Other) { return std::is_same_v<One, Other>; };
  EXPECT_TRUE(same(ShapesOfAxis<double, LineForm::whole, 97>{}, None{}));
  EXPECT_TRUE(same(ShapesOfAxis<double, LineForm::whole, 65536>{}, None{}));
  EXPECT_TRUE(same(ShapesOfAxis<float, LineForm::from_packed, 75>{}, None{}));
  EXPECT_FALSE(same(ShapesOfAxis<float, LineForm::whole, 75>{}, None{}));
}

}  // namespace
}  // namespace weft
