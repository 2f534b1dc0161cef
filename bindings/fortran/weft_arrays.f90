!> What a rank owns of a distributed array, and how to allocate it.
module weft_arrays
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: int64, real64
  use weft_c, only: c_dimensions, c_local_array
  use weft_constants, only: weft_max_axes
  use weft_numbering
  implicit none
  private
  public :: array_from_c, array_in_c

  !> The part of a global array that this rank owns: the points lower(a):upper(a) along each axis a.
  !> So with `type(weft_array) :: mine` of three axes
  !>
  !>     allocate (u(mine%alloc_lower(1):mine%alloc_upper(1), &
  !>                 mine%alloc_lower(2):mine%alloc_upper(2), &
  !>                 mine%alloc_lower(3):mine%alloc_upper(3)))
  !>
  !> makes an array whose indices are those of the global one. Its bounds are lower and upper where
  !> the layout has neither a halo nor padding. With a memory order other than Fortran's the
  !> dimensions come in that order; with a batch there is one more, the last, or the first if
  !> interleaved. A rank may own nothing: then the array has size zero.
  type, public :: weft_array
    integer :: axes = 0
    integer(int64) :: lower(weft_max_axes) = 1  !< first points owned; entries beyond `axes` are 1
    integer(int64) :: upper(weft_max_axes) = 1
    integer(int64) :: shape(weft_max_axes) = 1  !< upper - lower + 1
    integer(int64) :: alloc_lower(weft_max_axes) = 1  !< of the array: halo and padding included
    integer(int64) :: alloc_upper(weft_max_axes) = 1
    !> Distance in elements between neighbors along each axis, and then between fields of a batch.
    integer(int64) :: strides(weft_max_axes + 1) = 0
    integer(int64) :: offset = 0 !< elements before the first one owned
    integer(int64) :: allocation_size = 0 !< elements to allocate, halo and padding included
    integer :: precision = real64 !< kind of the numbers: real32 or real64
    logical :: is_complex = .false.
  end type weft_array

contains

  !> `dimensions` of the array; without them the bounds to allocate are those of the points owned.
  pure type(weft_array) function array_from_c(given, dimensions) result(array)
    type(c_local_array), intent(in) :: given
    type(c_dimensions), intent(in), optional :: dimensions
    integer :: axes

    axes = given%axes
    array%axes = axes
    array%lower(1:axes) = number_in_fortran(given%box%lower(1:axes))
    array%upper(1:axes) = given%box%upper(1:axes)
    array%shape = array%upper - array%lower + 1
    array%alloc_lower = array%lower
    array%alloc_upper = array%upper
    array%strides = given%strides
    array%offset = given%offset
    array%allocation_size = given%allocation_size
    array%precision = precision_in_fortran(given%precision)
    array%is_complex = given%is_complex /= 0
    if (array%allocation_size > 0 .and. present(dimensions)) call find_bounds(array, dimensions)
  end function array_from_c

  pure type(c_local_array) function array_in_c(array) result(given)
    type(weft_array), intent(in) :: array
    integer :: axes

    axes = min(array%axes, weft_max_axes)
    given%axes = array%axes
    given%box = box_in_c(array%lower(1:axes), array%upper(1:axes))
    given%strides = array%strides
    given%offset = array%offset
    given%allocation_size = array%allocation_size
    given%precision = precision_in_c(array%precision)
    given%is_complex = as_c_logical(array%is_complex)
  end function array_in_c

  !> Bounds with halo and padding, by the strides and the offset. Arrays with explicit strides have
  !> no dimensions here.
  pure subroutine find_bounds(array, dimensions)
    type(weft_array), intent(inout) :: array
    type(c_dimensions), intent(in) :: dimensions
    integer :: i, axis
    integer(int64) :: next, rest, before

    rest = array%offset
    next = array%allocation_size
    do i = dimensions%count, 1, -1
      axis = dimensions%axes(i) + 1
      before = rest / array%strides(axis)
      rest = rest - before * array%strides(axis)
      if (axis <= array%axes) then ! not of fields
        array%alloc_lower(axis) = array%lower(axis) - before
        array%alloc_upper(axis) = array%alloc_lower(axis) + next / array%strides(axis) - 1
      end if
      next = array%strides(axis)
    end do
  end subroutine find_bounds
end module weft_arrays
