!> Timelines: what every rank does when.
module weft_traces
  use, intrinsic :: iso_fortran_env, only: int64, real64
  implicit none
  private

  !> A span: what a rank did from `begin` to `end`, in seconds since the start of the trace.
  type, public :: weft_trace_span
    integer :: rank = 0       !< whose, from 0 as in MPI
    integer :: place = 1      !< among the fields in flight
    integer :: lane = 0       !< what did it: weft_lane_run, ...
    integer :: direction = 0  !< of the transform
    character(:), allocatable :: name   !< of the step, as in timings, or the direction
    character(:), allocatable :: detail !< of several spans of a step, which; may be empty
    integer(int64) :: run = 1   !< calls of the plan since the start of the trace
    integer(int64) :: field = 1 !< of forward_many and backward_many
    integer(int64) :: chunk = 1 !< of a step that is cut into chunks
    real(real64) :: begin = 0   !< in seconds
    real(real64) :: end = 0     !< in seconds
  end type weft_trace_span

  !> What all ranks did while a trace was recorded. Only rank 0 knows the spans, and the seconds
  !> that follow from them; the others have none.
  type, public :: weft_trace
    integer :: ranks = 0 !< that took part
    !> Uncertainty, in seconds, of times of different ranks, and of host and device of a rank, when
    !> the trace starts; clocks drift apart by some microseconds in a second.
    real(real64) :: uncertainty = 0
    !> In which exchanges are under way (lanes send, own, wait and messages); sum over ranks.
    real(real64) :: exchange_seconds = 0
    real(real64) :: hidden_seconds = 0 !< of these, in which a pass of the rank is at work too
    type(weft_trace_span), allocatable :: spans(:) !< of all ranks
  end type weft_trace
end module weft_traces
