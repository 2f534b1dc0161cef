// What weft's own kernels for devices do and libraries do not: pruned lines, lengths with kernels
// of their own, lines that are longer than a block of threads has room for.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "local/line_plan.hpp"
#include "local/real_backends.hpp"
#include "support/device_run.hpp"
#include "support/local_run.hpp"
#include "support/trials.hpp"
#include "weft/kernels/plane_pass.hpp"

namespace weft {
namespace {

using test::LocalRun;
using test::Random;

class DeviceLines : public testing::TestWithParam<std::string> {
 protected:
  const LocalBackend& backend() const { return test::backend_named(GetParam()); }
  /// As if the device had no library, to which something could be left.
  LocalBackend alone() const {
    LocalBackend result = backend();
    result.device = "without a library";
    return result;
  }

  /// `lines` of n numbers, one after another or side by side, both precisions and directions.
  void check(Kind kind, Index n, Index lines, const char* with) const {
    for (const Precision precision : {Precision::f32, Precision::f64}) {
      for (const Direction direction : {Direction::forward, Direction::backward}) {
        for (const bool side_by_side : {false, true}) {
          LocalRun run;
          LocalProblem& problem = run.problem;
          problem.kinds = {kind};
          problem.direction = direction;
          problem.precision = precision;
          problem.scale = 1.0 / static_cast<double>(n);
          problem.real_data = kind != c2c && kind != r2c;
          problem.transform = {{n, side_by_side ? lines : 1, side_by_side ? lines : 1}};
          problem.batch = {{lines, side_by_side ? 1 : n + 2, side_by_side ? 1 : n + 2}};
          run.place_on(backend());
          ASSERT_EQ(run.compare(alone(), find_local_backend(with), 5), "")
              << to_string(kind) << " of " << n << ", " << lines << " lines";
        }
      }
    }
  }

