!> Functions of the C interface that take no communicator and no array.
!> Those with an integer result return a status.
module weft_c_library
  use, intrinsic :: iso_c_binding
  use weft_c_types, only: c_local_array, c_report, c_transform
  implicit none
  public

  interface
    function c_error_message() bind(C, name='weft_error_message') result(res)
      import
      type(c_ptr) :: res
    end function c_error_message
    function c_version() bind(C, name='weft_version') result(res)
      import
      type(c_ptr) :: res
    end function c_version
    function c_parse_kinds(text, axes, kinds) bind(C, name='weft_parse_kinds') result(res)
      import
      character(kind=c_char), intent(in) :: text(*)
      integer(c_int), value :: axes
      integer(c_int), intent(out) :: kinds(*)
      integer(c_int) :: res
    end function c_parse_kinds
    function c_parse_precision(text, number) bind(C, name='weft_parse_precision') result(res)
      import
      character(kind=c_char), intent(in) :: text(*)
      integer(c_int), intent(out) :: number
      integer(c_int) :: res
    end function c_parse_precision
    function c_parse_numbers(text, number) bind(C, name='weft_parse_numbers') result(res)
      import
      character(kind=c_char), intent(in) :: text(*)
      integer(c_int), intent(out) :: number
      integer(c_int) :: res
    end function c_parse_numbers
    function c_parse_norm(text, number) bind(C, name='weft_parse_norm') result(res)
      import
      character(kind=c_char), intent(in) :: text(*)
      integer(c_int), intent(out) :: number
      integer(c_int) :: res
    end function c_parse_norm
    function c_wavenumber(kind, k, n) bind(C, name='weft_wavenumber') result(res)
      import
      integer(c_int), value :: kind
      integer(c_int64_t), value :: k, n
      real(c_double) :: res
    end function c_wavenumber
    function c_grid_point(kind, j, n) bind(C, name='weft_grid_point') result(res)
      import
      integer(c_int), value :: kind
      integer(c_int64_t), value :: j, n
      real(c_double) :: res
    end function c_grid_point
    function c_angular_wavenumber(kind, k, n, length) bind(C, &
        name='weft_angular_wavenumber') result(res)
      import
      integer(c_int), value :: kind
      integer(c_int64_t), value :: k, n
      real(c_double), value :: length
      real(c_double) :: res
    end function c_angular_wavenumber
    function c_derivative_wavenumber(kind, k, n, length) bind(C, &
        name='weft_derivative_wavenumber') result(res)
      import
      integer(c_int), value :: kind
      integer(c_int64_t), value :: k, n
      real(c_double), value :: length
      real(c_double) :: res
    end function c_derivative_wavenumber
    function c_import_fftw_wisdom(path, precision) bind(C, &
        name='weft_import_fftw_wisdom') result(res)
      import
      character(kind=c_char), intent(in) :: path(*)
      integer(c_int), value :: precision
      integer(c_int) :: res
    end function c_import_fftw_wisdom
    function c_export_fftw_wisdom(path, precision) bind(C, &
        name='weft_export_fftw_wisdom') result(res)
      import
      character(kind=c_char), intent(in) :: path(*)
      integer(c_int), value :: precision
      integer(c_int) :: res
    end function c_export_fftw_wisdom
    function c_good_length(n) bind(C, name='weft_good_length') result(res)
      import
      integer(c_int64_t), value :: n
      integer(c_int64_t) :: res
    end function c_good_length
    function c_rounding_error_bound(precision, points) bind(C, &
        name='weft_rounding_error_bound') result(res)
      import
      integer(c_int), value :: precision
      integer(c_int64_t), value :: points
      real(c_double) :: res
    end function c_rounding_error_bound
    function c_plan_destroy(plan) bind(C, name='weft_plan_destroy') result(res)
      import
      type(c_ptr), intent(inout) :: plan
      integer(c_int) :: res
    end function c_plan_destroy
    function c_plan_test(plan, done) bind(C, name='weft_plan_test') result(res)
      import
      type(c_ptr), value :: plan
      integer(c_int), intent(out) :: done
      integer(c_int) :: res
    end function c_plan_test
    function c_plan_wait(plan) bind(C, name='weft_plan_wait') result(res)
      import
      type(c_ptr), value :: plan
      integer(c_int) :: res
    end function c_plan_wait
    function c_plan_input(plan, array) bind(C, name='weft_plan_input') result(res)
      import
      type(c_ptr), value :: plan
      type(c_local_array), intent(out) :: array
      integer(c_int) :: res
    end function c_plan_input
    function c_plan_output(plan, array) bind(C, name='weft_plan_output') result(res)
      import
      type(c_ptr), value :: plan
      type(c_local_array), intent(out) :: array
      integer(c_int) :: res
    end function c_plan_output
    function c_plan_get_info(plan, info) bind(C, name='weft_plan_get_info') result(res)
      import
      type(c_ptr), value :: plan
      type(c_ptr), intent(out) :: info
      integer(c_int) :: res
    end function c_plan_get_info
    function c_plan_describe(plan, text) bind(C, name='weft_plan_describe') result(res)
      import
      type(c_ptr), value :: plan
      type(c_ptr), intent(out) :: text
      integer(c_int) :: res
    end function c_plan_describe
    function c_plan_timings(plan, count, timings) bind(C, name='weft_plan_timings') result(res)
      import
      type(c_ptr), value :: plan
      integer(c_size_t), intent(out) :: count
      type(c_ptr), intent(out) :: timings
      integer(c_int) :: res
    end function c_plan_timings
    function c_plan_report(plan, report) bind(C, name='weft_plan_report') result(res)
      import
      type(c_ptr), value :: plan
      type(c_report), intent(out) :: report
      integer(c_int) :: res
    end function c_plan_report
    function c_plan_field_report(plan, field, report) bind(C, name='weft_plan_field_report') &
        result(res)
      import
      type(c_ptr), value :: plan
      integer(c_int64_t), value :: field
      type(c_report), intent(out) :: report
      integer(c_int) :: res
    end function c_plan_field_report
    function c_plan_transform(plan, transform) bind(C, name='weft_plan_transform') result(res)
      import
      type(c_ptr), value :: plan
      type(c_transform), intent(inout) :: transform
      integer(c_int) :: res
    end function c_plan_transform
    function c_halo_array(halo, array) bind(C, name='weft_halo_array') result(res)
      import
      type(c_ptr), value :: halo
      type(c_local_array), intent(out) :: array
      integer(c_int) :: res
    end function c_halo_array
    function c_halo_widths(halo, lower, upper) bind(C, name='weft_halo_widths') result(res)
      import
      type(c_ptr), value :: halo
      integer(c_int64_t), intent(out) :: lower(*), upper(*)
      integer(c_int) :: res
    end function c_halo_widths
    function c_halo_peers(halo, peers) bind(C, name='weft_halo_peers') result(res)
      import
      type(c_ptr), value :: halo
      integer(c_int), intent(out) :: peers
      integer(c_int) :: res
    end function c_halo_peers
    function c_halo_bytes_sent(halo, bytes) bind(C, name='weft_halo_bytes_sent') result(res)
      import
      type(c_ptr), value :: halo
      integer(c_int64_t), intent(out) :: bytes
      integer(c_int) :: res
    end function c_halo_bytes_sent
    function c_convolution_first(convolution, array) bind(C, &
        name='weft_convolution_first') result(res)
      import
      type(c_ptr), value :: convolution
      type(c_local_array), intent(out) :: array
      integer(c_int) :: res
    end function c_convolution_first
    function c_convolution_second(convolution, array) bind(C, &
        name='weft_convolution_second') result(res)
      import
      type(c_ptr), value :: convolution
      type(c_local_array), intent(out) :: array
      integer(c_int) :: res
    end function c_convolution_second
    function c_convolution_result(convolution, array) bind(C, &
        name='weft_convolution_result') result(res)
      import
      type(c_ptr), value :: convolution
      type(c_local_array), intent(out) :: array
      integer(c_int) :: res
    end function c_convolution_result
    function c_long_transform_begin(transform, number) bind(C, &
        name='weft_long_transform_begin') result(res)
      import
      type(c_ptr), value :: transform
      integer(c_int64_t), intent(out) :: number
      integer(c_int) :: res
    end function c_long_transform_begin
    function c_long_transform_size(transform, number) bind(C, &
        name='weft_long_transform_size') result(res)
      import
      type(c_ptr), value :: transform
      integer(c_int64_t), intent(out) :: number
      integer(c_int) :: res
    end function c_long_transform_size
    function c_long_transform_spectrum_size(transform, number) bind(C, &
        name='weft_long_transform_spectrum_size') result(res)
      import
      type(c_ptr), value :: transform
      integer(c_int64_t), intent(out) :: number
      integer(c_int) :: res
    end function c_long_transform_spectrum_size
    function c_long_transform_frequency(transform, position, frequency) bind(C, &
        name='weft_long_transform_frequency') result(res)
      import
      type(c_ptr), value :: transform
      integer(c_int64_t), value :: position
      integer(c_int64_t), intent(out) :: frequency
      integer(c_int) :: res
    end function c_long_transform_frequency
    function c_waves_create(plan, lengths, waves) bind(C, name='weft_wavenumbers_create') result(res)
      import
      type(c_ptr), value :: plan
      real(c_double), intent(in) :: lengths(*)
      type(c_ptr), intent(out) :: waves
      integer(c_int) :: res
    end function c_waves_create
    function c_waves_destroy(waves) bind(C, name='weft_wavenumbers_destroy') result(res)
      import
      type(c_ptr), intent(inout) :: waves
      integer(c_int) :: res
    end function c_waves_destroy
    function c_waves_numbers(waves, axis, count, first, any) bind(C, &
        name='weft_wavenumbers_numbers') result(res)
      import
      type(c_ptr), value :: waves
      integer(c_int), value :: axis
      integer(c_int64_t), intent(out) :: count
      type(c_ptr), intent(out) :: first, any
      integer(c_int) :: res
    end function c_waves_numbers
    function c_waves_derivative(waves, axis, function, user_data) bind(C, &
        name='weft_wavenumbers_derivative') result(res)
      import
      type(c_ptr), value :: waves
      integer(c_int), value :: axis
      type(c_funptr), intent(out) :: function
      type(c_ptr), intent(out) :: user_data
      integer(c_int) :: res
    end function c_waves_derivative
    function c_waves_laplacian(waves, function, user_data) bind(C, &
        name='weft_wavenumbers_laplacian') result(res)
      import
      type(c_ptr), value :: waves
      type(c_funptr), intent(out) :: function
      type(c_ptr), intent(out) :: user_data
      integer(c_int) :: res
    end function c_waves_laplacian
    function c_waves_inverse_laplacian(waves, function, user_data) bind(C, &
        name='weft_wavenumbers_inverse_laplacian') result(res)
      import
      type(c_ptr), value :: waves
      type(c_funptr), intent(out) :: function
      type(c_ptr), intent(out) :: user_data
      integer(c_int) :: res
    end function c_waves_inverse_laplacian
    function c_waves_filter(waves, response, response_data, function, user_data) bind(C, &
        name='weft_wavenumbers_filter') result(res)
      import
      type(c_ptr), value :: waves
      type(c_funptr), value :: response
      type(c_ptr), value :: response_data
      type(c_funptr), intent(out) :: function
      type(c_ptr), intent(out) :: user_data
      integer(c_int) :: res
    end function c_waves_filter
    function c_calculus_destroy(calculus) bind(C, name='weft_calculus_destroy') result(res)
      import
      type(c_ptr), intent(inout) :: calculus
      integer(c_int) :: res
    end function c_calculus_destroy
  end interface
end module weft_c_library
