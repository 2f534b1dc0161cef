!> Expectations of the tests in Fortran, which go on after a failure and end with an error.
module expect
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: error_unit, real64
  use mpi
  implicit none
  private
  public :: begin, finish, expect_that, expect_near, expect_failure, rank, ranks

  integer :: rank = 0, ranks = 1
  integer :: failures = 0

contains

  subroutine begin()
    integer :: code

    call MPI_Init(code)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, code)
    call MPI_Comm_size(MPI_COMM_WORLD, ranks, code)
  end subroutine begin

  !> Ends MPI and the program.
  subroutine finish()
    integer :: code

    call MPI_Allreduce(MPI_IN_PLACE, failures, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, code)
    call MPI_Finalize(code)
    if (failures > 0) error stop 1
    if (rank == 0) print '(a)', 'ok'
  end subroutine finish

  subroutine expect_that(condition, what)
    logical, intent(in) :: condition
    character(*), intent(in) :: what

    if (condition) return
    failures = failures + 1
    write (error_unit, '("rank ", i0, ": not so: ", a)') rank, what
  end subroutine expect_that

  subroutine expect_near(error, bound, what)
    real(real64), intent(in) :: error, bound
    character(*), intent(in) :: what
    character(64) :: numbers

    write (numbers, '(": ", es10.2, " > ", es10.2)') error, bound
    call expect_that(error <= bound, what // numbers)
  end subroutine expect_near

  !> Of a collective call that must fail on all ranks with the same text, in which `part` is.
  subroutine expect_failure(stat, errmsg, part)
    integer, intent(in) :: stat
    character(*), intent(in) :: errmsg, part
    character(len(errmsg)) :: of_first
    integer :: code

    call expect_that(stat /= 0, 'an error: ' // part)
    call expect_that(index(errmsg, part) > 0, '"' // part // '" is in "' // trim(errmsg) // '"')
    of_first = errmsg
    call MPI_Bcast(of_first, len(errmsg), MPI_CHARACTER, 0, MPI_COMM_WORLD, code)
    call expect_that(errmsg == of_first, '"' // trim(errmsg) // '" is what rank 0 says')
  end subroutine expect_failure
end module expect
