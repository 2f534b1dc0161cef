// Arrays that forward and backward must refuse, on all ranks with the same words and without
// touching any output.
#include <complex>

#include "support/bad_input.hpp"

namespace weft {
namespace {

using test::Bytes;
using test::expect_same_error;
using test::world_rank;

using Complex = std::complex<double>;

class BadArray : public test::BadInput {
 protected:
  static std::size_t size(const LocalArray& array) {
    return static_cast<std::size_t>(array.allocation_size);
  }

  /// Expects a run to be refused, and all of `out` to be as it was.
  template <class Run>
  void expect_untouched(std::vector<Complex>& out, const std::vector<std::string>& parts,
                        const Run& run) {
    std::fill(out.begin(), out.end(), Complex(7, -7));
    const auto before = out;
    expect_same_error(run, parts);
    EXPECT_TRUE(out == before) << "output was written";
  }

  Plan plan_{MPI_COMM_WORLD, good_problem()};
  std::vector<Complex> in_ = std::vector<Complex>(size(plan_.input()), 1.0);
  std::vector<Complex> out_ = std::vector<Complex>(size(plan_.output()));
};

TEST_F(BadArray, NullOutputOnOneRank) {
  Complex* const out = world_rank() == 1 ? nullptr : out_.data();
  expect_untouched(out_, {"rank 1: output array is null, but this rank owns box"},
                   [&] { plan_.forward(in_.data(), out); });
}

TEST_F(BadArray, NullInputOnOneRank) {
  const Complex* const in = world_rank() == 2 ? nullptr : in_.data();
  expect_untouched(out_, {"rank 2: input array is null, but this rank owns box [6,9)x[0,8)"},
                   [&] { plan_.forward(in, out_.data()); });
  expect_untouched(in_, {"rank 2: input array is null"},
                   [&] { plan_.backward(world_rank() == 2 ? nullptr : out_.data(), in_.data()); });
}

TEST_F(BadArray, NullIsFineWhereARankOwnsNothing) {
  Plan plan(MPI_COMM_WORLD, {.shape = {2, 1}, .input = slab_split(0), .output = slab_split(1)});
  Complex in[1] = {1.0}, out[2] = {};
  plan.forward(world_rank() < 2 ? in : nullptr, world_rank() == 0 ? out : nullptr);
  if (world_rank() == 0) {
    EXPECT_EQ(out[0], 2.0);
    EXPECT_EQ(out[1], 0.0);
  }
}

TEST_F(BadArray, WrongElementType) {
  std::vector<std::complex<float>> single(in_.size());
  std::vector<double> real(in_.size());
  expect_untouched(out_, {"input array is complex f32, the plan works on complex f64"},
                   [&] { plan_.forward(single, out_); });
  expect_untouched(out_, {"input array is real f64, the plan works on complex f64"},
                   [&] { plan_.forward(real.data(), out_.data()); });
  expect_same_error([&] { plan_.forward(in_, single); },
                    {"output array is complex f32, the plan works on complex f64"});
  EXPECT_EQ(single, std::vector<std::complex<float>>(in_.size()));
}

TEST_F(BadArray, ArraysThatKnowTheirTypes) {
  const auto any = [](std::vector<Complex>& array) {
    return detail::AnyArray{array.data(), array.size(), {Precision::f64, true}, nullptr};
  };
  detail::AnyArray in = any(in_);
  const detail::AnyArray out = any(out_);
  plan_.run(Direction::forward, in, out);
  std::vector<Complex> expected(out_.size());
  plan_.forward(in_, expected);
  EXPECT_TRUE(out_ == expected);
  plan_.start(Direction::forward, in, out);
  plan_.wait();
  plan_.run_many(Direction::forward, {&in, 1}, {&out, 1});
  EXPECT_TRUE(out_ == expected);

  if (world_rank() == 1) in.refusal = "the caller's array is none";
  const auto parts = {std::string("rank 1: the caller's array is none")};
  expect_untouched(out_, parts, [&] { plan_.run(Direction::forward, in, out); });
  expect_untouched(out_, parts, [&] { plan_.start(Direction::forward, in, out); });
  expect_untouched(out_, {"rank 1: field 0: the caller's array is none"}, [&] {
    plan_.run_many(Direction::forward, {&in, 1}, {&out, 1});
  });
}

TEST_F(BadArray, WrongElementTypeOnOneRank) {
  std::vector<std::complex<float>> single(in_.size());
  expect_untouched(out_, {"rank 1: input array is complex f32, the plan works on complex f64"},
                   [&] {
                     if (world_rank() == 1) {
                       plan_.forward(single, out_);
                     } else {
                       plan_.forward(in_, out_);
                     }
                   });
}

TEST_F(BadArray, ComplexInputOfARealTransform) {
  Plan plan(MPI_COMM_WORLD,
            {.shape = {9, 8}, .kinds = r2c, .input = slab_split(0), .output = slab_split(0)});
  expect_untouched(out_, {"input array is complex f64, the plan works on real f64"},
                   [&] { plan.forward(in_, out_); });
  std::vector<double> back(size(plan.input()));
  expect_same_error([&] { plan.backward(back, back); },
                    {"input array is real f64, the plan works on complex f64"});
}

TEST_F(BadArray, SpanTooSmallOnOneRank) {
  const std::size_t missing = world_rank() == 1 ? 1 : 0;
  const std::span<const Complex> in(in_.data(), in_.size() - missing);
  expect_untouched(out_, {"rank 1: input array has 23 elements, 24 are needed"},
                   [&] { plan_.forward(in, out_); });
  const std::span<Complex> out(out_.data(), out_.size() - (world_rank() == 2 ? 3 : 0));
  expect_untouched(out_, {"rank 2: output array has 15 elements, 18 are needed"},
                   [&] { plan_.forward(in_, out); });
}

TEST_F(BadArray, EmptySpanOnOneRank) {
  const std::span<const Complex> in = world_rank() == 0 ? std::span<const Complex>() : in_;
  expect_untouched(out_, {"rank 0: input array"}, [&] { plan_.forward(in, out_); });
}

TEST_F(BadArray, InPlaceWithUnequalSizes) {
  // Slabs of 3 x 8 and of 9 x 3, 9 x 3, 9 x 2 points.
  std::vector<Complex> array(40, 1.0);
  expect_untouched(array,
                   {"in place needs arrays of equal size: the input has 384 bytes, the "
                    "output 432"},
                   [&] { plan_.forward(array.data(), array.data()); });
}

TEST_F(BadArray, InPlaceRealWithoutPadding) {
  Plan plan(MPI_COMM_WORLD,
            {.shape = {9, 8}, .kinds = r2c, .input = slab_split(0), .output = slab_split(0)});
  std::vector<Complex> array(24, 1.0);
  expect_untouched(array, {"in place needs arrays of equal size"},
                   [&] { plan.forward(reinterpret_cast<double*>(array.data()), array.data()); });
}

TEST_F(BadArray, PartlyOverlappingArrays) {
  std::vector<Complex> array(100, 1.0);
  expect_untouched(array, {"input and output arrays overlap, but do not start at the same address"},
                   [&] { plan_.forward(array.data(), array.data() + 5); });
  expect_untouched(array, {"rank 1: input and output arrays overlap"}, [&] {
    plan_.forward(array.data(), array.data() + (world_rank() == 1 ? 23 : 50));
  });
  // One after the other is fine.
  EXPECT_NO_THROW(plan_.forward(array.data(), array.data() + 24));
}

TEST_F(BadArray, ADifferentDirectionOnOneRank) {
  // The arrays have the same type either way, so only their use can tell.
  Plan plan(MPI_COMM_WORLD, {.shape = {9, 9}, .input = slab_split(0), .output = slab_split(0)});
  std::vector<Complex> in(27, 1.0), out(27);
  expect_untouched(out, {"forward", "backward"}, [&] {
    if (world_rank() == 1) {
      plan.backward(in, out);
    } else {
      plan.forward(in, out);
    }
  });
}

TEST_F(BadArray, WorkspaceTooSmall) {
  const std::size_t bytes = plan_.info().workspace_bytes;
  if (bytes > 0) {
    std::unique_ptr<std::byte, void (*)(void*)> memory(
        static_cast<std::byte*>(std::aligned_alloc(64, (bytes + 63) / 64 * 64)), std::free);
    const std::string text = test::error_text([&] {
      plan_.set_workspace({memory.get(), bytes - 1});
    });
    EXPECT_EQ(text, "workspace of " + std::to_string(bytes - 1) +
                        " bytes is too small: " + std::to_string(bytes) + " are needed");
    EXPECT_NE(test::error_text([&] { plan_.set_workspace({}); }), "");
  }
  // The plan still has its own.
  EXPECT_LE(test::run_error(plan_, Direction::forward), test::error_bound(plan_));
}

TEST_F(BadArray, MisalignedWorkspace) {
  const std::size_t bytes = plan_.info().workspace_bytes;
  std::unique_ptr<std::byte, void (*)(void*)> memory(
      static_cast<std::byte*>(std::aligned_alloc(64, (bytes + 127) / 64 * 64)), std::free);
  EXPECT_EQ(test::error_text([&] {
              plan_.set_workspace({memory.get() + 8, bytes});
            }),
            "workspace is not aligned to 64 bytes");
  EXPECT_LE(test::run_error(plan_, Direction::forward), test::error_bound(plan_));
}

}  // namespace
}  // namespace weft
