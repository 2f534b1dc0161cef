// Files of plans, with arrays that are descriptors of Fortran.
#include "weft/c/files.h"

#include "c/plan_of.hpp"
#include "fortran/arrays.hpp"
#include "fortran/library.hpp"

namespace {

/// Runs call(array) with one of the arrays of a plan.
template <class Call>
weft_status with_array(weft_plan plan, bool input, const CFI_cdesc_t& array,
                       const weft_dimensions* dimensions, const Call& call) {
  weft_local_array planned;
  const weft_status known =
      input ? weft_plan_input(plan, &planned) : weft_plan_output(plan, &planned);
  if (known != WEFT_SUCCESS) return known;
  weft::fortran::Passed passed;
  const weft_status examined = weft::c::guarded([&] {
    passed = weft::fortran::examine(array, planned, dimensions[input ? 0 : 1],
                                    input ? "input" : "output", "the plan");
  });
  if (examined != WEFT_SUCCESS) return examined;
  return weft::fortran::with_complaint(
      passed.complaint, [&] { return call(passed.data); },
      [&] { return weft::c::plan_of(plan).communicator(); });
}

}  // namespace

extern "C" {

weft_status weft_fortran_write_file(weft_plan plan, int input, const char* path,
                                    const CFI_cdesc_t* array, const weft_dimensions* dimensions) {
  return with_array(plan, input != 0, *array, dimensions, [&](const void* data) {
    return input != 0 ? weft_plan_write_input(plan, path, data)
                      : weft_plan_write_output(plan, path, data);
  });
}

weft_status weft_fortran_read_file(weft_plan plan, int input, const char* path,
                                   const CFI_cdesc_t* array, const weft_dimensions* dimensions) {
  return with_array(plan, input != 0, *array, dimensions, [&](void* data) {
    return input != 0 ? weft_plan_read_input(plan, path, data)
                      : weft_plan_read_output(plan, path, data);
  });
}
}
