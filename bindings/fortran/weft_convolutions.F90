!> Convolution and correlation of distributed arrays.
module weft_convolutions
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: int64
#ifdef WEFT_WITH_MPI_F08
  use mpi_f08, only: MPI_Comm
#endif
  use weft_arrays, only: array_from_c, weft_array
  use weft_c_fortran
  use weft_c_library, only: c_convolution_first, c_convolution_result, c_convolution_second
  use weft_c_types, only: c_box, c_convolution_problem, c_dimensions, c_layout, c_local_array
  use weft_constants
  use weft_errors, only: complain, conclude, exists, text_in_c
  use weft_layouts, only: dimensions_of, layout_in_c, weft_layout
  use weft_numbering
  implicit none
  private

  !> Convolution and correlation of arrays that are spread over all ranks, with indices from 0:
  !>
  !>     convolve:  c[k] = sum over j of a[j] b[k - j]
  !>     correlate: c[k] = sum over j of conj(a[j]) b[j + k]
  !>
  !> Periodic: with indices modulo the shape of a, which the result has too. Linear: b is zero
  !> outside its shape and the result has every k for which the sum is not empty: along each axis m
  !> + n - 1 for m and n points, of correlate from lag -(m - 1) on. Collective like a plan, with the
  !> same promises; holds two spectra.
  type, public :: weft_convolution
    private
    type(c_ptr) :: handle = c_null_ptr
    type(c_dimensions) :: dimensions(2) = c_dimensions() !< of inputs and of results
  contains
    procedure, private :: create_with_integer
#ifdef WEFT_WITH_MPI_F08
    procedure, private :: create_with_f08
    generic :: create => create_with_f08
#endif
    generic :: create => create_with_integer
    procedure :: destroy
    procedure :: convolve
    procedure :: correlate
    procedure :: first
    procedure :: second => second_array
    procedure :: result
  end type weft_convolution

contains

  !> For a first array of shape `first` and a second one of shape `second`, by default the same, in
  !> each axis at most as long if `periodic`, the default. `input` is the layout of both (default:
  !> slabs along the last axis), `output` that of the result (default: like the input). `options`
  !> are those of plans.
  subroutine create_with_integer(self, comm, first, second, periodic, input, output, precision, &
                                 is_complex, options, stat, errmsg)
    class(weft_convolution), intent(inout) :: self
    integer, intent(in) :: first(:)
    integer, intent(in) :: comm
    integer, intent(in), optional :: second(:)
    logical, intent(in), optional :: periodic
    type(weft_layout), intent(in), optional :: input, output
    integer, intent(in), optional :: precision
    logical, intent(in), optional :: is_complex
    character(*), intent(in), optional :: options
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(c_convolution_problem) :: problem
    type(weft_layout) :: layout_in, layout_out
    type(c_layout), target :: in, out
    type(c_box), allocatable, target :: in_boxes(:), out_boxes(:)
    character(:), allocatable :: complaint
    character(kind=c_char), allocatable, target :: options_room(:), room(:)
    character(64) :: counts

    problem%struct_size = c_sizeof(problem)
    problem%axes = size(first)
    problem%first = padded(first, weft_max_axes)
    if (present(second)) then
      if (size(second) /= size(first)) then
        write (counts, '("arrays of ", i0, " and of ", i0, " axes")') size(first), size(second)
        call complain(complaint, trim(counts))
      end if
      problem%second = padded(second, weft_max_axes)
    end if
    if (present(periodic)) problem%periodic = as_c_logical(periodic)
    if (present(input)) layout_in = input
    call layout_in_c(layout_in, size(first), 1_int64, 'input', in, in_boxes, complaint)
    if (present(output)) layout_out = output
    if (layout_out%form == weft_form_default) layout_out%form = weft_form_as_input
    call layout_in_c(layout_out, size(first), 1_int64, 'output', out, out_boxes, complaint)
    if (allocated(in_boxes)) in%boxes = c_loc(in_boxes)
    if (allocated(out_boxes)) out%boxes = c_loc(out_boxes)
    problem%input = c_loc(in)
    problem%output = c_loc(out)
    if (present(precision)) problem%precision = precision_in_c(precision)
    if (present(is_complex)) problem%is_complex = as_c_logical(is_complex)
    call self%destroy()
    self%dimensions(1) = dimensions_of(layout_in, size(first), .false., .false.)
    self%dimensions(2) = dimensions_of(layout_out, size(first), .false., .false., layout_in)
    call conclude(weft_fortran_convolution_create(int(comm, c_int), problem, &
                                                  text_in_c(options, options_room), &
                                                  text_in_c(complaint, room), self%handle), &
                  stat, errmsg)
  end subroutine create_with_integer

