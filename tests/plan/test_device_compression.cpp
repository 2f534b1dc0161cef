// Compressed messages of devices keep the tolerance as those of the host do, with the same bytes.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "codec/codec.hpp"
#include "support/compressed_run.hpp"
#include "support/exchange_names.hpp"
#include "support/same_error.hpp"

namespace weft {
namespace {

using test::Bytes;
using test::compressed_error;
using test::CompressionCase;
using test::world_rank;
using test::world_size;
using Complex = std::complex<double>;
using Field = std::vector<Complex>;

class DeviceCompression : public testing::Test {
 protected:
  template <class Work>
  void for_each_device(Work&& work) {
    for (const std::string& name : test::usable_devices()) {
      SCOPED_TRACE(name);
      Options options;
      options.device = name;
      work(options);
    }
  }

 private:
  const test::Watchdog watchdog_{200};
};

std::vector<CompressionCase> all_cases(Precision precision) {
  struct Form {
    Extents shape;
    Kinds kinds;
    LayoutSpec in, out;
  };
  const Form forms[] = {
      {{16, 16, 18}, c2c, slab_split(0), slab_split(1)},
      {{20, 15, 14}, c2c, pencil_along(2), pencil_along(0)},
      {{8, 33, 20}, r2c, pencil_along(2), pencil_along(0)},
      {{18, 16, 15}, {r2c, c2c, c2c}, brick(), slab_split(2).with_order({2, 0, 1})},
      {{17, 260}, r2c, slab_split(0), slab_split(0)},
      {{12, 70, 9}, {c2c, none, c2c}, brick(), slab_split(0).with_order({1, 2, 0})}};
  std::vector<CompressionCase> cases;
  std::uint64_t seed = 1;
  for (const Form& form : forms) {
    for (const Direction direction : {Direction::forward, Direction::backward}) {
      cases.push_back(test::make_case({.shape = form.shape,
                                       .kinds = form.kinds,
                                       .input = form.in,
                                       .output = form.out,
                                       .precision = precision},
                                      direction, seed % 2 == 0, seed));
      ++seed;
    }
  }
  return cases;
}

void check_tolerance(const CompressionCase& the_case, const Options& options) {
  SCOPED_TRACE(the_case.text + " " + options.exchange + " " + options.codec + " tolerance " +
               std::to_string(std::log10(*options.tolerance)));
  Plan plan(MPI_COMM_WORLD, the_case.problem, options);
  for (int run = 0; run < 5; ++run) {
    EXPECT_LE(compressed_error(plan, the_case), *options.tolerance) << "run " << run;
    test::expect_same_report(plan);
  }
  const Report report = plan.report();
  EXPECT_LE(report.error, *options.tolerance);
  for (const RedistributionReport& part : report.redistributions) {
    EXPECT_FALSE(part.broken);
    EXPECT_EQ(part.repeated, 0) << "after learning";
    if (world_size() > 1 && *options.tolerance > 1e-5) {
      EXPECT_NE(part.codec, "none");
    }
  }
}

TEST_F(DeviceCompression, KeepsTheTolerance) {
  for (const Precision precision : {Precision::f64, Precision::f32}) {
    const auto cases = all_cases(precision);
    for_each_device([&](Options options) {
      for (std::size_t i = 0; i < 12; ++i) {
        const double digits = precision == Precision::f64 ? 12.0 : 4.0;
        options.tolerance = std::pow(10, -2 - digits * static_cast<double>(i) / 11);
        for (std::size_t k = 0; k < 3; ++k) check_tolerance(cases[(i + 5 * k) % 12], options);
      }
    });
  }
}

TEST_F(DeviceCompression, KeepsTheToleranceWithAnyExchangeFamilyAndInChunks) {
  const auto cases = all_cases(Precision::f64);
  for_each_device([&](Options options) {
    for (const std::string& exchange : test::device_exchanges(options.device)) {
      options.exchange = exchange;
      for (const CodecMethod& method : codec_methods()) {
        if (!method.on_devices) continue;
        options.codec = method.name;
        options.chunks = 3;
        options.tolerance = 2.1e-4;
        check_tolerance(cases[2], options);
        options.chunks = 1;
        options.tolerance = 3e-7;
        check_tolerance(cases[7], options);
      }
    }
  });
}

TEST_F(DeviceCompression, SendsTheBytesOfTheHost) {
  const auto cases = all_cases(Precision::f64);
  for_each_device([&](Options options) {
    for (const char* codec :
         {"bfp:7", "bfp:25", "bfp:55", "trim:11", "cast:fp32", "cast:fp16", "cast:bf16"}) {
      for (const std::size_t which : {0u, 2u, 5u, 7u, 10u}) {
        SCOPED_TRACE(cases[which].text + " " + codec);
        options.codec = codec;
        options.algorithm = Algorithm::pencil;
        options.chunks = 1;
        Options host = options;
        host.device = "host";
        host.exchange = "alltoallv";
        Plan plan(MPI_COMM_WORLD, cases[which].problem, options),
            expected(MPI_COMM_WORLD, cases[which].problem, host);
        const double error = compressed_error(plan, cases[which]);
        const double of_host = compressed_error(expected, cases[which]);
        // The host may scale in another pass, so that other numbers are rounded; of the same
        // rounding errors, the relative ones differ with where numbers lie between powers of two.
        EXPECT_NEAR(error, of_host, 0.3 * of_host + test::error_bound(plan));
        const Report mine = plan.report(), theirs = expected.report();
        test::expect_same_report(plan);
        ASSERT_EQ(mine.redistributions.size(), theirs.redistributions.size());
        for (std::size_t i = 0; i < mine.redistributions.size(); ++i) {
          const RedistributionReport& part = mine.redistributions[i];
          EXPECT_EQ(part.codec, theirs.redistributions[i].codec);
          EXPECT_EQ(part.bytes, theirs.redistributions[i].bytes);
          EXPECT_EQ(part.plain_bytes, theirs.redistributions[i].plain_bytes);
          EXPECT_NEAR(part.error, theirs.redistributions[i].error,
                      0.3 * part.error + test::error_bound(plan));
        }
      }
    }
  });
}

Problem pencils() {
  return {.shape = {12, 16, 20}, .input = pencil_along(2), .output = pencil_along(0)};
}

Field sound_field(const Plan& plan) {
  Field field(static_cast<std::size_t>(plan.input().allocation_size));
  for (std::size_t i = 0; i < field.size(); ++i) {
    field[i] = {std::sin(static_cast<double>(i * i)), std::cos(static_cast<double>(3 * i))};
  }
  return field;
}

Field forward_of(Plan& plan, const Field& in) {
  Field out(static_cast<std::size_t>(plan.output().allocation_size), Complex(9, 9));
  plan.forward(in, out);
  return out;
}

Options uncompressed(Options options) {
  options.codec = "none";
  options.tolerance.reset();
  return options;
}

bool same(const Field& a, const Field& b) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (const auto& [x, y] : {std::pair{a[i].real(), b[i].real()}, {a[i].imag(), b[i].imag()}}) {
      if (x != y && !(std::isnan(x) && std::isnan(y))) return false;
    }
  }
  return a.size() == b.size();
}