  /// Lines of n complex numbers in any loops, also in place; what differs from another library.
  std::string compare_any_layout(Index n, Precision precision, bool is_pruned, Random& random,
                                 unsigned trial) const {
    LocalRun run;
    LocalProblem& problem = run.problem;
    problem.precision = precision;
    problem.transform = {{n, 1, 1}};
    problem.kinds = {c2c};
    problem.direction = random.chance(50) ? Direction::forward : Direction::backward;
    problem.scale = random.chance(50) ? 1 : 0.25;
    if (is_pruned) problem.transform[0].in_points = 1 + random.below(n);
    if (is_pruned) problem.transform[0].out_points = 1 + random.below(n);
    test::add_random_axes(problem.batch, random.below(4), 4, random);
    test::set_random_strides(problem, random);
    if (random.chance(50)) {
      LocalAxis& axis = problem.transform[0];
      axis.out_stride = axis.in_stride;
      axis.out_points = axis.in_points;
      for (LocalAxis& loop : problem.batch) loop.out_stride = loop.in_stride;
      problem.in_place = random.chance(50);
      problem.preserve_input = !problem.in_place;
    }
    if (random.chance(70)) problem.most_work_bytes = (1 + random.below(6)) * n * 8;
    run.place_on(backend());
    if (!backend().supports(problem)) return "not supported";
    return run.compare(backend(), find_local_backend("fftw"), trial);
  }
};

TEST_P(DeviceLines, LengthsWithKernelsOfTheirOwn) {
  for (const Kind kind : {c2c, r2c, Kind::dct2, Kind::dct3, Kind::dst4}) {
    for (const Index n : {128, 256, 384, 512, 768, 1024, 2048}) check(kind, n, 3, "fftw");
  }
}

/// More lines than a block of threads takes, and not a multiple of that.
TEST_P(DeviceLines, ManyLines) {
  for (const Kind kind : {c2c, r2c, Kind::dct2, Kind::dct4}) {
    for (const Index n : {4, 30, 128, 130, 256}) check(kind, n, 67, "fftw");
  }
}

/// Side by side, and so many that blocks of threads last and take lines again and again.
TEST_P(DeviceLines, MoreLinesThanBlocksTakeAtOnce) {
  if (backend().device == std::string("emulated")) GTEST_SKIP() << "no block lasts there";
  bool forward = true;
  for (const Index n : {512, 525, 600, 720, 936, 1000, 1014, 1024}) {
    forward = !forward;
    for (const Precision precision : {Precision::f32, Precision::f64}) {
      LocalRun run;
      LocalProblem& problem = run.problem;
      problem.kinds = {c2c};
      problem.direction = forward ? Direction::forward : Direction::backward;
      problem.precision = precision;
      const Index bytes = bytes_of({precision, true});
      const Index lines = 2500 * 1024 / n * 16 / bytes + 1;
      problem.transform = {{n, lines + 3, lines + 3}};
      problem.batch = {{lines, 1, 1}};
      run.place_on(backend());
      ASSERT_EQ(run.compare(backend(), find_local_backend("fftw"), 3), "")
          << lines << " lines of " << n;
    }
  }
}

/// Both axes of a plane in one kernel, where planes lie one after another.
TEST_P(DeviceLines, Planes) {
  Random random(61);
  const Index shapes[][2] = {{16, 16},   {5, 64},    {30, 34},  {128, 128},
                             {256, 256}, {384, 384}, {512, 512}};
  for (const auto& [rows, columns] : shapes) {
    for (unsigned choice = 0; choice < 32; ++choice) {
      const bool halved = (choice & 1) != 0, in_order = (choice & 2) != 0;
      LocalRun run;
      LocalProblem& problem = run.problem;
      problem.kinds = {c2c, halved ? r2c : c2c};
      problem.direction = (choice & 4) != 0 ? Direction::forward : Direction::backward;
      problem.precision = (choice & 8) != 0 ? Precision::f32 : Precision::f64;
      problem.preserve_input = (choice & 16) != 0;
      problem.scale = 0.5;
      const Index modes = halved ? columns / 2 + 1 : columns, points = halved ? 2 * modes : columns;
      const bool to_modes = problem.direction == Direction::forward;
      const Index in = to_modes ? points : modes, out = to_modes ? modes : points;
      problem.transform = {{rows, in, out}, {columns, 1, 1}};
      problem.batch = {{5, rows * in, rows * out + 2}};
      if (!in_order) test::set_random_strides(problem, random);
      run.place_on(backend());
      ASSERT_EQ(run.compare(backend(), find_local_backend("fftw"), 7), "")
          << rows << " x " << columns << ", choice " << choice;
    }
  }
}

/// Each block once, and those of the second pass after all of the first for their plane, as they
/// wait for these.
TEST(PlaneBlocks, ComeInAnOrderThatCannotStop) {
  Random random(17);
  for (unsigned trial = 0; trial < 500; ++trial) {
    PlanePass<> pass;
    const auto up_to = [&](Index most) {
      return static_cast<std::uint32_t>(1 + random.below(most));
    };
    pass.planes = up_to(6);
    pass.first_lines = up_to(70);
    pass.second_lines = up_to(70);
    pass.first.lanes = make_divisor(up_to(8));
    pass.second.lanes = make_divisor(up_to(8));
    pass.lag = up_to(3);
    pass.mixed = random.chance(70);
    if (pass.mixed) pass.lag_blocks = up_to(pass.second_blocks()) - 1;
    std::vector<std::vector<int>> seen[] = {{pass.planes, std::vector<int>(pass.first_lines)},
                                            {pass.planes, std::vector<int>(pass.second_lines)}};
    std::vector<std::uint32_t> finished(pass.planes);
    for (std::uint32_t number = 0; number < pass.blocks(); ++number) {
      const PlaneBlock block =
          pass.mixed ? mixed_plane_block(pass, number) : plane_block(pass, number);
      if (!block.exists) continue;
      ASSERT_LT(block.plane, pass.planes);
      const std::uint32_t lines = block.is_second ? pass.second_lines : pass.first_lines;
      const std::uint32_t lanes = (block.is_second ? pass.second : pass.first).lanes.count;
      ASSERT_EQ(block.lines.end, (block.plane + 1) * lines);
      ASSERT_LT(block.lines.first, block.lines.end);
      for (std::uint32_t line = block.lines.first;
           line < std::min(block.lines.first + lanes, block.lines.end); ++line) {
        ++seen[block.is_second ? 1 : 0][block.plane][line - block.plane * lines];
      }
      if (block.is_second) ASSERT_EQ(finished[block.plane], pass.first_blocks());
      if (!block.is_second) ++finished[block.plane];
    }
    for (const auto& planes : seen) {
      for (const auto& lines : planes) {
        for (const int times : lines) ASSERT_EQ(times, 1) << "trial " << trial;
      }
    }
  }
}

/// The first pass leads to work memory, whatever the order of axes in memory.
TEST_P(DeviceLines, RealResultsWithTheInputKept) {
  Random random(29);
  for (unsigned trial = 0; trial < 200; ++trial) {
    LocalRun run;
    LocalProblem& problem = run.problem;
    const Index axes = 2 + random.below(2), batches = random.below(3);
    test::add_random_axes(problem.transform, axes, 20, random);
    problem.kinds = Axes<Kind>::filled(problem.transform.size(), c2c);
    problem.kinds[problem.kinds.size() - 1] = r2c;
    test::add_random_axes(problem.batch, batches, 4, random);
    problem.direction = Direction::backward;
    problem.precision = random.chance(50) ? Precision::f32 : Precision::f64;
    problem.scale = 0.25;
    test::set_random_strides(problem, random);
    run.place_on(backend());
    ASSERT_EQ(run.compare(backend(), find_local_backend("fftw"), trial), "");
    ASSERT_TRUE(problem.preserve_input || !backend().supports(problem));
  }
}

TEST_P(DeviceLines, LongerThanABlockHasRoomFor) {
  for (const Index n : {4095, 4200, 6144, 8192, 14000, 20000, 65536}) check(c2c, n, 2, "fftw");
  check(Kind::dct2, 20000, 2, "fftw");
}

TEST_P(DeviceLines, LargePrimeFactors) {
  for (const Index n : {17, 31, 1009, 34 * 29}) check(c2c, n, 3, "fftw");
  for (const Kind kind : {Kind::dct1, Kind::dct4, Kind::dst2}) check(kind, 509, 3, "fftw");
}

TEST_P(DeviceLines, LargePrimeFactorsOfLongLines) {
  for (const Index n : {6151, 100003, 2 * 50021}) check(c2c, n, 2, "fftw");
  for (const Kind kind : test::real_kinds) check(kind, 12301, 3, "fftw");
  check(r2c, 12301, 3, "fftw");
}

/// Lines that are a little longer than a block has room for, or whose convolution is: all of them
/// at a time, or a few.
TEST_P(DeviceLines, LongLinesOfAnyLayout) {
  Random random(47);
  for (unsigned trial = 0; trial < test::trials(60); ++trial) {
    const bool is_pruned = random.chance(50);
    const Precision precision = random.chance(50) ? Precision::f32 : Precision::f64;
    const Index most = precision == Precision::f32 ? 12288 : 6144;
    const Index lengths[] = {most / 2 + 1 + random.below(100), most + 2, 3 * most / 2, 7919, 15013};
    const Index n = lengths[random.below(5)];
    ASSERT_EQ(compare_any_layout(n, precision, is_pruned, random, trial), "") << "trial " << trial;
  }
}

/// Lines that a block has room to convolve.
TEST_P(DeviceLines, LargePrimeFactorsOfAnyLayout) {
  Random random(97);
  for (unsigned trial = 0; trial < test::trials(200); ++trial) {
    const bool is_pruned = random.chance(50);
    const Precision precision = random.chance(50) ? Precision::f32 : Precision::f64;
    Index n = 17 + random.below(1300);
    while (stockham::has_small_primes(n)) ++n;
    ASSERT_EQ(compare_any_layout(n, precision, is_pruned, random, trial), "") << "trial " << trial;
  }
}

/// The sum is exact where the rounding of another transform would count.
TEST_P(DeviceLines, LongLinesAgainstTheirDefinition) {
  for (const Precision precision : {Precision::f32, Precision::f64}) {
    for (const Direction direction : {Direction::forward, Direction::backward}) {
      LocalRun run;
      run.problem.transform = {{precision == Precision::f32 ? 6151 : 3079, 1, 1}};
      run.problem.kinds = {c2c};
      run.problem.precision = precision;
      run.problem.direction = direction;
      run.place_on(backend());
      ASSERT_EQ(run.compare(backend(), find_local_backend("reference"), 3), "");
    }
  }
}

/// Memory for a few lines is enough for any number of them.
TEST_P(DeviceLines, LongLinesTakeTheMemoryThereIs) {
  for (const Index n : {20000, 15013}) {
    LocalRun run;
    LocalProblem& problem = run.problem;
    problem.transform = {{n, 1, 1}};
    problem.kinds = {c2c};
    problem.batch = {{50, n, n}};
    problem.most_work_bytes = Index{1} << 20;
    run.place_on(backend());
    const auto bytes = static_cast<Index>(make_local(backend(), problem)->work_bytes());
    EXPECT_LE(bytes, problem.most_work_bytes);
    EXPECT_GT(bytes, problem.most_work_bytes / 3);
    EXPECT_EQ(run.compare(backend(), find_local_backend("fftw"), 1), "");
  }
}

/// Numbers of lines have 31 bits, also of those that are convolved.
TEST_P(DeviceLines, TooLongLines) {
  LocalRun run;
  LocalProblem& problem = run.problem;
  problem.kinds = {c2c};
  for (const Index n : {Index{1} << 31, (Index{1} << 30) + 3, (Index{1} << 40) + 15}) {
    problem.transform = {{n, 1, 1}};
    run.place_on(backend());
    EXPECT_FALSE(backend().supports(problem));
  }
}

TEST_P(DeviceLines, HalvedAxesOfLargePrimeFactors) {
  for (const Index n : {17, 58, 101, 3079}) {
    for (const Precision precision : {Precision::f32, Precision::f64}) {
      for (const Direction direction : {Direction::forward, Direction::backward}) {
        for (const bool planes : {false, true}) {
          LocalRun run;
          LocalProblem& problem = run.problem;
          problem.transform = {{n, 3, 3}};
          problem.kinds = {r2c};
          if (planes) problem.transform = {{6, 3 * (n + 1), 3 * (n + 1)}, {n, 3, 3}};
          if (planes) problem.kinds = {c2c, r2c};
          problem.batch = {{3, 1, 1}};
          problem.direction = direction;
          problem.precision = precision;
          run.place_on(backend());
          ASSERT_FALSE(backend().supports(problem));
          const char* const with = n < 1000 ? "reference" : "fftw";
          ASSERT_EQ(run.compare(alone(), find_local_backend(with), 9), "") << n;
        }
      }
    }
  }
}

TEST_P(DeviceLines, PrunedAxes) {
  Random random(83);
  unsigned done = 0;
  for (unsigned trial = 0; trial < test::trials(300); ++trial) {
    LocalRun run;
    LocalProblem& problem = run.problem;
    const Kind kinds[] = {c2c, r2c, test::real_kinds[random.below(8)]};
    problem.kinds = {kinds[random.below(3)]};
    problem.real_data = problem.kinds[0] != c2c && problem.kinds[0] != r2c && random.chance(50);
    problem.direction = random.chance(50) ? Direction::forward : Direction::backward;
    problem.precision = random.chance(50) ? Precision::f32 : Precision::f64;
    problem.transform = {{2 + random.below(39), 1, 1}};
    LocalAxis& axis = problem.transform[0];
    axis.in_points = 1 + random.below(whole_points(problem, 0, true));
    axis.out_points = 1 + random.below(whole_points(problem, 0, false));
    for (Index loops = random.below(3); loops > 0; --loops) {
      problem.batch.push_back({1 + random.below(12), 1, 1});
    }
    test::set_random_strides(problem, random);
    run.place_on(backend());
    // Real lines with large prime factors are left to others.
    if (!backend().supports(problem)) continue;
    ++done;
    ASSERT_EQ(run.compare(backend(), find_local_backend("reference"), trial), "")
        << "trial " << trial;
  }
  EXPECT_GT(done, test::trials(300) / 2);
}

INSTANTIATE_TEST_SUITE_P(Usable, DeviceLines, testing::ValuesIn(test::own_device_backends()),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace weft
