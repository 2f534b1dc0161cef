!> Transforms ones there and back. Prints "ok" on rank 0.
program consumer
  use, intrinsic :: iso_fortran_env, only: real64
  use mpi_f08
  use weft
  implicit none
  type(weft_plan) :: plan
  type(weft_array) :: mine, modes
  real(real64), allocatable :: u(:, :, :)
  complex(real64), allocatable :: uh(:, :, :)
  logical :: right
  integer :: rank

  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call plan%create(MPI_COMM_WORLD, [8, 6, 10], kinds=[weft_kind_r2c], output=weft_pencil_along(2))
  mine = plan%input()
  modes = plan%output()
  allocate (u(mine%lower(1):mine%upper(1), mine%lower(2):mine%upper(2), &
              mine%lower(3):mine%upper(3)), source=1.0_real64)
  allocate (uh(modes%lower(1):modes%upper(1), modes%lower(2):modes%upper(2), &
               modes%lower(3):modes%upper(3)))
  call plan%forward(u, uh)
  call plan%backward(uh, u)
  right = all(abs(u - 1) < 1e-14_real64)
  if (all(modes%lower == 1) .and. size(uh) > 0) uh(1, 1, 1) = uh(1, 1, 1) - 480
  right = right .and. all(abs(uh) < 1e-12_real64)
  call plan%destroy()
  call MPI_Allreduce(MPI_IN_PLACE, right, 1, MPI_LOGICAL, MPI_LAND, MPI_COMM_WORLD)
  if (rank == 0) print '(a)', trim(merge('ok   ', 'wrong', right))
  call MPI_Finalize()
  if (.not. right) error stop 1
end program consumer
