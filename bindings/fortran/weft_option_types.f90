!> How transforms are carried out.
module weft_option_types
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: int64, real64
  use weft_c_types, only: c_options
  use weft_constants
  use weft_errors, only: c_string
  use weft_numbering, only: as_c_logical
  implicit none
  private
  public :: options_in_c

  integer, parameter, public :: weft_name_length = 64

  !> None of these changes the result beyond rounding, but for `codec` and `tolerance`. To be made
  !> with the options that differ from the defaults: `weft_options(chunks=2, threads=1)`.
  type, public :: weft_options
    integer :: algorithm = weft_algorithm_automatic
    integer :: grid(2) = 0 !< process grid of pencils; 0: near-square
    !> A name of `weft list`, with its parameter if it has one: "node_aware:2". "auto" is
    !> node_shared where ranks share a node and data is not compressed; otherwise alltoallv, or p2p
    !> where chunks or fields are to overlap. On devices it is peer where all ranks are on one
    !> machine (peer_packed where data is compressed), otherwise nccl, where built in, or staged.
    character(weft_name_length) :: exchange = 'auto'
    !> Library for local transforms, a name of `weft list`.
    character(weft_name_length) :: local = 'auto'
    logical :: reorder = .false. !< tiles are transposed so that transformed lines are contiguous
    logical :: overwrite_input = .false. !< allows transforms to overwrite their input
    integer :: rigor = weft_estimate
    !> Of this rank, at most 4096; 0: OMP_NUM_THREADS, else the cores divided by the ranks.
    integer :: threads = 0
    integer(int64) :: tile_bytes = 0    !< of cache-resident tiles; 0: from this machine's cache
    integer(int64) :: stream_bytes = -1 !< larger arrays are written past the cache; -1: by machine
    !> How packed messages are compressed: a name of `weft list` with its parameter, as "bfp:16", or
    !> "none". "auto" follows from the tolerance. On devices there are bfp, trim and cast.
    character(weft_name_length) :: codec = 'auto'
    !> Relative L2 error, less than 1, that a transform may have; 0: messages are not compressed for
    !> a tolerance. The error is measured in every run, and messages that would exceed their share
    !> are sent again with more bits; see the report of a plan.
    real(real64) :: tolerance = 0
    !> Parts in which what a rank sends leaves, and what it receives arrives; 0: by the library.
    integer(int64) :: chunks = 0
    !> Of what it receives in forward, and sends in backward; 0: as many.
    integer(int64) :: receive_chunks = 0
    integer :: fields_in_flight = 1 !< fields that forward_many keeps under way at a time
    integer :: progress = weft_polling
    integer(int64) :: mpi_count_limit = 2147483647 !< largest count handed to MPI in one argument
    !> "host", or an accelerator whose memory arrays are: "cuda" or "hip", where built in.
    character(weft_name_length) :: device = 'host'
    integer :: device_number = -1 !< of this process's devices; -1: by the rank's number on its node
    type(c_ptr) :: stream = c_null_ptr !< cudaStream_t or hipStream_t; null: the default stream
  end type weft_options

  !> Names that a struct of C refers to.
  type, public :: option_names
    character(kind=c_char) :: exchange(weft_name_length + 1)
    character(kind=c_char) :: local(weft_name_length + 1)
    character(kind=c_char) :: codec(weft_name_length + 1)
    character(kind=c_char) :: device(weft_name_length + 1)
  end type option_names

contains

  !> `names` must stay as long as the struct does.
  subroutine options_in_c(options, converted, names)
    type(weft_options), intent(in), optional :: options
    type(c_options), intent(out) :: converted
    type(option_names), intent(out), target :: names
    type(weft_options) :: given

    if (present(options)) given = options
    converted%struct_size = c_sizeof(converted)
    converted%algorithm = given%algorithm
    converted%grid = given%grid
    converted%exchange = kept(given%exchange, names%exchange)
    converted%local = kept(given%local, names%local)
    converted%reorder = as_c_logical(given%reorder)
    converted%overwrite_input = as_c_logical(given%overwrite_input)
    converted%rigor = given%rigor
    converted%threads = given%threads
    converted%tile_bytes = given%tile_bytes
    converted%stream_bytes = given%stream_bytes
    converted%codec = kept(given%codec, names%codec)
    converted%tolerance = given%tolerance
    converted%chunks = given%chunks
    converted%receive_chunks = given%receive_chunks
    converted%fields_in_flight = given%fields_in_flight
    converted%progress = given%progress
    converted%mpi_count_limit = given%mpi_count_limit
    converted%device = kept(given%device, names%device)
    converted%device_number = given%device_number
    converted%stream = given%stream
  end subroutine options_in_c

  type(c_ptr) function kept(name, place)
    character(*), intent(in) :: name
    character(kind=c_char), intent(out), target :: place(:)

    place(1:len_trim(name) + 1) = c_string(name)
    kept = c_loc(place)
  end function kept
end module weft_option_types
