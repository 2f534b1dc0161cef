// Data that cannot be encoded travel uncompressed, and the next ones are compressed again.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "support/compressed_run.hpp"
#include "support/same_error.hpp"

namespace weft {
namespace {

using test::world_rank;
using test::world_size;

using Complex = std::complex<double>;
using Field = std::vector<Complex>;

class UnsoundData : public testing::Test {
 private:
  const test::Watchdog watchdog_{100};
};

Problem pencils() {
  return {.shape = {12, 16, 20}, .input = pencil_along(2), .output = pencil_along(0)};
}

struct Way {
  std::string exchange = "alltoallv";
  std::string codec = "auto";
  std::optional<double> tolerance;
  Index chunks = 1;
};

Options options_of(const Way& way) {
  Options options;
  options.exchange = way.exchange;
  options.algorithm = Algorithm::pencil;
  options.codec = way.codec;
  options.tolerance = way.tolerance;
  options.chunks = way.chunks;
  options.threads = 1;
  options.tile_bytes = 1 << 22;  // a single tile, with and without codec
  return options;
}

Field sound_field(const Plan& plan) {
  Field field(static_cast<std::size_t>(plan.input().allocation_size));
  for (std::size_t i = 0; i < field.size(); ++i) {
    field[i] = {std::sin(static_cast<double>(i * i)), std::cos(static_cast<double>(3 * i))};
  }
  return field;
}

bool same_number(double a, double b) {
  return (std::isnan(a) && std::isnan(b)) || std::memcmp(&a, &b, sizeof a) == 0;
}
bool same(const Field& a, const Field& b) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    const bool equal =
        same_number(a[i].real(), b[i].real()) && same_number(a[i].imag(), b[i].imag());
    if (!equal) return false;
  }
  return a.size() == b.size();
}

bool finite_in_the_same_places(const Field& a, const Field& b) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (std::isfinite(std::abs(a[i])) != std::isfinite(std::abs(b[i]))) return false;
  }
  return a.size() == b.size();
}

Field forward_of(Plan& plan, const Field& in) {
  Field out(static_cast<std::size_t>(plan.output().allocation_size), Complex(9, 9));
  plan.forward(in, out);
  return out;
}

/// Runs unsound data between sound ones.
void check(const Way& way, const Field& unsound, const std::string& what) {
  SCOPED_TRACE(what + " " + way.exchange + " " + way.codec + " chunks " +
               std::to_string(way.chunks));
  Plan plan(MPI_COMM_WORLD, pencils(), options_of(way));
  Plan plain(MPI_COMM_WORLD, pencils(),
             options_of({way.exchange, "none", std::nullopt, way.chunks}));
  const Field sound = sound_field(plan);
  forward_of(plan, sound);
  for (int run = 0; run < 2; ++run) {
    const Field out = forward_of(plan, unsound), expected = forward_of(plain, unsound);
    // Other chunks may be sound, and stay compressed.
    EXPECT_TRUE(way.chunks == 1 ? same(out, expected) : finite_in_the_same_places(out, expected));
    const Report report = plan.report();
    test::expect_same_report(plan);
    int broken = 0;
    for (const RedistributionReport& part : report.redistributions) {
      if (!part.broken) continue;
      ++broken;
      if (way.chunks == 1) {
        EXPECT_EQ(part.codec, "none");
      }
      EXPECT_GE(part.repeated, 1);
      EXPECT_GE(part.bytes, part.plain_bytes / way.chunks);
    }
    // Ranks that own nothing they could send, as a single one, have nothing to report.
    if (world_size() > 1) {
      EXPECT_GE(broken, 1);
    }
    const Field again = forward_of(plan, sound);
    for (const RedistributionReport& part : plan.report().redistributions) {
      EXPECT_NE(part.codec, "none");
      EXPECT_FALSE(part.broken);
    }
  }
}

