!> Operators of vector calculus on distributed fields.
module weft_calculus_type
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: real64
  use weft_c
  use weft_constants, only: weft_success
  use weft_errors, only: c_string, conclude, expect_count
  use weft_handles, only: owned_handle
  use weft_lines, only: functions_in_c, line_call, weft_function
  use weft_plans, only: weft_plan
  use weft_responses
  implicit none
  private

  !> Operators on fields in physical space, in the layout `input` of a plan whose kinds are Fourier
  !> transforms (for laplacian, inverse_laplacian, filter and apply: any). Each one transforms
  !> forward, applies the operator in a callback, and transforms backward, without additional memory
  !> passes. Collective like the plan, which must be destroyed later.
  !>
  !> Vector fields are arrays with an additional last dimension for the components; or lists of
  !> type(c_ptr) to the first elements of separate arrays.
  type, public :: weft_calculus
    private
    type(owned_handle) :: handle
    type(c_ptr) :: plan = c_null_ptr
    type(c_dimensions) :: dimensions = c_dimensions()
  contains
    procedure :: create
    procedure :: destroy
    procedure :: gradient
    procedure :: divergence
    procedure :: curl
    procedure :: laplacian
    procedure :: inverse_laplacian
    procedure :: filter
    procedure :: apply
  end type weft_calculus

contains

  !> `lengths` are those of the box, one for each axis. Memory for coefficients is allocated when it
  !> is first needed.
  subroutine create(self, plan, lengths, stat, errmsg)
    class(weft_calculus), intent(inout) :: self
    type(weft_plan), intent(in) :: plan
    real(real64), intent(in) :: lengths(:)
    include 'stat_and_errmsg.inc'
    character(:), allocatable :: complaint
    type(c_local_array) :: array
    type(c_dimensions) :: dimensions(2)
    integer :: status

    call self%destroy()
    self%plan = plan%get_handle()
    dimensions = plan%get_dimensions()
    self%dimensions = dimensions(1)
    status = c_plan_input(self%plan, array)
    if (status == weft_success) then
      call expect_count(complaint, size(lengths), array%axes, 'lengths')
      status = weft_fortran_calculus_create(self%plan, lengths, c_string(complaint), self%handle%to)
    end if
    call conclude(status, stat, errmsg)
  end subroutine create

  subroutine destroy(self, stat, errmsg)
    class(weft_calculus), intent(inout) :: self
    include 'stat_and_errmsg.inc'

    self%plan = c_null_ptr
    call conclude(c_calculus_destroy(self%handle%to), stat, errmsg)
  end subroutine destroy

  !> result(..., a) = d/dx_a of u, for each axis a.
  subroutine gradient(self, u, result, stat, errmsg)
    class(weft_calculus), intent(in) :: self
    type(*), dimension(..), intent(in) :: u
    type(*), dimension(..), intent(inout) :: result
    include 'stat_and_errmsg.inc'

    call conclude(weft_fortran_gradient(self%handle%to, self%plan, u, result, self%dimensions), &
                  stat, errmsg)
  end subroutine gradient

  !> Sum of d/dx_a of v(..., a).
  subroutine divergence(self, v, result, stat, errmsg)
    class(weft_calculus), intent(in) :: self
    type(*), dimension(..), intent(in) :: v
    type(*), dimension(..), intent(inout) :: result
    include 'stat_and_errmsg.inc'

    call conclude(weft_fortran_divergence(self%handle%to, self%plan, v, result, self%dimensions), &
                  stat, errmsg)
  end subroutine divergence

  !> The curl of a vector field with three components, along the first three axes.
  subroutine curl(self, v, result, stat, errmsg)
    class(weft_calculus), intent(in) :: self
    type(*), dimension(..), intent(in) :: v
    type(*), dimension(..), intent(inout) :: result
    include 'stat_and_errmsg.inc'

    call conclude(weft_fortran_curl(self%handle%to, self%plan, v, result, self%dimensions), &
                  stat, errmsg)
  end subroutine curl

  subroutine laplacian(self, u, result, stat, errmsg)
    class(weft_calculus), intent(in) :: self
    type(*), dimension(..), intent(in) :: u
    type(*), dimension(..), intent(inout) :: result
    include 'stat_and_errmsg.inc'

    call conclude(weft_fortran_laplacian(self%handle%to, self%plan, u, result, self%dimensions), &
                  stat, errmsg)
  end subroutine laplacian

  !> Solves laplacian result = f. The constant part of f must be zero; that of the result is zero.
  subroutine inverse_laplacian(self, f, result, stat, errmsg)
    class(weft_calculus), intent(in) :: self
    type(*), dimension(..), intent(in) :: f
    type(*), dimension(..), intent(inout) :: result
    include 'stat_and_errmsg.inc'

    call conclude(weft_fortran_inverse_laplacian(self%handle%to, self%plan, f, result, &
                                                 self%dimensions), stat, errmsg)
  end subroutine inverse_laplacian

  !> Multiplies every mode by the response for k, the length of its wave vector.
  subroutine filter(self, u, result, response, stat, errmsg)
    class(weft_calculus), intent(in) :: self
    type(*), dimension(..), intent(in) :: u
    type(*), dimension(..), intent(inout) :: result
    type(weft_response), intent(in), target :: response
    include 'stat_and_errmsg.inc'

    call conclude(weft_fortran_filter(self%handle%to, self%plan, u, result, &
                                      c_funloc(call_response), c_loc(response), self%dimensions), &
                  stat, errmsg)
  end subroutine filter

  !> Applies a callback to the coefficients.
  subroutine apply(self, u, result, function, stat, errmsg)
    class(weft_calculus), intent(in) :: self
    type(*), dimension(..), intent(in) :: u
    type(*), dimension(..), intent(inout) :: result
    type(weft_function), intent(in) :: function
    include 'stat_and_errmsg.inc'
    type(c_local_array) :: spectral
    type(c_functions) :: functions
    type(line_call), target :: calls(2)
    integer :: status

    status = c_plan_output(self%plan, spectral)
    call functions_in_c(on_output=function, source=spectral, sink=spectral, converted=functions, &
                        calls=calls)
    call conclude(weft_fortran_apply(self%handle%to, self%plan, u, result, functions%output, &
                                     functions%output_data, self%dimensions), stat, errmsg)
  end subroutine apply
end module weft_calculus_type
