!> Convolution and correlation of distributed arrays.
module weft_convolutions
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: int64
#ifdef WEFT_WITH_MPI_F08
  use mpi_f08, only: MPI_Comm
#endif
  use weft_arrays, only: array_from_c, weft_array
  use weft_c
  use weft_constants
  use weft_errors, only: c_string, conclude
  use weft_handles, only: owned_handle
  use weft_layouts, only: dimensions_of, layout_for_c, layout_in_c, weft_layout
  use weft_numbering
  implicit none
  private

  !> Convolution and correlation of arrays that are spread over all ranks, with indices from 0:
  !>
  !>     convolve:  c[k] = sum over j of a[j] b[k - j]
  !>     correlate: c[k] = sum over j of conj(a[j]) b[j + k]
  !>
  !> Periodic: indices are modulo the shape of a, and the result has this shape. Linear: b is zero
  !> outside its shape, and the result has every k for which the sum is not empty, m + n - 1 points
  !> along an axis for m and n points; correlate starts at lag -(m - 1). Collective like a plan,
  !> with the same guarantees; holds two spectra.
  type, public :: weft_convolution
    private
    type(owned_handle) :: handle
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

  !> Makes a convolution of an array of shape `first` with one of shape `second`, by default the
  !> same. If `periodic`, the default, the second one must not be longer along any axis. `input` is
  !> the layout of both (default: slabs along the last axis), `output` that of the result (default:
  !> like the input). `options` are those of plans.
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
    include 'stat_and_errmsg.inc'
    type(c_convolution_problem) :: problem
    type(weft_layout) :: layout_in, layout_out
    type(layout_for_c), target :: in, out
    character(:), allocatable :: complaint
    integer :: axes

    axes = size(first)
    call weft_fortran_convolution_problem_init(problem, axes, int(first, int64))
    call put_entries(second, axes, 'second', problem%second, complaint)
    if (present(periodic)) problem%periodic = as_c_logical(periodic)
    if (present(input)) layout_in = input
    if (present(output)) layout_out = output
    call layout_in_c(layout_in, axes, 1_int64, 'input', in, complaint)
    call layout_in_c(layout_out, axes, 1_int64, 'output', out, complaint)
    problem%input = c_loc(in%layout)
    problem%output = c_loc(out%layout)
    if (present(precision)) problem%precision = precision_in_c(precision)
    if (present(is_complex)) problem%is_complex = as_c_logical(is_complex)
    call self%destroy()
    self%dimensions(1) = dimensions_of(layout_in, axes, .false., .false.)
    self%dimensions(2) = dimensions_of(layout_out, axes, .false., .false., layout_in)
    call conclude(weft_fortran_convolution_create(comm, problem, c_string(options), &
                                                  c_string(complaint), self%handle%to), &
                  stat, errmsg)
  end subroutine create_with_integer

#ifdef WEFT_WITH_MPI_F08
  include 'weft_convolutions_f08.inc'
#endif

  !> Does nothing if it does not exist.
  subroutine destroy(self, stat, errmsg)
    class(weft_convolution), intent(inout) :: self
    include 'stat_and_errmsg.inc'

    call conclude(weft_fortran_convolution_destroy(self%handle%to), stat, errmsg)
  end subroutine destroy

  subroutine convolve(self, a, b, c, stat, errmsg)
    class(weft_convolution), intent(in) :: self
    type(*), dimension(..), intent(in) :: a, b
    type(*), dimension(..), intent(inout) :: c
    include 'stat_and_errmsg.inc'

    call conclude(weft_fortran_convolve(self%handle%to, 0_c_int, a, b, c, self%dimensions), stat, &
                  errmsg)
  end subroutine convolve

  subroutine correlate(self, a, b, c, stat, errmsg)
    class(weft_convolution), intent(in) :: self
    type(*), dimension(..), intent(in) :: a, b
    type(*), dimension(..), intent(inout) :: c
    include 'stat_and_errmsg.inc'

    call conclude(weft_fortran_convolve(self%handle%to, 1_c_int, a, b, c, self%dimensions), stat, &
                  errmsg)
  end subroutine correlate

  !> This rank's part of the first array.
  function first(self, stat, errmsg) result(array)
    class(weft_convolution), intent(in) :: self
    include 'stat_and_errmsg.inc'
    type(weft_array) :: array
    type(c_local_array) :: told

    call conclude(c_convolution_first(handle_of(self), told), stat, errmsg)
    array = array_from_c(told, self%dimensions(1))
  end function first

  function second_array(self, stat, errmsg) result(array)
    class(weft_convolution), intent(in) :: self
    include 'stat_and_errmsg.inc'
    type(weft_array) :: array
    type(c_local_array) :: told

    call conclude(c_convolution_second(handle_of(self), told), stat, errmsg)
    array = array_from_c(told, self%dimensions(1))
  end function second_array

  function result(self, stat, errmsg) result(array)
    class(weft_convolution), intent(in) :: self
    include 'stat_and_errmsg.inc'
    type(weft_array) :: array
    type(c_local_array) :: told

    call conclude(c_convolution_result(handle_of(self), told), stat, errmsg)
    array = array_from_c(told, self%dimensions(2))
  end function result

  type(c_ptr) function handle_of(self)
    class(weft_convolution), intent(in) :: self

    handle_of = weft_fortran_convolution_handle(self%handle%to)
  end function handle_of
end module weft_convolutions
