!> Runs the random problems of the C++ tests through the interface of Fortran. Numbers of C, with
!> which problems come, are turned into those of Fortran here, on their own.
module random_runner
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: int64, real32, real64
#ifdef WEFT_WITH_MPI_F08
  use mpi_f08, only: MPI_Comm
#endif
  use weft
  use weft_c, only: c_box, c_layout, c_problem
  use weft_errors, only: text_of
  implicit none
  private

  type :: trial_state
    type(weft_plan) :: plan
    integer :: order(weft_max_axes, 2) = 0 !< memory order of both sides
    logical :: interleaved = .false.
    logical :: batched = .false.
  end type trial_state

  !> What a callback is told.
  type :: side_state
    type(c_ptr) :: counter = c_null_ptr !< of numbers written, of the test; null for inputs
    integer(int64) :: first_field = 0   !< of fields that are run one by one
    integer :: axes = 0
  end type side_state

  interface
    subroutine weft_test_count(counter, numbers) bind(C)
      import
      type(c_ptr), value :: counter
      integer(c_int64_t), value :: numbers
    end subroutine weft_test_count
  end interface

contains

  !> Makes a plan, in one of the ways there are. The message of an error is kept by the library.
  function weft_test_create(problem, options, comm, way, state) result(status) bind(C)
    type(c_problem), intent(in) :: problem
    type(c_ptr), value :: options
    integer(c_int), value :: comm, way
    type(c_ptr), intent(out) :: state
    integer(c_int) :: status
    type(trial_state), pointer :: trial
    type(weft_problem) :: given
    integer :: axes

    allocate (trial)
    state = c_loc(trial)
    axes = problem%axes
    given%shape = problem%shape(1:axes)
    given%kinds = problem%kinds(1:axes)
    call read_layout(problem%input, axes, problem%batch, given%input, trial%order(:, 1))
    call read_layout(problem%output, axes, problem%batch, given%output, trial%order(:, 2))
    if (given%output%form == weft_form_as_input .and. .not. allocated(given%output%order)) then
      trial%order(:, 2) = trial%order(:, 1)
    end if
    given%precision = merge(real32, real64, problem%precision == 0)
    given%numbers = problem%numbers
    given%batch = problem%batch
    given%interleaved = problem%interleaved /= 0
    given%norm = problem%norm
    if (problem%orthogonalize >= 0) given%orthogonalize = problem%orthogonalize == 1
    if (any(problem%input_points(1:axes) /= 0)) given%input_points = problem%input_points(1:axes)
    if (any(problem%modes(1:axes) /= 0)) given%modes = problem%modes(1:axes)
    trial%interleaved = given%interleaved
    trial%batched = given%batch > 1
    select case (way)
    case (0)
      call trial%plan%create(comm, given, text_of(options), stat=status)
    case (1)
      call create_by_keywords(trial%plan, given, comm, text_of(options), status)
    case default
#ifdef WEFT_WITH_MPI_F08
      call trial%plan%create(MPI_Comm(comm), given, text_of(options), status)
#else
      call trial%plan%create(comm, given, text_of(options), status)
