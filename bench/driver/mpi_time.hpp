#pragma once

namespace weft::bench {

/// Seconds that the calling thread has spent in calls of MPI that move data or wait for it, since
/// the program began. The calls of any library count, in C and, of the usual ones, in Fortran:
/// programs of adapters put themselves before MPI by its profiling interface (MPI 3.1, 14.2). What
/// a library's own threads do, and what moves without MPI, does not count.
double seconds_in_mpi();

}  // namespace weft::bench
