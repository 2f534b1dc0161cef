#include "kind/modes.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "kind/kind.hpp"

namespace weft {
namespace {

std::vector<Index> coefficients(Kind kind, Index n, Index kept) {
  std::vector<Index> result;
  for (Index k = 0; k < kept; ++k) result.push_back(coefficient_index(kind, k, n, kept));
  return result;
}

TEST(Modes, OfComplexSpectraAreLowFrequenciesOfEitherSign) {
  EXPECT_EQ(coefficients(c2c, 8, 5), (std::vector<Index>{0, 1, 2, 6, 7}));
  EXPECT_EQ(coefficients(c2c, 8, 4), (std::vector<Index>{0, 1, 6, 7}));
  EXPECT_EQ(coefficients(c2c, 7, 4), (std::vector<Index>{0, 1, 5, 6}));
  EXPECT_EQ(coefficients(c2c, 8, 2), (std::vector<Index>{0, 7}));
  EXPECT_EQ(coefficients(c2c, 8, 1), (std::vector<Index>{0}));
  EXPECT_EQ(coefficients(c2c, 1, 1), (std::vector<Index>{0}));
}

TEST(Modes, OfComplexSpectraAreThoseOfAShorterTransform) {
  for (Index n = 1; n <= 9; ++n) {
    for (Index kept = 1; kept <= n; ++kept) {
      for (Index k = 0; k < kept; ++k) {
        EXPECT_EQ(wavenumber(c2c, coefficient_index(c2c, k, n, kept), n), wavenumber(c2c, k, kept))
            << n << " " << kept << " " << k;
      }
    }
  }
}

TEST(Modes, OfOtherKindsAreTheFirst) {
  for (const KindTraits& row : kind_table()) {
    if (row.kind == c2c) continue;
    EXPECT_EQ(coefficients(row.kind, 8, 3), (std::vector<Index>{0, 1, 2})) << row.name;
    EXPECT_EQ(split_modes(row.kind, 3).end, 0) << row.name;
  }
}

TEST(Modes, AllOfThemStayWhereTheyAre) {
  for (const Kind kind : {c2c, r2c, Kind::dct2}) {
    for (const Index n : {1, 2, 7, 8}) {
      for (Index k = 0; k < n; ++k) EXPECT_EQ(coefficient_index(kind, k, n, n), k);
    }
  }
}

}  // namespace
}  // namespace weft
