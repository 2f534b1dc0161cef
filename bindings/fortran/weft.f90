!> The Fortran interface of weft: spectral transforms of distributed arrays.
!>
!>     use weft
!>     type(weft_plan) :: plan
!>     type(weft_array) :: mine, modes
!>     call plan%create(MPI_COMM_WORLD, [nx, ny, nz], kinds=[weft_kind_r2c])
!>     mine = plan%input()
!>     modes = plan%output()
!>     allocate (u(mine%lower(1):mine%upper(1), mine%lower(2):mine%upper(2), &
!>                 mine%lower(3):mine%upper(3)))
!>     allocate (uh(modes%lower(1):modes%upper(1), modes%lower(2):modes%upper(2), &
!>                  modes%lower(3):modes%upper(3)))
!>     call plan%forward(u, uh)
!>     call plan%backward(uh, u)
!>     call plan%destroy()
!>
!> Axes, indices, ranges and memory are Fortran's: axis 1 is contiguous and is the one that r2c
!> halves, indices begin with 1 and ranges include both bounds. Every procedure takes `stat` and
!> `errmsg`; without `stat` an error ends the program, as with allocate.
module weft
  use weft_arrays, only: weft_array
  use weft_basics
  use weft_calculus_type, only: weft_calculus
  use weft_constants
  use weft_convolutions, only: weft_convolution
  use weft_errors, only: weft_error_message
  use weft_halos, only: weft_halo
  use weft_layouts, only: weft_box, weft_boxes, weft_brick, weft_form_default, weft_grid, &
    weft_layout, weft_layout_of_array, weft_parse_layout, weft_pencil_along, weft_slab_split
  use weft_lines, only: weft_function, weft_line, weft_line_procedure, &
    weft_line_procedure_with_data, weft_values, weft_wrong_type
  use weft_long_transforms, only: weft_long_transform
  use weft_plans, only: weft_plan, weft_work
  use weft_problems, only: weft_problem
  use weft_reports, only: weft_plan_choice, weft_plan_info, weft_redistribution_report, &
    weft_report, weft_stage_parts, weft_stage_timing
  use weft_responses, only: weft_response, weft_response_procedure, &
    weft_response_procedure_with_data
  use weft_shell_spectra, only: weft_shell_spectrum
  use weft_traces, only: weft_trace, weft_trace_span
  use weft_verification
  use weft_wavenumbers_type, only: weft_wavenumbers
  implicit none
  public
end module weft
