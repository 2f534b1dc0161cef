// What the interface of C must refuse, on all ranks with the same words.
#include <functional>
#include <stdexcept>

#include "bindings/c/structs.hpp"
#include "support/bad_input.hpp"

namespace weft::test {
namespace {

class BadInputInC : public BadInput {
 protected:
  BadInputInC() : structs_(good_problem(), {}), problem(structs_.problem) {
    in = *problem.input;
    problem.input = &in;
  }
  void TearDown() override {
    EXPECT_EQ(weft_plan_destroy(&plan), WEFT_SUCCESS);
    BadInput::TearDown();
  }

  /// The call fails on all ranks, with these words.
  static void refused(const std::function<weft_status()>& call,
                      const std::vector<std::string>& parts,
                      weft_status status = WEFT_ERROR_ARGUMENT) {
    expect_same_error(
        [&] {
          EXPECT_EQ(call(), status);
          throw Error(weft_error_message());
        },
        parts);
  }
  void expect_refused(const std::vector<std::string>& parts) {
    refused(
        [&] {
          weft_plan made = reinterpret_cast<weft_plan>(this);
          const weft_status status =
              weft_plan_create(MPI_COMM_WORLD, no_problem ? nullptr : &problem, options, &made);
          EXPECT_EQ(made, nullptr);
          return status;
        },
        parts);
  }
  void make_plan() {
    ASSERT_EQ(weft_plan_create(MPI_COMM_WORLD, &problem, nullptr, &plan), WEFT_SUCCESS);
  }

 private:
  Structs structs_;

