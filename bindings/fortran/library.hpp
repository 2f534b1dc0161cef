#pragma once

#include <mpi.h>

#include <optional>
#include <string>

#include "c/boundary.hpp"

namespace weft::fortran {

/// MPI ends the program when it is called before MPI_Init or after MPI_Finalize; this throws.
void check_mpi_is_there();

/// The communicator that a handle of Fortran stands for.
MPI_Comm communicator_of(MPI_Fint comm);

/// Runs call(), a collective function of the library, unless there is no MPI.
template <class Call>
weft_status while_mpi_is_there(Call&& call) {
  const weft_status possible = c::guarded(check_mpi_is_there);
  return possible == WEFT_SUCCESS ? call() : possible;
}

/// Runs call(), a collective function of the library, to which a rank has handed a null pointer
/// where it has a complaint, so that it fails on all ranks. Then all of them tell the complaint.
/// Where all is well nothing is sent. `comm()` is asked for only after an error.
template <class Call, class Comm>
weft_status with_complaint(const std::optional<std::string>& complaint, Call&& call, Comm&& comm) {
  const weft_status possible = c::guarded(check_mpi_is_there);
  if (possible != WEFT_SUCCESS) return possible;
  const weft_status status = call();
  if (status != WEFT_ERROR_ARGUMENT) return status;
  return c::guarded([&] {
    const std::string text = weft_error_message();
    agree(Communicator::duplicate(comm()), complaint);
    throw Error(text);
  });
}

/// What Fortran complains about; "": nothing.
inline std::optional<std::string> complaint_in(const char* text) {
  return *text == '\0' ? std::nullopt : std::optional<std::string>(text);
}

/// Collective. Makes an object by create(comm, with_problem) of the library, in which a problem
/// that is null, because of a complaint, is an error on all ranks.
template <class Create>
weft_status create_with_complaint(MPI_Fint comm, const char* complaint, Create&& create) {
  MPI_Comm of_c = MPI_COMM_NULL;
  const weft_status known = c::guarded([&] { of_c = communicator_of(comm); });
  if (known != WEFT_SUCCESS) return known;
  const std::optional<std::string> text = complaint_in(complaint);
  return with_complaint(
      text, [&] { return create(of_c, !text); }, [&] { return of_c; });
}

/// A text of the library, in which axes, points and fields are numbered from 0 and ranges are
/// half-open, with the numbers that Fortran has for them, and objects for handles.
std::string in_fortran_numbers(const std::string& text);

}  // namespace weft::fortran
