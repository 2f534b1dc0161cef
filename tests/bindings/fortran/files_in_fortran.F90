!> NumPy files of the arrays of plans, from Fortran.
program files_in_fortran
  use, intrinsic :: iso_fortran_env, only: real64
#ifdef WEFT_WITH_MPI_F08
  use mpi_f08, only: MPI_COMM_WORLD
#else
  use mpi, only: MPI_COMM_WORLD
#endif
  use expect
  use weft
  implicit none

  character(*), parameter :: path = 'weft_files_in_fortran.npy'
  type(weft_plan) :: plan
  type(weft_array) :: mine, modes
  real(real64), allocatable :: u(:, :, :), back(:, :, :), whole(:, :, :)
  complex(real64), allocatable :: uh(:, :, :)
  character(200) :: message
  character(len=:), allocatable :: header
  integer :: i, j, k, stat, unit, bytes

  call begin()
  call plan%create(MPI_COMM_WORLD, [4, 3, 5], kinds=[weft_kind_r2c], &
                   input=weft_slab_split(3, halo=[1, 0, 0]), output=weft_slab_split(2))
  mine = plan%input()
  modes = plan%output()
  associate (l => mine%alloc_lower, h => mine%alloc_upper)
    allocate (u(l(1):h(1), l(2):h(2), l(3):h(3)), source=-1.0_real64)
    allocate (back(l(1):h(1), l(2):h(2), l(3):h(3)), source=-1.0_real64)
  end associate
  associate (l => modes%alloc_lower, h => modes%alloc_upper)
    allocate (uh(l(1):h(1), l(2):h(2), l(3):h(3)))
  end associate
  do k = int(mine%lower(3)), int(mine%upper(3))
    do j = int(mine%lower(2)), int(mine%upper(2))
      do i = int(mine%lower(1)), int(mine%upper(1))
        u(i, j, k) = i + 10 * j + 100 * k
      end do
    end do
  end do
  call plan%write_input(path, u)
  call plan%read_input(path, back)
  call expect_that(all(abs(back - u) < 1e-300_real64), 'what was written comes back, and no halo')

  ! To NumPy the array has the same shape; the last axis is the fastest in the file.
  inquire (file=path, size=bytes)
  allocate (character(bytes - 60 * 8) :: header)
  allocate (whole(5, 3, 4))
  open (newunit=unit, file=path, access='stream', form='unformatted', status='old', action='read')
  read (unit) header, whole
  close (unit)
  call expect_that(index(header, "'descr': '<f8', 'fortran_order': False, 'shape': (4, 3, 5)") > 0, header)
  do k = 1, 5
    do j = 1, 3
      do i = 1, 4
        call expect_that(nint(whole(k, j, i)) == i + 10 * j + 100 * k, 'numbers are where they belong')
      end do
    end do
  end do

  uh = (1.5_real64, 2.5_real64)
  call plan%write_output(path, uh)
  uh = 0
  call plan%read_output(path, uh)
  call expect_that(all(abs(uh - (1.5_real64, 2.5_real64)) < 1e-300_real64), 'the output comes back')
  call plan%read_input(path, back, stat=stat, errmsg=message)
  call expect_failure(stat, message, '3x3x5 of <c16')
  call expect_that(stat == weft_error_argument, 'another type is an error of arguments')
  call plan%write_input('/no/such/folder.npy', u, stat=stat, errmsg=message)
  call expect_failure(stat, message, '/no/such/folder.npy')
  call expect_that(stat == weft_error_file, 'a missing folder is an error of files')
  call plan%write_input(path, uh, stat=stat, errmsg=message)
  call expect_failure(stat, message, 'input array is complex')
  call plan%destroy()
  call finish()
end program files_in_fortran