 protected:
  weft_problem problem;
  weft_layout in;
  const char* options = nullptr;
  bool no_problem = false;
  weft_plan plan = nullptr;
  std::vector<std::complex<double>> u = std::vector<std::complex<double>>(200), uh = u;
};

TEST_F(BadInputInC, Structs) {
  no_problem = world_rank() == 1;
  expect_refused({"rank 1: weft_problem is null"});
  no_problem = false;
  problem.struct_size = 3;
  expect_refused({"weft_problem has struct_size 3", "not initialized"});
  problem.struct_size = sizeof problem;
  in.struct_size = world_rank() == 2 ? 0 : in.struct_size;
  expect_refused({"rank 2: input layout has struct_size 0"});
}

TEST_F(BadInputInC, Handles) {
  refused(
      [&] {
        return weft_plan_create(MPI_COMM_WORLD, &problem, nullptr,
                                world_rank() == 0 ? nullptr : &plan);
      },
      {"rank 0: the pointer to the new handle is null"});
  EXPECT_EQ(weft_plan_create(MPI_COMM_NULL, &problem, nullptr, &plan), WEFT_ERROR_ARGUMENT);
  EXPECT_STREQ(weft_error_message(), "the communicator is MPI_COMM_NULL");
  EXPECT_EQ(weft_plan_create(MPI_Comm{}, &problem, nullptr, &plan), WEFT_ERROR_ARGUMENT);
  EXPECT_EQ(weft_plan_forward(plan, nullptr, nullptr), WEFT_ERROR_NULL_HANDLE);
  EXPECT_STREQ(weft_error_message(), "the handle of the plan is null");
  EXPECT_EQ(weft_plan_wait(plan), WEFT_ERROR_NULL_HANDLE);
  EXPECT_EQ(weft_plan_input(plan, nullptr), WEFT_ERROR_NULL_HANDLE);
  EXPECT_EQ(weft_plan_destroy(nullptr), WEFT_ERROR_ARGUMENT);
}

TEST_F(BadInputInC, Enumerators) {
  const auto refuses_77 = [&](int& number, const std::string& part) {
    const int good = number;
    number = 77;
    expect_refused({part});
    number = good;
  };
  refuses_77(problem.kinds[1], "kind number 77 is unknown");
  refuses_77(problem.precision, "precision 77 is unknown");
  refuses_77(problem.numbers, "numbers 77 is unknown");
  refuses_77(problem.norm, "norm 77 is unknown");
  refuses_77(problem.orthogonalize, "orthogonalize 77: must be -1, 0 or 1");
  refuses_77(problem.axes, "77 axes; 1 to 6 are supported");
  refuses_77(in.form, "input layout: form 77 is unknown");
  refuses_77(in.split, "split 77 is unknown");
}

// What is wrong with each option is tested with those of C++.
TEST_F(BadInputInC, Options) {
  options = "tile_byte=5";
  expect_refused({"option 'tile_byte' is unknown (did you mean 'tile_bytes'?); known: algorithm"});
  options = world_rank() == 1 ? "fields_in_flight=0" : "fields_in_flight=1";
  expect_refused({"rank 1: fields_in_flight 0: must be between 1 and 64"});
  options = world_rank() == 1 ? "exchange=pigeon" : nullptr;
  expect_refused({"pigeon"});
}

TEST_F(BadInputInC, Layouts) {
  in = weft_layout_of(WEFT_FORM_BOXES, 0);
  expect_refused({"input layout: no boxes are given"});
  in.box_count = 3;
  expect_refused({"input layout: the list of boxes is null"});
  in = weft_layout_of(WEFT_FORM_GRID, 0);
  in.parts[0] = 3;
  expect_refused({"3"});
  in.parts[1] = 2;
  expect_refused({"needs 6 ranks, the communicator has 3"});
  in = weft_slab_split(2);
  expect_refused({"axis 2"});
  in = weft_slab_split(0);
  in.order[0] = 1;
  in.order[1] = 1;
  expect_refused({"order"});
  in.order[0] = 0;
  in.halo_upper[1] = -1;
  expect_refused({"halo"});
}

TEST_F(BadInputInC, Arrays) {
  make_plan();
  refused([&] { return weft_plan_forward(plan, world_rank() == 1 ? nullptr : &u[0], &uh[0]); },
          {"rank 1: input array is null"});
  weft_sampled_error error;
  refused(
      [&] {
        return weft_plan_sampled_error(plan, WEFT_DIRECTION_FORWARD, u.data(),
                                       world_rank() == 2 ? nullptr : uh.data(), 8, 1, &error);
      },
      {"rank 2: the output array is null"});
}

TEST_F(BadInputInC, Callbacks) {
  make_plan();
  const auto throws = [](const weft_line*, void*) -> int {
    if (world_rank() == 0) throw Error("from a callback");
    return 0;
  };
  const auto throws_other = [](const weft_line*, void*) -> int {
    if (world_rank() == 0) throw std::runtime_error("no Error");
    return 0;
  };
  weft_functions functions{throws, nullptr, nullptr, nullptr};
  const auto run = [&] { return weft_plan_forward_with(plan, u.data(), uh.data(), &functions); };
  refused(run, {"rank 0: from a callback"});
  functions.input = throws_other;
  refused(run, {"rank 0: no Error"}, WEFT_ERROR_CALLBACK);
  functions.input = world_rank() == 0 ? +throws : nullptr;
  refused(run, {"only some ranks gave functions"});
  EXPECT_EQ(weft_plan_forward(plan, u.data(), uh.data()), WEFT_SUCCESS);
}

TEST_F(BadInputInC, WorkOfTheCaller) {
  make_plan();
  const weft_work fine = [](void*) { return 0; };
  refused(
      [&] {
        return weft_plan_forward_while(plan, u.data(), uh.data(),
                                       world_rank() == 1 ? nullptr : fine, nullptr);
      },
      {"rank 1: the function is null"});
  const weft_work failing = [](void*) { return world_rank() == 2 ? 7 : 0; };
  refused([&] { return weft_plan_backward_while(plan, uh.data(), u.data(), failing, nullptr); },
          {"rank 2: a function of the caller returned 7"}, WEFT_ERROR_CALLBACK);
}

TEST_F(BadInputInC, Descriptions) {
  make_plan();
  weft_transform good;
  weft_transform_init(&good, problem.axes, problem.shape);
  ASSERT_EQ(weft_plan_transform(plan, &good), WEFT_SUCCESS);
  weft_transform transform = good;
  bool no_output = false;
  const auto refuses = [&](const std::string& part) {
    refused(
        [&] {
          weft_sampled_error error;
          return weft_transform_sampled_error(MPI_COMM_WORLD, &transform, WEFT_DIRECTION_FORWARD,
                                              u.data(), no_output ? nullptr : uh.data(), 8, 1,
                                              &error);
        },
        {part});
    transform = good;
  };
  if (world_rank() == 1) transform.struct_size = 0;
  refuses("rank 1: weft_transform has struct_size 0");
  transform.axes = 7;
  refuses("7 axes");
  transform.shape[1] = 0;
  refuses("shape 9x0: must be between 1 and");
  transform.input_points[0] = 10;
  refuses("points 10x8: must be between 1 and 9x8");
  transform.modes[0] = 0;
  refuses("modes 0x8");
  transform.kinds[0] = 77;
  refuses("kind number 77 is unknown");
  transform.norm = -1;
  refuses("norm -1 is unknown");
  transform.threads = 0;
  refuses("batch 1, threads 0: must be positive");
  transform.threads = 1000000;
  refuses("threads 1000000: must be between 1 and 4096");
  if (world_rank() == 2) transform.spectral.axes = 1;
  refuses("rank 2: spectral array: 1 axes, the transform has 2");
  transform.spectral.precision = 3;
  refuses("precision 3 is unknown");
  transform.spectral.precision = WEFT_PRECISION_F32;
  refuses("different precisions");
  if (world_rank() == 0) transform.physical.box.upper[0] = 10;
  refuses("rank 0: physical array: box [0,10)x[0,8) is not in an array of 9x8");
  // Of other libraries the number of elements may not be told.
  transform.spectral.allocation_size = 0;
  no_output = world_rank() == 1;
  refuses("rank 1: the output array is null");
  EXPECT_EQ(weft_plan_transform(nullptr, &good), WEFT_ERROR_NULL_HANDLE);
  good.struct_size = 0;
  EXPECT_EQ(weft_plan_transform(plan, &good), WEFT_ERROR_ARGUMENT);
}

TEST_F(BadInputInC, Calculus) {
  make_plan();
  weft_calculus calculus = nullptr;
  const double lengths[] = {1, 1};
  const double bad_lengths[] = {1, world_rank() == 1 ? -1.0 : 1.0};
  refused([&] { return weft_calculus_create(plan, bad_lengths, &calculus); },
          {"rank 1: length -1"});
  EXPECT_EQ(calculus, nullptr);
  refused(
      [&] { return weft_calculus_create(plan, world_rank() == 2 ? nullptr : lengths, &calculus); },
      {"rank 2: the list of lengths is null"});
  EXPECT_EQ(weft_calculus_create(nullptr, lengths, &calculus), WEFT_ERROR_NULL_HANDLE);
  ASSERT_EQ(weft_calculus_create(plan, lengths, &calculus), WEFT_SUCCESS);
  const void* in_list[] = {u.data(), uh.data()};
  void* out[] = {u.data(), uh.data()};
  const bool bad = world_rank() == 1;
  refused([&] { return weft_calculus_gradient(calculus, u.data(), bad ? nullptr : out); },
          {"rank 1: output array is null"});
  refused([&] { return weft_calculus_divergence(calculus, bad ? nullptr : in_list, u.data()); },
          {"rank 1: input array is null"});
  refused([&] { return weft_calculus_curl(calculus, in_list, out); }, {"axis 2 of 2"});
  refused([&] { return weft_calculus_filter(calculus, u.data(), uh.data(), nullptr, nullptr); },
          {"the response is null"});
  refused([&] { return weft_calculus_apply(calculus, u.data(), uh.data(), nullptr, nullptr); },
          {"the function is null"});
  EXPECT_EQ(weft_calculus_laplacian(nullptr, u.data(), uh.data()), WEFT_ERROR_NULL_HANDLE);
  EXPECT_EQ(weft_calculus_destroy(&calculus), WEFT_SUCCESS);
  EXPECT_EQ(calculus, nullptr);
  EXPECT_EQ(weft_calculus_destroy(&calculus), WEFT_SUCCESS);
}

}  // namespace
}  // namespace weft::test
