!> An assignment of a plan ends the program, be it a component of something else; see the script
!> aborts. One of a plan that does not exist is none.
program assigns
  use mpi, only: MPI_COMM_WORLD, MPI_Init
  use weft
  implicit none

  type :: solver
    integer :: steps = 0
    type(weft_plan) :: plan
  end type solver

  type(solver) :: made, copy
  integer :: code

  call MPI_Init(code)
  copy = made
  call made%plan%create(MPI_COMM_WORLD, [8, 6])
  copy = made
  print '(a)', 'it went on'
end program assigns
