!> Timelines from Fortran: spans in Fortran's numbers, and errors.
program trace_in_fortran
  use, intrinsic :: iso_fortran_env, only: real64
  use mpi, only: MPI_COMM_WORLD
  use expect
  use weft
  implicit none
  character(*), parameter :: path = 'trace_in_fortran.json'
  type(weft_plan) :: plan
  type(weft_array) :: mine, modes
  type(weft_trace) :: trace
  complex(real64), allocatable :: u(:, :, :, :), uh(:, :, :, :)
  character(200) :: message
  integer :: stat, unit

  call begin()
  call plan%start_trace(stat, message)
  call expect_that(stat == weft_error_not_created, 'no plan to trace')
  call plan%stop_trace(trace, stat, message)
  call expect_that(stat == weft_error_not_created .and. size(trace%spans) == 0, 'no trace')
  call plan%write_trace(path, stat, message)
  call expect_that(stat == weft_error_not_created, 'no plan and no trace')
  call plan%create(MPI_COMM_WORLD, [10, 12, 6], output=weft_slab_split(2), &
                   options='exchange=p2p, chunks=2, fields_in_flight=2, threads=1')
  mine = plan%input()
  modes = plan%output()
  allocate (u(10, 12, mine%lower(3):mine%upper(3), 3), source=(1.0_real64, 0.0_real64))
  allocate (uh(10, modes%lower(2):modes%upper(2), 6, 3))
  call errors_before()
  call plan%start_trace()
  call plan%forward(u(:, :, :, 1), uh(:, :, :, 1))
  call plan%forward_many(u, uh)
  call plan%backward(uh(:, :, :, 1), u(:, :, :, 1))
  call plan%stop_trace(trace)
  call expect_that(trace%ranks == ranks .and. trace%uncertainty >= 0, 'what all ranks know')
  call expect_that((size(trace%spans) > 0) .eqv. rank == 0, 'spans are on rank 0')
  call expect_that((trace%exchange_seconds > 0) .eqv. (rank == 0 .and. ranks > 1), 'exchanges')
  call expect_that(trace%hidden_seconds <= trace%exchange_seconds, 'what is hidden')
  call check_spans()
  call steps_have_fortran_numbers()
  call plan%write_trace(path // '   ')
  if (rank == 0) then
    open (newunit=unit, file=path, status='old')
    close (unit, status='delete')
  end if
  call plan%write_trace('no/such/folder/t.json', stat, message)
  call expect_failure(stat, message, "cannot write 'no/such/folder/t.json'")
  call plan%start_trace()
  call plan%stop_trace()
  call plan%start_trace()
  call plan%stop_trace(trace)
  call expect_that(size(trace%spans) == 0, 'nothing was done since')
  call plan%destroy()
  call finish()

contains

  subroutine errors_before()
    call plan%stop_trace(trace, stat, message)
    call expect_failure(stat, message, 'no trace is being recorded')
    call plan%write_trace(path, stat, message)
    call expect_failure(stat, message, 'no trace has been recorded')
    call plan%start_trace()
    call plan%start_trace(stat, message)
    call expect_failure(stat, message, 'a trace is being recorded already')
    call plan%stop_trace()
  end subroutine errors_before

  !> Each rank has each run and field once, counted from 1.
  subroutine check_spans()
    integer :: i, runs(3, 3), messages, last_chunks
    integer, parameter :: expected(3, 3) = reshape([1, 1, 1, 0, 1, 0, 0, 1, 0], [3, 3])

    runs = 0
    messages = 0
    last_chunks = 0
    do i = 1, size(trace%spans)
      associate (span => trace%spans(i))
        call expect_that(span%rank >= 0 .and. span%rank < ranks, 'rank')
        call expect_that(span%begin >= 0 .and. span%begin <= span%end, 'begin and end')
        call expect_that(span%direction == merge(weft_direction_backward, &
                                                 weft_direction_forward, span%run == 3), 'way')
        call expect_that(span%place >= 1 .and. span%place <= 2, 'place')
        call expect_that(span%chunk >= 1 .and. span%chunk <= 2, 'chunk')
        call expect_that(len(span%detail) == 0, 'detail')
        if (span%chunk == 2) last_chunks = last_chunks + 1
        select case (span%lane)
        case (weft_lane_run)
          runs(span%run, span%field) = runs(span%run, span%field) + 1
          call expect_that(span%name == trim(merge('backward', 'forward ', span%run == 3)), &
                           'name of a run')
        case (weft_lane_compute)
          call expect_that(index(span%name, 'transform ') > 0, 'name of a pass: ' // span%name)
          call expect_that(index(span%name, 'transform 0') == 0, 'axes from 1: ' // span%name)
        case (weft_lane_messages)
          messages = messages + 1
          call expect_that(span%name == 'p2p', 'name of messages')
        case (weft_lane_send, weft_lane_wait)
          call expect_that(span%name == 'p2p', 'name of an exchange')
        case default
          call expect_that(.false., 'a lane of devices')
        end select
      end associate
    end do
    if (rank > 0) return
    call expect_that(all(runs == ranks * expected), 'each run and field of each rank')
    call expect_that(messages == merge(5 * 2 * ranks, 0, ranks > 1), 'messages')
    call expect_that((last_chunks > 0) .eqv. ranks > 1, 'second chunks')
  end subroutine check_spans

  !> Of a trace and of timings, with axes from 1; and those of a plan on one rank are its axes.
  subroutine steps_have_fortran_numbers()
    type(weft_stage_timing), allocatable :: steps(:)
    integer :: i, j
    logical :: found

    steps = plan%timings()
    do i = 1, size(steps)
      call expect_that(index(steps(i)%name, 'transform 0') == 0, 'axes from 1: ' // steps(i)%name)
      if (rank > 0) cycle
      found = .false.
      do j = 1, size(trace%spans)
        found = found .or. trace%spans(j)%name == steps(i)%name
      end do
      call expect_that(found, 'a span of step ' // steps(i)%name)
    end do
    found = .false.
    do i = 1, size(steps)
      found = found .or. index(steps(i)%name, 'transform 3') > 0 &
        .or. index(steps(i)%name, ',3') > 0
    end do
    call expect_that(found, 'axis 3')
  end subroutine steps_have_fortran_numbers
end program trace_in_fortran
