!> Information about plans and their last run.
module weft_reports
  use, intrinsic :: iso_fortran_env, only: int64, real64
  implicit none
  private

  !> The value of an option, and the reason for it.
  type, public :: weft_plan_choice
    character(:), allocatable :: option !< name, such as "exchange"
    character(:), allocatable :: value  !< what the plan uses, such as "node_shared:alltoallv"
    !> "given", "default", the environment variable, such as "WEFT_EXCHANGE", or the library's
    !> reason.
    character(:), allocatable :: why
  end type weft_plan_choice

  !> Settings that were tried while a plan was created (option tune).
  type, public :: weft_plan_trial
    character(:), allocatable :: settings   !< options as text; empty: the defaults
    real(real64) :: predicted_seconds = 0   !< of forward and backward together
    real(real64) :: seconds = 0 !< of both, measured, of the slowest rank; 0: could not be tried
    real(real64) :: share = 0   !< time as a share of that of the defaults, from runs in turn
    character(:), allocatable :: remark !< empty, "gave up", or why it could not be tried
    logical :: chosen = .false.         !< whether the plan uses them
  end type weft_plan_trial

  !> The properties and the cost of a plan, on this rank. They do not change while the plan exists.
  type, public :: weft_plan_info
    integer(int64), allocatable :: shape(:) !< lengths of the transforms
    integer, allocatable :: kinds(:)        !< one for each axis
    integer(int64), allocatable :: input_points(:) !< along each axis, in physical space
    integer(int64), allocatable :: modes(:) !< along each axis, in spectral space
    integer :: norm = 0
    logical :: orthogonal = .false. !< cosine and sine transforms have orthogonal matrices
    integer(int64) :: batch = 1     !< fields transformed together
    character(:), allocatable :: exchange !< name of the exchange
    character(:), allocatable :: local    !< backend for 1-D FFTs
    character(:), allocatable :: device   !< 'host', or as in the option device
    integer :: device_number = -1   !< number of the device in this process, from 0; -1 on the host
    integer :: threads = 1
    integer(int64) :: chunks = 1    !< largest number of chunks that a rank sends in forward
    integer(int64) :: receive_chunks = 1 !< largest number of chunks that it receives
    type(weft_plan_choice), allocatable :: choices(:) !< of all options
    type(weft_plan_trial), allocatable :: trials(:) !< the defaults first; empty unless tuned
    integer(int64) :: workspace_bytes = 0 !< of this rank, exactly
    integer(int64) :: shared_bytes = 0    !< additional memory that other ranks write to
    integer(int64) :: bytes_sent = 0      !< that this rank sends to others in one forward
    real(real64) :: predicted_seconds = 0 !< of one forward, by the cost model
    character(:), allocatable :: text     !< all of this as readable text
  end type weft_plan_info

  !> The parts of the time of a step, in seconds; all zero without the option "breakdown". For a
  !> pass with several threads they are means over the threads. The copies also scale and transpose.
  type, public :: weft_stage_parts
    real(real64) :: unpack = 0    !< copies from messages, or the input, into tiles
    real(real64) :: decode = 0    !< copies from compressed messages into tiles
    real(real64) :: transform = 0 !< of tiles; it may read the input and write the result itself
    real(real64) :: callback = 0  !< callbacks
    real(real64) :: encode = 0    !< copies of tiles into compressed messages
    real(real64) :: pack = 0      !< copies of tiles into messages, or the result
    real(real64) :: exchange = 0  !< calls that start messages, or keep them moving between tiles
    real(real64) :: wait = 0      !< for messages; packing again those whose error was too large
  end type weft_stage_parts

  !> Time and traffic of one step of a plan, on this rank.
  type, public :: weft_stage_timing
    character(:), allocatable :: name
    real(real64) :: seconds = 0 !< in the last run
    integer(int64) :: bytes = 0 !< of a pass over memory: read and written; of an exchange: sent
    !> Whether the step moves data between ranks: an exchange. With node_shared the pass before it
    !> stores straight into the memory of ranks on the same node, and the exchange only waits for
    !> them.
    logical :: moves_data = .false.
    type(weft_stage_parts) :: parts !< the parts of `seconds`
  end type weft_stage_timing

  !> The effect of compression on one redistribution of the last transform. Errors are relative L2
  !> errors over all ranks, bytes those that this rank sent to others.
  type, public :: weft_redistribution_report
    character(:), allocatable :: codec !< "none" if the data was sent uncompressed
    real(real64) :: predicted_error = 0 !< by the model, for white data
    real(real64) :: error = 0           !< measured while encoding
    integer(int64) :: bytes = 0         !< sent, all attempts together
    integer(int64) :: plain_bytes = 0   !< size without compression
    integer :: repeated = 0       !< attempts that exceeded this stage's share of the error
    logical :: broken = .false.   !< data had Inf or NaN, or more range than the codec
  end type weft_redistribution_report

  !> The effect of compression in the last transform. The squares of the errors of all
  !> redistributions add up. Rounding errors of the transforms are not included.
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