#endif
    end select
  end function weft_test_create

  subroutine create_by_keywords(plan, given, comm, options, status)
    type(weft_plan), intent(inout) :: plan
    type(weft_problem), intent(in) :: given
    integer, intent(in) :: comm
    character(*), intent(in) :: options
    integer, intent(out) :: status
    integer, allocatable :: input_points(:), modes(:)
    logical, allocatable :: orthogonalize

    ! What is not allocated is not present.
    if (allocated(given%input_points)) input_points = int(given%input_points)
    if (allocated(given%modes)) modes = int(given%modes)
    if (allocated(given%orthogonalize)) orthogonalize = given%orthogonalize
    call plan%create(comm, int(given%shape), kinds=given%kinds, input=given%input, &
                     output=given%output, precision=given%precision, numbers=given%numbers, &
                     batch=int(given%batch), interleaved=given%interleaved, norm=given%norm, &
                     orthogonalize=orthogonalize, input_points=input_points, modes=modes, &
                     options=options, stat=status)
  end subroutine create_by_keywords

  subroutine weft_test_destroy(state) bind(C)
    type(c_ptr), value :: state
    type(trial_state), pointer :: trial

    call c_f_pointer(state, trial)
    call trial%plan%destroy()
    deallocate (trial)
  end subroutine weft_test_destroy

  !> The shape that the array of a side has, by the bounds that the plan tells. 0 dimensions: it has
  !> explicit strides, and is passed by an element.
  subroutine weft_test_shape(state, side, strided, dimensions, extents) bind(C)
    type(c_ptr), value :: state
    integer(c_int), value :: side, strided
    integer(c_int), intent(out) :: dimensions
    integer(c_int64_t), intent(out) :: extents(weft_max_axes + 1)
    type(trial_state), pointer :: trial
    type(weft_array) :: array
    integer :: i, axis, first
    integer(int64) :: points

    call c_f_pointer(state, trial)
    if (side == 1) then
      array = trial%plan%input()
    else
      array = trial%plan%output()
    end if
    dimensions = 0
    extents = 0
    if (strided /= 0) return
    first = merge(1, 0, trial%batched .and. trial%interleaved)
    points = 1
    do i = 1, array%axes
      axis = trial%order(i, side)
      extents(first + i) = array%alloc_upper(axis) - array%alloc_lower(axis) + 1
      points = points * extents(first + i)
    end do
    dimensions = array%axes
    if (.not. trial%batched) return
    dimensions = array%axes + 1
    i = merge(1, array%axes + 1, trial%interleaved)
    extents(i) = 1
    if (points > 0) extents(i) = array%allocation_size / points
  end subroutine weft_test_shape

  !> manner: 0 run, 1 start and wait, 2 start and test until done
  function weft_test_run(state, direction, manner, in, out, on_input, on_output, counter) &
    result(status) bind(C)
    type(c_ptr), value :: state
    integer(c_int), value :: direction, manner, on_input, on_output
    type(*), dimension(..), intent(in) :: in
    type(*), dimension(..), intent(inout) :: out
    type(c_ptr), value :: counter
    integer(c_int) :: status
    type(trial_state), pointer :: trial
    type(side_state), target :: input, output
    type(weft_function) :: read, write
    logical :: done

    call c_f_pointer(state, trial)
    if (manner == 0) then
      call make_functions(trial, on_input, on_output, counter, 0_int64, input, output, read, write)
      if (direction == weft_direction_forward) then
        call trial%plan%forward(in, out, on_input=read, on_output=write, stat=status)
      else
        call trial%plan%backward(in, out, on_input=read, on_output=write, stat=status)
      end if
      return
    end if
    if (direction == weft_direction_forward) then
      call trial%plan%start_forward(in, out, stat=status)
    else
      call trial%plan%start_backward(in, out, stat=status)
    end if
    done = status /= 0 .or. manner == 1
    do while (.not. done)
      call trial%plan%test(done, stat=status)
      if (status /= 0) return
    end do
    if (status == 0) call trial%plan%wait(stat=status)
  end function weft_test_run

  function weft_test_run_in_place(state, direction, memory, on_input, on_output, counter, &
                                  first_field) result(status) bind(C)
    type(c_ptr), value :: state
    integer(c_int), value :: direction, on_input, on_output
    type(*), dimension(..), intent(inout) :: memory
    type(c_ptr), value :: counter
    integer(c_int64_t), value :: first_field
    integer(c_int) :: status
    type(trial_state), pointer :: trial
    type(side_state), target :: input, output
    type(weft_function) :: read, write

    call c_f_pointer(state, trial)
    call make_functions(trial, on_input, on_output, counter, first_field, input, output, read, &
                        write)
    if (direction == weft_direction_forward) then
      call trial%plan%forward_in_place(memory, on_input=read, on_output=write, stat=status)
    else
      call trial%plan%backward_in_place(memory, on_input=read, on_output=write, stat=status)
    end if
  end function weft_test_run_in_place

  function weft_test_run_many(state, direction, fields, in, out, on_input, on_output, counter) &
    result(status) bind(C)
    type(c_ptr), value :: state
    integer(c_int), value :: direction, fields, on_input, on_output
    type(c_ptr), intent(in) :: in(fields)
    type(c_ptr), intent(inout) :: out(fields)
    type(c_ptr), value :: counter
    integer(c_int) :: status
    type(trial_state), pointer :: trial
    type(side_state), target :: input, output
    type(weft_function) :: read, write

    call c_f_pointer(state, trial)
    call make_functions(trial, on_input, on_output, counter, 0_int64, input, output, read, write)
    if (direction == weft_direction_forward) then
      call trial%plan%forward_many(in, out, on_input=read, on_output=write, stat=status)
    else
      call trial%plan%backward_many(in, out, on_input=read, on_output=write, stat=status)
    end if
  end function weft_test_run_many

  function weft_test_set_workspace(state, workspace) result(status) bind(C)
    type(c_ptr), value :: state
    type(*), dimension(..), intent(inout) :: workspace
    integer(c_int) :: status
    type(trial_state), pointer :: trial

    call c_f_pointer(state, trial)
    call trial%plan%set_workspace(workspace, stat=status)
  end function weft_test_set_workspace

  function weft_test_workspace_bytes(state) result(bytes) bind(C)
    type(c_ptr), value :: state
    integer(c_int64_t) :: bytes
    type(trial_state), pointer :: trial
    type(weft_plan_info) :: info

    call c_f_pointer(state, trial)
    info = trial%plan%info()
    bytes = info%workspace_bytes
  end function weft_test_workspace_bytes

  !> Errors of the redistributions of the last transform, as the report of a field tells them; 0:
  !> as that of the last one does.
  subroutine weft_test_errors(state, field, most, count, errors) bind(C)
    type(c_ptr), value :: state
    integer(c_int), value :: field, most
    integer(c_int), intent(out) :: count
    real(c_double), intent(out) :: errors(most)
    type(trial_state), pointer :: trial
    type(weft_report) :: report

    call c_f_pointer(state, trial)
    if (field > 0) then
      report = trial%plan%report(field)
    else
      report = trial%plan%report()
    end if
    count = size(report%redistributions)
    errors(1:min(count, most)) = report%redistributions(1:min(count, most))%error
  end subroutine weft_test_errors

  subroutine make_functions(trial, on_input, on_output, counter, first_field, input, output, read, &
                            write)
    type(trial_state), intent(in) :: trial
    integer(c_int), intent(in) :: on_input, on_output
    type(c_ptr), intent(in) :: counter
    integer(int64), intent(in) :: first_field
    type(side_state), intent(out), target :: input, output
    type(weft_function), intent(out) :: read, write
    type(weft_array) :: array

    array = trial%plan%input()
    input%axes = array%axes
    output%axes = array%axes
    input%first_field = first_field
    output%first_field = first_field
    output%counter = counter
    if (on_input /= 0) read = weft_function(multiply_by_weights, input)
    if (on_output /= 0) write = weft_function(multiply_by_weights, output)
  end subroutine make_functions

  !> With factors that are different for neighbors along every axis: those of the test.
  subroutine multiply_by_weights(line, data)
    type(weft_line), intent(inout) :: line
    class(*), intent(inout) :: data
    real(real32), pointer :: r32(:)
    real(real64), pointer :: r64(:)
    complex(real32), pointer :: c32(:)
    complex(real64), pointer :: c64(:)
    real(real64) :: weights(line%count)
    integer(int64) :: number, i
    integer :: axis

    select type (data)
    type is (side_state)
      number = data%first_field + line%field - 1
      do axis = 1, data%axes
        number = number + axis * (line%index(axis) - 1)
      end do
      do i = 1, line%count
        weights(i) = 0.75_real64 + 0.25_real64 * mod(number + (i - 1) * line%axis, 3_int64)
      end do
      if (c_associated(data%counter)) call weft_test_count(data%counter, line%count)
    end select
    if (line%is_complex .and. line%precision == real64) then
      call weft_values(line, c64)
      c64 = c64 * weights
    else if (line%is_complex) then
      call weft_values(line, c32)
      c32 = c32 * real(weights, real32)
    else if (line%precision == real64) then
      call weft_values(line, r64)
      r64 = r64 * weights
    else
      call weft_values(line, r32)
      r32 = r32 * real(weights, real32)
    end if
  end subroutine multiply_by_weights

  subroutine read_layout(pointer, axes, batch, layout, order)
    type(c_ptr), intent(in) :: pointer
    integer, intent(in) :: axes
    integer(int64), intent(in) :: batch
    type(weft_layout), intent(out) :: layout
    integer, intent(out) :: order(:)
    type(c_layout), pointer :: given
    type(c_box), pointer :: boxes(:)
    integer :: i

    call c_f_pointer(pointer, given)
    layout%form = given%form
    layout%axis = given%axis + 1
    layout%split = given%split
    layout%r2c_padding = given%r2c_padding /= 0
    if (given%form == weft_form_grid) layout%parts = int(given%parts(1:axes))
    if (given%form == weft_form_own_box) then
      layout%lower = given%own%lower(1:axes) + 1
      layout%upper = given%own%upper(1:axes)
    end if
    if (given%form == weft_form_boxes) then
      call c_f_pointer(given%boxes, boxes, [given%box_count])
      allocate (layout%boxes_lower(axes, size(boxes)), layout%boxes_upper(axes, size(boxes)))
      do i = 1, size(boxes)
        layout%boxes_lower(:, i) = boxes(i)%lower(1:axes) + 1
        layout%boxes_upper(:, i) = boxes(i)%upper(1:axes)
      end do
    end if
    if (any(given%halo_lower(1:axes) /= 0)) layout%halo_lower = int(given%halo_lower(1:axes))
    if (any(given%halo_upper(1:axes) /= 0)) layout%halo_upper = int(given%halo_upper(1:axes))
    ! Both orders are permutations; that of C counts from 0 and begins with the slowest axis.
    order = 0
    order(1:axes) = [(axes + 1 - i, i=1, axes)]
    if (any(given%order(1:axes) /= 0)) order(1:axes) = given%order(axes:1:-1) + 1
    if (any(given%strides(1:axes) /= 0)) then
      layout%strides = given%strides(1:axes + merge(1, 0, batch > 1))
    else if (any(given%order(1:axes) /= 0) .or. given%form /= weft_form_as_input) then
      layout%order = order(1:axes)
    end if
  end subroutine read_layout
end module random_runner
