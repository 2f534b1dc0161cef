!> Plans, with all that belongs to them, from Fortran.
module callbacks_of_plans
  use, intrinsic :: iso_fortran_env, only: real64
  use weft
  implicit none

  type :: factor
    complex(real64) :: value = 1
  end type factor

contains

  subroutine double_numbers(line)
    type(weft_line), intent(inout) :: line
    complex(real64), pointer :: values(:)

    call weft_values(line, values)
    values = 2 * values
  end subroutine double_numbers

  subroutine multiply(line, data)
    type(weft_line), intent(inout) :: line
    class(*), intent(inout) :: data
    complex(real64), pointer :: values(:)

    call weft_values(line, values)
    select type (data)
    type is (factor)
      values = data%value * values
    end select
  end subroutine multiply

  subroutine ask_for_wrong_type(line)
    type(weft_line), intent(inout) :: line
    real(real64), pointer :: values(:)

    call weft_values(line, values)
    if (size(values) > 0) values = 0
  end subroutine ask_for_wrong_type
end module callbacks_of_plans

program plan_in_fortran
  use, intrinsic :: iso_c_binding, only: c_loc, c_null_ptr, c_ptr
  use, intrinsic :: iso_fortran_env, only: int64, real32, real64
#ifdef WEFT_WITH_MPI_F08
  use mpi_f08, only: MPI_COMM_WORLD
#else
  use mpi, only: MPI_COMM_WORLD
#endif
  use expect
  use callbacks_of_plans
  use weft
  implicit none

  integer :: work_done = 0

  call begin()
  call natural_layout()
  call with_halo()
  call other_orders()
  call in_place()
  call many_fields()
  call while_working()
  call callbacks()
  call what_a_plan_tells()
  call compressed()
  call of_a_problem()
  call own_boxes()
  call finish()

