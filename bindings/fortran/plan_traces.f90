!> Timelines of plans.
submodule(weft_plans) plan_traces
  use weft_c, only: c_trace, c_trace_span, weft_fortran_start_trace, weft_fortran_stop_trace, &
    weft_fortran_write_trace
  use weft_errors, only: c_string, conclude, text_of, translated
  use weft_numbering, only: number_in_fortran
  implicit none

contains

  module procedure start_trace
    call conclude(weft_fortran_start_trace(self%handle%to), stat, errmsg)
  end procedure start_trace

  module procedure stop_trace
    type(c_trace) :: told
    integer :: status

    if (present(trace)) allocate (trace%spans(0))
    status = weft_fortran_stop_trace(self%handle%to, told)
    if (status == weft_success .and. present(trace)) call copy(told, trace)
    call conclude(status, stat, errmsg)
  end procedure stop_trace

  module procedure write_trace
    call conclude(weft_fortran_write_trace(self%handle%to, c_string(path)), stat, errmsg)
  end procedure write_trace

  subroutine copy(told, trace)
    type(c_trace), intent(in) :: told
    type(weft_trace), intent(inout) :: trace
    type(c_trace_span), pointer :: spans(:)
    integer :: i

    trace%ranks = told%ranks
    trace%uncertainty = told%uncertainty
    trace%exchange_seconds = told%exchange_seconds
    trace%hidden_seconds = told%hidden_seconds
    if (told%span_count == 0) return
    call c_f_pointer(told%spans, spans, [told%span_count])
    deallocate (trace%spans)
    allocate (trace%spans(size(spans)))
    do i = 1, size(spans)
      associate (span => trace%spans(i))
        span%rank = spans(i)%rank
        span%place = spans(i)%place + 1
        span%lane = spans(i)%lane
        span%direction = spans(i)%direction
        span%name = translated(spans(i)%name)
        span%detail = text_of(spans(i)%detail)
        span%run = number_in_fortran(spans(i)%run)
        span%field = number_in_fortran(spans(i)%field)
        span%chunk = number_in_fortran(spans(i)%chunk)
        span%begin = spans(i)%begin
        span%end = spans(i)%end
      end associate
    end do
  end subroutine copy
end submodule plan_traces
