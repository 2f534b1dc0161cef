// Cosine and sine transforms of every local backend, along one axis, against their definition.
#include <gtest/gtest.h>

#include <algorithm>
#include <thread>

#include "device/buffer.hpp"
#include "kind/kind.hpp"
#include "local/real_backends.hpp"
#include "support/heap_count.hpp"
#include "support/local_run.hpp"
#include "support/same_error.hpp"

namespace weft {
namespace {

using test::LocalRun;

class RealKinds : public testing::TestWithParam<std::size_t> {
 protected:
  const LocalBackend& backend() const { return test::real_backends()[GetParam()]; }

  static void set(LocalProblem& problem, Kind kind, Precision precision, bool real_data) {
    problem.kinds = {kind};
    problem.precision = precision;
    problem.real_data = real_data;
  }

  void check(LocalRun run) const {
    if (run.problem.kinds[0] == Kind::dct1 && run.problem.transform[0].length < 2) return;
    run.place_on(backend());
    const auto seed = static_cast<unsigned>(run.problem.transform[0].length);
    ASSERT_EQ(run.compare(backend(), find_local_backend("reference"), seed), "");
  }

  /// Contiguous lines with gaps between them, of all kinds, both directions and precisions.
  void check_length(Index n) const {
    for (const Kind kind : test::real_kinds) {
      for (const bool single : {true, false}) {
        for (const bool real_data : {true, false}) {
          for (const Direction direction : {Direction::forward, Direction::backward}) {
            LocalRun run;
            set(run.problem, kind, single ? Precision::f32 : Precision::f64, real_data);
            run.problem.transform = {{n, 1, 1}};
            run.problem.batch = {{3, n + 1, n + 1}};
            run.problem.direction = direction;
            check(run);
          }
        }
      }
    }
  }
};

TEST_P(RealKinds, LengthsUpTo20) {
  for (Index n = 1; n <= 20; ++n) check_length(n);
}

TEST_P(RealKinds, PowersOfTwo) {
  for (const Index n : {32, 64, 128}) check_length(n);
}

TEST_P(RealKinds, OtherLengths) {
  for (const Index n : {31, 96, 97, 100, 127, 129, 135}) check_length(n);
}

/// The definition is slow: what is wrong with other lengths only is found with few of them.
TEST_P(RealKinds, LongLines) {
  for (const Index n : {255, 256, 257, 1000}) {
    for (const Kind kind : test::real_kinds) {
      LocalRun run;
      set(run.problem, kind, n % 2 == 0 ? Precision::f32 : Precision::f64, true);
      run.problem.transform = {{n, 2, 2}};
      run.problem.batch = {{2, 1, 1}};
      check(run);
    }
  }
}

/// Groups of lines of every size, side by side, contiguous, and neither.
TEST_P(RealKinds, AnyNumberOfLines) {
  for (const Index lines : {1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 33, 64, 65, 70, 130, 200}) {
    for (const Kind kind : {Kind::dct2, Kind::dct3, Kind::dct4, Kind::dst1}) {
      for (const bool real_data : {true, false}) {
        for (const bool single : {true, false}) {
          const Index n = lines > 100 ? 12 : 30;
          for (const LocalAxis& side_by_side :
               {LocalAxis{lines, 1, 1}, LocalAxis{lines, 1, n + 1}, LocalAxis{lines, n, 1},
                LocalAxis{lines, n, n + 1}, LocalAxis{lines, 2, 3 * n}}) {
            LocalRun run;
            set(run.problem, kind, single ? Precision::f32 : Precision::f64, real_data);
            const auto line_stride = [&](Index stride) {
              return stride == 1 ? lines + 1 : (stride == 2 ? 2 * lines : (stride < 2 * n ? 1 : 3));
            };
            run.problem.transform = {
                {n, line_stride(side_by_side.in_stride), line_stride(side_by_side.out_stride)}};
            run.problem.batch = {side_by_side};
            check(run);
          }
        }
      }
    }
  }
}

TEST_P(RealKinds, OnePointHasNoFirstCosineTransform) {
  LocalRun run;
  set(run.problem, Kind::dct1, Precision::f64, true);
  run.problem.transform = {{1, 1, 1}};
  run.place_on(backend());
  EXPECT_NE(test::error_text([&] { make_local(backend(), run.problem); }), "");
}

/// Lines for which there is no room on the stack.
TEST_P(RealKinds, LinesOfAnyLength) {
  const std::string name = backend().name;
  if (name.find("reference") != std::string::npos) return;
  for (const Kind kind : test::real_kinds) {
    for (const Index n : {Index{20000}, Index{30030}, Index{100003}}) {
      LocalRun run;
      set(run.problem, kind, Precision::f64, true);
      run.problem.transform = {{n, 3, 3}};
      run.problem.batch = {{3, 1, 1}};
      run.place_on(backend());
      EXPECT_EQ(run.compare(backend(), find_local_backend("fftw"), 7), "");
    }
  }
}

using RealField = std::vector<double>;

RealField input(int shift) {
  RealField field(static_cast<std::size_t>(70 * 60));
  for (std::size_t i = 0; i < field.size(); ++i) {
    field[i] = static_cast<double>((i * 7 + static_cast<std::size_t>(shift)) % 13);
  }
  return field;
}

LocalProblem many_lines() {
  LocalProblem problem;
  problem.transform = {{60, 1, 1}};
  problem.kinds = {Kind::dct2};
  problem.real_data = true;
  problem.batch = {{70, 60, 60}};
  return problem;
}

TEST_P(RealKinds, RunsInSeveralThreadsAtATime) {
  if (!test::on_host(backend())) GTEST_SKIP() << "one thread fills the stream of a device";
  const auto transform = make_local(backend(), many_lines());
  const auto run = [&](int thread) {
    RealField out(input(0).size());
    test::execute(*transform, input(thread), out);
    return out;
  };
  std::vector<RealField> alone, together(4);
  for (int thread = 0; thread < 4; ++thread) alone.push_back(run(thread));
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&, thread] {
      for (int i = 0; i < 10; ++i) together[static_cast<std::size_t>(thread)] = run(thread);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(together, alone);
}

TEST_P(RealKinds, ThreadsOfItsOwnChangeNothing) {
  if (!test::on_host(backend())) GTEST_SKIP() << "one thread fills the stream of a device";
  LocalProblem problem = many_lines();
  RealField alone(input(0).size()), shared = alone;
  test::execute(*make_local(backend(), problem), input(0), alone);
  problem.threads = 3;
  test::execute(*make_local(backend(), problem), input(0), shared);
  EXPECT_EQ(shared, alone);
}

INSTANTIATE_TEST_SUITE_P(All, RealKinds, test::every_real_backend(), test::real_backend_name);

TEST(LoweredKinds, ExecutionAllocatesNothing) {
  for (const Kind kind : test::real_kinds) {
    for (const bool real_data : {true, false}) {
      LocalProblem problem = many_lines();
      problem.kinds = {kind};
      problem.real_data = real_data;
      const auto transform = make_local(find_local_backend("stockham"), problem);
      const RealField in(2 * input(0).size());
      RealField out(in.size());
      const Buffer work(transform->work_bytes());
      test::reset_heap_count();
      transform->execute(reinterpret_cast<const std::byte*>(in.data()),
                         reinterpret_cast<std::byte*>(out.data()), work.data());
      EXPECT_EQ(test::heap_count().allocations, 0) << to_string(kind);
    }
  }
}

}  // namespace
}  // namespace weft