double error_between(const Field& a, const Field& exact) {
  double sums[2] = {0, 0};
  for (std::size_t i = 0; i < exact.size(); ++i) {
    sums[0] += std::norm(a[i] - exact[i]);
    sums[1] += std::norm(exact[i]);
  }
  MPI_Allreduce(MPI_IN_PLACE, sums, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return std::sqrt(sums[0] / sums[1]);
}

TEST_F(DeviceCompression, UnsoundDataTravelUncompressed) {
  if (world_size() == 1) GTEST_SKIP() << "nothing is sent";
  constexpr double infinity = std::numeric_limits<double>::infinity();
  struct Kind {
    const char* what;
    double value;
    double others;
    bool of_cast;  ///< only beyond the range of fp32
  };
  const Kind kinds[] = {{"inf", infinity, 1, false},
                        {"nan", std::numeric_limits<double>::quiet_NaN(), 1, false},
                        {"squares overflow", 1e300, 1, false},
                        {"faint", 1e-180, 1e-180, false},
                        {"wide range", 1e60, 1e-60, true}};
  for_each_device([&](const Options& given) {
    for (const char* exchange : {"auto", "staged"}) {
      for (const char* codec : {"bfp:14", "cast:fp32", "trim:20", "auto"}) {
        Options options = given;
        options.exchange = exchange;
        options.algorithm = Algorithm::pencil;
        options.chunks = 1;
        options.codec = codec;
        if (codec == std::string("auto")) options.tolerance = 1e-6;
        Plan plan(MPI_COMM_WORLD, pencils(), options);
        Options without = uncompressed(options);
        without.exchange = exchange == std::string("auto") ? "peer_packed" : exchange;
        Plan plain(MPI_COMM_WORLD, pencils(), without);
        const Field sound = sound_field(plan);
        for (const Kind& kind : kinds) {
          if (kind.of_cast && codec != std::string("cast:fp32")) continue;
          SCOPED_TRACE(std::string(kind.what) + " " + exchange + " " + codec);
          Field unsound = sound;
          for (Complex& value : unsound) value *= kind.others;
          if (world_rank() == world_size() - 1) unsound[unsound.size() / 2] = {1, kind.value};
          if (kind.others == 1e-180) unsound[unsound.size() / 2] = 1e-180;
          EXPECT_TRUE(same(forward_of(plan, unsound), forward_of(plain, unsound)));
          test::expect_same_report(plan);
          int broken = 0;
          for (const RedistributionReport& part : plan.report().redistributions) {
            if (!part.broken) continue;
            ++broken;
            EXPECT_EQ(part.codec, "none");
            EXPECT_GE(part.repeated, 1);
            EXPECT_GE(part.bytes, part.plain_bytes);
          }
          EXPECT_GE(broken, 1);
          forward_of(plan, sound);
          for (const RedistributionReport& part : plan.report().redistributions) {
            EXPECT_NE(part.codec, "none");
            EXPECT_FALSE(part.broken);
          }
        }
      }
    }
  });
}

TEST_F(DeviceCompression, HarderDataAreSentAgainWithMoreBits) {
  if (world_size() == 1) GTEST_SKIP() << "nothing is sent";
  for_each_device([&](Options options) {
    options.tolerance = 1e-4;
    options.chunks = 2;
    Plan plan(MPI_COMM_WORLD, pencils(), options),
        plain(MPI_COMM_WORLD, pencils(), uncompressed(options));
    const Field sound = sound_field(plan);
    for (int run = 0; run < 4; ++run) forward_of(plan, sound);
    // Wavenumbers: lines of the spectrum have one large number beside small ones.
    Field hard(sound.size());
    for (std::size_t i = 0; i < hard.size(); ++i) {
      const double phase = 2 * std::acos(-1.0) * 3 * static_cast<double>(i % 20) / 20;
      const double amplitude = i / 20 % 8 == 0 ? 1e3 * (1 + static_cast<double>(i / 20)) : 0;
      hard[i] = std::polar(amplitude, phase) + sound[i];
    }
    int repeated = 0;
    const Field* const fields[] = {&hard, &sound, &hard};
    for (const Field* field : fields) {
      EXPECT_LE(error_between(forward_of(plan, *field), forward_of(plain, *field)), 1e-4);
      test::expect_same_report(plan);
      for (const RedistributionReport& part : plan.report().redistributions) {
        repeated += part.repeated;
        EXPECT_FALSE(part.broken);
      }
      EXPECT_LE(plan.report().error, 1e-4);
    }
    EXPECT_GE(repeated, 1);
  });
}

TEST_F(DeviceCompression, RunsGiveTheSameBitsAndManyFieldsTheirs) {
  for_each_device([&](Options options) {
    options.codec = "bfp:18";
    options.fields_in_flight = 2;
    options.chunks = 2;
    Plan plan(MPI_COMM_WORLD, pencils(), options);
    const Field sound = sound_field(plan);
    Field other = sound;
    for (Complex& value : other) value = 2.0 * value + 1.0;
    const Field first = forward_of(plan, sound);
    const double error = plan.report().error;
    EXPECT_TRUE(same(forward_of(plan, sound), first));
    EXPECT_EQ(plan.report().error, error);
    const Field of_other = forward_of(plan, other);
    const std::vector<Field> in{sound, other, other, sound, sound};
    std::vector<Field> out(in.size(),
                           Field(static_cast<std::size_t>(plan.output().allocation_size)));
    plan.forward_many(in, out);
    for (const std::size_t i : {0u, 3u, 4u}) EXPECT_TRUE(same(out[i], first)) << i;
    for (const std::size_t i : {1u, 2u}) EXPECT_TRUE(same(out[i], of_other)) << i;
  });
}

TEST_F(DeviceCompression, PacksMessagesOfPeers) {
  for_each_device([&](Options options) {
    const auto exchange_of = [&](const std::string& exchange, const std::string& codec) {
      options.exchange = exchange;
      options.codec = codec;
      Plan plan(MPI_COMM_WORLD, pencils(), options);
      EXPECT_LE(test::run_error(plan, Direction::forward), codec == "none" ? 1e-14 : 1e-3);
      EXPECT_EQ(plan.describe().find("runs wait") != std::string::npos,
                codec != "none" && world_size() > 1);
      return plan.info().exchange;
    };
    EXPECT_EQ(exchange_of("auto", "bfp:16"), "peer_packed");
    EXPECT_EQ(exchange_of("peer:kernel", "bfp:16"), "peer_packed:kernel");
    EXPECT_EQ(exchange_of("peer", "none"), "peer");
    EXPECT_EQ(exchange_of("peer_packed", "none"), "peer_packed");
    EXPECT_EQ(exchange_of("staged", "bfp:16"), "staged");
  });
}

}  // namespace
}  // namespace weft
