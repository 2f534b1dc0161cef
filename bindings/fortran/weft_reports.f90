!> What plans tell of their last run.
module weft_reports
  use, intrinsic :: iso_fortran_env, only: int64, real64
  implicit none
  private

  !> Time and traffic of one step of a plan, on this rank.
  type, public :: weft_stage_timing
    character(:), allocatable :: name
    real(real64) :: seconds = 0 !< in the last run
    integer(int64) :: bytes = 0 !< of a pass over memory: read and written; of an exchange: sent
    !> Whether the step moves data between ranks: an exchange. With node_shared the pass before it
    !> stores straight into the memory of ranks of the same node; of those the wait is left.
    logical :: moves_data = .false.
  end type weft_stage_timing

  !> What compression did to one redistribution of the last transform. Errors are relative L2 errors
  !> over all ranks, bytes those that this rank sent to others.
  type, public :: weft_redistribution_report
    character(:), allocatable :: codec !< "none" where the data went uncompressed
    real(real64) :: predicted_error = 0 !< by the model, for white data
    real(real64) :: error = 0           !< measured while encoding
    integer(int64) :: bytes = 0         !< sent, all attempts together
    integer(int64) :: plain_bytes = 0   !< what they would have been uncompressed
    integer :: repeated = 0       !< attempts whose error was more than this stage's share
    logical :: broken = .false.   !< data had Inf or NaN, or more range than the codec
  end type weft_redistribution_report

  !> What compression did in the last transform. The squares of the errors of all redistributions
  !> add up. Rounding of the transforms is not included.
  type, public :: weft_report
    real(real64) :: tolerance = 0 !< 0: none
    real(real64) :: predicted_error = 0
    real(real64) :: error = 0
    integer(int64) :: bytes = 0
    integer(int64) :: plain_bytes = 0
    type(weft_redistribution_report), allocatable :: redistributions(:)
    character(:), allocatable :: text !< a line for each redistribution, and one for all
  end type weft_report
end module weft_reports
