!> An error without `stat` ends the program; see the script aborts.
program without_stat
  use mpi, only: MPI_COMM_WORLD, MPI_Init
  use weft
  implicit none
  type(weft_plan) :: plan
  integer :: code

  call MPI_Init(code)
  call plan%create(MPI_COMM_WORLD, [8, 6], input=weft_slab_split(3))
  print '(a)', 'it went on'
end program without_stat
