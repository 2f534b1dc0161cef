// Functions of the caller that go wrong, and those of blocks. That others are applied rightly is
// tested with random problems.
#include <gtest/gtest.h>

#include <stdexcept>

#include "support/pencils.hpp"
#include "support/same_error.hpp"

namespace weft::test {
namespace {

class Functions : public testing::TestWithParam<std::string> {
 protected:
  Plan plan_{pencils(), with_pencils(GetParam(), 1, 2)};
  const Field in_ = random_field(plan_.input(), 1);
  Field out_ = Field(static_cast<std::size_t>(plan_.output().size));
};

TEST_P(Functions, ThatThrowOnOneRankAreAnErrorOnAll) {
  const Field expected = forward_of(plan_, in_);
  const int culprit = world_size() - 1;
  const auto throwing = [&](Complex&, const Point& point) {
    if (world_rank() == culprit && point.index[1] == 9) throw std::runtime_error("no such luck");
  };
  for (int again = 0; again < 2; ++again) {
    const std::string who =
        world_size() > 1 ? "rank " + std::to_string(culprit) + ": no such luck" : "no such luck";
    expect_same_error([&] { plan_.forward(in_, out_, on_input(throwing)); }, {who});
    expect_same_error([&] { plan_.forward(in_, out_, on_output(throwing)); }, {who});
    const std::vector<Field> ins(3, in_);
    std::vector<Field> outs(3, out_);
    expect_same_error([&] { plan_.forward_many(ins, outs, on_output(throwing)); }, {who});
  }
  EXPECT_TRUE(equal_everywhere(
      Bytes(reinterpret_cast<const std::byte*>(expected.data()),
            reinterpret_cast<const std::byte*>(expected.data() + expected.size())),
      [&] {
        const Field now = forward_of(plan_, in_);
        return Bytes(reinterpret_cast<const std::byte*>(now.data()),
                     reinterpret_cast<const std::byte*>(now.data() + now.size()));
      }(),
      MPI_COMM_WORLD));
}

TEST_P(Functions, OfSomeRanksOnlyAreRefused) {
  if (world_size() == 1) return;
  const auto nothing = [](Complex&, const Point&) {};
  expect_same_error(
      [&] {
        if (world_rank() == 0) {
          plan_.forward(in_, out_, on_output(nothing));
        } else {
          plan_.forward(in_, out_);
        }
      },
      {"only some ranks gave functions"});
}

/// Calls f(value, point) for every number of a block.
template <class F>
void for_each_number(const PointBlock& block, const F& f) {
  const int axes = block.lower.size();
  ASSERT_EQ(block.extents.size(), axes);  // there is no batch
  Extents at = Extents::filled(axes, 0);
  for (int axis = 0; axis >= 0;) {
    Point point{block.lower, block.first_field, block.offset};
    Index position = 0;
    for (int a = 0; a < axes; ++a) {
      point.index[a] += at[a];
      point.offset += at[a] * block.offset_strides[a];
      position += at[a] * block.strides[a];
    }
    Complex& value = reinterpret_cast<Complex*>(block.values)[position];
    value *= block.scale;
    f(value, point);
    for (axis = axes - 1; axis >= 0 && ++at[axis] == block.extents[axis]; --axis) at[axis] = 0;
  }
}

TEST_P(Functions, TakeBlocksAsTheyTakeNumbers) {
  const auto of_number = [](Complex& value, const Point& point) {
    double factor = 1;
    for (const Index i : point.index) factor = factor * 1.5 + static_cast<double>(i);
    value = value * factor + static_cast<double>(point.offset);
  };
  const auto of_block = [&](const PointBlock& block) { for_each_number(block, of_number); };
  Field expected = out_, inverse = in_, expected_inverse = in_;
  plan_.forward(in_, expected, on_input(of_number), on_output(of_number));
  plan_.forward(in_, out_, on_input(of_block), on_output(of_block));
  EXPECT_EQ(out_, expected);
  plan_.backward(expected, expected_inverse, on_output(of_number));
  plan_.backward(expected, inverse, on_output(of_block));
  EXPECT_EQ(inverse, expected_inverse);
  if (!in_.empty()) EXPECT_NE(inverse, in_);
}

TEST_P(Functions, OfBlocksThatThrowOnOneRankAreAnErrorOnAll) {
  const int culprit = world_size() - 1;
  const auto throwing = [&](const PointBlock&) {
    if (world_rank() == culprit) throw std::runtime_error("no such luck");
  };
  expect_same_error([&] { plan_.forward(in_, out_, on_input(throwing)); }, {"no such luck"});
  expect_same_error([&] { plan_.forward(in_, out_, on_output(throwing)); }, {"no such luck"});
}

std::string test_name(const testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  for (char& letter : name) {
    if (letter == ':') letter = '_';
  }
  return name;
}

INSTANTIATE_TEST_SUITE_P(Exchanges, Functions,
                         testing::Values("alltoallv", "alltoallw", "p2p_pipelined",
                                         "node_shared:p2p"),
                         test_name);

}  // namespace
}  // namespace weft::test
