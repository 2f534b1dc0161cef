!> The one place that knows how numbers of Fortran and of C belong together. Axes, points, modes and
!> fields count from 1 here and from 0 there; ranges include their upper bound here; memory orders
!> begin with the contiguous axis here and end with it there; reals have kinds.
module weft_numbering
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: int64, real32, real64
  use weft_c, only: c_box, weft_precision_f32, weft_precision_f64
  use weft_constants, only: weft_max_axes
  use weft_errors, only: expect_count
  implicit none
  private
  public :: axis_in_c, order_in_c, order_in_fortran, box_in_c, precision_in_c, precision_in_fortran
  public :: number_in_c, number_in_fortran, padded, put_entries, &
    put_long_entries, as_c_logical

contains

  elemental integer(c_int) function axis_in_c(axis)
    integer, intent(in) :: axis

    axis_in_c = int(axis - 1, c_int)
  end function axis_in_c

  !> A place that counts from 1, as one from 0.
  elemental integer(c_int64_t) function number_in_c(number)
    integer(int64), intent(in) :: number

    number_in_c = number - 1
  end function number_in_c

  elemental integer(int64) function number_in_fortran(number)
    integer(c_int64_t), intent(in) :: number

    number_in_fortran = number + 1
  end function number_in_fortran

  !> Memory order from the slowest to the fastest axis, of one from the fastest to the slowest.
  pure function order_in_c(order) result(reversed)
    integer, intent(in) :: order(:)
    integer(c_int) :: reversed(weft_max_axes)
    integer :: count

    count = min(size(order), weft_max_axes)
    reversed = 0
    reversed(1:count) = int(order(count:1:-1) - 1, c_int)
  end function order_in_c

  pure function order_in_fortran(order) result(reversed)
    integer(c_int), intent(in) :: order(:)
    integer :: reversed(size(order))

    reversed = int(order(size(order):1:-1)) + 1
  end function order_in_fortran

  !> The box lower:upper.
  pure type(c_box) function box_in_c(lower, upper)
    integer(int64), intent(in) :: lower(:), upper(:)
    integer :: count

    count = min(size(lower), size(upper), weft_max_axes)
    box_in_c%lower(1:count) = number_in_c(lower(1:count))
    box_in_c%upper(1:count) = upper(1:count)
  end function box_in_c

  !> Of the kind of reals: unknown ones become numbers that the library refuses.
  pure integer(c_int) function precision_in_c(precision)
    integer, intent(in) :: precision

    select case (precision)
    case (real32)
      precision_in_c = weft_precision_f32
    case (real64)
      precision_in_c = weft_precision_f64
    case default
      precision_in_c = int(merge(-1, precision, precision >= 0 .and. precision <= 1), c_int)
    end select
  end function precision_in_c

  pure integer function precision_in_fortran(precision)
    integer(c_int), intent(in) :: precision

    precision_in_fortran = merge(real32, real64, precision == weft_precision_f32)
  end function precision_in_fortran

  pure integer(c_int) function as_c_logical(value)
    logical, intent(in) :: value

    as_c_logical = merge(1_c_int, 0_c_int, value)
  end function as_c_logical

  !> Hands a list on for which C has room for one number for each axis, such as the component
  !> `what`. Another number of entries than of axes becomes a complaint. Where no list is given, or
  !> none is allocated, the default is left.
  subroutine put_entries(list, axes, what, into, complaint)
    integer, intent(in), optional :: list(:)
    integer, intent(in) :: axes
    character(*), intent(in) :: what
    integer(c_int64_t), intent(inout) :: into(weft_max_axes)
    character(:), allocatable, intent(inout) :: complaint

    if (present(list)) call put_long_entries(int(list, int64), axes, what, into, complaint)
  end subroutine put_entries

  subroutine put_long_entries(list, axes, what, into, complaint)
    integer(int64), intent(in), optional :: list(:)
    integer, intent(in) :: axes
    character(*), intent(in) :: what
    integer(c_int64_t), intent(inout) :: into(weft_max_axes)
    character(:), allocatable, intent(inout) :: complaint

    if (.not. present(list)) return
    call expect_count(complaint, size(list), axes, what)
    into = padded(list, weft_max_axes)
  end subroutine put_long_entries

  !> The first so many entries; the others are zero.
  pure function padded(numbers, count) result(all)
    integer(int64), intent(in) :: numbers(:)
    integer, intent(in) :: count
    integer(c_int64_t) :: all(count)
    integer :: given

    given = min(size(numbers), count)
    all = 0
    all(1:given) = numbers(1:given)
  end function padded
end module weft_numbering
