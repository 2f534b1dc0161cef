// Transforms under way: start, test and wait, work done meanwhile, many fields, chunks.
#include <gtest/gtest.h>

#include <stdexcept>

#include "support/exchange_names.hpp"
#include "support/plan_run.hpp"
#include "support/same_error.hpp"
#include "weft/error.hpp"

namespace weft {
namespace {

using test::Bytes;
using test::expect_same_error;
using test::world_rank;
using test::world_size;

using Complex = std::complex<double>;
using Field = std::vector<Complex>;
constexpr Direction both[] = {Direction::forward, Direction::backward};

class Overlap : public testing::Test {
 private:
  const test::Watchdog watchdog_{100};
};

/// Two redistributions where there are ranks enough.
MpiProblem pencils(const Kinds& kinds = c2c) {
  return {.shape = {12, 10, 14},
          .comm = MPI_COMM_WORLD,
          .kinds = kinds,
          .in = pencil(2),
          .out = pencil(0)};
}

Options with(const std::string& exchange, Index chunks = 1, int fields = 1) {
  Options options;
  options.algorithm = Algorithm::pencil;
  options.exchange = exchange;
  options.chunks = chunks;
  options.fields_in_flight = fields;
  options.threads = 1;
  return options;
}

Field random_field(const LocalArray& array, std::uint64_t seed) {
  Field field(static_cast<std::size_t>(array.size));
  std::uint64_t state = seed * 1000003 + static_cast<std::uint64_t>(world_rank()) * 7919 + 1;
  for (Complex& value : field) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    value = {static_cast<double>(state >> 40), static_cast<double>(state >> 20 & 0xfffff)};
  }
  return field;
}

Field forward_of(Plan& plan, const Field& in) {
  Field out(static_cast<std::size_t>(plan.output().size));
  plan.forward(in, out);
  return out;
}
Field backward_of(Plan& plan, const Field& in) {
  Field out(static_cast<std::size_t>(plan.input().size));
  plan.backward(in, out);
  return out;
}

/// Work of different length on each rank.
void keep_busy(int amount) {
  volatile double sum = 0;
  for (int i = 0; i < amount * 2000 * (1 + world_rank() % 3); ++i) sum = sum + i;
}

TEST_F(Overlap, StartAndWaitGiveWhatForwardGives) {
  for (const std::string& exchange : test::plan_exchanges()) {
    for (const Index chunks : {Index{1}, Index{3}}) {
      Plan plan(pencils(), with(exchange, chunks));
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
      Plan plan(pencils(), with(exchange, chunks));
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

TEST_F(Overlap, NothingUnderWayIsDone) {
  Plan plan(pencils());
  EXPECT_TRUE(plan.test());
  plan.wait();
  EXPECT_TRUE(plan.test());
}

TEST_F(Overlap, SomeRanksMayTestWhileOthersWait) {
  for (const std::string& exchange : test::plan_exchanges()) {
    Plan plan(pencils(), with(exchange, 2));
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
      Options options = with(exchange, 3);
      if (exchange != "alltoallw") options.codec = codec;
      Plan plan(pencils(), options);
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
    Plan first(pencils(), with(exchange, 2)), second(pencils(), with(exchange, 1));
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
  Plan plan(pencils(), with("p2p", 2));
  const Field in = random_field(plan.input(), 8);
  const Field expected = forward_of(plan, in), returned = backward_of(plan, expected);
  int calls = 0;
  Field out(expected.size()), back(in.size());
  plan.forward(in, out, [&] { ++calls; });
  EXPECT_EQ(calls, 1);
  EXPECT_TRUE(out == expected);
  plan.backward(out.data(), back.data(), [&] { ++calls; });
  EXPECT_EQ(calls, 2);
  EXPECT_TRUE(back == returned);
}

TEST_F(Overlap, WorkThatThrowsOnOneRankIsToldOnAllOfThem) {
  const int culprit = world_size() - 1;
  const std::string who = world_size() > 1 ? "rank " + std::to_string(culprit) + ": " : "";
  for (const char* exchange : {"auto", "p2p", "alltoallv", "alltoallw", "one_sided"}) {
    Plan plan(pencils(), with(exchange, 2));
    const Field in = random_field(plan.input(), 9);
    const Field expected = forward_of(plan, in);
    Field out(expected.size());
    expect_same_error(
        [&] {
          plan.forward(in, out, [&] {
            if (world_rank() == culprit) throw std::runtime_error("the disk is full");
          });
        },
        {who + "the disk is full"});
    EXPECT_TRUE(out == expected) << exchange;
    std::fill(out.begin(), out.end(), Complex());
    expect_same_error(
        [&] {
          plan.forward(in, out, [&] {
            if (world_rank() == culprit) throw 42;
          });
        },
        {who, "no std::exception"});
    EXPECT_TRUE(out == expected) << exchange;
    EXPECT_TRUE(forward_of(plan, in) == expected) << exchange;
  }
}

TEST_F(Overlap, WorkIsNotCalledWhereTheTransformIsRefused) {
  Plan plan(pencils());
  const Field in(static_cast<std::size_t>(plan.input().size));
  std::vector<double> wrong(1000);
  int calls = 0;
  expect_same_error([&] { plan.forward(in, wrong, [&] { ++calls; }); }, {"output array is real"});
  EXPECT_EQ(calls, 0);
}

TEST_F(Overlap, APlanUnderWayCanBeDestroyed) {
  for (const std::string& exchange : test::plan_exchanges()) {
    for (const Index chunks : {Index{1}, Index{3}}) {
      Field in, out;
      {
        Plan plan(pencils(), with(exchange, chunks));
        in = random_field(plan.input(), 10);
        out.resize(static_cast<std::size_t>(plan.output().size));
        plan.start_forward(in, out);
        if (world_rank() % 2 == 0) plan.test();
      }
      Plan plan(pencils(), with(exchange));
      plan.start_forward(in, out);
      Plan moved = std::move(plan);
      moved = Plan(pencils(), with(exchange));  // destroys the one under way
      EXPECT_LE(test::run_error(moved, Direction::forward), test::error_bound(moved)) << exchange;
    }
  }
}

struct ManyCase {
  const char* exchange;
  Index chunks;
  int in_flight;
};

void check_many(const ManyCase& the_case, const Options& options) {
  Plan plan(pencils(), options);
  for (const std::size_t count : {0u, 1u, 2u, 5u}) {
    std::vector<Field> in, expected, returned;
    for (std::size_t i = 0; i < count; ++i) {
      in.push_back(random_field(plan.input(), 20 + i));
      expected.push_back(forward_of(plan, in.back()));
      returned.push_back(backward_of(plan, expected.back()));
    }
    std::vector<Field> out(count, Field(static_cast<std::size_t>(plan.output().size)));
    std::vector<Field> back(count, Field(static_cast<std::size_t>(plan.input().size)));
    plan.forward_many(in, out);
    EXPECT_TRUE(out == expected) << the_case.exchange << " chunks " << the_case.chunks
                                 << " in flight " << the_case.in_flight << " fields " << count;
    std::vector<const Complex*> from;
    std::vector<Complex*> to;
    for (std::size_t i = 0; i < count; ++i) {
      from.push_back(out[i].data());
      to.push_back(back[i].data());
    }
    plan.backward_many(from, to);
    EXPECT_TRUE(back == returned) << the_case.exchange << " chunks " << the_case.chunks
                                  << " in flight " << the_case.in_flight << " fields " << count;
  }
}

TEST_F(Overlap, ManyFieldsAreWhatEachGivesAlone) {
  for (const ManyCase& the_case : {ManyCase{"p2p", 1, 2},
                                   {"p2p", 4, 3},
                                   {"alltoallv", 2, 2},
                                   {"ialltoallv", 3, 4},
                                   {"node_shared", 1, 3},
                                   {"node_shared:p2p", 2, 2},
                                   {"one_sided", 1, 2},
                                   {"p2p_pipelined", 2, 3},
                                   {"alltoallw", 1, 4},
                                   {"node_aware:2", 2, 2},
                                   {"persistent", 1, 2},
                                   {"neighbor", 3, 2},
                                   {"auto", 1, 1},
                                   {"auto", 4, 4}}) {
    check_many(the_case, with(the_case.exchange, the_case.chunks, the_case.in_flight));
  }
}

TEST_F(Overlap, ManyFieldsMayBeInPlace) {
  for (const char* exchange : {"p2p", "node_shared", "alltoallw", "p2p_pipelined"}) {
    for (const Index chunks : {Index{1}, Index{3}}) {
      MpiProblem problem = pencils();
      problem.out = pencil(2);
      Plan plan(problem, with(exchange, chunks, 2));
      std::vector<Field> fields, expected;
      for (std::size_t i = 0; i < 4; ++i) {
        fields.push_back(random_field(plan.input(), 30 + i));
        // In place and apart may differ in the last bits: by other passes.
        Field field = fields.back();
        plan.forward(field, field);
        expected.push_back(field);
      }
      plan.forward_many(fields, fields);
      EXPECT_TRUE(fields == expected) << exchange << " chunks " << chunks;
    }
  }
}

TEST_F(Overlap, NumbersOfFieldsMustAgree) {
  Plan plan(pencils(), with("p2p", 1, 2));
  const auto fields = [&](std::size_t count, const LocalArray& array) {
    return std::vector<Field>(count, Field(static_cast<std::size_t>(array.size)));
  };
  const auto in = fields(3, plan.input());
  auto out = fields(3, plan.output());
  auto too_few = fields(2, plan.output());
  expect_same_error([&] { plan.forward_many(in, too_few); }, {"3 input fields", "2 output fields"});
  // On one rank only.
  if (world_size() > 1) {
    expect_same_error([&] { plan.forward_many(in, world_rank() == 1 ? too_few : out); },
                      {"rank 1: 3 input fields", "2 output fields"});
    const auto fewer = fields(2, plan.input());
    expect_same_error(
        [&] {
          if (world_rank() == 0) {
            plan.forward_many(fewer, too_few);
          } else {
            plan.forward_many(in, out);
          }
        },
        {"number of fields differs between ranks", "from 2 to 3"});
    const auto none = fields(0, plan.input());
    auto no_output = fields(0, plan.output());
    expect_same_error(
        [&] {
          if (world_rank() == 0) {
            plan.forward_many(none, no_output);
          } else {
            plan.forward_many(in, out);
          }
        },
        {"number of fields differs between ranks", "from 0 to 3"});
    expect_same_error(
        [&] {
          if (world_rank() == 0) {
            plan.backward_many(out, fields(3, plan.input()));
          } else {
            plan.forward_many(in, out);
          }
        },
        {"some ranks called forward, others backward"});
  }
  plan.forward_many(in, out);
  EXPECT_LE(test::run_error(plan, Direction::forward), test::error_bound(plan));
}

TEST_F(Overlap, WrongFieldsAreNamed) {
  Plan plan(pencils(), with("p2p", 1, 2));
  const std::vector<Field> in(3, Field(static_cast<std::size_t>(plan.input().size), 1.0));
  std::vector<Field> out(3, Field(static_cast<std::size_t>(plan.output().size), Complex(7, 7)));
  const auto as_it_was = out;
  std::vector<std::vector<std::complex<float>>> single(3);
  expect_same_error([&] { plan.forward_many(single, out); },
                    {"field 0: input array is complex f32"});
  auto short_in = in;
  const int culprit = world_size() - 1;
  if (world_rank() == culprit) short_in[2].resize(short_in[2].size() - 1);
  expect_same_error([&] { plan.forward_many(short_in, out); },
                    {"field 2: input array has", "are needed"});
  std::vector<Complex*> pointers{out[0].data(), out[1].data(), out[2].data()};
  if (world_rank() == culprit) pointers[1] = nullptr;
  expect_same_error([&] { plan.forward_many(in, pointers); }, {"field 1: output array is null"});
  EXPECT_TRUE(out == as_it_was) << "output was written";
}

TEST_F(Overlap, ChunksStayWithinRoundingAndGiveTheSameBitsEachTime) {
  for (const Kinds& kinds : {Kinds(c2c), Kinds(r2c)}) {
    for (const char* exchange : {"p2p", "alltoallv", "node_shared", "p2p_pipelined"}) {
      for (const Index chunks : {Index{1}, Index{2}, Index{5}}) {
        Plan plan(pencils(kinds), with(exchange, chunks)),
            same(pencils(kinds), with(exchange, chunks));
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

TEST_F(Overlap, NumbersOfChunksAndFieldsHaveLimits) {
  for (const Index chunks : {Index{0}, Index{-3}, Index{100000}}) {
    expect_same_error([&] { Plan plan(pencils(), with("auto", chunks)); },
                      {"chunks " + std::to_string(chunks), "between 1 and"});
  }
  for (const int fields : {0, -1, 1000}) {
    expect_same_error([&] { Plan plan(pencils(), with("auto", 1, fields)); },
                      {"fields_in_flight " + std::to_string(fields), "between 1 and"});
  }
  // More chunks than points.
  Plan plan(pencils(r2c), with("auto", 100));
  for (const Direction direction : both) {
    EXPECT_LE(test::run_error(plan, direction), test::error_bound(plan));
  }
}

}  // namespace
}  // namespace weft
