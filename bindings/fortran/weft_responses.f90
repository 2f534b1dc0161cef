!> Functions of wavenumbers, as filters take them.
module weft_responses
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: real64
  implicit none
  private
  public :: call_response, weft_response_procedure, weft_response_procedure_with_data

  abstract interface
    !> The factor of a mode whose wave vector has the length `k`. It is called from all threads of
    !> the plan at a time.
    function weft_response_procedure(k) result(factor)
      import real64
      real(real64), intent(in) :: k
      real(real64) :: factor
    end function weft_response_procedure
    !> The same with data of the caller.
    function weft_response_procedure_with_data(k, data) result(factor)
      import real64
      real(real64), intent(in) :: k
      class(*), intent(in) :: data
      real(real64) :: factor
    end function weft_response_procedure_with_data
  end interface

  !> A function of wavenumbers: made by weft_response(procedure) or weft_response(procedure, data).
  !> `data` must be a target, and live as long as the function is used, as the procedure must.
  type, public :: weft_response
    private
    procedure(weft_response_procedure), pointer, nopass :: plain => null()
    procedure(weft_response_procedure_with_data), pointer, nopass :: with_data => null()
    class(*), pointer :: data => null()
  end type weft_response

  interface weft_response
    module procedure from_procedure, from_procedure_with_data
  end interface weft_response

contains

  function from_procedure(procedure) result(made)
    procedure(weft_response_procedure) :: procedure
    type(weft_response) :: made

    made%plain => procedure
  end function from_procedure

  function from_procedure_with_data(procedure, data) result(made)
    procedure(weft_response_procedure_with_data) :: procedure
    class(*), intent(in), target :: data
    type(weft_response) :: made

    made%with_data => procedure
    made%data => data
  end function from_procedure_with_data

  !> What the library calls. `response_data` is a weft_response; of one without a procedure nothing
  !> is left.
  recursive real(c_double) function call_response(k, response_data) bind(C)
    real(c_double), value :: k
    type(c_ptr), value :: response_data
    type(weft_response), pointer :: what

    call c_f_pointer(response_data, what)
    call_response = 0
    if (associated(what%with_data)) then
      call_response = what%with_data(k, what%data)
    else if (associated(what%plain)) then
      call_response = what%plain(k)
    end if
  end function call_response
end module weft_responses
