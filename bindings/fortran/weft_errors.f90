!> What becomes of the status of a call: `stat` and `errmsg`, or the end of the program; and texts.
module weft_errors
  use, intrinsic :: iso_c_binding
  use weft_c, only: weft_fortran_abort, weft_fortran_message, weft_fortran_text
  use weft_constants, only: weft_success
  implicit none
  private
  public :: complain, conclude, expect_count, text_of, translated, c_string, weft_error_message

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
    include 'stat_and_errmsg.inc'
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

  !> Keeps the first complaint about the arguments of a collective procedure, of which all ranks are
  !> to learn. None: not allocated.
  subroutine complain(complaint, text)
    character(:), allocatable, intent(inout) :: complaint
    character(*), intent(in) :: text

    if (.not. allocated(complaint)) complaint = text
  end subroutine complain

  !> Complains unless a list has as many entries as are needed.
  subroutine expect_count(complaint, given, needed, what)
    character(:), allocatable, intent(inout) :: complaint
    integer, intent(in) :: given, needed
    character(*), intent(in) :: what
    character(24) :: counts(2)

    if (given == needed) return
    write (counts, '(i0)') given, needed
    call complain(complaint, what // ' must have ' // trim(counts(2)) // &
                  trim(merge(' entry  ', ' entries', needed == 1)) // ', not ' // counts(1))
  end subroutine expect_count

  !> The message of the last error; '' if there was none.
  function weft_error_message() result(text)
    character(:), allocatable :: text

    text = text_of(weft_fortran_message())
  end function weft_error_message

  !> A text of C, which may be null.
  function text_of(pointer) result(text)
    type(c_ptr), intent(in) :: pointer
    character(:), allocatable :: text
    character(kind=c_char), pointer :: characters(:)
    integer :: i, length

    length = 0
    if (c_associated(pointer)) length = int(strlen(pointer))
    allocate (character(length) :: text)
    if (length == 0) return
    call c_f_pointer(pointer, characters, [length])
    do i = 1, length
      text(i:i) = characters(i)
    end do
  end function text_of

  !> The same with the numbers that Fortran has for axes and the like.
  function translated(pointer) result(text)
    type(c_ptr), intent(in) :: pointer
    character(:), allocatable :: text

    text = text_of(weft_fortran_text(c_string(text_of(pointer))))
  end function translated

  !> A text for C, without blanks at its end. One that is absent, or not allocated, becomes empty.
  pure function c_string(text) result(characters)
    character(*), intent(in), optional :: text
    character(kind=c_char), allocatable :: characters(:)
    integer :: i, length

    length = 0
    if (present(text)) length = len_trim(text)
    allocate (characters(length + 1))
    do i = 1, length
      characters(i) = text(i:i)
    end do
    characters(length + 1) = c_null_char
  end function c_string
end module weft_errors
