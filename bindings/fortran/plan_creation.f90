!> Making and destroying plans.
submodule(weft_plans) plan_creation
  use weft_c, only: c_plan_destroy, c_problem, weft_fortran_plan_create, weft_fortran_problem_init
  use weft_errors, only: c_string, complain, conclude, expect_count
  use weft_layouts, only: dimensions_of, layout_for_c, layout_in_c
  use weft_numbering
  implicit none

contains

  module procedure shape_with_integer
    type(weft_problem) :: problem

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
    call self%create(comm, problem, options, stat, errmsg)
  end procedure shape_with_integer

  module procedure problem_with_integer
    type(c_problem) :: converted
    type(layout_for_c), target :: in, out
    character(:), allocatable :: complaint
    integer :: axes, status

    if (self%is_created()) then
      status = c_plan_destroy(self%handle%to)
      if (status /= weft_success) then
        call conclude(status, stat, errmsg)
        return
      end if
    end if
    if (allocated(problem%shape)) then
      axes = size(problem%shape)
      call weft_fortran_problem_init(converted, axes, problem%shape)
      call numbers_in_c(problem, converted, complaint)
      call layout_in_c(problem%input, axes, problem%batch, 'input', in, complaint)
      call layout_in_c(problem%output, axes, problem%batch, 'output', out, complaint)
      converted%input = c_loc(in%layout)
      converted%output = c_loc(out%layout)
      self%dimensions(1) = dimensions_of(problem%input, axes, problem%batch > 1, &
                                         problem%interleaved)
      self%dimensions(2) = dimensions_of(problem%output, axes, problem%batch > 1, &
                                         problem%interleaved, problem%input)
    else
      call complain(complaint, 'no shape is given')
    end if
    status = weft_fortran_plan_create(comm, converted, c_string(options), c_string(complaint), &
                                      self%handle%to)
    call conclude(status, stat, errmsg)
  end procedure problem_with_integer

  module procedure destroy
    integer :: status

    status = c_plan_destroy(self%handle%to)
    call conclude(status, stat, errmsg)
  end procedure destroy

  module procedure is_created
    created = c_associated(self%handle%to)
  end procedure is_created

  subroutine numbers_in_c(problem, converted, complaint)
    type(weft_problem), intent(in) :: problem
    type(c_problem), intent(inout) :: converted
    character(:), allocatable, intent(inout) :: complaint
    integer :: axes

    axes = size(problem%shape)
    if (allocated(problem%kinds)) then
      if (size(problem%kinds) == 1 .and. axes > 1) then
        converted%kinds = problem%kinds(1)
        ! An array can be halved along one axis only.
        if (problem%kinds(1) == weft_kind_r2c) converted%kinds(2:) = weft_kind_c2c
      else
        call expect_count(complaint, size(problem%kinds), axes, 'kinds')
        converted%kinds = int(padded(int(problem%kinds, int64), weft_max_axes), c_int)
      end if
    end if
    call put_long_entries(problem%input_points, axes, 'input_points', converted%input_points, &
                          complaint)
    call put_long_entries(problem%modes, axes, 'modes', converted%modes, complaint)
    converted%precision = precision_in_c(problem%precision)
    converted%numbers = problem%numbers
    converted%batch = problem%batch
    converted%interleaved = as_c_logical(problem%interleaved)
    converted%norm = problem%norm
    if (allocated(problem%orthogonalize)) then
      converted%orthogonalize = as_c_logical(problem%orthogonalize)
    end if
  end subroutine numbers_in_c
end submodule plan_creation
