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

  void expect_refused(const std::vector<std::string>& parts) {
    expect_same_error(
        [&] {
          weft_plan plan = reinterpret_cast<weft_plan>(this);
          const weft_status status =
              weft_plan_create(MPI_COMM_WORLD, no_problem ? nullptr : &problem, options, &plan);
          EXPECT_EQ(status, WEFT_ERROR_ARGUMENT);
          EXPECT_EQ(plan, nullptr);
          throw Error(weft_error_message());
        },
        parts);
  }

 private:
  Structs structs_;

 protected:
  weft_problem problem;
  weft_layout in;
  const char* options = nullptr;
  bool no_problem = false;
};

TEST_F(BadInputInC, Structs) {
  no_problem = world_rank() == 1;
  expect_refused({"rank 1: weft_problem is null"});
  no_problem = false;
  problem.struct_size = 3;
  expect_refused({"weft_problem has struct_size 3", "not initialised"});
  problem.struct_size = sizeof problem;
  in.struct_size = world_rank() == 2 ? 0 : in.struct_size;
  expect_refused({"rank 2: input layout has struct_size 0"});
  in.struct_size = sizeof in;
}

TEST_F(BadInputInC, Handles) {
  expect_same_error(
      [&] {
        weft_plan plan = nullptr;
        EXPECT_EQ(WEFT_ERROR_ARGUMENT, weft_plan_create(MPI_COMM_WORLD, &problem, nullptr,
                                                        world_rank() == 0 ? nullptr : &plan));
        throw Error(weft_error_message());
      },
      {"rank 0: the pointer to the new handle is null"});
  weft_plan plan = nullptr;
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
  const auto refused = [&](int& number, const std::vector<std::string>& parts) {
    const int good = number;
    number = 77;
    expect_refused(parts);
    number = good;
  };
  refused(problem.kinds[1], {"kind number 77 is unknown"});
  refused(problem.precision, {"precision 77 is unknown"});
  refused(problem.numbers, {"numbers 77 is unknown"});
  refused(problem.norm, {"norm 77 is unknown"});
  refused(problem.orthogonalize, {"orthogonalize 77: must be -1, 0 or 1"});
  refused(problem.axes, {"77 axes; 1 to 6 are supported"});
  refused(in.form, {"input layout: form 77 is unknown"});
  refused(in.split, {"split 77 is unknown"});
}

TEST_F(BadInputInC, Options) {
  const auto refused = [&](const char* text, const std::string& part) {
    options = text;
    expect_refused({part});
  };
  refused("tile_byte=5",
          "option 'tile_byte' is unknown (did you mean 'tile_bytes'?); known: algorithm, grid, ");
  refused("exchange=p2p, chunks", "options 'exchange=p2p, chunks': 'chunks' is not of the form");
  refused("chunks=2,", "options 'chunks=2,': '' is not of the form name=value");
  refused("algorithm=brick", "algorithm 'brick' is unknown; known: auto, slab, pencil");
  refused("rigor=77", "rigor '77' is unknown; known: auto, estimate, measure, patient");
  refused("progress=77", "progress '77' is unknown; known: auto, polling, thread");
  refused("tolerance=-1", "tolerance -1: must be positive and less than 1, a relative error");
  refused("tolerance=nan", "tolerance nan: must be positive");
  refused("tolerance=2", "tolerance 2: must be positive");
  refused("tolerance=low", "tolerance 'low': must be a number");
  refused("threads=1000000", "threads 1000000: must be between 0 and 4096");
  refused("threads=two", "threads 'two': must be a whole number");
  refused("overwrite_input=maybe", "overwrite_input 'maybe': must be yes or no");
  refused("grid=2x", "grid '2x': must be numbers such as 2x4");
  refused("stream=mine", "stream 'mine': must be an address, as %p of printf writes it");
  refused(world_rank() == 1 ? "fields_in_flight=0" : "fields_in_flight=1",
          "rank 1: fields_in_flight 0: must be between 1 and 64");
  refused(world_rank() == 1 ? "exchange=pigeon" : nullptr, "pigeon");
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
  weft_plan plan = nullptr;
  ASSERT_EQ(weft_plan_create(MPI_COMM_WORLD, &problem, nullptr, &plan), WEFT_SUCCESS);
  std::vector<std::complex<double>> u(200), uh(200);
  expect_same_error(
      [&] {
        weft_plan_forward(plan, world_rank() == 1 ? nullptr : u.data(), uh.data());
        throw Error(weft_error_message());
      },
      {"rank 1: input array is null"});
  expect_same_error(
      [&] {
        weft_sampled_error error;
        weft_plan_sampled_error(plan, WEFT_DIRECTION_FORWARD, u.data(),
                                world_rank() == 2 ? nullptr : uh.data(), 8, 1, &error);
        throw Error(weft_error_message());
      },
      {"rank 2: the output array is null"});
  const auto throws = [](const weft_line*, void*) -> int {
    if (world_rank() == 0) throw Error("from a callback");
    return 0;
  };
  const auto throws_other = [](const weft_line*, void*) -> int {
    if (world_rank() == 0) throw std::runtime_error("no Error");
    return 0;
  };
  const auto expect_failure = [&](weft_line_function input, const std::string& part,
                                  weft_status status = WEFT_ERROR_ARGUMENT) {
    const weft_functions functions{input, nullptr, nullptr, nullptr};
    expect_same_error(
        [&] {
          EXPECT_EQ(weft_plan_forward_with(plan, u.data(), uh.data(), &functions), status);
          throw Error(weft_error_message());
        },
        {part});
  };
  expect_failure(throws, "rank 0: from a callback");
  expect_failure(throws_other, "rank 0: no Error", WEFT_ERROR_CALLBACK);
  expect_failure(world_rank() == 0 ? +throws : nullptr, "only some ranks gave functions");
  EXPECT_EQ(weft_plan_forward(plan, u.data(), uh.data()), WEFT_SUCCESS);
  EXPECT_EQ(weft_plan_destroy(&plan), WEFT_SUCCESS);
}

