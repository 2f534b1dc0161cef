// Every local backend, those of devices too, against the dense reference.
#include <gtest/gtest.h>
#include <pthread.h>

#include <complex>
#include <thread>

#include "support/local_run.hpp"
#include "support/trials.hpp"

namespace weft {
namespace {

using test::LocalRun;
using test::Random;

const LocalBackend& reference() {
  return find_local_backend("reference");
}

class Backend : public testing::TestWithParam<std::string> {
 protected:
  const LocalBackend& backend() const { return test::backend_named(GetParam()); }

  /// Lines of one axis, both precisions and directions, c2c and r2c, unless left to the fallback.
  void check_length(Index n) const {
    for (const Precision precision : {Precision::f32, Precision::f64}) {
      for (const Direction direction : {Direction::forward, Direction::backward}) {
        for (const Kind kind : {c2c, r2c}) {
          LocalRun run;
          run.problem.transform = {{n, 1, 1}};
          run.problem.kinds = {kind};
          run.problem.batch = {{3, n + 1, n + 2}};
          run.problem.direction = direction;
          run.problem.precision = precision;
          run.place_on(backend());
          if (!backend().supports(run.problem)) continue;
          ASSERT_EQ(run.compare(backend(), reference(), static_cast<unsigned>(n)), "");
        }
      }
    }
  }
};

TEST_P(Backend, LengthsUpTo64) {
  for (Index n = 1; n <= 64; ++n) check_length(n);
}

TEST_P(Backend, Primes) {
  for (const Index n : {97, 101, 251}) check_length(n);
}

TEST_P(Backend, MixedRadices) {
  for (const Index n : {72, 96, 100, 105, 120, 128, 135, 143, 210, 243, 256, 315, 360, 500, 512}) {
    check_length(n);
  }
}

/// Any strides, orders and batches, with up to three transformed axes.
LocalRun random_fourier_run(Random& random) {
  LocalRun run;
  LocalProblem& problem = run.problem;
  const Index axes = 1 + random.below(3), batches = random.below(4);
  const Index longest = axes == 1 ? 40 : 8;
  problem.direction = random.chance(50) ? Direction::forward : Direction::backward;
  problem.precision = random.chance(50) ? Precision::f32 : Precision::f64;
  problem.preserve_input = random.chance(50);
  problem.any_alignment = random.chance(50);
  problem.from_memory = random.chance(50);
  problem.to_memory = random.chance(50);
  problem.threads = 1 + static_cast<int>(random.below(2));
  test::add_random_axes(problem.transform, axes, longest, random);
  problem.kinds = Axes<Kind>::filled(problem.transform.size(), c2c);
  if (random.chance(50)) problem.kinds[problem.kinds.size() - 1] = r2c;
  test::add_random_axes(problem.batch, batches, 5, random);
  test::set_random_strides(problem, random);
  if (problem.any_alignment) {
    const std::size_t real = problem.precision == Precision::f32 ? 4 : 8;
    run.in_shift = real * static_cast<std::size_t>(random.below(8));
    run.out_shift = real * static_cast<std::size_t>(random.below(8));
  }
  return run;
}

TEST_P(Backend, AnyStridesBatchesAndAlignments) {
  Random random(61);
  unsigned done = 0;
  const unsigned tried = test::trials(1500);
  for (unsigned trial = 0; trial < tried; ++trial) {
    LocalRun run = random_fourier_run(random);
    run.place_on(backend());
    if (!backend().supports(run.problem)) continue;
    ++done;
    ASSERT_EQ(run.compare(backend(), reference(), trial), "") << "trial " << trial;
  }
  EXPECT_GT(done, tried / 3);
}

/// As plans for devices lay out what they gather: every line of real numbers begins at an even one.
void pair_reals(LocalProblem& problem) {
  for (Axes<LocalAxis>* axes : {&problem.transform, &problem.batch}) {
    for (LocalAxis& axis : *axes) {
      if (problem.real_input()) axis.in_stride *= 2;
      if (problem.real_output()) axis.out_stride *= 2;
    }
  }
}

TEST_P(Backend, SupportsWhatPlansNeed) {
  Random random(62);
  for (int trial = 0; trial < 500; ++trial) {
    LocalRun run = random_fourier_run(random);
    run.place_on(backend());
    LocalProblem& problem = run.problem;
    // Plans ask for no more than this: data that must stay is gathered before several axes go back.
    if (problem.real_output()) problem.preserve_input = false;
    EXPECT_TRUE(fallback_backend().supports(problem)) << test::describe(problem);
    if (!test::on_host(backend())) pair_reals(problem);
    // Large prime factors may be left to the fallback, nothing else.
    for (LocalAxis& axis : problem.transform) axis.length = std::min<Index>(axis.length, 16);
    EXPECT_TRUE(backend().supports(problem)) << test::describe(problem);
  }
}

TEST_P(Backend, EveryRigorGivesTheSameResult) {
  for (const Rigor rigor : {Rigor::estimate, Rigor::measure, Rigor::patient}) {
    for (const Kind kind : {c2c, r2c}) {
      LocalRun run;
      run.problem.transform = {{6, 40, 41}, {40, 1, 1}};
      run.problem.kinds = {c2c, kind};
      run.problem.rigor = rigor;
      run.place_on(backend());
      EXPECT_EQ(run.compare(backend(), reference(), 5), "");
    }
  }
}

TEST_P(Backend, RunsInSeveralThreadsAtATime) {
  if (!test::on_host(backend())) GTEST_SKIP() << "one thread puts work into a stream";
  LocalProblem problem;
  problem.transform = {{60, 1, 1}};
  problem.kinds = {c2c};
  problem.batch = {{20, 60, 60}};
  const auto transform = backend().make(problem);
  using Field = std::vector<std::complex<double>>;
  const auto input = [](int thread) {
    Field field(1200);
    for (std::size_t i = 0; i < field.size(); ++i) {
      field[i] = {static_cast<double>((i * 7 + static_cast<std::size_t>(thread)) % 13), 1.0};
    }
    return field;
  };
  const auto run = [&](int thread) {
    const Field in = input(thread);
    Field out(in.size());
    test::execute(*transform, in, out);
    return out;
  };
  std::vector<Field> alone, together(4);
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

/// What libraries keep for each thread of a program comes off its stack.
TEST(Backends, LeaveStacksToTheProgram) {
  pthread_attr_t attributes;
  ASSERT_EQ(pthread_attr_init(&attributes), 0);
  ASSERT_EQ(pthread_attr_setstacksize(&attributes, std::size_t{256} << 10), 0);
  pthread_t thread{};
  const auto nothing = [](void*) -> void* { return nullptr; };
  ASSERT_EQ(pthread_create(&thread, &attributes, nothing, nullptr), 0);
  EXPECT_EQ(pthread_join(thread, nullptr), 0);
  EXPECT_EQ(pthread_attr_destroy(&attributes), 0);
}

std::vector<std::string> usable_backends() {
  std::vector<std::string> names;
  for (const LocalBackend& backend : local_backends()) {
    if (backend.usable()) names.push_back(test::label_of(backend));
  }
  return names;
}

INSTANTIATE_TEST_SUITE_P(Usable, Backend, testing::ValuesIn(usable_backends()),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace weft