contains

  !> The last axis is split, axis 1 is halved, and bounds are those of the global array.
  subroutine natural_layout()
    type(weft_plan) :: plan
    type(weft_array) :: mine, modes
    integer(int64) :: first

    call plan%create(MPI_COMM_WORLD, [8, 6, 12], kinds=[weft_kind_r2c])
    mine = plan%input()
    modes = plan%output()
    first = 1 + 12 / ranks * rank + min(rank, mod(12, ranks))
    call expect_that(mine%axes == 3, 'three axes')
    call expect_that(all(mine%lower(1:3) == [1_int64, 1_int64, first]), 'lower bounds')
    call expect_that(all(mine%shape(1:2) == [8, 6]), 'all of the first two axes')
    call expect_that(all(modes%upper(1:2) == [5, 6]), 'halved along axis 1')
    call expect_that(modes%lower(3) == first .and. modes%upper(3) == mine%upper(3), 'as the input')
    call expect_that(all(mine%strides(1:3) == [1, 8, 48]), 'column by column')
    call expect_that(all(mine%lower == mine%alloc_lower .and. mine%upper == mine%alloc_upper), &
                     'no halo')
    call expect_that(mine%precision == real64 .and. .not. mine%is_complex .and. modes%is_complex, &
                     'types')
    call expect_that(plan%is_created(), 'a plan')
    call plan%destroy()
    call expect_that(.not. plan%is_created(), 'no plan')
    call plan%destroy()
  end subroutine natural_layout

  !> Bounds that include halos, in which nothing is written.
  subroutine with_halo()
    type(weft_plan) :: plan
    type(weft_array) :: mine, modes
    type(weft_sampled_error) :: error
    real(real64), allocatable :: u(:, :, :)
    complex(real64), allocatable :: uh(:, :, :)

    call plan%create(MPI_COMM_WORLD, [16, 10, 9], kinds=[weft_kind_r2c], &
                     input=weft_slab_split(3, halo_lower=[1, 0, 2], halo_upper=[0, 2, 1]), &
                     output=weft_slab_split(2))
    mine = plan%input()
    modes = plan%output()
    associate (l => mine%alloc_lower, h => mine%alloc_upper)
      allocate (u(l(1):h(1), l(2):h(2), l(3):h(3)), source=-7.0_real64)
    end associate
    associate (l => modes%alloc_lower, h => modes%alloc_upper)
      allocate (uh(l(1):h(1), l(2):h(2), l(3):h(3)))
    end associate
    if (mine%allocation_size > 0) then
      call expect_that(all(mine%alloc_lower(1:3) == mine%lower(1:3) - [1, 0, 2]), 'halo before')
      call expect_that(all(mine%alloc_upper(1:3) == mine%upper(1:3) + [0, 2, 1]), 'halo after')
    end if
    call check_error(plan, u, uh, 1440, 'with a halo')
    if (mine%allocation_size > 0) u(1:16, :10, mine%lower(3):mine%upper(3)) = 1
    call expect_that(count(u == -7) == size(u) - product(mine%shape(1:3)), 'the halo as it was')
    call plan%forward(u, uh)
    if (modes%lower(2) == 1 .and. modes%allocation_size > 0) then
      call expect_near(abs(uh(1, 1, 1) - 1440), 1e-10_real64, 'the mean comes first')
    end if
    call weft_check(plan, weft_direction_forward, u, uh, error, samples=16, seed=5)
    call expect_that(error%samples == 16 .and. error%largest < 1e-10, 'samples')
    call plan%destroy()
  end subroutine with_halo

  !> Random numbers in physical space, and their transform as an exact sum says.
  subroutine check_error(plan, u, uh, points, what)
    type(weft_plan), intent(in) :: plan
    type(*), dimension(..), intent(inout) :: u, uh
    integer, intent(in) :: points
    character(*), intent(in) :: what
    type(weft_sampled_error) :: error

    call weft_fill_random(plan, u, seed=11)
    call plan%forward(u, uh)
    call weft_check(plan, weft_direction_forward, u, uh, error)
    call expect_near(error%relative_l2, weft_rounding_error_bound(real64, int(points, int64)), &
                     what // ' forward')
    call plan%backward(uh, u)
    call weft_check(plan, weft_direction_backward, uh, u, error)
    call expect_near(error%relative_l2, weft_rounding_error_bound(real64, int(points, int64)), &
                     what // ' backward')
  end subroutine check_error

  !> Dimensions come in the memory order, here axes 3, 1, 2.
  subroutine other_orders()
    type(weft_plan) :: plan
    type(weft_array) :: a, b
    complex(real64), allocatable :: u(:, :, :), uh(:, :, :)
    character(200) :: message
    integer :: stat

    call plan%create(MPI_COMM_WORLD, [6, 5, 8], input=weft_slab_split(2, order=[3, 1, 2]), &
                     output=weft_grid([ranks, 1, 1], split=weft_split_block))
    a = plan%input()
    b = plan%output()
    allocate (u(a%lower(3):a%upper(3), a%lower(1):a%upper(1), a%lower(2):a%upper(2)))
    allocate (uh(b%lower(1):b%upper(1), b%lower(2):b%upper(2), b%lower(3):b%upper(3)))
    call check_error(plan, u, uh, 240, 'other orders')
    deallocate (u)
    allocate (u(6, 8, a%shape(2)))
    call plan%forward(u, uh, stat=stat, errmsg=message)
    call expect_failure(stat, message, 'input array has shape (6,8,')
    call plan%destroy()
  end subroutine other_orders

  subroutine in_place()
    type(weft_plan) :: plan
    type(weft_array) :: a, b
    real(real64), allocatable :: u(:)
    real(real64) :: expected
    integer(int64) :: line, lines

    call plan%create(MPI_COMM_WORLD, [10, 6, 4], kinds=[weft_kind_r2c], &
                     input=weft_slab_split(3, r2c_padding=.true.), output=weft_slab_split(2))
    a = plan%input()
    b = plan%output()
    if (a%allocation_size > 0) call expect_that(a%alloc_upper(1) == 12, 'padding')
    allocate (u(max(a%allocation_size, 2 * b%allocation_size)), source=1.0_real64)
    call plan%forward_in_place(u)
    do line = 1, 2 * b%allocation_size
      expected = 0
      if (line == 1 .and. b%lower(2) == 1) expected = 240
      call expect_near(abs(u(line) - expected), 1e-11_real64, 'in place')
    end do
    call plan%backward_in_place(u)
    lines = a%allocation_size / 12
    do line = 1, lines
      call expect_near(maxval(abs(u(12 * line - 11:12 * line - 2) - 1)), 1e-13_real64, 'and back')
    end do
    call plan%destroy()
  end subroutine in_place

  !> Fields in the last dimension of an array, and in separate arrays.
  subroutine many_fields()
    type(weft_plan) :: plan
    type(weft_array) :: a, b
    real(real64), allocatable, target :: u(:, :, :), v(:, :)
    complex(real64), allocatable, target :: uh(:, :, :), vh(:, :)
    type(c_ptr) :: from(2), to(2)
    type(weft_report) :: told
    character(200) :: errmsg
    integer :: field, stat

    call plan%create(MPI_COMM_WORLD, [8, 5], kinds=[weft_kind_r2c], options='fields_in_flight=2')
    a = plan%input()
    b = plan%output()
    allocate (u(a%lower(1):a%upper(1), a%lower(2):a%upper(2), 3))
    allocate (uh(b%lower(1):b%upper(1), b%lower(2):b%upper(2), 3))
    do field = 1, 3
      u(:, :, field) = field
    end do
    call plan%forward_many(u, uh)
    told = plan%report(field=3)
    call expect_near(told%error, 0.0_real64, 'report of a field')
    told = plan%report(4, stat, errmsg)
    call expect_failure(stat, errmsg, 'no report of field 4: the last transform was of 3 fields')
    do field = 1, 3
      if (a%allocation_size == 0) exit
      if (b%lower(2) == 1) then
        call expect_near(abs(uh(1, 1, field) - 40 * field), 1e-12_real64, 'mean of a field')
        uh(1, 1, field) = uh(1, 1, field) - 40 * field
      end if
      call expect_near(maxval(abs(uh(:, :, field))), 1e-12_real64, 'other modes')
    end do
    v = u(:, :, 1)
    vh = uh(:, :, 1)
    from = [c_loc(u), c_loc(v)]
    to = [c_loc(uh), c_loc(vh)]
    if (a%allocation_size > 0) call plan%forward_many(from, to)
    if (a%allocation_size == 0) call plan%forward_many(u(:, :, 1:2), uh(:, :, 1:2))
    call expect_near(maxval([0.0_real64, abs(vh - uh(:, :, 1))]), 0.0_real64, 'separate arrays')
    call plan%backward_many(uh(:, :, 1:1), u(:, :, 2:2))
    call expect_near(maxval([0.0_real64, abs(u(:, :, 2) - 1)]), 1e-13_real64, 'sections of fields')
    call plan%destroy()
  end subroutine many_fields

  subroutine count_work(status)
    integer, intent(inout) :: status

    work_done = work_done + 1
    if (work_done == 2 .and. rank == ranks - 1) status = 41
  end subroutine count_work

  subroutine while_working()
    type(weft_plan) :: plan
    type(weft_array) :: a
    complex(real64), allocatable, asynchronous :: u(:, :), uh(:, :), first(:, :)
    character(200) :: message
    logical :: done
    integer :: stat

    call plan%create(MPI_COMM_WORLD, [8, 6], output=weft_slab_split(1), &
                     options='exchange=p2p, chunks=2')
    a = plan%input()
    allocate (u(a%lower(1):a%upper(1), a%lower(2):a%upper(2)))
    a = plan%output()
    allocate (uh(a%lower(1):a%upper(1), a%lower(2):a%upper(2)))
    call weft_fill_random(plan, u)
    call plan%forward(u, uh)
    first = uh
    uh = 0
    call plan%start_forward(u, uh)
    call plan%wait()
    call expect_that(all(uh == first), 'start and wait')
    uh = 0
    call plan%start_forward(u, uh)
    done = .false.
    do while (.not. done)
      call plan%test(done)
    end do
    call expect_that(all(uh == first), 'start and test')
    uh = 0
    call plan%forward_while(u, uh, count_work)
    call expect_that(all(uh == first) .and. work_done == 1, 'work meanwhile')
    call plan%backward_while(uh, u, count_work, stat, message)
    call expect_failure(stat, message, 'a function of the caller returned 41')
    call plan%destroy()
  end subroutine while_working

  subroutine callbacks()
    type(weft_plan) :: plan
    type(weft_array) :: a
    type(factor), target :: data
    complex(real64), allocatable :: u(:, :), uh(:, :), plain(:, :)
    character(200) :: message
    integer :: stat, calls

    call plan%create(MPI_COMM_WORLD, [8, 6])
    a = plan%input()
    allocate (u(a%lower(1):a%upper(1), a%lower(2):a%upper(2)))
    allocate (uh, plain, mold=u)
    call weft_fill_random(plan, u)
    call plan%forward(u, plain)
    data%value = (0, 1)
    call plan%forward(u, uh, on_input=weft_function(double_numbers), &
                      on_output=weft_function(multiply, data))
    call expect_near(maxval([0.0_real64, abs(uh - (0, 2) * plain)]), 1e-13_real64, 'functions')
    calls = 0
    call plan%forward(u, uh, on_output=weft_function(index_values))
    call check_indices(uh)
    call plan%forward(u, uh, on_output=weft_function(fail_on_last), stat=stat, errmsg=message)
    call expect_failure(stat, message, 'a function of the caller returned 17')
    call plan%forward(u, uh, on_input=weft_function(ask_for_wrong_type), stat=stat, errmsg=message)
    call expect_failure(stat, message, 'a function of the caller returned -1')
    call plan%forward(u, uh)
    call expect_that(all(uh == plain), 'it works again')
    call plan%destroy()
  end subroutine callbacks

  !> Each number becomes its place.
  subroutine index_values(line)
    type(weft_line), intent(inout) :: line
    complex(real64), pointer :: values(:)
    integer(int64) :: place(2), i

    call weft_values(line, values)
    place = line%index(1:2)
    do i = 1, line%count
      values(i) = cmplx(place(1), place(2), real64)
      place(line%axis) = place(line%axis) + 1
    end do
  end subroutine index_values

  subroutine check_indices(uh)
    complex(real64), allocatable, intent(in) :: uh(:, :)
    integer :: i, j

    do j = lbound(uh, 2), ubound(uh, 2)
      do i = lbound(uh, 1), ubound(uh, 1)
        call expect_that(uh(i, j) == cmplx(i, j, real64), 'indices of a line')
      end do
    end do
  end subroutine check_indices

  subroutine fail_on_last(line)
    type(weft_line), intent(inout) :: line

    if (rank == ranks - 1) line%status = 17
  end subroutine fail_on_last

  subroutine what_a_plan_tells()
    type(weft_plan) :: plan
    type(weft_plan_info) :: info
    type(weft_transform) :: transform
    type(weft_sampled_error) :: error
    type(weft_array) :: a
    real(real64), allocatable, target :: u(:, :), room(:)
    complex(real64), allocatable :: uh(:, :)
    type(weft_stage_timing), allocatable :: steps(:)
    integer :: i

    call plan%create(MPI_COMM_WORLD, [12, 10], kinds=[weft_kind_r2c], output=weft_slab_split(1), &
                     options='exchange=alltoallv, local=fftw, threads=1, breakdown=yes')
    info = plan%info()
    call expect_that(all(info%shape == [12, 10]) .and. all(info%kinds == [weft_kind_r2c, &
                     weft_kind_c2c]), 'shape and kinds')
    call expect_that(size(info%choices) > 15 .and. info%choices(1)%option == 'algorithm', 'choices')
    call expect_that(info%choices(1)%why == 'default' .and. index(info%text, 'given') > 0, 'why')
    do i = 1, size(info%choices)
      call give_option(i, info%choices(i))
    end do
    call expect_that(size(info%trials) == 0, 'no trials')
    call expect_that(info%exchange == 'alltoallv', 'exchange')
    call expect_that(info%local == 'fftw', 'local')
    call expect_that(info%device == 'host' .and. info%device_number == -1, 'device')
    call expect_that(info%threads == 1 .and. info%chunks == 1, 'threads and chunks')
    call expect_that(info%receive_chunks == 1, 'chunks that are received')
    call expect_that(info%shared_bytes == 0, 'no shared memory')
    call expect_that((info%bytes_sent > 0) .eqv. ranks > 1, 'bytes sent')
    call expect_that(index(plan%describe(), 'axis 1 r2c n=12') > 0, plan%describe())
    call expect_that(index(plan%describe(), '[1:12]x[1:') > 0 .or. rank > 0, plan%describe())
    a = plan%input()
    allocate (u(a%lower(1):a%upper(1), a%lower(2):a%upper(2)))
    a = plan%output()
    allocate (uh(a%lower(1):a%upper(1), a%lower(2):a%upper(2)))
    allocate (room(info%workspace_bytes / 8 + 16))
    do i = 1, 8 ! aligned to 64 bytes
      if (mod(address_of(room(i:)), 64_int64) == 0) exit
    end do
    call plan%set_workspace(room(i:))
    call check_error(plan, u, uh, 120, 'own workspace')
    steps = plan%timings()
    call expect_that(size(steps) >= 1, 'steps')
    call expect_that(sum(steps%parts%transform) > 0 .and. steps(1)%parts%callback <= 0, 'parts')
    do i = 1, size(steps)
      call expect_that(len(steps(i)%name) > 0 .and. steps(i)%seconds >= 0, 'a step')
      call expect_that(steps(i)%moves_data .eqv. steps(i)%name == 'alltoallv', steps(i)%name)
    end do
    call expect_that(any(steps%moves_data) .eqv. ranks > 1, 'a step moves data')
    transform = weft_transform_of(plan)
    call expect_that(all(transform%shape(1:2) == [12, 10]) .and. transform%axes == 2, 'shape')
    call expect_that(all(transform%kinds(1:2) == [weft_kind_r2c, weft_kind_c2c]), 'kinds')
    call expect_that(all(transform%modes(1:2) == [12, 10]), 'keep')
    call weft_check(transform, MPI_COMM_WORLD, weft_direction_backward, uh, u, error)
    call expect_near(error%relative_l2, weft_rounding_error_bound(real64, 120_int64), 'checked')
    if (a%allocation_size > 0) u = u + 0.5_real64
    call weft_check(transform, MPI_COMM_WORLD, weft_direction_backward, uh, u, error)
    call expect_that(error%relative_l2 > 0.1 .and. error%largest >= 0.49, 'a wrong result')
    call plan%destroy()
    call plan%create(MPI_COMM_WORLD, [12, 10], options='local=fftw, tune=measure, tune_trials=3')
    info = plan%info()
    call expect_that(size(info%trials) > 1 .and. size(info%trials) <= 3, 'trials')
    call expect_that(info%trials(1)%settings == '' .and. info%trials(1)%seconds > 0, 'defaults')
    call expect_that(count(info%trials%chosen) == 1, 'chosen')
    call plan%destroy()
  end subroutine what_a_plan_tells

  !> What a plan tells of an option can be given for another one; a misspelled name is refused.
  subroutine give_option(i, choice)
    integer, intent(in) :: i
    type(weft_plan_choice), intent(in) :: choice
    type(weft_plan) :: plan
    type(weft_plan_info) :: info
    integer :: stat
    character(900) :: message
    call plan%create(MPI_COMM_WORLD, [12, 10], options=choice%option//'='//choice%value)
    info = plan%info()
    call expect_that(info%choices(i)%option == choice%option, choice%option)
    call expect_that(info%choices(i)%value == choice%value, choice%option//'='//choice%value)
    call plan%destroy()
    call plan%create(MPI_COMM_WORLD, [12, 10], options=choice%option//'q=1', stat=stat, &
                     errmsg=message)
    call expect_failure(stat, message, "mean '"//choice%option//"'")
  end subroutine give_option

  integer(int64) function address_of(array)
    real(real64), intent(in), target, contiguous :: array(:)

    address_of = transfer(c_loc(array), address_of)
  end function address_of

  subroutine compressed()
    type(weft_plan) :: plan
    type(weft_array) :: a
    complex(real64), allocatable :: u(:, :, :), uh(:, :, :)
    type(weft_report) :: report

    call plan%create(MPI_COMM_WORLD, [16, 16, 16], output=weft_slab_split(1), &
                     options='tolerance=1e-4, exchange=alltoallv')
    a = plan%input()
    allocate (u(a%lower(1):a%upper(1), a%lower(2):a%upper(2), a%lower(3):a%upper(3)))
    a = plan%output()
    allocate (uh(a%lower(1):a%upper(1), a%lower(2):a%upper(2), a%lower(3):a%upper(3)))
    call weft_fill_random(plan, u)
    call plan%forward(u, uh)
    call plan%forward(u, uh)
    report = plan%report()
    call expect_near(abs(report%tolerance - 1e-4_real64), 0.0_real64, 'tolerance')
    call expect_that(size(report%redistributions) == merge(1, 0, ranks > 1), &
                     'one redistribution')
    call expect_near(report%error, 1e-4_real64, 'error')
    call expect_that(len(report%text) > 0, 'text')
    if (ranks > 1) then
      call expect_that(report%error > 0 .and. report%bytes < report%plain_bytes, 'fewer bytes')
      call expect_that(index(report%redistributions(1)%codec, 'bfp') == 1, &
                       report%redistributions(1)%codec)
    end if
    call plan%destroy()
  end subroutine compressed

  subroutine of_a_problem()
    type(weft_plan) :: plan
    type(weft_problem) :: problem
    type(weft_array) :: a
    complex(real64), allocatable :: u(:, :), uh(:, :)

    problem%shape = [18_int64, 12_int64]
    problem%input_points = [9_int64, 12_int64]
    problem%modes = [5_int64, 7_int64]
    call weft_parse_layout('slab:1,order=21', problem%output)
    call plan%create(MPI_COMM_WORLD, problem, 'threads=1, stream=' // weft_address(c_null_ptr))
    a = plan%input()
    call expect_that(a%shape(1) == 9, 'points')
    allocate (u(a%lower(1):a%upper(1), a%lower(2):a%upper(2)))
    a = plan%output()
    call expect_that(a%shape(2) == 7, 'modes')
    allocate (uh(a%lower(2):a%upper(2), a%lower(1):a%upper(1)))
    call check_error(plan, u, uh, 216, 'a problem')
    call plan%destroy()
  end subroutine of_a_problem

  !> Boxes of every rank, listed and each for itself, the latter as a part of a larger array.
  subroutine own_boxes()
    type(weft_plan) :: plan
    integer(int64) :: lower(2, ranks), upper(2, ranks)
    complex(real64), allocatable :: u(:, :), uh(:, :)
    integer :: i

    do i = 1, ranks
      lower(:, i) = [1_int64, 4_int64 * i - 3]
      upper(:, i) = [6_int64, 4_int64 * i]
    end do
    call plan%create(MPI_COMM_WORLD, [6, 4 * ranks], input=weft_boxes(lower, upper), &
                     output=weft_box(int(lower(:, rank + 1)), int(upper(:, rank + 1)), &
                                     strides=[1_int64, 9_int64]))
    allocate (u(6, lower(2, rank + 1):upper(2, rank + 1)))
    allocate (uh(9, lower(2, rank + 1):upper(2, rank + 1)), source=(-7.0_real64, 0.0_real64))
    ! A part of uh begins with uh(2, ...).
    u = 1
    call plan%forward(u, uh(2, lower(2, rank + 1)))
    call expect_that(all(uh(1, :) == -7 .and. uh(8, :) == -7), 'what is around the box')
    if (rank == 0) uh(2, 1) = uh(2, 1) - 24 * ranks
    call expect_near(maxval(abs(uh(2:7, :))), 1e-12_real64, 'own boxes')
    call plan%destroy()
  end subroutine own_boxes
end program plan_in_fortran
