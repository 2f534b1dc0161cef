#pragma once

#include "request.hpp"

namespace weft::fftw_mpi {

/// A plan of weft, or of the genuine library where weft does not have it; null if neither has.
/// Collective. `caller`: where the program called for it. The genuine library calls its own
/// functions by our names too, for a program that took its functions from its file; it gets its own
/// plans.
ClientPlan plan(const Request& request, const void* caller);

/// What FFTW-MPI answers about the sizes of arrays; at least so much as the genuine library needs,
/// if it is there, as that may have to make the plan.
Size local_size_many_transposed(Precision precision, int axes, const Size* n, Size howmany,
                                Size block0, Size block1, MPI_Comm comm, Size* local_n0,
                                Size* local_0_start, Size* local_n1, Size* local_1_start);
Size local_size_many_1d(Precision precision, Size n, Size howmany, MPI_Comm comm, int sign,
                        unsigned flags, Size* local_ni, Size* local_i_start, Size* local_no,
                        Size* local_o_start);

}  // namespace weft::fftw_mpi
