#include <gtest/gtest.h>

#include "kind/definition.hpp"
#include "kind/kind.hpp"
#include "support/error_text.hpp"

namespace weft {
namespace {

using test::error_text;

TEST(Kind, EveryNameIsRead) {
  for (const KindTraits& row : kind_table()) {
    EXPECT_EQ(to_string(row.kind), row.name);
    EXPECT_EQ(parse_kinds(row.name).resolve(1)[0], row.kind);
    EXPECT_EQ(&traits(row.kind), &row);
  }
  EXPECT_THROW(traits(static_cast<Kind>(99)), Error);
}

TEST(Kind, OneNameStandsForAllAxes) {
  EXPECT_EQ(Kinds(c2c).resolve(3), (Axes<Kind>{c2c, c2c, c2c}));
  EXPECT_EQ(Kinds(r2c).resolve(3), (Axes<Kind>{c2c, c2c, r2c}));
  EXPECT_EQ(Kinds(none).resolve(2), (Axes<Kind>{none, none}));
  EXPECT_EQ(Kinds(r2c).resolve(1), (Axes<Kind>{r2c}));
}

TEST(Kind, ListsNameEachAxis) {
  EXPECT_EQ(parse_kinds("none,r2c,c2c").resolve(3), (Axes<Kind>{none, r2c, c2c}));
  EXPECT_EQ(to_string(Axes<Kind>{none, r2c, c2c}), "none,r2c,c2c");
  EXPECT_EQ((Kinds{c2c, none}).resolve(2), (Axes<Kind>{c2c, none}));
}

TEST(Kind, InverseGoesTheWayBack) {
  EXPECT_EQ(inverse(Kind::dct2), Kind::dct3);
  EXPECT_EQ(inverse(Kind::dst3), Kind::dst2);
  for (const KindTraits& row : kind_table()) {
    EXPECT_EQ(inverse(inverse(row.kind)), row.kind);
    if (!is_real_kind(row.kind)) {
      EXPECT_EQ(inverse(row.kind), row.kind);
      continue;
    }
    // Its forward transform after that of the kind gives multiples of the input.
    constexpr Index n = 5;
    for (Index j = 0; j < n; ++j) {
      for (Index k = 0; k < n; ++k) {
        std::complex<long double> sum = 0;
        for (Index i = 0; i < n; ++i) {
          sum += definition_factor(row.kind, Direction::forward, j, i, n) *
                 definition_factor(inverse(row.kind), Direction::forward, i, k, n);
        }
        EXPECT_NEAR(std::abs(sum), j == k ? row.logical_length(n) : 0, 1e-12)
            << row.name << ' ' << j << ' ' << k;
      }
    }
  }
}

TEST(Kind, RefusesUnknownNamesAndWrongNumbers) {
  for (const char* text : {"", "c2r", "dft", "c2c,", ",c2c", "c2c,,c2c", "C2C", "c2c c2c"}) {
    EXPECT_THROW(parse_kinds(text), Error) << text;
  }
  try {
    parse_kinds("none,r2r");
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "kind 'r2r' is unknown (did you mean 'r2c'?); known: none, c2c, r2c, dct1, dct2, "
                 "dct3, dct4, dst1, dst2, dst3, dst4");
  }
  const std::pair<const char*, const char*> foreign[] = {
      {"c2r", "(it is the backward transform of 'r2c': "},
      {"R2C", "(names are lower case: 'r2c')"},
      {"dct", "(did you mean 'dct2'?)"},
      {"RODFT11", "(did you mean 'dst4'?)"},
  };
  for (const auto& [name, hint] : foreign) {
    try {
      parse_kinds(name);
      ADD_FAILURE() << name;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find(hint), std::string::npos) << error.what();
    }
  }
  try {
    parse_kinds("c2c,c2c").resolve(3);
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "kinds 'c2c,c2c' are 2, the array has 3 axes");
  }
}

TEST(Kind, SpectralShapeHalvesTheRealAxis) {
  EXPECT_EQ(spectral_shape({8, 7, 6}, {c2c, r2c, none}), (Extents{8, 4, 6}));
  EXPECT_EQ(spectral_shape({8}, {r2c}), (Extents{5}));
  EXPECT_EQ(spectral_shape({1}, {r2c}), (Extents{1}));
  EXPECT_EQ(halved_axis({c2c, r2c, none}), 1);
  EXPECT_EQ(halved_axis({c2c, none}), -1);
  EXPECT_THROW(halved_axis({r2c, r2c}), Error);
}

