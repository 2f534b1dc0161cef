// Plans with arrays that are descriptors of Fortran.
#include <algorithm>

#include "c/plan_of.hpp"
#include "fortran/arrays.hpp"
#include "fortran/library.hpp"
#include "verify/random.hpp"
#include "weft/verify.hpp"

namespace {

using weft::c::guarded;
using weft::fortran::examine;
using weft::fortran::examine_fields;
using weft::fortran::Passed;
using weft::fortran::PassedFields;
using weft::fortran::while_mpi_is_there;

/// What a plan reads and writes in one direction.
struct Sides {
  weft_local_array input, output;
};

MPI_Comm communicator_of_plan(weft_plan plan) {
  return weft::c::plan_of(plan).communicator();
}

/// The first of two complaints.
std::optional<std::string> first_of(const std::optional<std::string>& one,
                                    const std::optional<std::string>& other) {
  return one ? one : other;
}

weft_status find_sides(weft_plan plan, int direction, Sides& sides) {
  const bool forward = direction == WEFT_DIRECTION_FORWARD;
  const weft_status status = weft_plan_input(plan, forward ? &sides.input : &sides.output);
  return status != WEFT_SUCCESS ? status
                                : weft_plan_output(plan, forward ? &sides.output : &sides.input);
}

/// Runs call(input, output) with the arrays of a transform. `dimensions` are those of both spaces.
template <class Call>
weft_status with_arrays(weft_plan plan, int direction, const CFI_cdesc_t* in,
                        const CFI_cdesc_t* out, const weft_dimensions* dimensions, Call&& call) {
  Sides sides;
  const weft_status known = find_sides(plan, direction, sides);
  if (known != WEFT_SUCCESS) return known;
  const bool forward = direction == WEFT_DIRECTION_FORWARD;
  Passed input, output;
  const weft_status examined = guarded([&] {
    input = examine(*in, sides.input, dimensions[forward ? 0 : 1], "input", "the plan");
    output = examine(*out, sides.output, dimensions[forward ? 1 : 0], "output", "the plan");
    if (direction != WEFT_DIRECTION_FORWARD && direction != WEFT_DIRECTION_BACKWARD) {
      input.complaint = "direction " + std::to_string(direction) + " is unknown";
    }
  });
  if (examined != WEFT_SUCCESS) return examined;
  return weft::fortran::with_complaint(
      first_of(input.complaint, output.complaint), [&] { return call(input.data, output.data); },
      [&] { return communicator_of_plan(plan); });
}

}  // namespace

