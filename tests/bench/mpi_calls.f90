! Collective calls of MPI in Fortran, for tests/bench/test_mpi_time.cpp.
module mpi_calls
  use iso_c_binding, only: c_int
  implicit none

contains

  subroutine alltoall_in_fortran() bind(c)
    use mpi, only: MPI_COMM_WORLD, MPI_INTEGER, MPI_Comm_size
    external :: MPI_Alltoall ! not in this module of all MPI libraries
    integer :: ranks, error
    integer, allocatable :: sent(:), received(:)
    call MPI_Comm_size(MPI_COMM_WORLD, ranks, error)
    allocate (sent(ranks), received(ranks), source=1)
    call MPI_Alltoall(sent, 1, MPI_INTEGER, received, 1, MPI_INTEGER, MPI_COMM_WORLD, error)
  end subroutine

  subroutine alltoallv_in_modern_fortran() bind(c)
    use mpi_f08, only: MPI_COMM_WORLD, MPI_INTEGER, MPI_Alltoallv, MPI_Comm_size
    integer :: ranks, i
    integer, allocatable :: sent(:), received(:), counts(:), places(:)
    call MPI_Comm_size(MPI_COMM_WORLD, ranks)
    allocate (sent(ranks), received(ranks), counts(ranks), source=1)
    allocate (places(ranks))
    places = [(i, i=0, ranks - 1)]
    call MPI_Alltoallv(sent, counts, places, MPI_INTEGER, &
                       received, counts, places, MPI_INTEGER, MPI_COMM_WORLD)
  end subroutine

end module
