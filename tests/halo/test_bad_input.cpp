// Halos and arrays that must be refused, on all ranks with the same words.
#include <complex>
#include <span>

#include "support/bad_input.hpp"
#include "weft/halo.hpp"

namespace weft {
namespace {

using test::expect_same_error;
using test::world_rank;

class BadHalo : public test::BadInput {
 protected:
  /// A problem that is fine until a test spoils it.
  static HaloProblem good_halo() {
    return {.shape = {9, 8},
            .layout = slab_split(0).with_halo({2, 1}, {1, 1}),
            .lower = {1, 1},
            .upper = {1, 0},
            .periodic = {true, false}};
  }
  static void expect_refused(const HaloProblem& problem, const std::vector<std::string>& parts) {
    expect_same_error([&] { Halo halo(MPI_COMM_WORLD, problem); }, parts);
  }
  /// Good on ranks 0 and 1, changed on rank 2.
  template <class Change>
  static HaloProblem different_on_last_rank(const Change& change) {
    HaloProblem problem = good_halo();
    if (world_rank() == 2) change(problem);
    return problem;
  }
};

TEST_F(BadHalo, WidthsBeyondTheHaloOfTheLayout) {
  HaloProblem problem = good_halo();
  problem.lower = {3, 1};
  expect_refused(problem, {"lower widths 3x1 are more than the halo 2x1 of the layout"});
  problem = good_halo();
  problem.upper = {1, 2};
  expect_refused(problem, {"upper widths 1x2 are more than the halo 1x1 of the layout"});
  problem.layout = slab_split(0);
  expect_refused(problem, {"lower widths 1x1 are more than the halo 0x0 of the layout"});
}

TEST_F(BadHalo, NegativeWidths) {
  HaloProblem problem = good_halo();
  problem.lower = {-1, 1};
  expect_refused(problem, {"lower widths -1x1 are negative"});
  problem = good_halo();
  problem.layout = slab_split(0).with_halo({0, -1}, {0, 0});
  expect_refused(problem, {"layout: halo 0x-1 is negative"});
}

TEST_F(BadHalo, NumbersOfAxes) {
  HaloProblem problem = good_halo();
  problem.lower = {1};
  expect_refused(problem, {"lower widths 1 do not have the 2 axes of the array 9x8"});
  problem = good_halo();
  problem.upper = {1, 0, 0};
  expect_refused(problem, {"upper widths 1x0x0 do not have the 2 axes of the array 9x8"});
  problem = good_halo();
  problem.periodic = {true};
  expect_refused(problem, {"periodic has 1 axes, the array 9x8 has 2"});
  problem = good_halo();
  problem.shape = {};
  expect_refused(problem, {"has 0 axes; 1 to 6 are supported"});
}

TEST_F(BadHalo, TooManyRoundsAboutAnAxis) {
  HaloProblem problem = good_halo();
  problem.shape = {9, 2};
  problem.layout = slab_split(0).with_halo({0, 33}, {0, 33});
  problem.lower = {0, 32};
  problem.upper = {0, 33};
  problem.periodic = {true, true};
  expect_refused(problem,
                 {"upper widths 0x33 are more than 16 rounds about the 2 points of axis 1"});
  problem.upper = {0, 32};
  Halo halo(MPI_COMM_WORLD, problem);
  problem.layout = slab_split(0).with_strides({66, 1});
  problem.upper = {0, Index{1} << 62};
  expect_refused(problem, {"more than 16 rounds"});
  problem.periodic = {true, false};
  Halo strided(MPI_COMM_WORLD, problem);  // there is nothing beyond the border
}

TEST_F(BadHalo, StridesWithoutRoom) {
  HaloProblem problem = good_halo();
  problem.layout = slab_split(0).with_strides(world_rank() == 1 ? Strides{8, 1} : Strides{10, 1});
  problem.periodic = {true, true};
  expect_refused(problem,
                 {"rank 1: input layout: strides 8x1 make elements of box [2,7)x[-1,8) share "
                  "memory"});
  problem.lower = {};
  expect_refused(problem, {"lower widths must be given, because explicit strides"});
}

TEST_F(BadHalo, DifferentArgumentsOnRanks) {
  expect_refused(different_on_last_rank([](HaloProblem& p) {
                   p.shape = {9, 7};
                 }),
                 {"rank 2: shape differs between ranks: 9x7, but on rank 0 9x8"});
  expect_refused(different_on_last_rank([](HaloProblem& p) { p.layout = slab_split(1); }),
                 {"rank 2: input layout differs between ranks: slab:1"});
  expect_refused(different_on_last_rank([](HaloProblem& p) {
                   p.lower = {2, 1};
                 }),
                 {"rank 2: lower width differs between ranks: 2x1, but on rank 0 1x1"});
  expect_refused(different_on_last_rank([](HaloProblem& p) { p.upper = {}; }),
                 {"rank 2: upper width differs between ranks"});
  expect_refused(different_on_last_rank([](HaloProblem& p) {
                   p.periodic = {true, true};
                 }),
                 {"rank 2: periodic differs between ranks: yes,yes, but on rank 0 yes,no"});
  expect_refused(different_on_last_rank([](HaloProblem& p) { p.type.precision = Precision::f32; }),
                 {"rank 2: precision differs between ranks: f32, but on rank 0 f64"});
  expect_refused(different_on_last_rank([](HaloProblem& p) { p.type.complex = true; }),
                 {"rank 2: numbers differs between ranks: complex, but on rank 0 real"});
  expect_refused(different_on_last_rank([](HaloProblem& p) { p.batch = 2; }),
                 {"rank 2: batch differs between ranks"});
}

TEST_F(BadHalo, Layouts) {
  HaloProblem problem = good_halo();
  problem.layout = grid({2, 2});
  expect_refused(problem, {"layout grid 2x2 needs 4 ranks, the communicator has 3"});
  problem.layout = slab_split(2);
  expect_refused(problem, {"layout slab: axis 2 is not one of the 2 axes"});
  problem.layout = {};
  expect_refused(problem, {"layout is not resolved"});
  expect_same_error([] { Halo halo(MPI_COMM_NULL, good_halo()); }, {"MPI_COMM_NULL"});
}

/// Arrays that operations must refuse.
class BadHaloArray : public BadHalo {
 protected:
  /// Expects an operation to be refused without writing to the array, and the next one to work.
  template <class Run>
  void expect_untouched(const std::vector<std::string>& parts, const Run& run) {
    const auto before = data_;
    expect_same_error(run, parts);
    EXPECT_TRUE(data_ == before) << "the array was written";
    std::fill(data_.begin(), data_.end(), 0.0);
    const LocalArray& array = halo_.array();
    for (Index i = 0; i < array.box.extent(0); ++i) {
      for (Index j = 0; j < 8; ++j) {
        data_[static_cast<std::size_t>(array.offset + i * array.strides[0] + j)] = 1.0;
      }
    }
    halo_.exchange(data_);
    for (Index i = -1; i <= array.box.extent(0); ++i) {
      for (Index j = 0; j < 8; ++j) {
        EXPECT_EQ(data_[static_cast<std::size_t>(array.offset + i * array.strides[0] + j)], 1.0);
      }
    }
  }