TEST_F(UnsoundData, TravelsUncompressed) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  struct Kind {
    const char* what;
    double value;
    double others;  ///< what the sound numbers are multiplied by
    bool of_cast;   ///< only beyond the range of fp32
  };
  const Kind kinds[] = {{"inf", infinity, 1, false},
                        {"minus inf", -infinity, 1, false},
                        {"nan", std::numeric_limits<double>::quiet_NaN(), 1, false},
                        {"squares overflow", 1e300, 1, false},
                        {"all squares overflow", 1e180, 1e180, false},
                        {"sums overflow", 3e153, 3e153, false},
                        {"faint", 1e-180, 1e-180, false},
                        {"beyond fp32", 1e60, 1, true},
                        {"wide range", 1e60, 1e-60, true}};
  const Way ways[] = {{"alltoallv", "auto", 1e-6, 1},
                      {"p2p", "bfp:14", std::nullopt, 2},
                      {"p2p_pipelined", "trim:20", std::nullopt, 1},
                      {"ialltoallv", "cast:fp32", std::nullopt, 1},
                      {"one_sided", "cast:fp32", 1e-6, 1},
                      {"p2p", "auto", 1e-9, 3}};
  for (const Way& way : ways) {
    for (const Kind& kind : kinds) {
      if (kind.of_cast && way.codec != "cast:fp32") continue;
      Plan shape(MPI_COMM_WORLD, pencils());
      Field unsound = sound_field(shape);
      for (Complex& value : unsound) value *= kind.others;
      // Somewhere on one rank.
      if (world_rank() == world_size() - 1) unsound[unsound.size() / 2] = {1, kind.value};
      if (kind.value == 1e-180 && world_rank() == world_size() - 1) {
        unsound[unsound.size() / 2] = 1e-180;
      }
      check(way, unsound, kind.what);
    }
  }
}

TEST_F(UnsoundData, ZerosAreCompressed) {
  for (const Way& way : {Way{"alltoallv", "auto", 1e-6, 1},
                         {"p2p", "bfp:14", std::nullopt, 2},
                         {"p2p", "cast:fp32", std::nullopt, 1}}) {
    Plan plan(MPI_COMM_WORLD, pencils(), options_of(way));
    const Field zeros(static_cast<std::size_t>(plan.input().allocation_size));
    for (int run = 0; run < 5; ++run) {
      const Field out = forward_of(plan, zeros);
      EXPECT_TRUE(std::all_of(out.begin(), out.end(), [](Complex x) { return x == 0.0; }));
      const Report report = plan.report();
      EXPECT_EQ(report.error, 0);
      for (const RedistributionReport& part : report.redistributions) {
        EXPECT_FALSE(part.broken);
        EXPECT_EQ(part.repeated, 0);
        EXPECT_NE(part.codec, "none");
      }
    }
    // They teach nothing about what follows.
    forward_of(plan, sound_field(plan));
    if (way.tolerance) {
      EXPECT_LE(plan.report().error, *way.tolerance);
    }
  }
}

TEST_F(UnsoundData, ManyFieldsMayBeOfBothSorts) {
  for (const char* exchange : {"p2p", "alltoallv", "one_sided"}) {
    Options options = options_of({exchange, "auto", 1e-6, 1});
    options.fields_in_flight = 2;
    Plan plan(MPI_COMM_WORLD, pencils(), options);
    const Field sound = sound_field(plan);
    Field unsound = sound;
    if (world_rank() == 0) unsound[0] = std::numeric_limits<double>::infinity();
    const std::vector<Field> in{sound, unsound, sound, unsound, unsound, sound};
    std::vector<Field> out(in.size(),
                           Field(static_cast<std::size_t>(plan.output().allocation_size)));
    plan.forward_many(in, out);
    Plan plain(MPI_COMM_WORLD, pencils(), options_of({exchange, "none", std::nullopt, 1}));
    const Field exact = forward_of(plain, sound), of_unsound = forward_of(plain, unsound);
    for (const std::size_t i : {1u, 3u, 4u}) EXPECT_TRUE(same(out[i], of_unsound)) << exchange << i;
    for (const std::size_t i : {0u, 2u, 5u}) {
      double sums[2] = {0, 0};
      for (std::size_t k = 0; k < exact.size(); ++k) {
        sums[0] += std::norm(out[i][k] - exact[k]);
        sums[1] += std::norm(exact[k]);
      }
      MPI_Allreduce(MPI_IN_PLACE, sums, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
      EXPECT_LE(std::sqrt(sums[0] / sums[1]), 1e-6) << exchange << i;
    }
  }
}

}  // namespace
}  // namespace weft
