// Transforms under way: start, test and wait, work done meanwhile, chunks.
#include <gtest/gtest.h>

#include <stdexcept>

#include "support/exchange_names.hpp"
#include "support/pencils.hpp"
#include "support/plan_run.hpp"
#include "support/same_error.hpp"
#include "weft/error.hpp"

namespace weft {
namespace {

using test::backward_of;
using test::both;
using test::Bytes;
using test::Complex;
using test::expect_same_error;
using test::Field;
using test::forward_of;
using test::pencils;
using test::random_field;
using test::with_pencils;
using test::world_rank;
using test::world_size;

class Overlap : public testing::Test {
 private:
  const test::Watchdog watchdog_{100};
};

/// Work of different length on each rank.
void keep_busy(int amount) {
  volatile double sum = 0;
  for (int i = 0; i < amount * 2000 * (1 + world_rank() % 3); ++i) sum = sum + i;
}

TEST_F(Overlap, StartAndWaitGiveWhatForwardGives) {
  for (const std::string& exchange : test::plan_exchanges()) {
    for (const Index chunks : {Index{1}, Index{3}}) {
      Plan plan(MPI_COMM_WORLD, pencils(), with_pencils(exchange, chunks));
      const Field in = random_field(plan.input(), 1);
      const Field expected = forward_of(plan, in), returned = backward_of(plan, expected);
      for (int repetition = 0; repetition < 2; ++repetition) {
        Field out(expected.size()), back(in.size());
        plan.start_forward(in, out);
        keep_busy(repetition);
        plan.wait();
        EXPECT_TRUE(out == expected) << exchange << " chunks " << chunks;
        plan.start_backward(out.data(), back.data());
        keep_busy(repetition);
        plan.wait();
        EXPECT_TRUE(back == returned) << exchange << " chunks " << chunks;
      }
    }
  }
}

TEST_F(Overlap, TestAloneComesToTheEndOnAllRanks) {
  for (const std::string& exchange : test::plan_exchanges()) {
    for (const Index chunks : {Index{1}, Index{4}}) {
      Plan plan(MPI_COMM_WORLD, pencils(), with_pencils(exchange, chunks));
      const Field in = random_field(plan.input(), 2);
      const Field expected = forward_of(plan, in), returned = backward_of(plan, expected);
      Field out(expected.size()), back(in.size());
      plan.start_forward(in, out);
      while (!plan.test()) keep_busy(1);
      EXPECT_TRUE(plan.test());
      EXPECT_TRUE(out == expected) << exchange << " chunks " << chunks;
      plan.wait();  // nothing is left to wait for
      plan.start_backward(out, back);
      while (!plan.test()) continue;
      EXPECT_TRUE(back == returned) << exchange << " chunks " << chunks;
    }
  }
}

TEST_F(Overlap, WithoutAStartThereIsNothingToTestOrToWaitFor) {
  Plan plan(MPI_COMM_WORLD, pencils());
  const Field in = random_field(plan.input(), 2);
  Field out(static_cast<std::size_t>(plan.output().allocation_size));
  const auto expect_nothing = [&] {
    expect_same_error([&] { plan.test(); }, {"test: nothing was started"});
    expect_same_error([&] { plan.wait(); }, {"wait: nothing was started"});
  };
  expect_nothing();
  plan.forward(in, out);
  expect_nothing();
  plan.start_forward(in, out);
  plan.wait();
  expect_nothing();
  plan.start_forward(in, out);
  while (!plan.test()) continue;
  plan.forward(in, out);
  expect_nothing();
}

TEST_F(Overlap, ItIsUnderWayUntilItIsWaitedForWhateverTheExchange) {
  for (const std::string& exchange : test::plan_exchanges()) {
    SCOPED_TRACE(exchange);
    Plan plan(MPI_COMM_WORLD, pencils(), with_pencils(exchange, 2));
    const Field in = random_field(plan.input(), 12);
    const Field expected = forward_of(plan, in);
    Field out(expected.size()), untouched(expected.size(), Complex(3, 4));
    const Field as_it_was = untouched;
    const std::vector<const Complex*> ins{in.data()};
    const std::vector<Complex*> outs{untouched.data()};
    plan.start_forward(in, out);
    const std::vector<std::string> refusal{"a transform is under way: wait for it"};
    expect_same_error([&] { plan.start_forward(in, untouched); }, refusal);
    expect_same_error([&] { plan.forward(in, untouched); }, refusal);
    expect_same_error([&] { plan.forward_many(ins, outs); }, refusal);
    expect_same_error([&] { plan.forward_while(in, untouched, [] {}); }, refusal);
    expect_same_error([&] { plan.start_trace(); }, refusal);
    expect_same_error([&] { plan.set_workspace({}); }, {"a transform is under way"});
    EXPECT_TRUE(untouched == as_it_was);
    plan.wait();
    EXPECT_TRUE(out == expected);
    // As long as any rank has not waited for it.
    plan.start_forward(in, out);
    if (world_rank() == 0) plan.wait();
    if (world_size() > 1) expect_same_error([&] { plan.forward(in, untouched); }, refusal);
    if (world_rank() != 0) plan.wait();
    EXPECT_TRUE(out == expected);
    EXPECT_TRUE(forward_of(plan, in) == expected);
  }
}

TEST_F(Overlap, SomeRanksMayTestWhileOthersWait) {
  for (const std::string& exchange : test::plan_exchanges()) {
    Plan plan(MPI_COMM_WORLD, pencils(), with_pencils(exchange, 2));
    const Field in = random_field(plan.input(), 3);
    const Field expected = forward_of(plan, in);
    for (int run = 0; run < 4; ++run) {
      Field out(expected.size());
      plan.start_forward(in, out);
      if ((world_rank() + run) % 2 == 0) {
        while (!plan.test()) keep_busy(1);
      } else {
        keep_busy(run);
        plan.wait();
      }
      EXPECT_TRUE(out == expected) << exchange;
    }
  }
}

TEST_F(Overlap, ASecondStartIsRefusedAndTheFirstOneCompletes) {
  for (const std::string& exchange : test::plan_exchanges()) {
    for (const char* codec : {"none", "bfp:20"}) {
      Options options = with_pencils(exchange, 3);
      if (exchange != "alltoallw") options.codec = codec;
      Plan plan(MPI_COMM_WORLD, pencils(), options);
      const Field in = random_field(plan.input(), 4), other = random_field(plan.input(), 5);
      const Field expected = forward_of(plan, in);
      for (int run = 0; run < 3; ++run) {
        Field out(expected.size()), untouched(expected.size(), Complex(3, 4));
        const Field as_it_was = untouched;
        plan.start_forward(in, out);
        // Ranks have come to different messages by then.
        if (world_rank() % 2 == 0) {
          for (int i = 0; i < run * 20; ++i) {
            if (plan.test()) break;
          }
        }
        int done = plan.test() ? 1 : 0;
        MPI_Allreduce(MPI_IN_PLACE, &done, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
        if (done == 0) {
          expect_same_error([&] { plan.start_forward(other, untouched); }, {"under way", "wait"});
          EXPECT_TRUE(untouched == as_it_was);
        }
        plan.wait();
        EXPECT_TRUE(out == expected) << exchange << " " << codec;
        EXPECT_TRUE(forward_of(plan, in) == expected) << exchange << " " << codec;
      }
    }
  }
}

TEST_F(Overlap, TwoPlansMayBeUnderWayAtATime) {
  for (const std::string& exchange : test::plan_exchanges()) {
    Plan first(MPI_COMM_WORLD, pencils(), with_pencils(exchange, 2)),
        second(MPI_COMM_WORLD, pencils(), with_pencils(exchange, 1));
    const Field in = random_field(first.input(), 6), other = random_field(first.input(), 7);
    const Field expected = forward_of(first, in), of_other = forward_of(second, other);
    Field out(expected.size()), out_of_other(expected.size());
    first.start_forward(in, out);
    second.start_forward(other, out_of_other);
    first.test();
    second.wait();
    first.wait();
    EXPECT_TRUE(out == expected) << exchange;
    EXPECT_TRUE(out_of_other == of_other) << exchange;
  }
}

TEST_F(Overlap, WorkIsCalledOnce) {
  Plan plan(MPI_COMM_WORLD, pencils(), with_pencils("p2p", 2));
  const Field in = random_field(plan.input(), 8);
  const Field expected = forward_of(plan, in), returned = backward_of(plan, expected);
  int calls = 0;
  Field out(expected.size()), back(in.size());
  plan.forward_while(in, out, [&] { ++calls; });
  EXPECT_EQ(calls, 1);
  EXPECT_TRUE(out == expected);
  plan.backward_while(out.data(), back.data(), [&] { ++calls; });
  EXPECT_EQ(calls, 2);
  EXPECT_TRUE(back == returned);
}

TEST_F(Overlap, WorkThatThrowsOnOneRankIsToldOnAllOfThem) {
  const int culprit = world_size() - 1;
  const std::string who = world_size() > 1 ? "rank " + std::to_string(culprit) + ": " : "";
  for (const char* exchange : {"auto", "p2p", "alltoallv", "alltoallw", "one_sided"}) {
    Plan plan(MPI_COMM_WORLD, pencils(), with_pencils(exchange, 2));
    const Field in = random_field(plan.input(), 9);
    const Field expected = forward_of(plan, in);
    Field out(expected.size());
    expect_same_error(
        [&] {
          plan.forward_while(in, out, [&] {
            if (world_rank() == culprit) throw std::runtime_error("the disk is full");
          });
        },
        {who + "the disk is full"}, ErrorCode::callback);
    EXPECT_TRUE(out == expected) << exchange;
    std::fill(out.begin(), out.end(), Complex());
    expect_same_error(
        [&] {
          plan.forward_while(in, out, [&] {
            if (world_rank() == culprit) throw 42;
          });
        },
        {who, "not a std::exception"}, ErrorCode::callback);
    EXPECT_TRUE(out == expected) << exchange;
    EXPECT_TRUE(forward_of(plan, in) == expected) << exchange;
  }
}

TEST_F(Overlap, WorkIsNotCalledWhereTheTransformIsRefused) {
  Plan plan(MPI_COMM_WORLD, pencils());
  const Field in(static_cast<std::size_t>(plan.input().allocation_size));
  std::vector<double> wrong(1000);
  int calls = 0;
  expect_same_error([&] { plan.forward_while(in, wrong, [&] { ++calls; }); },
                    {"output array is real"});
  EXPECT_EQ(calls, 0);
}

TEST_F(Overlap, APlanUnderWayCanBeDestroyed) {
  for (const std::string& exchange : test::plan_exchanges()) {
    for (const Index chunks : {Index{1}, Index{3}}) {
      Field in, out;
      {
        Plan plan(MPI_COMM_WORLD, pencils(), with_pencils(exchange, chunks));
        in = random_field(plan.input(), 10);
        out.resize(static_cast<std::size_t>(plan.output().allocation_size));
        plan.start_forward(in, out);
        if (world_rank() % 2 == 0) plan.test();
      }
      Plan plan(MPI_COMM_WORLD, pencils(), with_pencils(exchange));
      plan.start_forward(in, out);
      Plan moved = std::move(plan);
      moved =
          Plan(MPI_COMM_WORLD, pencils(), with_pencils(exchange));  // destroys the one under way
      EXPECT_LE(test::run_error(moved, Direction::forward), test::error_bound(moved)) << exchange;
    }
  }
}

TEST_F(Overlap, ChunksStayWithinRoundingAndGiveTheSameBitsEachTime) {
  for (const Kinds& kinds : {Kinds(c2c), Kinds(r2c)}) {
    for (const char* exchange : {"p2p", "alltoallv", "node_shared", "p2p_pipelined"}) {
      for (const Index chunks : {Index{1}, Index{2}, Index{5}}) {
        Plan plan(MPI_COMM_WORLD, pencils(kinds), with_pencils(exchange, chunks)),
            same(MPI_COMM_WORLD, pencils(kinds), with_pencils(exchange, chunks));
        for (const Direction direction : both) {
          const Bytes in = test::given_bytes(plan, direction, 1);
          Bytes first = test::poisoned(test::sink_of(plan, direction));
          test::execute(plan, direction, in.data(), first.data());
          EXPECT_LE(test::error_of(plan, direction, first.data(), 1), test::error_bound(plan));
          for (Plan* again : {&plan, &same}) {
            Bytes out = test::poisoned(test::sink_of(plan, direction));
            test::execute(*again, direction, in.data(), out.data());
            EXPECT_TRUE(test::equal_everywhere(out, first, MPI_COMM_WORLD))
                << exchange << " chunks " << chunks;
          }
        }
      }
    }
  }
}

TEST_F(Overlap, BothSidesAreCutWhereNoAxisIsCommon) {
  const Problem problem{.shape = {31, 24}, .input = slab_split(0), .output = slab_split(1)};
  for (const std::string& exchange : test::plan_exchanges()) {
    for (const auto& [chunks, received] : {std::pair<Index, Index>{3, 2}, {2, 4}, {40, 50}}) {
      SCOPED_TRACE(exchange + " chunks " + std::to_string(chunks) + "x" + std::to_string(received));
      Options options = test::with(exchange, chunks);
      options.receive_chunks = received;
      Plan plan(MPI_COMM_WORLD, problem, options);
      if (world_size() > 1) {
        EXPECT_EQ(plan.info().chunks, chunks);
        EXPECT_EQ(plan.info().receive_chunks, received);
      }
      for (const Direction direction : both) {
        const Bytes in = test::given_bytes(plan, direction, 2);
        Bytes waited = test::poisoned(test::sink_of(plan, direction)), tested = waited;
        test::execute(plan, direction, in.data(), waited.data());
        EXPECT_LE(test::error_of(plan, direction, waited.data(), 2), test::error_bound(plan));
        const auto* from = reinterpret_cast<const Complex*>(in.data());
        auto* to = reinterpret_cast<Complex*>(tested.data());
        if (direction == Direction::forward) {
          plan.start_forward(from, to);
        } else {
          plan.start_backward(from, to);
        }
        while (!plan.test()) keep_busy(1);
        EXPECT_TRUE(tested == waited);
      }
    }
  }
}

TEST_F(Overlap, NumbersOfChunksAndFieldsHaveLimits) {
  for (const Index chunks : {Index{-3}, Index{100000}}) {
    expect_same_error([&] { Plan plan(MPI_COMM_WORLD, pencils(), with_pencils("auto", chunks)); },
                      {"chunks " + std::to_string(chunks), "between 0 and"});
    Options options = with_pencils("auto", 2);
    options.receive_chunks = chunks;
    expect_same_error([&] { Plan plan(MPI_COMM_WORLD, pencils(), options); },
                      {"receive_chunks " + std::to_string(chunks), "between 0 and"});
  }
  for (const int fields : {0, -1, 1000}) {
    expect_same_error(
        [&] { Plan plan(MPI_COMM_WORLD, pencils(), with_pencils("auto", 1, fields)); },
        {"fields_in_flight " + std::to_string(fields), "between 1 and"});
  }
  EXPECT_EQ(Plan(MPI_COMM_WORLD, pencils(), with_pencils("auto", 0)).info().chunks, 1);
  // More chunks than points.
  Plan plan(MPI_COMM_WORLD, pencils(r2c), with_pencils("auto", 100));
  for (const Direction direction : both) {
    EXPECT_LE(test::run_error(plan, direction), test::error_bound(plan));
  }
}

}  // namespace
}  // namespace weft