TEST_F(BadInputInC, WorkOfTheCaller) {
  weft_plan plan = nullptr;
  ASSERT_EQ(weft_plan_create(MPI_COMM_WORLD, &problem, nullptr, &plan), WEFT_SUCCESS);
  std::vector<std::complex<double>> u(200), uh(200);
  const auto fine = [](void*) { return 0; };
  expect_same_error(
      [&] {
        EXPECT_EQ(weft_plan_forward_while(plan, u.data(), uh.data(),
                                          world_rank() == 1 ? nullptr : +fine, nullptr),
                  WEFT_ERROR_ARGUMENT);
        throw Error(weft_error_message());
      },
      {"rank 1: the function is null"});
  const auto failing = [](void*) { return world_rank() == 2 ? 7 : 0; };
  expect_same_error(
      [&] {
        EXPECT_EQ(weft_plan_backward_while(plan, uh.data(), u.data(), failing, nullptr),
                  WEFT_ERROR_CALLBACK);
        throw Error(weft_error_message());
      },
      {"rank 2: a function of the caller returned 7"});
  EXPECT_EQ(weft_plan_destroy(&plan), WEFT_SUCCESS);
}

TEST_F(BadInputInC, Descriptions) {
  weft_plan plan = nullptr;
  ASSERT_EQ(weft_plan_create(MPI_COMM_WORLD, &problem, nullptr, &plan), WEFT_SUCCESS);
  std::vector<std::complex<double>> u(200), uh(200);
  weft_transform good;
  weft_transform_init(&good, problem.axes, problem.shape);
  ASSERT_EQ(weft_plan_transform(plan, &good), WEFT_SUCCESS);
  weft_transform transform = good;
  bool no_output = false;
  const auto refused = [&](const std::vector<std::string>& parts) {
    expect_same_error(
        [&] {
          weft_sampled_error error;
          EXPECT_EQ(
              weft_transform_sampled_error(MPI_COMM_WORLD, &transform, WEFT_DIRECTION_FORWARD,
                                           u.data(), no_output ? nullptr : uh.data(), 8, 1, &error),
              WEFT_ERROR_ARGUMENT);
          throw Error(weft_error_message());
        },
        parts);
    transform = good;
  };
  if (world_rank() == 1) transform.struct_size = 0;
  refused({"rank 1: weft_transform has struct_size 0"});
  transform.axes = 7;
  refused({"7 axes"});
  transform.shape[1] = 0;
  refused({"shape 9x0: must be between 1 and"});
  transform.input_points[0] = 10;
  refused({"points 10x8: must be between 1 and 9x8"});
  transform.modes[0] = 0;
  refused({"modes 0x8"});
  transform.kinds[0] = 77;
  refused({"kind number 77 is unknown"});
  transform.norm = -1;
  refused({"norm -1 is unknown"});
  transform.threads = 0;
  refused({"batch 1, threads 0: must be positive"});
  transform.threads = 1000000;
  refused({"threads 1000000: must be between 1 and 4096"});
  if (world_rank() == 2) transform.spectral.axes = 1;
  refused({"rank 2: spectral array: 1 axes, the transform has 2"});
  transform.spectral.precision = 3;
  refused({"precision 3 is unknown"});
  transform.spectral.precision = WEFT_PRECISION_F32;
  refused({"different precisions"});
  if (world_rank() == 0) transform.physical.box.upper[0] = 10;
  refused({"rank 0: physical array: box [0,10)x[0,8) is not in an array of 9x8"});
  // Of other libraries the number of elements may not be told.
  transform.spectral.allocation_size = 0;
  no_output = world_rank() == 1;
  refused({"rank 1: the output array is null"});
  EXPECT_EQ(weft_plan_transform(nullptr, &good), WEFT_ERROR_NULL_HANDLE);
  good.struct_size = 0;
  EXPECT_EQ(weft_plan_transform(plan, &good), WEFT_ERROR_ARGUMENT);
  EXPECT_EQ(weft_plan_destroy(&plan), WEFT_SUCCESS);
}

