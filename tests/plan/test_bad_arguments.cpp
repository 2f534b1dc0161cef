// Problems and options that a plan must refuse, on all ranks with the same words.
#include <cmath>
#include <limits>

#include "local/local_transform.hpp"
#include "support/bad_input.hpp"
#include "weft/convolution.hpp"
#include "weft/halo.hpp"
#include "weft/long_transform.hpp"

namespace weft {
namespace {

using test::expect_same_error;
using test::world_rank;

class BadArgument : public test::BadInput {
 protected:
  /// Good on ranks 0 and 1, changed on rank 2.
  template <class Change>
  static Problem different_on_last_rank(const Change& change) {
    Problem problem = good_problem();
    if (world_rank() == 2) change(problem);
    return problem;
  }
};

TEST_F(BadArgument, ShapeDiffersBetweenRanks) {
  expect_refused(different_on_last_rank([](Problem& p) {
                   p.shape = {9, 7};
                 }),
                 {"rank 2: shape differs between ranks: 9x7, but on rank 0 9x8"});
  expect_refused(different_on_last_rank([](Problem& p) {
                   p.shape = {9, 8, 1};
                 }),
                 {"9x8x1, but on rank 0 9x8"});
}

TEST_F(BadArgument, KindsDifferBetweenRanks) {
  expect_refused(different_on_last_rank([](Problem& p) { p.kinds = r2c; }),
                 {"kinds differs between ranks: c2c,r2c, but on rank 0 c2c,c2c"});
}

TEST_F(BadArgument, LayoutsDifferBetweenRanks) {
  expect_refused(different_on_last_rank([](Problem& p) { p.input = slab_split(1); }),
                 {"input layout differs between ranks: slab:1, but on rank 0 slab:0"});
  expect_refused(different_on_last_rank([](Problem& p) { p.output = brick(); }),
                 {"output layout differs between ranks: brick, but on rank 0 slab:1"});
  expect_refused(
      different_on_last_rank([](Problem& p) { p.input = slab_split(0).with_split(Split::block); }),
      {"input layout differs", "split=block"});
  expect_refused(different_on_last_rank([](Problem& p) {
                   p.input = slab_split(0).with_order({1, 0});
                 }),
                 {"input layout differs", "order=(1,0)"});
  expect_refused(different_on_last_rank([](Problem& p) {
                   p.input = slab_split(0).with_halo({1, 0}, {0, 2});
                 }),
                 {"input layout differs", "1x0", "0x2"});
  expect_refused(different_on_last_rank([](Problem& p) {
                   p.input = box({{6, 0}, {9, 8}});
                 }),
                 {"input layout differs", "own box"});
}

TEST_F(BadArgument, ListedBoxesDifferBetweenRanks) {
  Problem problem = good_problem();
  problem.input = boxes({{{0, 0}, {3, 8}}, {{3, 0}, {6, 8}}, {{6, 0}, {9, 8}}});
  if (world_rank() == 2) {
    problem.input = boxes({{{0, 0}, {4, 8}}, {{4, 0}, {6, 8}}, {{6, 0}, {9, 8}}});
  }
  expect_refused(problem, {"input layout differs", "[0,4)x[0,8)", "[0,3)x[0,8)"});
}

TEST_F(BadArgument, PrecisionDiffersBetweenRanks) {
  expect_refused(different_on_last_rank([](Problem& p) { p.precision = Precision::f32; }),
                 {"precision differs between ranks: f32, but on rank 0 f64"});
}

TEST_F(BadArgument, BatchDiffersBetweenRanks) {
  expect_refused(different_on_last_rank([](Problem& p) { p.batch = 2; }),
                 {"batch differs between ranks: 2 contiguous, but on rank 0 1 contiguous"});
  Problem problem = good_problem();
  problem.batch = 3;
  problem.interleaved = world_rank() == 1;
  expect_refused(problem, {"3 interleaved, but on rank 0 3 contiguous"});
}

TEST_F(BadArgument, NormDiffersBetweenRanks) {
  expect_refused(different_on_last_rank([](Problem& p) { p.norm = Norm::ortho; }),
                 {"norm differs between ranks: ortho, but on rank 0 backward"});
}

TEST_F(BadArgument, OptionsDifferBetweenRanks) {
  const auto refused = [](auto change, const std::string& part) {
    Options options;
    if (world_rank() == 2) change(options);
    expect_refused(good_problem(), {"options differs between ranks", part}, options);
  };
  refused([](Options& o) { o.exchange = "p2p"; }, "exchange=p2p");
  refused([](Options& o) { o.local = "reference"; }, "local=reference");
  refused([](Options& o) { o.algorithm = Algorithm::pencil; }, "algorithm=pencil");
  refused([](Options& o) { o.grid = {1, 3}; }, "grid=1x3");
  refused([](Options& o) { o.reorder = true; }, "reorder=yes");
  refused([](Options& o) { o.overwrite_input = true; }, "overwrite_input=yes");
  refused([](Options& o) { o.rigor = Rigor::measure; }, "rigor=measure");
  refused([](Options& o) { o.tile_bytes = 4711; }, "tile_bytes");
  refused([](Options& o) { o.mpi_count_limit = 1000; }, "mpi_count_limit");
  refused([](Options& o) { o.tolerance = 1e-3; }, "tolerance");
}

TEST_F(BadArgument, OptionsOfOneRankAloneMayDiffer) {
  Options options;
  options.threads = 1 + world_rank();
  options.stream_bytes = world_rank() == 1 ? 0 : -1;
  Plan plan(MPI_COMM_WORLD, good_problem(), options);
  EXPECT_LE(test::run_error(plan, Direction::forward), test::error_bound(plan));
}

TEST_F(BadArgument, TheEnvironmentOfRankZeroCounts) {
  setenv("WEFT_EXCHANGE", world_rank() == 0 ? "p2p" : "pigeon", 1);
  EXPECT_EQ(Plan(MPI_COMM_WORLD, good_problem()).info().exchange, "p2p");
  EXPECT_EQ(
      Plan(MPI_COMM_WORLD, good_problem(), parse_options("exchange=alltoallv")).info().exchange,
      "alltoallv");
  unsetenv("WEFT_EXCHANGE");
  if (world_rank() == 0) setenv("WEFT_THREADS", "many", 1);
  expect_refused(good_problem(),
                 {"WEFT_* of the environment: threads 'many': must be a whole number"});
  unsetenv("WEFT_THREADS");
}

TEST_F(BadArgument, ZeroLength) {
  Problem problem = good_problem();
  problem.shape = {9, 0};
  expect_refused(problem, {"shape 9x0: lengths must be positive"});
}

TEST_F(BadArgument, NegativeLength) {
  Problem problem = good_problem();
  problem.shape = {-9, 8};
  expect_refused(problem, {"shape -9x8: lengths must be positive"});
}

TEST_F(BadArgument, NoAxesAndSevenAxes) {
  Problem problem = good_problem();
  problem.shape = {};
  expect_refused(problem, {"0 axes; 1 to 6 are supported"});
  problem.shape = {2, 2, 2, 2, 2, 2, 2};
  expect_refused(problem, {"shape 2x2x2x2x2x2x2 has 7 axes; 1 to 6 are supported"});
}

TEST_F(BadArgument, ArrayTooLargeFor64Bits) {
  Problem problem = good_problem();
  problem.shape = {Index{1} << 32, Index{1} << 32};
  expect_refused(problem, {"4294967296x4294967296", "too large"});
  problem.shape = {Index{1} << 30, Index{1} << 31};
  expect_refused(problem, {"1073741824x2147483648", "too large"});
  problem.shape = {std::numeric_limits<Index>::max()};
  problem.output = slab_split(0);
  expect_refused(problem, {"9223372036854775807", "too large"});
}

TEST_F(BadArgument, MoreMemoryThanThereIs) {
  Problem problem = good_problem();
  problem.shape = {Index{1} << 27, Index{1} << 27};
  problem.kinds = none;
  expect_same_error([&] { Plan plan(MPI_COMM_WORLD, problem); },
                    {"cannot allocate ", " PiB of host memory"}, ErrorCode::memory);
}

TEST_F(BadArgument, ZeroOrNegativeBatch) {
  Problem problem = good_problem();
  problem.batch = 0;
  expect_refused(problem, {"batch 0: must be positive"});
  problem.batch = -2;
  expect_refused(problem, {"batch -2: must be positive"});
}

TEST_F(BadArgument, TwoRealAxes) {
  Problem problem = good_problem();
  problem.kinds = {r2c, r2c};
  expect_refused(problem, {"kinds 'r2c,r2c': only one axis can be r2c"});
}

TEST_F(BadArgument, NumbersThatDoNotSuitTheKinds) {
  Problem problem = good_problem();
  problem.kinds = {Kind::dct2, c2c};
  problem.numbers = Numbers::real;
  expect_refused(problem, {"kinds 'dct2,c2c': c2c needs complex numbers"});
  problem.kinds = {Kind::dct2, r2c};
  problem.numbers = Numbers::complex;
  expect_refused(problem, {"kinds 'dct2,r2c': r2c needs real numbers"});
  problem.kinds = {none, Kind::dct2};
  problem.numbers = world_rank() == 1 ? Numbers::real : Numbers::complex;
  expect_refused(problem, {"numbers differs between ranks: real, but on rank 0 complex"});
}

TEST_F(BadArgument, CosineTransformOfOnePoint) {
  Problem problem = good_problem();
  problem.kinds = {Kind::dct1, Kind::dct2};
  problem.shape[0] = 1;
  expect_refused(problem, {"kind dct1 along axis 0 needs at least 2 points"});
}

TEST_F(BadArgument, PointsAndModesThatAreNotThere) {
  const auto refused = [](auto change, const std::string& part) {
    Problem problem = good_problem();
    change(problem);
    expect_refused(problem, {part});
  };
  refused([](Problem& p) { p.modes = {9}; }, "modes 9: must be as many numbers as the axes");
  refused(
      [](Problem& p) {
        p.modes = {10, 8};
      },
      "modes 10x8: must be between 1 and the lengths of shape 9x8");
  refused(
      [](Problem& p) {
        p.input_points = {9, 0};
      },
      "input_points 9x0: must be between 1 and the lengths of shape 9x8");
  refused(
      [](Problem& p) {
        p.kinds = {none, c2c};
        p.input_points = {5, 8};
      },
      "points 5x8: axis 0 is not transformed and has all of its 9 points");
  expect_refused(different_on_last_rank([](Problem& p) {
                   p.modes = {5, 5};
                 }),
                 {"rank 2: modes differs between ranks: 5x5, but on rank 0"});
}

TEST_F(BadArgument, WrongNumberOfKinds) {
  Problem problem = good_problem();
  problem.kinds = {c2c, c2c, c2c};
  expect_refused(problem, {"kinds 'c2c,c2c,c2c' are 3, the array has 2 axes"});
}

TEST_F(BadArgument, UnknownNames) {
  Options options;
  options.exchange = "alltoal";
  expect_refused(good_problem(),
                 {"exchange 'alltoal' is unknown (did you mean 'alltoall'?)", "p2p_pipelined"},
                 options);
  options = {};
  options.local = "fft";
  expect_refused(good_problem(),
                 {"local backend 'fft' is unknown (did you mean 'fftw'?); known: auto", "fftw"},
                 options);
  expect_same_error([] { parse_kinds("c2c,dct9"); },
                    {"kind 'dct9' is unknown (did you mean 'dct1'?); known: none"});
  Problem problem = good_problem();
  problem.kinds = {c2c, static_cast<Kind>(77)};
  expect_refused(problem, {"77", "unknown"});
}

TEST_F(BadArgument, UnknownNameOnOneRankOnly) {
  Options options;
  if (world_rank() == 1) options.exchange = "smoke signals";
  expect_refused(good_problem(), {"rank 1: exchange 'smoke signals' is unknown"}, options);
}

TEST_F(BadArgument, Tolerance) {
  for (const auto& [tolerance, shown] : {std::pair{0.0, "0"},
                                         {-1e-6, "-1e-06"},
                                         {std::nan(""), "nan"},
                                         {HUGE_VAL, "inf"},
                                         {-HUGE_VAL, "-inf"},
                                         {1.0, "1"},
                                         {2.0, "2"}}) {
    Options options;
    options.tolerance = tolerance;
    expect_refused(good_problem(),
                   {std::string("tolerance ") + shown + ": must be positive and less than 1"},
                   options);
  }
  Options options;
  for (const double tolerance : {1e-3, 0.999}) {
    options.tolerance = tolerance;
    EXPECT_NO_THROW(Plan(MPI_COMM_WORLD, good_problem(), options));
  }
}

TEST_F(BadArgument, NumbersOutOfRange) {
  const auto refused = [](auto change, const std::string& part) {
    Options options;
    change(options);
    expect_refused(good_problem(), {part}, options);
  };
  refused([](Options& o) { o.threads = -1; }, "threads -1: must be between 0 and 4096");
  refused([](Options& o) { o.threads = 1000000; }, "threads 1000000: must be between 0 and 4096");
  refused([](Options& o) { o.threads = 4097; }, "threads 4097: must be between 0 and 4096");
  refused([](Options& o) { o.tile_bytes = -5; }, "tile_bytes -5: must be at least 0");
  refused([](Options& o) { o.mpi_count_limit = 1; }, "mpi_count_limit 1: must be between");
  refused([](Options& o) { o.mpi_count_limit = Index{1} << 31; }, "mpi_count_limit 2147483648");
}

TEST_F(BadArgument, UnknownEnumerators) {
  // As a C or Fortran program may pass any number.
  const auto refused = [](auto change) {
    Problem problem = good_problem();
    Options options;
    change(problem, options);
    expect_refused(problem, {"9"}, options);
  };
  refused([](Problem& p, Options&) { p.norm = static_cast<Norm>(9); });
  refused([](Problem& p, Options&) { p.precision = static_cast<Precision>(9); });
  refused([](Problem&, Options& o) { o.algorithm = static_cast<Algorithm>(9); });
  refused([](Problem&, Options& o) { o.rigor = static_cast<Rigor>(9); });
}

TEST_F(BadArgument, NullCommunicator) {
  // With Open MPI MPI_Comm{} is a null pointer, which is not MPI_COMM_NULL.
  for (const MPI_Comm comm : {MPI_COMM_NULL, MPI_Comm{}}) {
    const std::vector<std::string> parts{"the communicator is MPI_COMM_NULL"};
    expect_same_error([&] { Plan plan(comm, good_problem()); }, parts);
    expect_same_error([&] { Convolution<double> none(comm, {.first = {12}}); }, parts);
    expect_same_error([&] { LongTransform none(comm, {.length = 12}); }, parts);
    expect_same_error([&] { Halo none(comm, {.shape = {12}}); }, parts);
  }
}

TEST_F(BadArgument, Intercommunicator) {
  MPI_Comm half = MPI_COMM_NULL, inter = MPI_COMM_NULL;
  const int first = world_rank() == 0 ? 0 : 1;
  MPI_Comm_split(MPI_COMM_WORLD, first, 0, &half);
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - first, 0, &inter);
  expect_same_error([&] { Plan plan(inter, good_problem()); },
                    {"the communicator is an intercommunicator"});
  MPI_Comm_free(&inter);
  MPI_Comm_free(&half);
}

}  // namespace
}  // namespace weft
