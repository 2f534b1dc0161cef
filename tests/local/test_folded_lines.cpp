// Real lines as complex ones of half as many numbers, to the first numbers of their spectra and
// back, with shapes that compilers know: against what passes say in tables, and the definition.
#include <gtest/gtest.h>

#include <complex>
#include <numbers>
#include <vector>

#include "local/planned_pass.hpp"
#include "weft/kernels/fold_forms.hpp"

namespace weft {
namespace {

using test::data_of;
using test::PlannedPass;
using test::random_numbers;
using test::Shapes;

using Numbers = std::vector<std::complex<double>>;
constexpr std::complex<double> poison{1e300, 1e300};

template <class Shape>
class FoldedLines : public ::testing::Test {
 protected:
  static constexpr std::uint32_t points = Shape::line_points, numbers = points + 1;
  static constexpr std::uint32_t lines = Shape::block_lanes + 1;
  static constexpr std::uint32_t stored = numbers - points / 3;

  FoldedLines() : planned_(points, lines) {
    planned_.template take<Shape>();
    for (std::uint32_t k = 0; k <= points / 2; ++k) turns_.push_back(root(k, -1));
  }

  static std::complex<double> root(std::uint64_t turn, double sign) {
    return std::polar(1.0, sign * std::numbers::pi * double(turn % (2 * points)) / points);
  }

  /// Spectra of packed lines.
  template <class Shapes>
  Numbers fold(const Numbers& in) {
    return run<Shapes, stockham::WholeLoad<double>, stockham::FoldStore<double>>(in, false);
  }
  /// The reverse.
  template <class Shapes>
  Numbers unfold(const Numbers& in) {
    return run<Shapes, stockham::FoldLoad<double>, stockham::WholeStore<double>>(in, true);
  }

 private:
  template <class Shapes, class Load, class Store>
  Numbers run(const Numbers& in, bool backward) {
    LinePass pass = planned_.pass;
    pass.backward = backward;
    LineSide &reals = backward ? pass.out : pass.in, &spectra = backward ? pass.in : pass.out;
    reals.loop_step[0] = points;
    spectra.loop_step[0] = numbers;
    spectra.stored = stored;
    spectra.table = turns_.data();
    Numbers out(std::size_t{backward ? points : numbers} * lines, poison);
    pass.in.data = data_of(in);
    pass.out.data = reinterpret_cast<std::byte*>(out.data());
    for (std::uint32_t line = 0; line < lines; line += Shape::block_lanes) {
      stockham::emulate_block<Shapes, double, Load, Store>(pass, {line, lines});
    }
    return out;
  }

  PlannedPass planned_;
  Numbers turns_;
};
TYPED_TEST_SUITE(FoldedLines, Shapes);

TYPED_TEST(FoldedLines, AreThoseOfTablesAndTheDefinition) {
  using Known = stockham::ShapeList<TypeParam>;
  using Any = stockham::ShapeList<>;
  constexpr std::uint32_t points = TestFixture::points, numbers = TestFixture::numbers;
  constexpr std::uint32_t stored = TestFixture::stored;
  const Numbers packed = random_numbers(std::size_t{points} * TestFixture::lines, 20261130);
  const Numbers folded = this->template fold<Known>(packed);
  EXPECT_EQ(folded, this->template fold<Any>(packed));
  const Numbers unfolded = this->template unfold<Known>(folded);
  EXPECT_EQ(unfolded, this->template unfold<Any>(folded));

  // The last line, as it has been, and numbers of it that a spectrum of some numbers gives.
  const auto* const reals = reinterpret_cast<const double*>(&packed[packed.size() - points]);
  const auto* const back = reinterpret_cast<const double*>(&unfolded[unfolded.size() - points]);
  const auto* const spectrum = &folded[folded.size() - numbers];
  for (std::uint32_t k = 0; k < stored; ++k) {
    std::complex<double> expected = 0;
    for (std::uint64_t j = 0; j < 2 * points; ++j) expected += reals[j] * this->root(j * k, -1);
    ASSERT_LE(std::abs(spectrum[k] - expected), 1e-11) << k;
  }
  for (std::uint32_t k = stored; k < numbers; ++k) ASSERT_EQ(spectrum[k], poison) << k;
  for (std::uint64_t j = 0; j < 2 * points; ++j) {
    double expected = 0;
    for (std::uint32_t k = 0; k < stored; ++k) {
      const int times = k == 0 || k == points ? 1 : 2;
      expected += times * (spectrum[k] * this->root(j * k, 1)).real();
    }
    ASSERT_LE(std::abs(back[j] - expected), 1e-9) << j;
  }
}

}  // namespace
}  // namespace weft
