// Halo exchanges of arrays that are descriptors of Fortran.
#include "fortran/arrays.hpp"
#include "fortran/handles.hpp"

using OwnedHalo = weft::fortran::Owned<weft_halo>;

namespace {

using weft::c::guarded;

enum Operation { exchange, accumulate, start_exchange, start_accumulate };

weft_status call(Operation operation, weft_halo halo, void* data) {
  switch (operation) {
    case exchange:
      return weft_halo_exchange(halo, data);
    case accumulate:
      return weft_halo_accumulate(halo, data);
    case start_exchange:
      return weft_halo_start_exchange(halo, data);
    case start_accumulate:
      break;
  }
  return weft_halo_start_accumulate(halo, data);
}

}  // namespace

extern "C" {

weft_status weft_fortran_halo_create(MPI_Fint comm, const weft_halo_problem* problem,
                                     const char* complaint, OwnedHalo** made) {
  return weft::fortran::make(comm, problem, complaint, made, weft_halo_create);
}
weft_status weft_fortran_halo_destroy(OwnedHalo** made) {
  return weft::fortran::unmake(made, weft_halo_destroy);
}

/// The handle for what needs no array.
weft_halo weft_fortran_halo_handle(OwnedHalo* made) {
  return weft::fortran::handle_of(made);
}

weft_status weft_fortran_halo_run(OwnedHalo* made, int operation, const CFI_cdesc_t* array,
                                  const weft_dimensions* of_array) {
  weft_local_array needed;
  const weft_status known = weft_halo_array(weft::fortran::handle_of(made), &needed);
  if (known != WEFT_SUCCESS) return known;
  weft::fortran::Passed passed;
  const weft_status examined = guarded([&] {
    passed = weft::fortran::examine(*array, needed, *of_array, "halo", "the halo exchange");
  });
  if (examined != WEFT_SUCCESS) return examined;
  const bool starts = operation == start_exchange || operation == start_accumulate;
  if (starts) made->complaint = passed.complaint;  // is told when it is complete
  const auto run = [&] {
    return call(static_cast<Operation>(operation), made->handle, passed.data);
  };
  if (!starts) return with_complaint(*made, passed.complaint, run);
  const weft_status possible = guarded(weft::fortran::check_mpi_is_there);
  return possible == WEFT_SUCCESS ? run() : possible;
}

weft_status weft_fortran_halo_wait(OwnedHalo* made) {
  if (made == nullptr) return weft_halo_wait(nullptr);
  return with_complaint(*made, made->complaint, [&] { return weft_halo_wait(made->handle); });
}
weft_status weft_fortran_halo_test(OwnedHalo* made, int* done) {
  if (made == nullptr) return weft_halo_test(nullptr, done);
  return with_complaint(*made, made->complaint, [&] { return weft_halo_test(made->handle, done); });
}

}  // extern "C"
