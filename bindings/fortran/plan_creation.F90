!> Making and destroying plans.
submodule(weft_plans) plan_creation
  use weft_c_fortran, only: weft_fortran_plan_create
  use weft_c_library, only: c_plan_destroy
  use weft_c_types, only: c_box, c_layout, c_problem
  use weft_errors, only: complain, conclude, text_in_c
  use weft_layouts, only: dimensions_of, layout_in_c
  use weft_numbering
  implicit none

contains

  module procedure create_with_shape
    type(weft_problem) :: problem
    character(:), allocatable :: complaint
    integer :: status

    problem%shape = int(shape, int64)
    if (present(kinds)) problem%kinds = kinds
    if (present(input)) problem%input = input
    if (present(output)) problem%output = output
    if (present(precision)) problem%precision = precision
    if (present(numbers)) problem%numbers = numbers
    if (present(batch)) problem%batch = batch
    if (present(interleaved)) problem%interleaved = interleaved
    if (present(norm)) problem%norm = norm
    if (present(orthogonalize)) problem%orthogonalize = orthogonalize
    if (present(input_points)) problem%input_points = int(input_points, int64)
    if (present(modes)) problem%modes = int(modes, int64)
    call make(self, problem, comm, options, complaint, status)
    call conclude(status, stat, errmsg)
  end procedure create_with_shape

  module procedure create_with_problem
    character(:), allocatable :: complaint
    integer :: status

    call make(self, problem, comm, options, complaint, status)
    call conclude(status, stat, errmsg)
  end procedure create_with_problem

#ifdef WEFT_WITH_MPI_F08
  module procedure create_with_shape_f08
    call self%create(comm%MPI_VAL, shape, kinds, input, output, precision, numbers, batch, &
                     interleaved, norm, orthogonalize, input_points, modes, options, stat, errmsg)
  end procedure create_with_shape_f08

  module procedure create_with_problem_f08
    call self%create(comm%MPI_VAL, problem, options, stat, errmsg)
  end procedure create_with_problem_f08
#endif

  module procedure destroy
    integer :: status

    status = c_plan_destroy(self%handle)
    call conclude(status, stat, errmsg)
  end procedure destroy

  module procedure is_created
    created = c_associated(self%handle)
  end procedure is_created

  !> `complaint`: what is already known to be wrong.
  subroutine make(self, problem, comm, options, complaint, status)
    class(weft_plan), intent(inout) :: self
    type(weft_problem), intent(in) :: problem
    integer, intent(in) :: comm
    character(*), intent(in), optional :: options
    character(:), allocatable, intent(inout) :: complaint
    integer, intent(out) :: status
    type(c_problem) :: converted
    type(c_layout), target :: in, out
    type(c_box), allocatable, target :: in_boxes(:), out_boxes(:)
    character(kind=c_char), allocatable, target :: options_room(:), room(:)
    integer :: axes

    if (self%is_created()) then
      status = c_plan_destroy(self%handle)
      if (status /= weft_success) return
    end if
    call numbers_in_c(problem, converted, complaint)
    call layouts_in_c(problem, converted, in, in_boxes, out, out_boxes, complaint)
    status = weft_fortran_plan_create(int(comm, c_int), converted, &
                                      text_in_c(options, options_room), &
                                      text_in_c(complaint, room), self%handle)
    if (status /= weft_success) return
    axes = size(problem%shape)
    self%dimensions(1) = dimensions_of(problem%input, axes, problem%batch > 1, problem%interleaved)
    self%dimensions(2) = dimensions_of(problem%output, axes, problem%batch > 1, &
                                       problem%interleaved, problem%input)
  end subroutine make

  subroutine numbers_in_c(problem, converted, complaint)
    type(weft_problem), intent(in) :: problem
    type(c_problem), intent(out) :: converted
    character(:), allocatable, intent(inout) :: complaint
    integer :: axes

    converted%struct_size = c_sizeof(converted)
    if (.not. allocated(problem%shape)) then
      call complain(complaint, 'no shape is given')
      return
    end if
    axes = size(problem%shape)
    converted%axes = axes
    converted%shape = padded(problem%shape, weft_max_axes)
    if (allocated(problem%kinds)) then
      if (size(problem%kinds) == 1 .and. axes > 1) then
        converted%kinds = problem%kinds(1)
        ! An array can be halved along one axis only.
        if (problem%kinds(1) == weft_kind_r2c) converted%kinds(2:) = weft_kind_c2c
      else
        call expect(size(problem%kinds), 'kinds')
        converted%kinds = int(padded(problem%kinds, weft_max_axes), c_int)
      end if
    end if
    if (allocated(problem%input_points)) then
      call expect(size(problem%input_points), 'input_points')
      converted%input_points = padded(problem%input_points, weft_max_axes)
    end if
    if (allocated(problem%modes)) then
      call expect(size(problem%modes), 'modes')
      converted%modes = padded(problem%modes, weft_max_axes)
    end if
    converted%precision = precision_in_c(problem%precision)
    converted%numbers = problem%numbers
    converted%batch = problem%batch
    converted%interleaved = as_c_logical(problem%interleaved)
    converted%norm = problem%norm
    if (allocated(problem%orthogonalize)) then
      converted%orthogonalize = as_c_logical(problem%orthogonalize)
    end if

  contains

    subroutine expect(given, what)
      integer, intent(in) :: given
      character(*), intent(in) :: what
      character(24) :: counts(2)

      if (given == axes) return
      write (counts, '(i0)') given, axes
      call complain(complaint, trim(counts(1)) // ' ' // what // ' for an array of ' // &
                    trim(counts(2)) // ' axes')
    end subroutine expect
  end subroutine numbers_in_c

  subroutine layouts_in_c(problem, converted, in, in_boxes, out, out_boxes, complaint)
    type(weft_problem), intent(in) :: problem
    type(c_problem), intent(inout) :: converted
    type(c_layout), intent(out), target :: in, out
    type(c_box), allocatable, intent(out), target :: in_boxes(:), out_boxes(:)
    character(:), allocatable, intent(inout) :: complaint
    type(weft_layout) :: output

    if (.not. allocated(problem%shape)) return
    call layout_in_c(problem%input, size(problem%shape), problem%batch, 'input', in, in_boxes, &
                     complaint)
    output = problem%output
    if (output%form == weft_form_default) output%form = weft_form_as_input
    call layout_in_c(output, size(problem%shape), problem%batch, 'output', out, out_boxes, complaint)
    if (allocated(in_boxes)) in%boxes = c_loc(in_boxes)
    if (allocated(out_boxes)) out%boxes = c_loc(out_boxes)
    converted%input = c_loc(in)
    converted%output = c_loc(out)
  end subroutine layouts_in_c
end submodule plan_creation
