// Codecs and tolerances that a plan takes, and those that it refuses with the same words on all
// ranks.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <limits>

#include "codec/lossless.hpp"
#include "exchange/exchange.hpp"
#include "support/compressed_run.hpp"
#include "support/same_error.hpp"

namespace weft {
namespace {

using test::Bytes;
using test::expect_same_error;
using test::world_size;

class CodecOptions : public testing::Test {
 private:
  const test::Watchdog watchdog_{100};
};

Problem pencils_of(Precision precision = Precision::f64) {
  return {.shape = {12, 16, 20},
          .input = pencil_along(2),
          .output = pencil_along(0),
          .precision = precision};
}

TEST_F(CodecOptions, ATightToleranceMeansNoCompression) {
  for (const auto& [precision, tolerance] :
       {std::pair{Precision::f64, 1e-17}, {Precision::f64, 1e-15}, {Precision::f32, 1e-8}}) {
    Options options;
    options.tolerance = tolerance;
    Plan plan(MPI_COMM_WORLD, pencils_of(precision), options);
    EXPECT_LE(test::run_error(plan, Direction::forward), test::error_bound(plan));
    const Report report = plan.report();
    EXPECT_EQ(report.error, 0);
    EXPECT_EQ(report.predicted_error, 0);
    EXPECT_EQ(report.bytes, report.plain_bytes);
    for (const RedistributionReport& part : report.redistributions) EXPECT_EQ(part.codec, "none");
  }
}

TEST_F(CodecOptions, WithoutACodecAToleranceChangesNothing) {
  const Plan plain(MPI_COMM_WORLD, pencils_of());
  Options options;
  options.codec = "none";
  options.tolerance = 1e-3;
  Plan plan(MPI_COMM_WORLD, pencils_of(), options);
  EXPECT_EQ(plan.info().exchange, plain.info().exchange);
  EXPECT_LE(test::run_error(plan, Direction::forward), test::error_bound(plan));
}

TEST_F(CodecOptions, TolerancesThatMakeNoSenseAreRefused) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  for (const double tolerance : {0.0, -1e-3, 1.0, 2.0, infinity, -infinity, std::nan("")}) {
    Options options;
    options.tolerance = tolerance;
    expect_same_error([&] { Plan plan(MPI_COMM_WORLD, pencils_of(), options); },
                      {"tolerance", "must be positive and less than 1"});
  }
}

TEST_F(CodecOptions, TolerancesAndCodecsMustAgree) {
  if (world_size() == 1) return;
  Options options;
  options.tolerance = test::world_rank() == 1 ? 1e-5 : 1e-6;
  expect_same_error([&] { Plan plan(MPI_COMM_WORLD, pencils_of(), options); },
                    {"options differs between ranks"});
  options.tolerance.reset();
  options.codec = test::world_rank() == 1 ? "bfp:8" : "bfp:9";
  expect_same_error([&] { Plan plan(MPI_COMM_WORLD, pencils_of(), options); },
                    {"options differs between ranks"});
}

TEST_F(CodecOptions, CodecsThatDoNotExistAreRefusedByName) {
  struct Refused {
    const char* codec;
    std::vector<std::string> parts;
  };
  const Refused all[] = {{"gzip", {"codec 'gzip' is unknown; known:", "bfp"}},
                         {"gzip:3", {"codec 'gzip:3' is unknown"}},
                         {"", {"codec '' is unknown"}},
                         {"bfp", {"codec 'bfp': bits must follow"}},
                         {"bfp:", {"codec 'bfp:'"}},
                         {"bfp:99", {"codec 'bfp:99': bits must be between"}},
                         {"bfp:1", {"codec 'bfp:1': bits must be between"}},
                         {"bfp:8x", {"codec 'bfp:8x'"}},
                         {"trim:-1", {"codec 'trim:-1'"}},
                         {"cast:fp7", {"fp7"}},
                         {"cast", {"codec 'cast'"}}};
  for (const Refused& refused : all) {
    Options options;
    options.codec = refused.codec;
    expect_same_error([&] { Plan plan(MPI_COMM_WORLD, pencils_of(), options); }, refused.parts);
  }
  Options options;
  options.tolerance = 1e-5;
  options.codec = "gzip";
  expect_same_error([&] { Plan plan(MPI_COMM_WORLD, pencils_of(), options); },
                    {"codec 'gzip' is unknown"});
}

TEST_F(CodecOptions, ACodecNeedsPackedMessages) {
  for (const char* codec : {"bfp:16", "lossless"}) {
    Options options;
    options.exchange = "alltoallw";
    options.codec = codec;
    expect_same_error([&] { Plan plan(MPI_COMM_WORLD, pencils_of(), options); },
                      {"codec '" + std::string(codec) + "' needs packed messages", "alltoallw"});
  }
}

/// Those whose messages may be shorter than planned.
std::vector<std::string> exchanges_of_any_length() {
  std::vector<std::string> names = test::packed_exchanges();
  std::erase_if(names,
                [](const std::string& name) { return !sends_any_length(find_exchange(name)); });
  return names;
}

TEST_F(CodecOptions, LosslessIsRefusedWhereMessagesHaveAFixedLength) {
  for (const char* exchange : {"alltoall", "persistent", "persistent:p2p", "node_aware",
                               "node_aware:2", "node_shared:persistent", "node_shared:alltoall"}) {
    Options options;
    options.exchange = exchange;
    options.codec = "lossless";
    expect_same_error(
        [&] { Plan plan(MPI_COMM_WORLD, pencils_of(), options); },
        {"exchange '" + std::string(exchange) + "' have a fixed length",
         "use one of alltoallv, p2p, p2p_pipelined, ialltoallv, neighbor, one_sided"});
  }
}

TEST_F(CodecOptions, LosslessIsLossless) {
  for (const std::string& exchange : exchanges_of_any_length()) {
    for (const Index chunks : {Index{1}, Index{3}}) {
      Options options;
      options.exchange = exchange;
      options.chunks = chunks;
      options.threads = 1;
      const Problem problem = pencils_of();
      Plan plain(MPI_COMM_WORLD, problem, options);
      options.codec = "lossless";
      Plan plan(MPI_COMM_WORLD, problem, options);
      for (const Direction direction : {Direction::forward, Direction::backward}) {
        const Bytes in = test::given_bytes(plan, direction, 1);
        Bytes out = test::poisoned(test::sink_of(plan, direction)), expected = out;
        for (int run = 0; run < 2; ++run) {
          test::execute(plan, direction, in.data(), out.data());
          test::execute(plain, direction, in.data(), expected.data());
          EXPECT_EQ(out, expected) << exchange << " chunks " << chunks;
        }
      }
      const bool shares = exchange.rfind("node_shared", 0) == 0 || world_size() == 1;
      for (const RedistributionReport& part : plan.report().redistributions) {
        EXPECT_EQ(part.codec, shares ? "none" : "lossless") << exchange;
        EXPECT_EQ(part.error, 0);
      }
    }
  }
}

TEST_F(CodecOptions, LosslessMakesMessagesOfConstantsShorter) {
  if (!lossless_compresses() || world_size() == 1) return;
  const std::vector<std::string> exchanges = exchanges_of_any_length();
  ASSERT_GE(exchanges.size(), 6u);
  for (const std::string& exchange : exchanges) {
    const bool shares = exchange.rfind("node_shared", 0) == 0;
    if (shares) setenv("WEFT_RANKS_PER_NODE", "1", 1);  // or nothing would be sent
    Options options;
    options.exchange = exchange;
    options.codec = "lossless";
    Problem problem{.shape = {64, 64, 8}, .input = slab_split(0), .output = slab_split(1)};
    Plan plan(MPI_COMM_WORLD, problem, options);
    if (shares) unsetenv("WEFT_RANKS_PER_NODE");
    const std::vector<std::complex<double>> in(
        static_cast<std::size_t>(plan.input().allocation_size), 3.0);
    std::vector<std::complex<double>> out(static_cast<std::size_t>(plan.output().allocation_size));
    plan.forward(in, out);
    const Report report = plan.report();
    EXPECT_LT(report.bytes, report.plain_bytes / 4) << exchange;
    EXPECT_GT(report.bytes, 0) << exchange;
    EXPECT_EQ(plan.info().bytes_sent, report.plain_bytes) << exchange;
  }
}

}  // namespace
}  // namespace weft
