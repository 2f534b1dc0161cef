!> Wavenumbers of the coefficients of a plan, and functions of them.
module weft_wavenumbers_type
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: int64, real64
  use weft_c
  use weft_errors, only: conclude, expect_count
  use weft_handles, only: owned_handle
  use weft_constants, only: weft_error_argument, weft_max_axes, weft_success
  use weft_lines, only: function_in_c, weft_function
  use weft_numbering, only: axis_in_c
  use weft_plans, only: weft_plan
  use weft_responses
  implicit none
  private

  !> Responses that functions of waves refer to.
  type :: kept_response
    type(weft_response) :: response
    type(kept_response), pointer :: next => null()
  end type kept_response

  !> Angular wavenumbers of the coefficients of a plan, for a box of given lengths, and the
  !> functions that operators of calculus apply to these coefficients:
  !>
  !>     call plan%backward(uh, ux, on_input=waves%derivative(1))
  !>
  !> The functions are for the output of a forward transform, or the input of a backward one, of
  !> this plan or one like it. They refer to this object, which must outlive them; the plan may be
  !> destroyed. No procedure is collective.
  type, public :: weft_wavenumbers
    private
    type(owned_handle) :: handle
    type(c_box) :: box ! of the coefficients of this rank
    type(kept_response), pointer :: responses => null()
  contains
    procedure :: create
    procedure :: destroy
    procedure :: numbers
    procedure :: local_k
    procedure :: local_derivative_k
    procedure :: derivative
    procedure :: laplacian
    procedure :: inverse_laplacian
    procedure :: filter
  end type weft_wavenumbers

