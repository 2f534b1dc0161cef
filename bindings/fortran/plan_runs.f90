!> Transforms.
submodule(weft_plans) plan_runs
  use weft_c
  use weft_errors, only: conclude
  use weft_lines, only: functions_in_c, line_call
  implicit none

  !> Work of the caller, as the library gets it back.
  type :: work_call
    procedure(weft_work), pointer, nopass :: work => null()
  end type work_call

contains

  module procedure forward
    call run(self, weft_direction_forward, in, out, on_input, on_output, stat, errmsg)
  end procedure forward

  module procedure backward
    call run(self, weft_direction_backward, in, out, on_input, on_output, stat, errmsg)
  end procedure backward

  subroutine run(self, direction, in, out, on_input, on_output, stat, errmsg)
    class(weft_plan), intent(in) :: self
    integer, intent(in) :: direction
    include 'in_and_out.inc'
    type(weft_function), intent(in), optional :: on_input, on_output
    include 'stat_and_errmsg.inc'
    type(c_functions) :: functions
    type(line_call), target :: calls(2)

    call find_functions(self, direction, on_input, on_output, functions, calls)
    call conclude(weft_fortran_run(self%handle%to, direction, in, out, functions, &
                                   self%dimensions), stat, errmsg)
  end subroutine run

  !> Functions with the types of the arrays that they are for.
  subroutine find_functions(self, direction, on_input, on_output, functions, calls)
    class(weft_plan), intent(in) :: self
    integer, intent(in) :: direction
    type(weft_function), intent(in), optional :: on_input, on_output
    type(c_functions), intent(out) :: functions
    type(line_call), intent(out), target :: calls(2)
    type(c_local_array) :: sides(2)
    integer :: status

    if (.not. (present(on_input) .or. present(on_output))) return
    ! Without a plan nothing is called.
    status = c_plan_input(self%handle%to, sides(merge(1, 2, direction == weft_direction_forward)))
    status = c_plan_output(self%handle%to, sides(merge(2, 1, direction == weft_direction_forward)))
    call functions_in_c(on_input, on_output, sides(1), sides(2), functions, calls)
  end subroutine find_functions

  module procedure forward_in_place
    call run_in_place(self, weft_direction_forward, array, on_input, on_output, stat, errmsg)
  end procedure forward_in_place

  module procedure backward_in_place
    call run_in_place(self, weft_direction_backward, array, on_input, on_output, stat, errmsg)
  end procedure backward_in_place

  subroutine run_in_place(self, direction, array, on_input, on_output, stat, errmsg)
    class(weft_plan), intent(in) :: self
    integer, intent(in) :: direction
    type(*), dimension(..), intent(inout) :: array
    type(weft_function), intent(in), optional :: on_input, on_output
    include 'stat_and_errmsg.inc'
    type(c_functions) :: functions
    type(line_call), target :: calls(2)

    call find_functions(self, direction, on_input, on_output, functions, calls)
    call conclude(weft_fortran_run_in_place(self%handle%to, direction, array, functions), &
                  stat, errmsg)
  end subroutine run_in_place

  module procedure forward_many
    call run_many(self, weft_direction_forward, in, out, on_input, on_output, stat, errmsg)
  end procedure forward_many

  module procedure backward_many
    call run_many(self, weft_direction_backward, in, out, on_input, on_output, stat, errmsg)
  end procedure backward_many

  subroutine run_many(self, direction, in, out, on_input, on_output, stat, errmsg)
    class(weft_plan), intent(in) :: self
    integer, intent(in) :: direction
    include 'in_and_out.inc'
    type(weft_function), intent(in), optional :: on_input, on_output
    include 'stat_and_errmsg.inc'
    type(c_functions) :: functions
    type(line_call), target :: calls(2)

    call find_functions(self, direction, on_input, on_output, functions, calls)
    call conclude(weft_fortran_run_many(self%handle%to, direction, in, out, functions, &
                                        self%dimensions), stat, errmsg)
  end subroutine run_many

  module procedure start_forward
    call conclude(weft_fortran_start(self%handle%to, weft_direction_forward, in, out, &
                                     self%dimensions), stat, errmsg)
  end procedure start_forward

  module procedure start_backward
    call conclude(weft_fortran_start(self%handle%to, weft_direction_backward, in, out, &
                                     self%dimensions), stat, errmsg)
  end procedure start_backward

  module procedure test
    integer(c_int) :: all_done
    integer :: status

    done = .false.
    status = c_plan_test(self%handle%to, all_done)
    if (status == weft_success) done = all_done /= 0
    call conclude(status, stat, errmsg)
  end procedure test

  module procedure wait
    call conclude(c_plan_wait(self%handle%to), stat, errmsg)
  end procedure wait

  module procedure forward_while
    call run_while(self, weft_direction_forward, in, out, work, stat, errmsg)
  end procedure forward_while

  module procedure backward_while
    call run_while(self, weft_direction_backward, in, out, work, stat, errmsg)
  end procedure backward_while

  subroutine run_while(self, direction, in, out, work, stat, errmsg)
    class(weft_plan), intent(in) :: self
    integer, intent(in) :: direction
    include 'in_and_out.inc'
    procedure(weft_work) :: work
    include 'stat_and_errmsg.inc'
    type(work_call), target :: call_of_work

    call_of_work%work => work
    call conclude(weft_fortran_run_while(self%handle%to, direction, in, out, &
                                         c_funloc(call_work), c_loc(call_of_work), &
                                         self%dimensions), stat, errmsg)
  end subroutine run_while

  recursive integer(c_int) function call_work(user_data) bind(C)
    type(c_ptr), value :: user_data
    type(work_call), pointer :: what
    integer :: status

    call c_f_pointer(user_data, what)
    status = 0
    call what%work(status)
    call_work = status
  end function call_work
end submodule plan_runs
