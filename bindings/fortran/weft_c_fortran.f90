!> Functions of the library's part for Fortran, in C++: they take communicators and arrays as
!> Fortran has them, and compare arrays with what is needed.
module weft_c_fortran
  use, intrinsic :: iso_c_binding
  use weft_c_types, only: c_convolution_problem, c_dimensions, c_functions, c_halo_problem, &
    c_layout, c_long_problem, c_problem, c_sampled_error, c_trace, c_transform
  implicit none
  public

  interface
    function weft_fortran_message() bind(C) result(res)
      import
      type(c_ptr) :: res
    end function weft_fortran_message
    function weft_fortran_text(text) bind(C) result(res)
      import
      type(c_ptr), value :: text
      type(c_ptr) :: res
    end function weft_fortran_text
    function weft_fortran_parse_layout(text, layout) bind(C) result(res)
      import
      character(kind=c_char), intent(in) :: text(*)
      type(c_layout), intent(inout) :: layout
      integer(c_int) :: res
    end function weft_fortran_parse_layout
    function weft_fortran_plan_create(comm, problem, options, complaint, plan) bind(C) result(res)
      import
      integer(c_int), value :: comm
      type(c_problem), intent(in) :: problem
      type(c_ptr), value :: options, complaint
      type(c_ptr), intent(out) :: plan
      integer(c_int) :: res
    end function weft_fortran_plan_create
    function weft_fortran_plan_communicator(plan, comm) bind(C) result(res)
      import
      type(c_ptr), value :: plan
      integer(c_int), intent(out) :: comm
      integer(c_int) :: res
    end function weft_fortran_plan_communicator
    function weft_fortran_run(plan, direction, in, out, functions, &
        dimensions) bind(C) result(res)
      import
      type(c_ptr), value :: plan
      integer(c_int), value :: direction
      type(*), dimension(..), intent(in) :: in
      type(*), dimension(..), intent(inout) :: out
      type(c_functions), intent(in) :: functions
      type(c_dimensions), intent(in) :: dimensions(2)
      integer(c_int) :: res
    end function weft_fortran_run
    function weft_fortran_start(plan, direction, in, out, dimensions) bind(C) result(res)
      import
      type(c_ptr), value :: plan
      integer(c_int), value :: direction
      type(*), dimension(..), intent(in), asynchronous :: in
      type(*), dimension(..), intent(inout), asynchronous :: out
      type(c_dimensions), intent(in) :: dimensions(2)
      integer(c_int) :: res
    end function weft_fortran_start
    function weft_fortran_run_while(plan, direction, in, out, work, user_data, &
        dimensions) bind(C) result(res)
      import
      type(c_ptr), value :: plan
      integer(c_int), value :: direction
      type(*), dimension(..), intent(in) :: in
      type(*), dimension(..), intent(inout) :: out
      type(c_funptr), value :: work
      type(c_ptr), value :: user_data
      type(c_dimensions), intent(in) :: dimensions(2)
      integer(c_int) :: res
    end function weft_fortran_run_while
    function weft_fortran_run_in_place(plan, direction, array, functions) bind(C) result(res)
      import
      type(c_ptr), value :: plan
      integer(c_int), value :: direction
      type(*), dimension(..), intent(inout) :: array
      type(c_functions), intent(in) :: functions
      integer(c_int) :: res
    end function weft_fortran_run_in_place
    function weft_fortran_run_many(plan, direction, in, out, functions, &
        dimensions) bind(C) result(res)
      import
      type(c_ptr), value :: plan
      integer(c_int), value :: direction
      type(*), dimension(..), intent(in) :: in
      type(*), dimension(..), intent(inout) :: out
      type(c_functions), intent(in) :: functions
      type(c_dimensions), intent(in) :: dimensions(2)
      integer(c_int) :: res
    end function weft_fortran_run_many
    function weft_fortran_set_workspace(plan, array) bind(C) result(res)
      import
      type(c_ptr), value :: plan
      type(*), dimension(..), intent(inout) :: array
      integer(c_int) :: res
    end function weft_fortran_set_workspace
    function weft_fortran_start_trace(plan) bind(C) result(res)
      import
      type(c_ptr), value :: plan
      integer(c_int) :: res
    end function weft_fortran_start_trace
    function weft_fortran_stop_trace(plan, trace) bind(C) result(res)
      import
      type(c_ptr), value :: plan
      type(c_trace), intent(inout) :: trace
      integer(c_int) :: res
    end function weft_fortran_stop_trace
    function weft_fortran_write_trace(plan, path) bind(C) result(res)
      import
      type(c_ptr), value :: plan
      character(kind=c_char), intent(in) :: path(*)
      integer(c_int) :: res
    end function weft_fortran_write_trace
    function weft_fortran_sampled_error(plan, direction, in, out, samples, seed, error, &
        dimensions) bind(C) result(res)
      import
      type(c_ptr), value :: plan
      integer(c_int), value :: direction
      type(*), dimension(..), intent(in) :: in, out
      integer(c_int), value :: samples
      integer(c_int64_t), value :: seed
      type(c_sampled_error), intent(out) :: error
      type(c_dimensions), intent(in) :: dimensions(2)
      integer(c_int) :: res
    end function weft_fortran_sampled_error
    function weft_fortran_fill_random(plan, spectral, array, seed, &
        dimensions) bind(C) result(res)
      import
      type(c_ptr), value :: plan
      integer(c_int), value :: spectral
      type(*), dimension(..), intent(inout) :: array
      integer(c_int64_t), value :: seed
      type(c_dimensions), intent(in) :: dimensions(2)
      integer(c_int) :: res
    end function weft_fortran_fill_random
    function weft_fortran_check_transform(comm, transform, direction, in, out, samples, seed, &
        error) bind(C) result(res)
      import
      integer(c_int), value :: comm
      type(c_transform), intent(in) :: transform
      integer(c_int), value :: direction
      type(*), dimension(..), intent(in) :: in, out
      integer(c_int), value :: samples
      integer(c_int64_t), value :: seed
      type(c_sampled_error), intent(out) :: error
      integer(c_int) :: res
    end function weft_fortran_check_transform
    function weft_fortran_halo_create(comm, problem, complaint, halo) bind(C) result(res)
      import
      integer(c_int), value :: comm
      type(c_halo_problem), intent(in) :: problem
      type(c_ptr), value :: complaint
      type(c_ptr), intent(out) :: halo
      integer(c_int) :: res
    end function weft_fortran_halo_create
    function weft_fortran_halo_destroy(halo) bind(C) result(res)
      import
      type(c_ptr), intent(inout) :: halo
      integer(c_int) :: res
    end function weft_fortran_halo_destroy
    function weft_fortran_halo_handle(halo) bind(C) result(res)
      import
      type(c_ptr), value :: halo
      type(c_ptr) :: res
    end function weft_fortran_halo_handle
    function weft_fortran_halo_run(halo, operation, array, dimensions) bind(C) result(res)
      import
      type(c_ptr), value :: halo
      integer(c_int), value :: operation
      type(*), dimension(..), intent(inout), asynchronous :: array
      type(c_dimensions), intent(in) :: dimensions
      integer(c_int) :: res
    end function weft_fortran_halo_run
    function weft_fortran_halo_wait(halo) bind(C) result(res)
      import
      type(c_ptr), value :: halo
      integer(c_int) :: res
    end function weft_fortran_halo_wait
    function weft_fortran_halo_test(halo, done) bind(C) result(res)
      import
      type(c_ptr), value :: halo
      integer(c_int), intent(out) :: done
      integer(c_int) :: res
    end function weft_fortran_halo_test
    function weft_fortran_convolution_create(comm, problem, options, complaint, &
        convolution) bind(C) result(res)
      import
      integer(c_int), value :: comm
      type(c_convolution_problem), intent(in) :: problem
      type(c_ptr), value :: options, complaint
      type(c_ptr), intent(out) :: convolution
      integer(c_int) :: res
    end function weft_fortran_convolution_create
    function weft_fortran_convolution_destroy(convolution) bind(C) result(res)
      import
      type(c_ptr), intent(inout) :: convolution
      integer(c_int) :: res
    end function weft_fortran_convolution_destroy
    function weft_fortran_convolution_handle(convolution) bind(C) result(res)
      import
      type(c_ptr), value :: convolution
      type(c_ptr) :: res
    end function weft_fortran_convolution_handle
    function weft_fortran_convolve(convolution, correlate, a, b, c, &
        dimensions) bind(C) result(res)
      import
      type(c_ptr), value :: convolution
      integer(c_int), value :: correlate
      type(*), dimension(..), intent(in) :: a, b
      type(*), dimension(..), intent(inout) :: c
      type(c_dimensions), intent(in) :: dimensions(2)
      integer(c_int) :: res
    end function weft_fortran_convolve
    function weft_fortran_long_create(comm, problem, options, complaint, &
        transform) bind(C) result(res)
      import
      integer(c_int), value :: comm
      type(c_long_problem), intent(in) :: problem
      type(c_ptr), value :: options, complaint
      type(c_ptr), intent(out) :: transform
      integer(c_int) :: res
    end function weft_fortran_long_create
    function weft_fortran_long_destroy(transform) bind(C) result(res)
      import
      type(c_ptr), intent(inout) :: transform
      integer(c_int) :: res
    end function weft_fortran_long_destroy
    function weft_fortran_long_handle(transform) bind(C) result(res)
      import
      type(c_ptr), value :: transform
      type(c_ptr) :: res
    end function weft_fortran_long_handle
    function weft_fortran_long_run(transform, direction, precision, in, out) bind(C) result(res)
      import
      type(c_ptr), value :: transform
      integer(c_int), value :: direction, precision
      type(*), dimension(..), intent(in) :: in
      type(*), dimension(..), intent(inout) :: out
      integer(c_int) :: res
    end function weft_fortran_long_run
    function weft_fortran_calculus_create(plan, lengths, complaint, calculus) bind(C) result(res)
      import
      type(c_ptr), value :: plan
      real(c_double), intent(in) :: lengths(*)
      type(c_ptr), value :: complaint
      type(c_ptr), intent(out) :: calculus
      integer(c_int) :: res
    end function weft_fortran_calculus_create
    function weft_fortran_field_to_field(calculus, plan, operation, u, result, response, &
        function, user_data, dimensions) bind(C) result(res)
      import
      type(c_ptr), value :: calculus, plan
      integer(c_int), value :: operation
      type(*), dimension(..), intent(in) :: u
      type(*), dimension(..), intent(inout) :: result
      type(c_funptr), value :: response, function
      type(c_ptr), value :: user_data
      type(c_dimensions), intent(in) :: dimensions
      integer(c_int) :: res
    end function weft_fortran_field_to_field
    function weft_fortran_gradient(calculus, plan, u, result, dimensions) bind(C) result(res)
      import
      type(c_ptr), value :: calculus, plan
      type(*), dimension(..), intent(in) :: u
      type(*), dimension(..), intent(inout) :: result
      type(c_dimensions), intent(in) :: dimensions
      integer(c_int) :: res
    end function weft_fortran_gradient
    function weft_fortran_divergence(calculus, plan, v, result, dimensions) bind(C) result(res)
      import
      type(c_ptr), value :: calculus, plan
      type(*), dimension(..), intent(in) :: v
      type(*), dimension(..), intent(inout) :: result
      type(c_dimensions), intent(in) :: dimensions
      integer(c_int) :: res
    end function weft_fortran_divergence
    function weft_fortran_curl(calculus, plan, v, result, dimensions) bind(C) result(res)
      import
      type(c_ptr), value :: calculus, plan
      type(*), dimension(..), intent(in) :: v
      type(*), dimension(..), intent(inout) :: result
      type(c_dimensions), intent(in) :: dimensions
      integer(c_int) :: res
    end function weft_fortran_curl
    subroutine weft_fortran_abort(text) bind(C)
      import
      character(kind=c_char), intent(in) :: text(*)
    end subroutine weft_fortran_abort
  end interface
end module weft_c_fortran