TEST_F(BadInputInC, Calculus) {
  weft_plan plan = nullptr;
  ASSERT_EQ(weft_plan_create(MPI_COMM_WORLD, &problem, nullptr, &plan), WEFT_SUCCESS);
  weft_calculus calculus = nullptr;
  const double lengths[] = {1, 1};
  const double bad_lengths[] = {1, world_rank() == 1 ? -1.0 : 1.0};
  expect_same_error(
      [&] {
        EXPECT_EQ(weft_calculus_create(plan, bad_lengths, &calculus), WEFT_ERROR_ARGUMENT);
        EXPECT_EQ(calculus, nullptr);
        throw Error(weft_error_message());
      },
      {"rank 1: length -1"});
  expect_same_error(
      [&] {
        EXPECT_EQ(weft_calculus_create(plan, world_rank() == 2 ? nullptr : lengths, &calculus),
                  WEFT_ERROR_ARGUMENT);
        throw Error(weft_error_message());
      },
      {"rank 2: the list of lengths is null"});
  EXPECT_EQ(weft_calculus_create(nullptr, lengths, &calculus), WEFT_ERROR_NULL_HANDLE);
  ASSERT_EQ(weft_calculus_create(plan, lengths, &calculus), WEFT_SUCCESS);
  std::vector<std::complex<double>> u(200), v(200);
  const void* in[] = {u.data(), v.data()};
  void* out[] = {u.data(), v.data()};
  const auto refused = [&](const auto& call, const std::vector<std::string>& parts) {
    expect_same_error(
        [&] {
          EXPECT_EQ(call(), WEFT_ERROR_ARGUMENT);
          throw Error(weft_error_message());
        },
        parts);
  };
  const bool bad = world_rank() == 1;
  refused([&] { return weft_calculus_gradient(calculus, u.data(), bad ? nullptr : out); },
          {"rank 1: output array is null"});
  refused([&] { return weft_calculus_divergence(calculus, bad ? nullptr : in, u.data()); },
          {"rank 1: input array is null"});
  refused([&] { return weft_calculus_curl(calculus, in, out); }, {"axis 2 of 2"});
  refused([&] { return weft_calculus_filter(calculus, u.data(), v.data(), nullptr, nullptr); },
          {"the response is null"});
  refused([&] { return weft_calculus_apply(calculus, u.data(), v.data(), nullptr, nullptr); },
          {"the function is null"});
  EXPECT_EQ(weft_calculus_laplacian(nullptr, u.data(), v.data()), WEFT_ERROR_NULL_HANDLE);
  EXPECT_EQ(weft_calculus_destroy(&calculus), WEFT_SUCCESS);
  EXPECT_EQ(calculus, nullptr);
  EXPECT_EQ(weft_calculus_destroy(&calculus), WEFT_SUCCESS);
  EXPECT_EQ(weft_plan_destroy(&plan), WEFT_SUCCESS);
}

}  // namespace
}  // namespace weft::test
