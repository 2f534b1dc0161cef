!> Halo exchanges from Fortran.
program halo_in_fortran
  use, intrinsic :: iso_fortran_env, only: int64, real32, real64
#ifdef WEFT_WITH_MPI_F08
  use mpi_f08, only: MPI_COMM_WORLD
#else
  use mpi, only: MPI_COMM_WORLD
#endif
  use expect
  use weft
  implicit none

  call begin()
  call exchanges()
  call sums()
  call while_working()
  call batches()
  call array_of_a_plan()
  call finish()

contains

  !> A number for each point of an 8 x 9 array.
  elemental real(real64) function number_at(i, j)
    integer, intent(in) :: i, j

    number_at = 100 * (modulo(i - 1, 8) + 1) + modulo(j - 1, 9) + 1
  end function number_at

  subroutine make(halo, u, periodic)
    type(weft_halo), intent(inout) :: halo
    real(real64), allocatable, intent(out) :: u(:, :)
    logical, intent(in) :: periodic
    type(weft_array) :: a
    integer :: i, j

    call halo%create(MPI_COMM_WORLD, [8, 9], layout=weft_slab_split(2, halo=[2, 1]), &
                     periodic=[periodic, periodic])
    a = halo%array()
    call expect_that(all(a%alloc_lower(1:2) == a%lower(1:2) - [2, 1]), 'halo before')
    call expect_that(all(a%alloc_upper(1:2) == a%upper(1:2) + [2, 1]), 'halo after')
    allocate (u(a%alloc_lower(1):a%alloc_upper(1), a%alloc_lower(2):a%alloc_upper(2)), &
              source=-1.0_real64)
    do j = int(a%lower(2)), int(a%upper(2))
      u(1:8, j) = number_at([(i, i=1, 8)], j)
    end do
  end subroutine make

  subroutine exchanges()
    type(weft_halo) :: halo
    real(real64), allocatable :: u(:, :)
    integer(int64), allocatable :: lower(:), upper(:)
    integer :: i, j

    call make(halo, u, .true.)
    call halo%exchange(u)
    do j = lbound(u, 2), ubound(u, 2)
      do i = -1, 10
        call expect_near(abs(u(i, j) - number_at(i, j)), 0.0_real64, 'periodic halo')
      end do
    end do
    call halo%widths(lower, upper)
    call expect_that(all(lower == [2, 1]) .and. all(upper == [2, 1]), 'widths')
    call expect_that(halo%peers() == min(ranks - 1, 2), 'peers')
    call expect_that((halo%bytes_sent() > 0) .eqv. ranks > 1, 'bytes')
    call make(halo, u, .false.)
    call halo%exchange(u)
    call expect_that(all(u(-1:0, :) == -1), 'halo beyond a border that is not periodic')
    call halo%destroy()
    call halo%destroy()
  end subroutine exchanges

  !> Ones everywhere: along axis 1 the two points at each end lie in a halo once.
  subroutine sums()
    type(weft_halo) :: halo
    type(weft_array) :: a
    real(real64), allocatable :: u(:, :)

    call make(halo, u, .true.)
    a = halo%array()
    u = 1
    call halo%accumulate(u)
    call expect_that(all(u(1:8, a%lower(2) + 1) == [2, 2, 1, 1, 1, 1, 2, 2]), 'sums')
    call halo%destroy()
  end subroutine sums

  subroutine while_working()
    type(weft_halo) :: halo
    real(real64), allocatable :: made(:, :)
    real(real64), allocatable, asynchronous :: u(:, :)
    logical :: done
    integer :: i, j

    call make(halo, made, .true.)
    u = made
    call halo%start_exchange(u)
    call halo%wait()
    do j = lbound(made, 2), ubound(made, 2)
      call expect_that(all(u(:, j) == number_at([(i, i=-1, 10)], j)), 'start and wait')
    end do
    u = 0
    call halo%start_accumulate(u)
    done = .false.
    do while (.not. done)
      call halo%test(done)
    end do
    call expect_that(all(u == 0), 'start and test')
    call halo%destroy()
  end subroutine while_working

  subroutine batches()
    type(weft_halo) :: halo
    type(weft_array) :: a
    complex(real32), allocatable :: u(:, :)

    call halo%create(MPI_COMM_WORLD, [9], layout=weft_slab_split(1, halo_lower=[1]), &
                     periodic=[.true.], precision=real32, is_complex=.true., batch=2)
    a = halo%array()
    allocate (u(a%alloc_lower(1):a%alloc_upper(1), 2))
    u(:, 1) = rank + 1
    u(:, 2) = cmplx(0, rank + 1)
    call halo%exchange(u)
    call expect_that(u(a%lower(1) - 1, 1) == modulo(rank - 1, ranks) + 1, 'first field')
    call expect_that(u(a%lower(1) - 1, 2) == cmplx(0, modulo(rank - 1, ranks) + 1), 'second field')
    deallocate (u)
    call halo%create(MPI_COMM_WORLD, [9], layout=weft_slab_split(1, halo_lower=[1]), &
                     periodic=[.true.], precision=real32, is_complex=.true., batch=2, &
                     interleaved=.true.)
    allocate (u(2, a%alloc_lower(1):a%alloc_upper(1)))
    u = rank
    call halo%exchange(u)
    call expect_that(all(u(:, a%lower(1) - 1) == modulo(rank - 1, ranks)), 'interleaved')
    call halo%destroy()
  end subroutine batches

  !> The layout of the output of a plan, by its first element.
  subroutine array_of_a_plan()
    type(weft_plan) :: plan
    type(weft_halo) :: halo
    type(weft_array) :: a
    complex(real64), allocatable :: uh(:, :)
    integer :: i, j

    call plan%create(MPI_COMM_WORLD, [8, 9], output=weft_slab_split(2, halo=[1, 1]))
    a = plan%output()
    allocate (uh(a%alloc_lower(1):a%alloc_upper(1), a%alloc_lower(2):a%alloc_upper(2)), &
              source=(-1.0_real64, 0.0_real64))
    do j = int(a%lower(2)), int(a%upper(2))
      uh(1:8, j) = number_at([(i, i=1, 8)], j)
    end do
    call halo%create(MPI_COMM_WORLD, [8, 9], layout=weft_layout_of_array(a), lower=[1, 1], &
                     upper=[0, 1], periodic=[.true., .true.], is_complex=.true.)
    call halo%exchange(uh(a%lower(1), a%lower(2)))
    do j = lbound(uh, 2), ubound(uh, 2)
      do i = 0, 8
        call expect_near(abs(uh(i, j) - number_at(i, j)), 0.0_real64, 'array of a plan')
      end do
      call expect_near(abs(uh(9, j) + 1), 0.0_real64, 'what is not exchanged')
    end do
    call halo%destroy()
    call plan%destroy()
  end subroutine array_of_a_plan
end program halo_in_fortran
