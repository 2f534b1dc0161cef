// Transforms of many fields, several of them in flight.
#include <gtest/gtest.h>

#include <algorithm>

#include "support/pencils.hpp"
#include "support/same_error.hpp"

namespace weft {
namespace {

using test::backward_of;
using test::Complex;
using test::expect_same_error;
using test::Field;
using test::forward_of;
using test::pencils;
using test::random_field;
using test::with_pencils;
using test::world_rank;
using test::world_size;

class ManyFields : public testing::Test {
 private:
  const test::Watchdog watchdog_{100};
};

struct ManyCase {
  const char* exchange;
  Index chunks;
  int in_flight;
};

void check_many(const ManyCase& the_case, const Options& options) {
  Plan plan(MPI_COMM_WORLD, pencils(), options);
  for (const std::size_t count : {0u, 1u, 2u, 5u}) {
    std::vector<Field> in, expected, returned;
    for (std::size_t i = 0; i < count; ++i) {
      in.push_back(random_field(plan.input(), 20 + i));
      expected.push_back(forward_of(plan, in.back()));
      returned.push_back(backward_of(plan, expected.back()));
    }
    std::vector<Field> out(count, Field(static_cast<std::size_t>(plan.output().allocation_size)));
    std::vector<Field> back(count, Field(static_cast<std::size_t>(plan.input().allocation_size)));
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

TEST_F(ManyFields, AreWhatEachGivesAlone) {
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
    check_many(the_case, with_pencils(the_case.exchange, the_case.chunks, the_case.in_flight));
  }
}

TEST_F(ManyFields, MayBeInPlace) {
  for (const char* exchange : {"p2p", "node_shared", "alltoallw", "p2p_pipelined"}) {
    for (const Index chunks : {Index{1}, Index{3}}) {
      Problem problem = pencils();
      problem.output = pencil_along(2);
      Plan plan(MPI_COMM_WORLD, problem, with_pencils(exchange, chunks, 2));
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

TEST_F(ManyFields, EachHasItsReport) {
  const auto expect_equal = [](const Report& one, const Report& other, const std::string& what) {
    EXPECT_EQ(one.error, other.error) << what;
    EXPECT_EQ(to_string(one), to_string(other)) << what;
  };
  for (const int in_flight : {1, 2, 3}) {
    for (const char* codec : {"bfp:7", "lossless", "none"}) {
      Options options = with_pencils("p2p", 2, in_flight);
      options.codec = codec;
      Plan plan(MPI_COMM_WORLD, pencils(), options);
      for (const Direction direction : test::both) {
        const bool forward = direction == Direction::forward;
        // Nothing, one number, any numbers: they take different bytes and have different errors.
        std::vector<Field> in;
        for (std::size_t i = 0; i < 5; ++i) {
          in.push_back(random_field(forward ? plan.input() : plan.output(), 40 + i));
        }
        std::fill(in[1].begin(), in[1].end(), Complex(0, 0));
        std::fill(in[3].begin(), in[3].end(), Complex(1, 0));
        const auto sink =
            static_cast<std::size_t>((forward ? plan.output() : plan.input()).allocation_size);
        std::vector<Field> out(in.size(), Field(sink));
        std::vector<Report> alone;
        for (std::size_t i = 0; i < in.size(); ++i) {
          forward ? plan.forward(in[i], out[i]) : plan.backward(in[i], out[i]);
          alone.push_back(plan.report());
          expect_equal(plan.report(0), plan.report(), "a field alone");
        }
        forward ? plan.forward_many(in, out) : plan.backward_many(in, out);
        for (std::size_t i = 0; i < in.size(); ++i) {
          const std::string what = std::string(codec) + " in flight " + std::to_string(in_flight) +
                                   " field " + std::to_string(i);
          expect_equal(plan.report(static_cast<Index>(i)), alone[i], what);
        }
        expect_equal(plan.report(), alone.back(), "the last field");
        if (world_size() > 1 && std::string(codec) == "bfp:7") {
          EXPECT_EQ(plan.report(1).error, 0);
          EXPECT_GT(plan.report(0).error, 0);
        }
        expect_same_error([&] { plan.report(5); },
                          {"no report of field 5: the last transform was of 5 fields"});
        // A transform of no fields is none.
        forward ? plan.forward_many(std::vector<Field>{}, std::vector<Complex*>{})
                : plan.backward_many(std::vector<Field>{}, std::vector<Complex*>{});
        expect_equal(plan.report(2), alone[2], "after a transform of no fields");
      }
      const Field one = random_field(plan.input(), 50);
      Field result(static_cast<std::size_t>(plan.output().allocation_size));
      plan.start_forward(one, result);
      plan.wait();
      expect_same_error([&] { plan.report(1); },
                        {"no report of field 1: the last transform was of 1 field"});
      expect_same_error([&] { plan.report(-1); }, {"no report of field -1"});
    }
  }
}

TEST_F(ManyFields, NumbersMustAgree) {
  Plan plan(MPI_COMM_WORLD, pencils(), with_pencils("p2p", 1, 2));
  const auto fields = [&](std::size_t count, const LocalArray& array) {
    return std::vector<Field>(count, Field(static_cast<std::size_t>(array.allocation_size)));
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

TEST_F(ManyFields, WrongOnesAreNamed) {
  Plan plan(MPI_COMM_WORLD, pencils(), with_pencils("p2p", 1, 2));
  const std::vector<Field> in(3,
                              Field(static_cast<std::size_t>(plan.input().allocation_size), 1.0));
  // Long enough to be an input too.
  const Index longest = std::max(plan.input().allocation_size, plan.output().allocation_size);
  std::vector<Field> out(3, Field(static_cast<std::size_t>(longest), Complex(7, 7)));
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
  pointers = {out[0].data(), out[1].data(), out[1].data()};
  expect_same_error([&] { plan.forward_many(in, pointers); },
                    {"output field 2 is in the memory of output field 1"});
  std::vector<const Complex*> sources{in[0].data(), in[1].data(), out[0].data()};
  pointers[2] = out[2].data();
  expect_same_error([&] { plan.forward_many(sources, pointers); },
                    {"output field 0 is in the memory of input field 2"});
  EXPECT_TRUE(out == as_it_was) << "output was written";
}

}  // namespace
}  // namespace weft
