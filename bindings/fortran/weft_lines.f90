!> Callbacks of transforms, for the numbers that are read and written.
module weft_lines
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: int64, real32, real64
  use weft_c, only: c_functions, c_line, c_local_array
  use weft_constants, only: weft_max_axes
  use weft_numbering
  implicit none
  private
  public :: weft_values, weft_function, weft_line_procedure, weft_line_procedure_with_data
  public :: line_call, functions_in_c, function_in_c

  !> `status` of a line whose numbers have been asked for with another type than they have.
  integer, parameter, public :: weft_wrong_type = -1

  !> A line of elements along one axis, as callbacks get them.
  type, public :: weft_line
    !> Place of the first number in the global array. The entry of `axis` counts up from number to
    !> number, so that number i is at index(axis) + i - 1.
    integer(int64) :: index(weft_max_axes) = 1
    integer :: axis = 1
    integer(int64) :: count = 0 !< of numbers
    integer(int64) :: field = 1 !< of a batch; forward_many counts on from field to field
    !> Number i lies in the array that was passed to the plan, seen as one-dimensional, at element
    !> offset + (i - 1) * offset_stride + 1.
    integer(int64) :: offset = 0
    integer(int64) :: offset_stride = 0
    integer :: precision = real64 !< kind of the numbers: real32 or real64
    logical :: is_complex = .true.
    !> Set this to anything but 0 to report an error. The transform is completed, and then fails on
    !> all ranks with this number in the message.
    integer :: status = 0
    type(c_ptr), private :: values = c_null_ptr
    integer(int64), private :: stride = 1
  end type weft_line

  abstract interface
    !> Changes the numbers of a line. It is called from all threads of the plan at a time, so it
    !> must have no variables that are saved, as compilers may save large arrays of procedures that
    !> are not recursive.
    subroutine weft_line_procedure(line)
      import weft_line
      type(weft_line), intent(inout) :: line
    end subroutine weft_line_procedure
    !> The same with data of the caller.
    subroutine weft_line_procedure_with_data(line, data)
      import weft_line
      type(weft_line), intent(inout) :: line
      class(*), intent(inout) :: data
    end subroutine weft_line_procedure_with_data
  end interface

  !> A callback, for the arguments on_input and on_output of transforms: made by
  !> weft_function(procedure) or weft_function(procedure, data), or handed out by weft_wavenumbers.
  !> `data` must be a target, and live as long as the function is used, as the procedure must.
  !> Prefer module procedures: compilers put code for internal ones on the stack.
  type, public :: weft_function
    private
    procedure(weft_line_procedure), pointer, nopass :: plain => null()
    procedure(weft_line_procedure_with_data), pointer, nopass :: with_data => null()
    class(*), pointer :: data => null()
    type(c_funptr) :: of_library = c_null_funptr
    type(c_ptr) :: library_data = c_null_ptr
  end type weft_function

  interface weft_function
    module procedure from_procedure, from_procedure_with_data
  end interface weft_function

  !> A function together with the type of the numbers that it is called for.
  type :: line_call
    type(weft_function) :: called
    integer :: precision = real64
    logical :: is_complex = .true.
  end type line_call

  !> The numbers of a line: `call weft_values(line, values)` with a pointer of rank 1 and of their
  !> type, through which they are read and changed. With a pointer of another type it has size 0,
  !> and the transform fails.
  interface weft_values
    module procedure values_r32, values_r64, values_c32, values_c64
  end interface weft_values