  Halo halo_{MPI_COMM_WORLD, good_halo()};
  std::vector<double> data_ =
      std::vector<double>(static_cast<std::size_t>(halo_.array().allocation_size), 7.0);
};

TEST_F(BadHaloArray, NullOnOneRank) {
  double* const data = world_rank() == 1 ? nullptr : data_.data();
  const std::string text = "rank 1: halo array is null, but this rank owns box [3,6)x[0,8)";
  expect_untouched({text}, [&] { halo_.exchange(data); });
  expect_untouched({text}, [&] { halo_.accumulate(data); });
  expect_untouched({text}, [&] {
    halo_.start_exchange(data);
    while (!halo_.test()) continue;
  });
}

TEST_F(BadHaloArray, TooFewElementsOnOneRank) {
  const std::span<double> data(data_.data(), data_.size() - (world_rank() == 2 ? 1 : 0));
  expect_untouched({"rank 2: halo array has 59 elements, 60 are needed"},
                   [&] { halo_.exchange(data); });
}

TEST_F(BadHaloArray, OtherTypes) {
  auto* const singles = reinterpret_cast<float*>(data_.data());
  expect_untouched({"halo array is real f32, the halo exchange works on real f64"},
                   [&] { halo_.exchange(singles); });
  auto* const numbers = reinterpret_cast<std::complex<double>*>(data_.data());
  expect_untouched({"rank 0: halo array is complex f64"}, [&] {
    world_rank() == 0 ? halo_.accumulate(numbers) : halo_.accumulate(data_.data());
  });
}

TEST_F(BadHaloArray, DifferentOperationsOnRanks) {
  expect_untouched({"some ranks called exchange, others accumulate"},
                   [&] { world_rank() == 1 ? halo_.exchange(data_) : halo_.accumulate(data_); });
  expect_untouched({"some ranks called exchange, others accumulate"}, [&] {
    world_rank() == 1 ? halo_.start_exchange(data_) : halo_.start_accumulate(data_);
    while (!halo_.test()) continue;
  });
}

TEST_F(BadHaloArray, StartBeforeWait) {
  halo_.start_exchange(data_);
  halo_.start_exchange(data_);
  expect_untouched({"a halo exchange is under way: wait for it before the next one"},
                   [&] { halo_.wait(); });
  // On one rank only, which has to end the first one as the others do.
  halo_.start_exchange(data_);
  if (world_rank() != 2) halo_.wait();
  halo_.start_exchange(data_);
  expect_same_error([&] { halo_.wait(); }, {"rank 2: a halo exchange is under way"});
}

TEST_F(BadHaloArray, LongMessagesOfDifferentOperations) {
  Halo halo(MPI_COMM_WORLD, {.shape = {30, 1 << 16},
                             .layout = slab_split(0).with_halo({2, 0}, {1, 0}),
                             .periodic = {true, false}});
  std::vector<double> data(static_cast<std::size_t>(halo.array().allocation_size));
  for (int i = 0; i < 3; ++i) {
    expect_same_error([&] { world_rank() == i ? halo.exchange(data) : halo.accumulate(data); },
                      {"some ranks called exchange, others accumulate"});
    halo.exchange(data);
    halo.accumulate(data);
  }
}

}  // namespace
}  // namespace weft