contains

  !> `lengths` of the box, one for each axis.
  subroutine create(self, plan, lengths, stat, errmsg)
    class(weft_wavenumbers), intent(inout) :: self
    type(weft_plan), intent(in) :: plan
    real(real64), intent(in) :: lengths(:)
    include 'stat_and_errmsg.inc'
    character(:), allocatable :: complaint
    type(c_local_array) :: array
    integer :: status

    call self%destroy()
    status = c_plan_output(plan%get_handle(), array)
    if (status == weft_success) then
      call expect_count(complaint, size(lengths), array%axes, 'lengths')
      if (allocated(complaint)) then
        call conclude(weft_error_argument, stat, errmsg, complaint)
        return
      end if
      self%box = array%box
      status = c_wavenumbers_create(plan%get_handle(), lengths, self%handle%to)
    end if
    call conclude(status, stat, errmsg)
  end subroutine create

  subroutine destroy(self, stat, errmsg)
    class(weft_wavenumbers), intent(inout) :: self
    include 'stat_and_errmsg.inc'
    type(kept_response), pointer :: next

    do while (associated(self%responses))
      next => self%responses%next
      deallocate (self%responses)
      self%responses => next
    end do
    call conclude(c_wavenumbers_destroy(self%handle%to), stat, errmsg)
  end subroutine destroy

  !> Wavenumbers of all coefficients along an axis of the global array. `derivative_k` has the
  !> factors of first derivatives, weft_derivative_wavenumber, which are zero for the Nyquist mode.
  !> `k` has weft_angular_wavenumber, without that exception, for second derivatives.
  subroutine numbers(self, axis, derivative_k, k, stat, errmsg)
    class(weft_wavenumbers), intent(in) :: self
    integer, intent(in) :: axis
    real(real64), allocatable, intent(out), optional :: derivative_k(:), k(:)
    include 'stat_and_errmsg.inc'
    integer(c_int64_t) :: count
    type(c_ptr) :: derivative_list, list_of_k
    real(c_double), pointer :: list(:)
    integer :: status

    status = c_wavenumbers_numbers(self%handle%to, axis_in_c(axis), count, derivative_list, &
                                   list_of_k)
    call conclude(status, stat, errmsg)
    if (status /= weft_success) return
    if (present(derivative_k)) then
      call c_f_pointer(derivative_list, list, [count])
      derivative_k = list
    end if
    if (present(k)) then
      call c_f_pointer(list_of_k, list, [count])
      k = list
    end if
  end subroutine numbers

  !> Wavenumbers of this rank's coefficients along an axis: k(i) belongs to coefficient i, with the
  !> bounds of the axis in `output` of the plan.
  subroutine local_k(self, axis, k, stat, errmsg)
    class(weft_wavenumbers), intent(in) :: self
    integer, intent(in) :: axis
    real(real64), allocatable, intent(out) :: k(:)
    include 'stat_and_errmsg.inc'

    call make_room(self, axis, k)
    call conclude(c_wavenumbers_local_k(self%handle%to, axis_in_c(axis), k), stat, errmsg)
  end subroutine local_k

  !> The same with the factors of first derivatives.
  subroutine local_derivative_k(self, axis, derivative_k, stat, errmsg)
    class(weft_wavenumbers), intent(in) :: self
    integer, intent(in) :: axis
    real(real64), allocatable, intent(out) :: derivative_k(:)
    include 'stat_and_errmsg.inc'

    call make_room(self, axis, derivative_k)
    call conclude(c_wavenumbers_local_derivative_k(self%handle%to, axis_in_c(axis), &
                                                   derivative_k), stat, errmsg)
  end subroutine local_derivative_k

  !> A list for the coefficients of this rank; empty where there is no such axis.
  subroutine make_room(self, axis, list)
    type(weft_wavenumbers), intent(in) :: self
    integer, intent(in) :: axis
    real(real64), allocatable, intent(out) :: list(:)

    if (axis >= 1 .and. axis <= weft_max_axes) then
      allocate (list(self%box%lower(axis) + 1:self%box%upper(axis)))
    else
      allocate (list(0))
    end if
  end subroutine make_room

  !> A callback for d/dx along an axis, which must have a Fourier transform.
  function derivative(self, axis, stat, errmsg) result(made)
    class(weft_wavenumbers), intent(in) :: self
    integer, intent(in) :: axis
    include 'stat_and_errmsg.inc'
    type(weft_function) :: made
    type(c_funptr) :: function
    type(c_ptr) :: user_data
    integer :: status

    status = c_wavenumbers_derivative(self%handle%to, axis_in_c(axis), function, user_data)
    call conclude(status, stat, errmsg)
    if (status == weft_success) made = function_in_c(function, user_data)
  end function derivative

  function laplacian(self, stat, errmsg) result(made)
    class(weft_wavenumbers), intent(in) :: self
    include 'stat_and_errmsg.inc'
    type(weft_function) :: made
    type(c_funptr) :: function
    type(c_ptr) :: user_data
    integer :: status

    status = c_wavenumbers_laplacian(self%handle%to, function, user_data)
    call conclude(status, stat, errmsg)
    if (status == weft_success) made = function_in_c(function, user_data)
  end function laplacian

  !> A callback that solves the Poisson equation laplacian u = f. The constant part of f must be
  !> zero; that of u is zero.
  function inverse_laplacian(self, stat, errmsg) result(made)
    class(weft_wavenumbers), intent(in) :: self
    include 'stat_and_errmsg.inc'
    type(weft_function) :: made
    type(c_funptr) :: function
    type(c_ptr) :: user_data
    integer :: status

    status = c_wavenumbers_inverse_laplacian(self%handle%to, function, user_data)
    call conclude(status, stat, errmsg)
    if (status == weft_success) made = function_in_c(function, user_data)
  end function inverse_laplacian

  !> A callback that multiplies every mode by the response for k, the length of its wave vector:
  !> `waves%filter(weft_response(procedure))`. Each call takes some memory until the waves are
  !> destroyed.
  function filter(self, response, stat, errmsg) result(made)
    class(weft_wavenumbers), intent(inout) :: self
    type(weft_response), intent(in) :: response
    include 'stat_and_errmsg.inc'
    type(weft_function) :: made
    type(kept_response), pointer :: kept
    type(c_funptr) :: function
    type(c_ptr) :: user_data
    integer :: status

    allocate (kept)
    kept%response = response
    kept%next => self%responses
    self%responses => kept
    status = c_wavenumbers_filter(self%handle%to, c_funloc(call_response), c_loc(kept%response), &
                                  function, user_data)
    call conclude(status, stat, errmsg)
    if (status == weft_success) made = function_in_c(function, user_data)
  end function filter
end module weft_wavenumbers_type