contains

  function from_procedure(procedure) result(made)
    procedure(weft_line_procedure) :: procedure
    type(weft_function) :: made

    made%plain => procedure
  end function from_procedure

  function from_procedure_with_data(procedure, data) result(made)
    procedure(weft_line_procedure_with_data) :: procedure
    class(*), intent(inout), target :: data
    type(weft_function) :: made

    made%with_data => procedure
    made%data => data
  end function from_procedure_with_data

  !> A function that the library has handed out.
  function function_in_c(of_library, library_data) result(made)
    type(c_funptr), intent(in) :: of_library
    type(c_ptr), intent(in) :: library_data
    type(weft_function) :: made

    made%of_library = of_library
    made%library_data = library_data
  end function function_in_c

  subroutine values_r32(line, values)
    type(weft_line), intent(inout) :: line
    real(real32), pointer, intent(out) :: values(:)

    call c_f_pointer(line%values, values, [span(line, real32, .false.)])
    values => values(::line%stride)
  end subroutine values_r32

  subroutine values_r64(line, values)
    type(weft_line), intent(inout) :: line
    real(real64), pointer, intent(out) :: values(:)

    call c_f_pointer(line%values, values, [span(line, real64, .false.)])
    values => values(::line%stride)
  end subroutine values_r64

  subroutine values_c32(line, values)
    type(weft_line), intent(inout) :: line
    complex(real32), pointer, intent(out) :: values(:)

    call c_f_pointer(line%values, values, [span(line, real32, .true.)])
    values => values(::line%stride)
  end subroutine values_c32

  subroutine values_c64(line, values)
    type(weft_line), intent(inout) :: line
    complex(real64), pointer, intent(out) :: values(:)

    call c_f_pointer(line%values, values, [span(line, real64, .true.)])
    values => values(::line%stride)
  end subroutine values_c64

  !> Elements from the first to the last number; none of a line of another type.
  integer(int64) function span(line, precision, is_complex)
    type(weft_line), intent(inout) :: line
    integer, intent(in) :: precision
    logical, intent(in) :: is_complex

    span = (line%count - 1) * line%stride + 1
    if (line%precision == precision .and. (line%is_complex .eqv. is_complex)) return
    span = 0
    line%status = weft_wrong_type
  end function span

  !> What the library calls. `user_data` is a line_call.
  recursive integer(c_int) function call_procedure(given, user_data) bind(C)
    type(c_line), intent(in) :: given
    type(c_ptr), value :: user_data
    type(line_call), pointer :: what
    type(weft_line) :: line

    call c_f_pointer(user_data, what)
    line%index = number_in_fortran(given%index)
    line%axis = given%axis + 1
    line%count = given%count
    line%field = number_in_fortran(given%field)
    line%offset = given%offset
    line%offset_stride = given%offset_stride
    line%precision = what%precision
    line%is_complex = what%is_complex
    line%values = given%values
    line%stride = given%stride
    if (associated(what%called%with_data)) then
      call what%called%with_data(line, what%called%data)
    else
      call what%called%plain(line)
    end if
    call_procedure = line%status
  end function call_procedure

  !> The functions of a transform from `source` to `sink`. What they refer to is kept in `calls`,
  !> which must stay as long as the struct does.
  subroutine functions_in_c(on_input, on_output, source, sink, converted, calls)
    type(weft_function), intent(in), optional :: on_input, on_output
    type(c_local_array), intent(in) :: source, sink
    type(c_functions), intent(out) :: converted
    type(line_call), intent(out), target :: calls(2)

    if (present(on_input)) then
      call set(on_input, source, calls(1), converted%input, converted%input_data)
    end if
    if (present(on_output)) then
      call set(on_output, sink, calls(2), converted%output, converted%output_data)
    end if
  end subroutine functions_in_c

  subroutine set(given, array, what, called, user_data)
    type(weft_function), intent(in) :: given
    type(c_local_array), intent(in) :: array
    type(line_call), intent(out), target :: what
    type(c_funptr), intent(out) :: called
    type(c_ptr), intent(out) :: user_data

    called = given%of_library
    user_data = given%library_data
    if (associated(given%plain) .or. associated(given%with_data)) then
      what%called = given
      what%precision = precision_in_fortran(array%precision)
      what%is_complex = array%is_complex /= 0
      called = c_funloc(call_procedure)
      user_data = c_loc(what)
    end if
  end subroutine set
end module weft_lines
