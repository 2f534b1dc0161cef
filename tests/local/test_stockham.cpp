// Every instruction set of the local backend "stockham" that this processor has.
#include <gtest/gtest.h>

#include <cstring>

#include "local/stockham.hpp"
#include "support/local_run.hpp"
#include "verify/random.hpp"

namespace weft {
namespace {

using test::LocalRun;

template <InstructionSet set>
LocalBackend backend_of() {
  return {"stockham",
          "",
          [] { return true; },
          [] { return true; },
          stockham::supports,
          [](const LocalProblem& problem) { return stockham::make(problem, set); }};
}

class Stockham : public testing::TestWithParam<InstructionSet> {
 protected:
  LocalBackend backend() const {
    switch (GetParam()) {
      case InstructionSet::portable:
        return backend_of<InstructionSet::portable>();
      case InstructionSet::avx2:
        return backend_of<InstructionSet::avx2>();
      default:
        return backend_of<InstructionSet::avx512>();
    }
  }

  /// In all precisions, directions and kinds.
  void check(const Axes<LocalAxis>& transform, const Axes<LocalAxis>& batch, int threads = 1,
             const LocalBackend& with = find_local_backend("reference")) const {
    for (const Precision precision : {Precision::f32, Precision::f64}) {
      for (const Direction direction : {Direction::forward, Direction::backward}) {
        for (const Kind kind : {c2c, r2c}) {
          LocalRun run;
          run.problem.transform = transform;
          run.problem.kinds = Axes<Kind>::filled(transform.size() - 1, c2c);
          run.problem.kinds.push_back(kind);
          run.problem.batch = batch;
          run.problem.direction = direction;
          run.problem.precision = precision;
          run.problem.preserve_input = transform.size() == 1;
          run.problem.threads = threads;
          ASSERT_TRUE(backend().supports(run.problem));
          ASSERT_EQ(run.compare(backend(), with, 7), "");
        }
      }
    }
  }
};

TEST_P(Stockham, EveryRadixInEveryPlace) {
  for (Index first = 1; first <= 16; ++first) {
    for (const Index second : {1, 4, 11, 16}) {
      const Index n = first * second;
      check({{n, 1, 1}}, {{3, n, n + 2}});
      check({{n, 17, 17}}, {{17, 1, 1}});
    }
  }
}

TEST_P(Stockham, AnyNumberOfLines) {
  for (Index lines = 1; lines <= 40; ++lines) {
    check({{24, 1, 1}}, {{lines, 24, 25}});
    check({{24, 40, 41}}, {{lines, 1, 1}});
    check({{24, 40, 1}}, {{lines, 1, 24}});
    check({{24, 1, 41}}, {{lines, 24, 1}});
  }
}

TEST_P(Stockham, LongLines) {
  // The reference would take too long.
  const LocalBackend& other = fallback_backend();
  for (const Index n : {1024, 2048, 2310, 4096, 8192}) {
    check({{n, 1, 1}}, {{3, n, n + 2}}, 1, other);
    check({{n, 9, 1}}, {{9, 1, n + 1}}, 1, other);
  }
}

TEST_P(Stockham, PlanesBoxesAndBatchesOfThem) {
  check({{20, 18, 18}, {18, 1, 1}}, {});
  check({{20, 18, 1}, {18, 1, 20}}, {{3, 400, 400}});
  check({{8, 90, 90}, {9, 10, 10}, {10, 1, 1}}, {{2, 720, 720}});
  check({{70, 72, 74}, {72, 1, 1}}, {{2, 5100, 5200}});
  check({{12, 160, 160}, {10, 16, 16}}, {{16, 1, 1}});
}

TEST_P(Stockham, SeveralThreadsInOneTransform) {
  check({{48, 1, 1}}, {{101, 48, 50}}, 3);
  check({{64, 66, 66}, {64, 1, 1}}, {{2, 4300, 4300}}, 3);
}

TEST_P(Stockham, WorksInPlaceWhereStridesAreEqual) {
  for (const Index n : {8, 21, 64, 128, 182, 256}) {
    for (const bool contiguous : {true, false}) {
      LocalProblem problem;
      problem.transform = {{n, contiguous ? n + 2 : 1, contiguous ? n + 2 : 1},
                           {n, contiguous ? 1 : n + 2, contiguous ? 1 : n + 2}};
      problem.kinds = {c2c, c2c};
      const auto transform = backend().make(problem);
      ASSERT_TRUE(transform->works_in_place());
      std::vector<std::complex<double>> in(static_cast<std::size_t>(n * (n + 2)));
      for (std::size_t i = 0; i < in.size(); ++i) {
        in[i] = {static_cast<double>(i * 37 % 101), static_cast<double>(i * 53 % 97)};
      }
      auto out = in;
      test::execute(*transform, in, out);
      test::execute(*transform, in, in);
      EXPECT_EQ(in, out) << n;
    }
  }
  LocalProblem other;
  other.transform = {{16, 1, 4}};
  other.kinds = {c2c};
  EXPECT_FALSE(backend().make(other)->works_in_place());
}

TEST_P(Stockham, RealLinesAreTransformedWhereTheirHalfSpectraGo) {
  for (const Index n : {1, 2, 7, 16, 21, 64, 66, 128, 182, 256}) {
    for (const Direction direction : {Direction::forward, Direction::backward}) {
      const Index half = n / 2 + 1, lines = 21;
      const bool forward = direction == Direction::forward;
      LocalProblem problem;
      problem.direction = direction;
      problem.preserve_input = false;
      problem.kinds = {c2c, r2c};
      const Index real_row = 2 * half, complex_row = half;
      problem.transform = {
          {lines, forward ? real_row : complex_row, forward ? complex_row : real_row}, {n, 1, 1}};
      const auto transform = backend().make(problem);
      ASSERT_TRUE(transform->works_in_place());
      std::vector<double> in(static_cast<std::size_t>(2 * half * lines));
      for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<double>(i * 37 % 101);
      auto copy = in;
      std::vector<double> out(in.size());
      test::execute(*transform, copy, out);
      test::execute(*transform, in, in);
      const Index written = forward ? 2 * half : n;
      for (Index line = 0; line < lines; ++line) {
        for (Index i = 0; i < written; ++i) {
          const auto at = static_cast<std::size_t>(line * 2 * half + i);
          ASSERT_EQ(in[at], out[at]) << n << " line " << line << " number " << i;
        }
      }
    }
  }
  LocalProblem strided;
  strided.transform = {{16, 2, 2}};
  strided.kinds = {r2c};
  EXPECT_FALSE(backend().make(strided)->works_in_place());
}

/// The bits of one line of a batch after its transform; the others differ from seed to seed.
template <class Real>
std::vector<Real> transformed_line(const LocalBackend& backend, Kind kind, Direction direction,
                                   Index n, Index lines, Index number, bool contiguous,
                                   unsigned seed) {
  LocalProblem problem;
  const Index pitch = n + 3;
  if (contiguous) {
    problem.transform = {{n, 1, 1}};
    problem.batch = {{lines, pitch, pitch}};
  } else {
    problem.transform = {{n, lines, lines}};
    problem.batch = {{lines, 1, 1}};
  }
  problem.kinds = {kind};
  problem.direction = direction;
  problem.precision = sizeof(Real) == 4 ? Precision::f32 : Precision::f64;
  const Index units_in = problem.real_input() ? 1 : 2, units_out = problem.real_output() ? 1 : 2;
  const Index length_in = stored_points(problem, 0, true);
  const Index length_out = stored_points(problem, 0, false);
  std::vector<Real> in(static_cast<std::size_t>(2 * pitch * lines)), out(in.size());
  std::uint64_t random_number = 0;
  for (Real& value : in) value = static_cast<Real>(1e3 * random_value(random_number++, seed));
  const auto at = [&](Index i, Index units, Index part) {
    const Index element = contiguous ? number * pitch + i : i * lines + number;
    return static_cast<std::size_t>(element * units + part);
  };
  for (Index i = 0; i < length_in * units_in; ++i) {
    in[at(i / units_in, units_in, i % units_in)] =
        static_cast<Real>(random_value(static_cast<std::uint64_t>(i), 1));
  }
  test::execute(*backend.make(problem), in, out);
  std::vector<Real> line;
  for (Index i = 0; i < length_out * units_out; ++i) {
    line.push_back(out[at(i / units_out, units_out, i % units_out)]);
  }
  return line;
}

template <class Real>
void check_independence(const LocalBackend& backend) {
  for (const Kind kind : {c2c, r2c}) {
    for (const Direction direction : {Direction::forward, Direction::backward}) {
      for (const Index n : {8, 15, 16, 64, 90, 143, 256}) {
        const auto alone = transformed_line<Real>(backend, kind, direction, n, 1, 0, true, 2);
        unsigned seed = 3;
        for (const bool contiguous : {true, false}) {
          for (const Index lines : {2, 5, 16, 37}) {
            for (Index number = 0; number < lines; number += lines < 16 ? 1 : 5) {
              const auto line = transformed_line<Real>(backend, kind, direction, n, lines, number,
                                                       contiguous, seed++);
              ASSERT_EQ(std::memcmp(line.data(), alone.data(), alone.size() * sizeof(Real)), 0)
                  << "line " << number << " of " << lines << " with " << n << " points";
            }
          }
        }
      }
    }
  }
}

TEST_P(Stockham, BitsOfALineDoNotDependOnItsPlaceOrNeighbors) {
  check_independence<float>(backend());
  check_independence<double>(backend());
}

TEST_P(Stockham, RefusesWhatItDoesNotSupport) {
  LocalProblem problem;
  problem.transform = {{17, 1, 1}};
  problem.kinds = {c2c};
  EXPECT_FALSE(backend().supports(problem));
  EXPECT_THROW(backend().make(problem), Error);
}

INSTANTIATE_TEST_SUITE_P(Usable, Stockham, testing::ValuesIn(usable_instruction_sets()),
                         [](const auto& info) { return to_string(info.param); });

}  // namespace
}  // namespace weft
