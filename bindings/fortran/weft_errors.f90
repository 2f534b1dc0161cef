!> What becomes of the status of a call: `stat` and `errmsg`, or the end of the program.
module weft_errors
  use, intrinsic :: iso_c_binding
  use weft_c_fortran, only: weft_fortran_abort, weft_fortran_message
  use weft_constants, only: weft_error_not_created, weft_success
  implicit none
  private
  public :: complain, conclude, exists, text_of, c_string, text_in_c, weft_error_message

  interface
    function strlen(text) bind(C) result(length)
      import
      type(c_ptr), value :: text
      integer(c_size_t) :: length
    end function strlen
  end interface

contains

  !> Hands a status on to the caller. As with allocate, an error ends the program if there is no
  !> `stat`; `errmsg` is left as it is where all is well. `text` is the message, by default that of
  !> the library.
  subroutine conclude(status, stat, errmsg, text)
    integer, intent(in) :: status
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    character(*), intent(in), optional :: text
    character(:), allocatable :: message

    if (present(stat)) stat = status
    if (status == weft_success) return
    if (present(text)) then
      message = text
    else
      message = weft_error_message()
    end if
    if (present(errmsg)) errmsg = message
    if (.not. present(stat)) then
      call weft_fortran_abort(c_string(message))
      error stop 1
    end if
  end subroutine conclude

  !> Whether an object has been created, which is an error otherwise.
  logical function exists(handle, name, stat, errmsg)
    type(c_ptr), intent(in) :: handle
    character(*), intent(in) :: name
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg

    exists = c_associated(handle)
    if (.not. exists) then
      call conclude(weft_error_not_created, stat, errmsg, &
        'the ' // name // ' does not exist: it was not created, or has been destroyed')
    end if
  end function exists

  !> Keeps the first complaint about the arguments of a collective procedure, of which all ranks are
  !> to learn. None: not allocated.
  subroutine complain(complaint, text)
    character(:), allocatable, intent(inout) :: complaint
    character(*), intent(in) :: text

    if (.not. allocated(complaint)) complaint = text
  end subroutine complain

  !> What went wrong in the last call that did not succeed; '' before the first one.
  function weft_error_message() result(text)
    character(:), allocatable :: text

    text = text_of(weft_fortran_message())
  end function weft_error_message

  !> A text of C.
  function text_of(pointer) result(text)
    type(c_ptr), intent(in) :: pointer
    character(:), allocatable :: text
    character(kind=c_char), pointer :: characters(:)
    integer :: i, length

    if (.not. c_associated(pointer)) then
      text = ''
      return
    end if
    length = int(strlen(pointer))
    call c_f_pointer(pointer, characters, [length])
    allocate (character(length) :: text)
    do i = 1, length
      text(i:i) = characters(i)
    end do
  end function text_of

  !> A text for C, without blanks at its end.
  pure function c_string(text) result(characters)
    character(*), intent(in) :: text
    character(kind=c_char) :: characters(len_trim(text) + 1)
    integer :: i

    do i = 1, len_trim(text)
      characters(i) = text(i:i)
    end do
    characters(len_trim(text) + 1) = c_null_char
  end function c_string

  !> The same of a text that may be absent, or not allocated, which becomes null. `room` holds it.
  function text_in_c(text, room) result(pointer)
    character(*), intent(in), optional :: text
    character(kind=c_char), allocatable, intent(out), target :: room(:)
    type(c_ptr) :: pointer

    pointer = c_null_ptr
    if (.not. present(text)) return
    room = c_string(text)
    pointer = c_loc(room)
  end function text_in_c
end module weft_errors
