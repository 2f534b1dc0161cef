// What does and what does not depend on ranks, runs, plans and options.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "local/local_transform.hpp"
#include "support/exchange_names.hpp"
#include "support/plan_run.hpp"
#include "support/same_error.hpp"

namespace weft {
namespace {

using test::both;
using test::Bytes;
using test::world_size;

class Results : public testing::Test {
 private:
  const test::Watchdog watchdog_{120};
};

std::vector<std::string> backends() {
  std::vector<std::string> names;
  for (const LocalBackend& backend : local_backends()) {
    const bool on_host = backend.device == std::string("host");
    if (on_host && backend.usable()) names.push_back(backend.name);
  }
  return names;
}

Bytes result_of(Plan& plan, Direction direction, std::uint64_t seed = 1) {
  const Bytes in = test::given_bytes(plan, direction, seed);
  Bytes out = test::poisoned(test::sink_of(plan, direction));
  test::execute(plan, direction, in.data(), out.data());
  return out;
}

Problem bricks(const Kinds& kinds) {
  return {.shape = {15, 14, 12},
          .kinds = kinds,
          .input = brick(),
          .output = pencil_along(1).with_order({1, 0, 2})};
}

TEST_F(Results, AreBitIdenticalFromRunToRunAndFromPlanToPlan) {
  for (const std::string& exchange : test::plan_exchanges()) {
    for (const Kinds& kinds : {Kinds(c2c), Kinds(r2c)}) {
      for (const int threads : {1, 2}) {
        Options options;
        options.exchange = exchange;
        options.threads = threads;
        Plan first(MPI_COMM_WORLD, bricks(kinds), options),
            second(MPI_COMM_WORLD, bricks(kinds), options);
        for (const Direction direction : both) {
          const Bytes result = result_of(first, direction);
          for (int run = 0; run < 3; ++run) {
            EXPECT_TRUE(result_of(first, direction) == result) << exchange << " run " << run;
          }
          EXPECT_TRUE(result_of(second, direction) == result) << exchange << " second plan";
        }
      }
    }
  }
}

TEST_F(Results, OnOneRankAndOnSeveralAgreeWithinRounding) {
  for (const Precision precision : {Precision::f32, Precision::f64}) {
    for (const Kinds& kinds : {Kinds(c2c), Kinds(r2c), Kinds{c2c, r2c, none}}) {
      Problem problem = bricks(kinds);
      problem.precision = precision;
      Plan together(MPI_COMM_WORLD, problem);
      problem.output = pencil_along(1);
      Plan alone(MPI_COMM_SELF, problem);
      for (const Direction direction : both) {
        const Bytes whole = result_of(alone, direction), part = result_of(together, direction);
        // The whole result, as what this rank's part is compared with.
        const LocalArray& source = test::sink_of(alone, direction);
        test::GlobalArray expected{source.box.extents(), 1, {}};
        for (Index i = 0; i < source.allocation_size; ++i) {
          expected.values.push_back(test::load(source, whole.data(), i));
        }
        const test::Difference own =
            test::compare(expected, test::sink_of(together, direction), part.data());
        double sums[2] = {own.squared, own.norm};
        MPI_Allreduce(MPI_IN_PLACE, sums, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        EXPECT_LE(std::sqrt(sums[0] / sums[1]), test::error_bound(together));
      }
    }
  }
}

TEST_F(Results, AreRightWithEveryExchangeAlgorithmAndOrderOfLines) {
  for (const std::string& exchange : test::plan_exchanges()) {
    for (const Algorithm algorithm : {Algorithm::automatic, Algorithm::slab, Algorithm::pencil}) {
      for (const bool reorder : {false, true}) {
        Options options;
        options.exchange = exchange;
        options.algorithm = algorithm;
        options.reorder = reorder;
        options.tile_bytes = 2000;
        Plan plan(MPI_COMM_WORLD, bricks(r2c), options);
        for (const Direction direction : both) {
          EXPECT_LE(test::run_error(plan, direction), test::error_bound(plan)) << exchange;
        }
      }
    }
  }
}

/// scipy.fft.fft and ifft of a line with one of its norms, by the definition.
std::vector<std::complex<long double>> by_definition(const std::vector<std::complex<double>>& in,
                                                     Direction direction, Norm norm) {
  const auto n = static_cast<long double>(in.size());
  const long double sign = direction == Direction::forward ? -1 : 1;
  long double scale = 1;
  if (norm == Norm::ortho) scale = 1 / std::sqrt(n);
  if (norm == Norm::backward && direction == Direction::backward) scale = 1 / n;
  if (norm == Norm::forward && direction == Direction::forward) scale = 1 / n;
  std::vector<std::complex<long double>> out(in.size());
  for (std::size_t k = 0; k < in.size(); ++k) {
    for (std::size_t j = 0; j < in.size(); ++j) {
      const long double turn = static_cast<long double>(j * k % in.size()) / n;
      out[k] += std::complex<long double>(in[j]) *
                std::polar(scale, sign * 2 * std::numbers::pi_v<long double> * turn);
    }
  }
  return out;
}

TEST_F(Results, FollowTheNormsOfScipyWithEveryBackend) {
  const Index n = 30;
  std::vector<std::complex<double>> line;
  for (Index j = 0; j < n; ++j) {
    line.emplace_back(static_cast<double>(j * j % 17) - 8, static_cast<double>(j * 5 % 11) - 3);
  }
  for (const std::string& backend : backends()) {
    for (const Norm norm : {Norm::backward, Norm::ortho, Norm::forward}) {
      Options options;
      options.local = backend;
      // Lines along axis 0, split between the ranks along axis 1; that one is not transformed.
      Plan plan(MPI_COMM_WORLD,
                {.shape = {n, 7}, .kinds = {c2c, none}, .input = slab_split(1), .norm = norm},
                options);
      const Index columns = plan.input().box.empty() ? 0 : plan.input().box.extent(1);
      std::vector<std::complex<double>> in,
          out(static_cast<std::size_t>(plan.output().allocation_size));
      for (Index j = 0; j < n; ++j) {
        for (Index c = 0; c < columns; ++c) in.push_back(line[static_cast<std::size_t>(j)]);
      }
      for (const Direction direction : both) {
        const auto expected = by_definition(line, direction, norm);
        if (direction == Direction::forward) {
          plan.forward(in, out);
        } else {
          plan.backward(in, out);
        }
        for (Index k = 0; k < n; ++k) {
          for (Index c = 0; c < columns; ++c) {
            const auto value =
                std::complex<long double>(out[static_cast<std::size_t>(k * columns + c)]);
            EXPECT_LT(std::abs(value - expected[static_cast<std::size_t>(k)]), 1e-12)
                << backend << " " << to_string(norm) << " " << k;
          }
        }
      }
    }
  }
}

TEST_F(Results, RealTransformsFollowTheNormsToo) {
  for (const std::string& backend : backends()) {
    for (const Norm norm : {Norm::backward, Norm::ortho, Norm::forward}) {
      Options options;
      options.local = backend;
      Plan plan(MPI_COMM_WORLD,
                {.shape = {6, 10},
                 .kinds = r2c,
                 .input = slab_split(0),
                 .output = slab_split(1),
                 .norm = norm},
                options);
      // A constant has one coefficient; its value tells the scaling of either direction.
      const double forward_scale = norm == Norm::ortho     ? 1 / std::sqrt(60.0)
                                   : norm == Norm::forward ? 1.0 / 60
                                                           : 1.0;
      std::vector<double> real(static_cast<std::size_t>(plan.input().allocation_size), 3.0);
      std::vector<std::complex<double>> spectrum(
          static_cast<std::size_t>(plan.output().allocation_size));
      plan.forward(real, spectrum);
      if (plan.output().allocation_size > 0 && plan.output().box.lower[1] == 0) {
        EXPECT_NEAR(spectrum[0].real(), 180 * forward_scale, 1e-12);
      }
      std::fill(real.begin(), real.end(), 0.0);
      plan.backward(spectrum, real);
      for (const double value : real) EXPECT_NEAR(value, 3.0, 1e-13);
    }
  }
}

TEST_F(Results, InputIsPreservedUnlessTheUserAllowsOtherwise) {
  for (const std::string& exchange : test::plan_exchanges()) {
    for (const std::string& backend : backends()) {
      for (const LayoutSpec& in : {brick(), slab_split(0), slab_split(2).with_order({2, 1, 0})}) {
        Options options;
        options.exchange = exchange;
        options.local = backend;
        options.threads = 1;
        Problem problem = bricks(r2c);
        problem.input = in;
        problem.output = slab_split(0);
        Plan plan(MPI_COMM_WORLD, problem, options);
        for (const Direction direction : both) {
          const Bytes given = test::given_bytes(plan, direction, 1);
          const Bytes before = given;
          Bytes out = test::poisoned(test::sink_of(plan, direction));
          test::execute(plan, direction, given.data(), out.data());
          EXPECT_TRUE(given == before) << exchange << " " << backend;
        }
        options.overwrite_input = true;
        Plan careless(MPI_COMM_WORLD, problem, options);
        for (const Direction direction : both) {
          EXPECT_LE(test::run_error(careless, direction), test::error_bound(careless));
        }
      }
    }
  }
}

TEST_F(Results, MemoryMayBeAlignedToOneRealOnly) {
  for (const std::string& backend : backends()) {
    for (const Precision precision : {Precision::f32, Precision::f64}) {
      for (const Kinds& kinds : {Kinds(c2c), Kinds(r2c)}) {
        for (const Index stream_bytes : {Index{-1}, Index{0}}) {
          Options options;
          options.local = backend;
          options.stream_bytes = stream_bytes;
          Problem problem = bricks(kinds);
          problem.precision = precision;
          Plan plan(MPI_COMM_WORLD, problem, options);
          const std::size_t real = precision == Precision::f32 ? 4 : 8;
          for (const Direction direction : both) {
            Bytes in = test::given_bytes(plan, direction, 1);
            Bytes out = test::poisoned(test::sink_of(plan, direction));
            in.insert(in.begin(), real, std::byte{0});
            out.insert(out.begin(), real, std::byte{0});
            test::execute(plan, direction, in.data() + real, out.data() + real);
            EXPECT_LE(test::error_of(plan, direction, out.data() + real, 1),
                      test::error_bound(plan))
                << backend;
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace weft