#ifdef WEFT_WITH_MPI_F08
  subroutine create_with_f08(self, comm, first, second, periodic, input, output, precision, &
                             is_complex, options, stat, errmsg)
    class(weft_convolution), intent(inout) :: self
    integer, intent(in) :: first(:)
    type(MPI_Comm), intent(in) :: comm
    integer, intent(in), optional :: second(:)
    logical, intent(in), optional :: periodic
    type(weft_layout), intent(in), optional :: input, output
    integer, intent(in), optional :: precision
    logical, intent(in), optional :: is_complex
    character(*), intent(in), optional :: options
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg

    call self%create(comm%MPI_VAL, first, second, periodic, input, output, precision, is_complex, &
                     options, stat, errmsg)
  end subroutine create_with_f08
#endif

  !> What does not exist is left as it is.
  subroutine destroy(self, stat, errmsg)
    class(weft_convolution), intent(inout) :: self
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg

    call conclude(weft_fortran_convolution_destroy(self%handle), stat, errmsg)
  end subroutine destroy

  subroutine convolve(self, a, b, c, stat, errmsg)
    class(weft_convolution), intent(in) :: self
    type(*), dimension(..), intent(in) :: a, b
    type(*), dimension(..), intent(inout) :: c
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg

    if (.not. exists(self%handle, 'convolution', stat, errmsg)) return
    call conclude(weft_fortran_convolve(self%handle, 0_c_int, a, b, c, self%dimensions), stat, &
                  errmsg)
  end subroutine convolve

  subroutine correlate(self, a, b, c, stat, errmsg)
    class(weft_convolution), intent(in) :: self
    type(*), dimension(..), intent(in) :: a, b
    type(*), dimension(..), intent(inout) :: c
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg

    if (.not. exists(self%handle, 'convolution', stat, errmsg)) return
    call conclude(weft_fortran_convolve(self%handle, 1_c_int, a, b, c, self%dimensions), stat, &
                  errmsg)
  end subroutine correlate

  !> What this rank owns of the first array.
  function first(self, stat, errmsg) result(array)
    class(weft_convolution), intent(in) :: self
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(weft_array) :: array
    type(c_local_array) :: told

    if (.not. exists(self%handle, 'convolution', stat, errmsg)) return
    call conclude(c_convolution_first(weft_fortran_convolution_handle(self%handle), told), stat, &
                  errmsg)
    array = array_from_c(told, self%dimensions(1))
  end function first

  function second_array(self, stat, errmsg) result(array)
    class(weft_convolution), intent(in) :: self
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(weft_array) :: array
    type(c_local_array) :: told

    if (.not. exists(self%handle, 'convolution', stat, errmsg)) return
    call conclude(c_convolution_second(weft_fortran_convolution_handle(self%handle), told), stat, &
                  errmsg)
    array = array_from_c(told, self%dimensions(1))
  end function second_array

  function result(self, stat, errmsg) result(array)
    class(weft_convolution), intent(in) :: self
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(weft_array) :: array
    type(c_local_array) :: told

    if (.not. exists(self%handle, 'convolution', stat, errmsg)) return
    call conclude(c_convolution_result(weft_fortran_convolution_handle(self%handle), told), stat, &
                  errmsg)
    array = array_from_c(told, self%dimensions(2))
  end function result
end module weft_convolutions
