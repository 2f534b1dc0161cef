// Checks of transforms by whatever library, with arrays that are descriptors of Fortran.
#include "fortran/arrays.hpp"
#include "fortran/library.hpp"

extern "C" {

weft_status weft_fortran_check_transform(MPI_Fint comm, const weft_transform* transform,
                                         int direction, const CFI_cdesc_t* in,
                                         const CFI_cdesc_t* out, int samples, std::int64_t seed,
                                         weft_sampled_error* error) {
  weft::fortran::Passed input, output;
  MPI_Comm of_c = MPI_COMM_NULL;
  const weft_status examined = weft::c::guarded([&] {
    of_c = weft::fortran::communicator_of(comm);
    const bool forward = direction == WEFT_DIRECTION_FORWARD;
    const auto passed = [](const CFI_cdesc_t& array, const weft_local_array& needed,
                           const char* name) {
      return weft::fortran::examine(array, needed, {}, name, "the transform");
    };
    input = passed(*in, forward ? transform->physical : transform->spectral, "input");
    output = passed(*out, forward ? transform->spectral : transform->physical, "output");
  });
  if (examined != WEFT_SUCCESS) return examined;
  return weft::fortran::with_complaint(
      input.complaint ? input.complaint : output.complaint,
      [&] {
        return weft_transform_sampled_error(of_c, transform, direction, input.data, output.data,
                                            samples, static_cast<std::uint64_t>(seed), error);
      },
      [&] { return of_c; });
}

}  // extern "C"