extern "C" {

weft_status weft_fortran_plan_create(MPI_Fint comm, const weft_problem* problem,
                                     const char* options, const char* complaint, weft_plan* plan) {
  *plan = nullptr;
  return weft::fortran::create_with_complaint(comm, complaint, [&](MPI_Comm of_c, bool good) {
    return weft_plan_create(of_c, good ? problem : nullptr, options, plan);
  });
}

weft_status weft_fortran_run(weft_plan plan, int direction, const CFI_cdesc_t* in,
                             const CFI_cdesc_t* out, const weft_functions* functions,
                             const weft_dimensions* dimensions) {
  return with_arrays(plan, direction, in, out, dimensions, [&](const void* from, void* to) {
    return direction == WEFT_DIRECTION_FORWARD ? weft_plan_forward_with(plan, from, to, functions)
                                               : weft_plan_backward_with(plan, from, to, functions);
  });
}

weft_status weft_fortran_start(weft_plan plan, int direction, const CFI_cdesc_t* in,
                               const CFI_cdesc_t* out, const weft_dimensions* dimensions) {
  return with_arrays(plan, direction, in, out, dimensions, [&](const void* from, void* to) {
    return direction == WEFT_DIRECTION_FORWARD ? weft_plan_start_forward(plan, from, to)
                                               : weft_plan_start_backward(plan, from, to);
  });
}

weft_status weft_fortran_run_while(weft_plan plan, int direction, const CFI_cdesc_t* in,
                                   const CFI_cdesc_t* out, weft_work work, void* user_data,
                                   const weft_dimensions* dimensions) {
  return with_arrays(plan, direction, in, out, dimensions, [&](const void* from, void* to) {
    return direction == WEFT_DIRECTION_FORWARD
               ? weft_plan_forward_while(plan, from, to, work, user_data)
               : weft_plan_backward_while(plan, from, to, work, user_data);
  });
}

weft_status weft_fortran_run_in_place(weft_plan plan, int direction, const CFI_cdesc_t* array,
                                      const weft_functions* functions) {
  weft::fortran::PassedMemory memory;
  const weft_status examined =
      guarded([&] { memory = weft::fortran::examine_memory(*array, "the"); });
  if (examined != WEFT_SUCCESS) return examined;
  return weft::fortran::with_complaint(
      memory.complaint,
      [&] {
        const auto run = direction == WEFT_DIRECTION_FORWARD ? weft_plan_forward_in_place
                                                             : weft_plan_backward_in_place;
        return run(plan, memory.data, memory.bytes, functions);
      },
      [&] { return communicator_of_plan(plan); });
}

weft_status weft_fortran_run_many(weft_plan plan, int direction, const CFI_cdesc_t* in,
                                  const CFI_cdesc_t* out, const weft_functions* functions,
                                  const weft_dimensions* dimensions) {
  Sides sides;
  const weft_status known = find_sides(plan, direction, sides);
  if (known != WEFT_SUCCESS) return known;
  PassedFields input, output;
  const weft_status examined = guarded([&] {
    const int physical = direction == WEFT_DIRECTION_FORWARD ? 0 : 1;
    input = examine_fields(*in, sides.input, dimensions[physical], "input", "the plan");
    output = examine_fields(*out, sides.output, dimensions[1 - physical], "output", "the plan");
    if (input.data.size() != output.data.size()) {
      const std::string counts = std::to_string(input.data.size()) + " input fields, but " +
                                 std::to_string(output.data.size()) + " output fields";
      input.complaint = first_of(first_of(input.complaint, output.complaint), counts);
    }
  });
  if (examined != WEFT_SUCCESS) return examined;
  const auto complaint = first_of(input.complaint, output.complaint);
  return weft::fortran::with_complaint(
      complaint,
      [&] {
        const auto run =
            direction == WEFT_DIRECTION_FORWARD ? weft_plan_forward_many : weft_plan_backward_many;
        // At least one field, so that there is a null pointer to complain about.
        if (complaint) {
          input.data.assign(std::max<std::size_t>(1, input.data.size()), nullptr);
          output.data.assign(input.data.size(), nullptr);
        }
        return run(plan, input.data.size(), input.data.data(), output.data.data(), functions);
      },
      [&] { return communicator_of_plan(plan); });
}

weft_status weft_fortran_set_workspace(weft_plan plan, const CFI_cdesc_t* array) {
  weft::fortran::PassedMemory memory;
  const weft_status examined = guarded([&] {
    memory = weft::fortran::examine_memory(*array, "the workspace");
    if (memory.complaint) throw weft::Error(*memory.complaint);
  });
  return examined == WEFT_SUCCESS ? weft_plan_set_workspace(plan, memory.data, memory.bytes)
                                  : examined;
}

weft_status weft_fortran_start_trace(weft_plan plan) {
  return while_mpi_is_there([&] { return weft_plan_start_trace(plan); });
}

weft_status weft_fortran_stop_trace(weft_plan plan, weft_trace* trace) {
  return while_mpi_is_there([&] { return weft_plan_stop_trace(plan, trace); });
}

weft_status weft_fortran_write_trace(weft_plan plan, const char* path) {
  return while_mpi_is_there([&] { return weft_plan_write_trace(plan, path); });
}

weft_status weft_fortran_sampled_error(weft_plan plan, int direction, const CFI_cdesc_t* in,
                                       const CFI_cdesc_t* out, int samples, std::int64_t seed,
                                       weft_sampled_error* error,
                                       const weft_dimensions* dimensions) {
  return with_arrays(plan, direction, in, out, dimensions, [&](const void* from, const void* to) {
    return weft_plan_sampled_error(plan, direction, from, to, samples,
                                   static_cast<std::uint64_t>(seed), error);
  });
}

/// The array of physical or of spectral space, filled with numbers that depend on the seed and the
/// place in the global array.
weft_status weft_fortran_fill_random(weft_plan plan, int spectral, const CFI_cdesc_t* array,
                                     std::int64_t seed, const weft_dimensions* dimensions) {
  return guarded([&] {
    const weft::Plan& of = weft::c::plan_of(plan);
    weft_local_array needed;
    (spectral != 0 ? weft_plan_output : weft_plan_input)(plan, &needed);
    const Passed passed = examine(*array, needed, dimensions[spectral != 0 ? 1 : 0],
                                  spectral != 0 ? "spectral" : "physical", "the plan");
    if (passed.complaint) throw weft::Error(*passed.complaint);
    const weft::TransformDescription described = weft::description(of);
    weft::fill_random(spectral != 0 ? of.output() : of.input(),
                      spectral != 0 ? described.spectral_shape() : of.info().input_points,
                      of.info().batch, static_cast<std::uint64_t>(seed), passed.data);
  });
}

}  // extern "C"