TEST(Kind, WavenumbersAreThoseOfFftfreq) {
  // numpy.fft.fftfreq(n) * n
  const std::vector<Index> even{0, 1, 2, 3, -4, -3, -2, -1};
  const std::vector<Index> odd{0, 1, 2, 3, -3, -2, -1};
  for (Index k = 0; k < 8; ++k) EXPECT_EQ(wavenumber(c2c, k, 8), even[static_cast<std::size_t>(k)]);
  for (Index k = 0; k < 7; ++k) EXPECT_EQ(wavenumber(c2c, k, 7), odd[static_cast<std::size_t>(k)]);
  // numpy.fft.rfftfreq(n) * n
  for (Index k = 0; k <= 4; ++k) EXPECT_EQ(wavenumber(r2c, k, 8), k);
  EXPECT_EQ(wavenumber(none, 3, 8), 0);
  EXPECT_EQ(wavenumber(c2c, 0, 1), 0);
}

TEST(Kind, PointsAndWavenumbersAreThoseOfTheDefinition) {
  constexpr double pi = 3.14159265358979323846;
  for (const KindTraits& kind : kind_table()) {
    if (!kind.transforms) continue;
    for (Index n = std::max<Index>(kind.least_length, 2); n < 8; ++n) {
      for (Index j = 0; j < n; ++j) {
        for (Index k = 0; k < kind.output_length(n); ++k) {
          const double phase = pi * wavenumber(kind.kind, k, n) * grid_point(kind.kind, j, n);
          const auto factor = definition_factor(kind.kind, Direction::forward, j, k, n);
          std::complex<double> wave = std::polar(1.0, -2 * phase);
          if (kind.keeps_real) {
            // Points at the ends may have other weights.
            const bool end = j == 0 || j == n - 1;
            const double weight = end && std::abs(factor) < 1.5 ? 1 : 2;
            wave = weight * (kind.name[1] == 'c' ? std::cos(phase) : std::sin(phase));
            if (end && std::abs(wave) < 1.5) continue;
          }
          EXPECT_LT(std::abs(wave - std::complex<double>(factor)), 1e-13)
              << kind.name << " " << n << " points, " << j << " " << k;
          EXPECT_DOUBLE_EQ(angular_wavenumber(kind.kind, k, n, 3),
                           (kind.keeps_real ? 1 : 2) * pi * wavenumber(kind.kind, k, n) / 3);
        }
      }
    }
  }
}

TEST(Norm, OnlyTransformedAxesCount) {
  EXPECT_EQ(transformed_points({4, 5, 6}, {c2c, none, r2c}), 24);
  EXPECT_EQ(transformed_points({4, 5}, {none, none}), 1);
}

TEST(Norm, FollowsTheConventionOfScipy) {
  using enum Direction;
  EXPECT_EQ(scale_factor(Norm::backward, forward, 16), 1);
  EXPECT_EQ(scale_factor(Norm::backward, backward, 16), 1.0 / 16);
  EXPECT_EQ(scale_factor(Norm::ortho, forward, 16), 0.25);
  EXPECT_EQ(scale_factor(Norm::ortho, backward, 16), 0.25);
  EXPECT_EQ(scale_factor(Norm::forward, forward, 16), 1.0 / 16);
  EXPECT_EQ(scale_factor(Norm::forward, backward, 16), 1);
  EXPECT_EQ(scale_factor(Norm::none, forward, 16), 1);
  EXPECT_EQ(scale_factor(Norm::none, backward, 16), 1);
}

TEST(Names, OfPrecisionAndNormAreRead) {
  for (const Precision value : {Precision::f32, Precision::f64}) {
    EXPECT_EQ(parse_precision(to_string(value)), value);
  }
  for (const Norm value : {Norm::backward, Norm::ortho, Norm::forward, Norm::none}) {
    EXPECT_EQ(parse_norm(to_string(value)), value);
  }
  EXPECT_THROW(parse_precision("f16"), Error);
  EXPECT_THROW(parse_precision(""), Error);
  EXPECT_EQ(
      error_text([] { parse_norm("orthos"); }),
      "norm 'orthos' is unknown (did you mean 'ortho'?); known: backward, ortho, forward, none");
  EXPECT_EQ(error_text([] { parse_norm("l2"); }),
            "norm 'l2' is unknown; known: backward, ortho, forward, none");
}

}  // namespace
}  // namespace weft
