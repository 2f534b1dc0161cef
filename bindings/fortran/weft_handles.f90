!> Handles of objects, each of which one variable owns.
module weft_handles
  use, intrinsic :: iso_c_binding
  use weft_constants, only: weft_error_argument
  use weft_errors, only: conclude
  implicit none
  private

  !> What the types of objects have as their component. Their intrinsic assignment uses the one that
  !> is defined here: a second variable with the same handle would be left with freed memory when
  !> one of them is destroyed, and nothing could tell. Assignments have no `stat`, so an attempt
  !> ends the program. Objects that do not exist may be assigned.
  type, public :: owned_handle
    type(c_ptr) :: to = c_null_ptr
  contains
    procedure, private :: refuse_copy
    generic :: assignment(=) => refuse_copy
  end type owned_handle

contains

  impure elemental subroutine refuse_copy(left, right)
    class(owned_handle), intent(inout) :: left
    class(owned_handle), intent(in) :: right

    if (c_associated(left%to) .or. c_associated(right%to)) then
      call conclude(weft_error_argument, text='objects cannot be assigned: one variable owns ' // &
                    'a plan or the like; pass it as an argument, or move_alloc an allocatable one')
    end if
  end subroutine refuse_copy
end module weft_handles
