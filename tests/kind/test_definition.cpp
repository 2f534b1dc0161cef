#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "kind/definition.hpp"
#include "kind/kind.hpp"

namespace weft {
namespace {

using Wide = std::complex<long double>;
using Vector = std::vector<Wide>;

Vector transformed(Kind kind, Direction direction, const Vector& in, Index out_length, Index n) {
  Vector out(static_cast<std::size_t>(out_length));
  for (Index k = 0; k < out_length; ++k) {
    for (Index j = 0; j < static_cast<Index>(in.size()); ++j) {
      out[static_cast<std::size_t>(k)] +=
          definition_factor(kind, direction, j, k, n) * in[static_cast<std::size_t>(j)];
    }
  }
  return out;
}

TEST(Definition, FactorsOfSeveralInputsAreThoseOfEach) {
  for (const Kind kind : {none, c2c, r2c, Kind::dct1, Kind::dct2, Kind::dct3, Kind::dct4,
                          Kind::dst1, Kind::dst2, Kind::dst3, Kind::dst4}) {
    for (const Direction direction : {Direction::forward, Direction::backward}) {
      for (const bool orthogonal : {false, true}) {
        const Index n = 12;
        const std::vector<Index> inputs{0, 3, 1, 6, 11};
        for (const Index k : {0, 5, 11}) {
          const auto factors = definition_factors(kind, direction, inputs, k, n, orthogonal);
          ASSERT_EQ(factors.size(), inputs.size());
          for (std::size_t i = 0; i < inputs.size(); ++i) {
            const Wide one = definition_factor(kind, direction, inputs[i], k, n, orthogonal);
            EXPECT_LE(std::abs(factors[i] - one), 1e-18L) << to_string(kind);
          }
        }
      }
    }
  }
}

TEST(Definition, CosineAndSineTransformsAreThoseOfSciPy) {
  const Vector input{1.5, -2.0, 0.25, 3.0, -0.75};
  // scipy.fft.dct and dst of SciPy 1.15
  const std::vector<std::pair<Kind, std::vector<double>>> expected{
      {Kind::dct1, {3.25, -4.8210678118654755, 0.25, 9.321067811865476, -0.75}},
      {Kind::dct2,
       {4.0, -1.5980981995965402, 0.09549150281252672, 12.155598798267665, -0.6545084971874744}},
      {Kind::dct3,
       {1.1634684541992764, -5.498463112565866, -0.4999999999999991, 10.616497101315762,
        1.7184975570508287}},
      {Kind::dct4,
       {2.24188361650215, -3.5514159721506, 7.778174593052023, 7.941394828716401,
        -4.1887528713507605}},
      {Kind::dst1,
       {2.9820508075688776, -4.7631397208144115, 1.0, 12.55736835487436, -0.48205080756887764}},
      {Kind::dst2,
       {2.5815594803123156, -6.865531527635406, 1.331559480312316, 10.157606846252921, 0.0}},
      {Kind::dst3,
       {3.936757568913345, -3.999378098623138, 1.7499999999999993, 10.66249705924777,
        -2.773638608288713}},
      {Kind::dst4,
       {2.8714014209932803, -1.8373254765274716, -6.3639610306789285, 9.5523198353129,
        3.922049813134532}},
  };
  for (const auto& [kind, values] : expected) {
    const Vector result = transformed(kind, Direction::forward, input, 5, 5);
    for (std::size_t k = 0; k < 5; ++k) {
      EXPECT_NEAR(static_cast<double>(result[k].real()), values[k], 1e-14)
          << to_string(kind) << " " << k;
      EXPECT_EQ(result[k].imag(), 0) << to_string(kind);
    }
  }
}

TEST(Definition, FourierTransformsHaveTheUsualSign) {
  const Vector delta{0, 1, 0, 0};
  const Vector result = transformed(Kind::c2c, Direction::forward, delta, 4, 4);
  const Vector expected{1, {0, -1}, -1, {0, 1}};
  for (std::size_t k = 0; k < 4; ++k) EXPECT_LT(std::abs(result[k] - expected[k]), 1e-18L) << k;
}

TEST(Definition, BackwardOfForwardMultipliesByTheLogicalLength) {
  for (const KindTraits& row : kind_table()) {
    for (Index n : {2, 3, 4, 7, 12}) {
      Vector input;
      for (Index j = 0; j < n; ++j) input.push_back(std::sin(1.0L + 3.0L * j * j));
      const Vector there =
          transformed(row.kind, Direction::forward, input, row.output_length(n), n);
      const Vector back = transformed(row.kind, Direction::backward, there, n, n);
      for (std::size_t j = 0; j < input.size(); ++j) {
        const auto factor = static_cast<long double>(row.logical_length(n));
        EXPECT_NEAR(static_cast<double>(back[j].real() / factor),
                    static_cast<double>(input[j].real()), 1e-15)
            << row.name << " " << n;
      }
    }
  }
}

TEST(Definition, TheMatrixHasAllFactors) {
  for (const KindTraits& row : kind_table()) {
    if (!is_real_kind(row.kind)) continue;
    for (const Direction direction : {Direction::forward, Direction::backward}) {
      for (const bool orthogonal : {false, true}) {
        for (const Index n : {2, 5, 8}) {
          const std::vector<long double> matrix =
              definition_matrix(row.kind, direction, n, orthogonal);
          ASSERT_EQ(static_cast<Index>(matrix.size()), n * n);
          for (Index at = 0; at < n * n; ++at) {
            const Wide factor =
                definition_factor(row.kind, direction, at % n, at / n, n, orthogonal);
            EXPECT_EQ(matrix[static_cast<std::size_t>(at)], factor.real()) << row.name << " " << n;
          }
        }
      }
    }
  }
}

TEST(Definition, OrthogonalTransformsAreOrthogonal) {
  for (const KindTraits& row : kind_table()) {
    if (!is_real_kind(row.kind)) continue;
    for (const Direction direction : {Direction::forward, Direction::backward}) {
      for (const Index n : {2, 3, 8}) {
        const std::vector<long double> matrix = definition_matrix(row.kind, direction, n, true);
        const auto at = [&](Index k, Index j) {
          return matrix[static_cast<std::size_t>(k * n + j)];
        };
        for (Index a = 0; a < n * n; ++a) {
          long double product = 0;
          for (Index j = 0; j < n; ++j) product += at(a / n, j) * at(a % n, j);
          const Index expected = a / n == a % n ? row.logical_length(n) : 0;
          EXPECT_NEAR(static_cast<double>(product), static_cast<double>(expected), 1e-14)
              << row.name << " " << n << ", rows " << a / n << " and " << a % n;
        }
      }
    }
  }
}

TEST(Definition, OnePointHasNoFirstCosineTransform) {
  EXPECT_THROW(definition_factor(Kind::dct1, Direction::forward, 0, 0, 1), Error);
}

}  // namespace
}  // namespace weft
