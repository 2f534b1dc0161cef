!> Names for what is done along an axis, how results are scaled, and the like.
module weft_constants
  implicit none
  private

  !> Largest number of axes of an array.
  integer, parameter, public :: weft_max_axes = 6

  ! What `stat` is after a call; `errmsg` tells what went wrong. An error of a collective procedure
  ! comes on every rank, with the same text, and then no output was written.
  integer, parameter, public :: weft_success = 0 !< all is well
  !> An argument makes no sense, or the call does not at this time.
  integer, parameter, public :: weft_error_argument = 1
  integer, parameter, public :: weft_error_unsupported = 2 !< this build or machine cannot do it
  integer, parameter, public :: weft_error_memory = 3      !< there is not enough memory
  integer, parameter, public :: weft_error_mpi = 4         !< a call of MPI failed
  integer, parameter, public :: weft_error_device = 5      !< a call of a device's libraries failed
  integer, parameter, public :: weft_error_file = 6        !< a file cannot be read or written
  integer, parameter, public :: weft_error_callback = 7    !< a procedure of the caller failed
  !> The object has not been created, or was destroyed: the only error of a collective procedure
  !> that other ranks do not learn of.
  integer, parameter, public :: weft_error_not_created = 8

  ! Kinds: what is done along one axis.
  integer, parameter, public :: weft_kind_none = 0 !< the axis is not transformed
  integer, parameter, public :: weft_kind_c2c = 1  !< complex; exp(-2 pi i j k / n) forward
  integer, parameter, public :: weft_kind_r2c = 2  !< of real data; n/2+1 coefficients are kept
  ! Cosine and sine transforms of types I to IV with the weights of scipy.fft.dct and dst, which are
  ! those of FFTW's r2r kinds; of complex data the real and the imaginary part each for itself.
  ! Types II and III are each other's inverse.
  integer, parameter, public :: weft_kind_dct1 = 3  !< FFTW's REDFT00, of at least 2 points
  integer, parameter, public :: weft_kind_dct2 = 4  !< FFTW's REDFT10
  integer, parameter, public :: weft_kind_dct3 = 5  !< FFTW's REDFT01
  integer, parameter, public :: weft_kind_dct4 = 6  !< FFTW's REDFT11
  integer, parameter, public :: weft_kind_dst1 = 7  !< FFTW's RODFT00
  integer, parameter, public :: weft_kind_dst2 = 8  !< FFTW's RODFT10
  integer, parameter, public :: weft_kind_dst3 = 9  !< FFTW's RODFT01
  integer, parameter, public :: weft_kind_dst4 = 10 !< FFTW's RODFT11

  ! Numbers of the array in physical space.
  !> Real where a kind is r2c, or where there are cosine and sine transforms and no c2c; otherwise
  !> complex.
  integer, parameter, public :: weft_numbers_automatic = 0
  integer, parameter, public :: weft_numbers_real = 1    !< in physical space
  integer, parameter, public :: weft_numbers_complex = 2 !< in physical space, and so in spectral space

  ! Scaling, with N the number of points transformed together (for cosine and sine transforms that
  ! of the Fourier transforms they are parts of: 2n, dct1 2(n-1), dst1 2(n+1)).
  integer, parameter, public :: weft_norm_backward = 0 !< forward 1, backward 1/N: the default
  integer, parameter, public :: weft_norm_ortho = 1    !< both 1/sqrt(N)
  integer, parameter, public :: weft_norm_forward = 2  !< forward 1/N, backward 1
  !> Both 1, as of FFTW: backward of forward is N times the input.
  integer, parameter, public :: weft_norm_none = 3

  integer, parameter, public :: weft_direction_forward = 0  !< direction: from physical to spectral space
  integer, parameter, public :: weft_direction_backward = 1 !< direction: from spectral to physical space

  ! Forms of layouts: which points each rank owns.
  integer, parameter, public :: weft_form_default = -1 !< slabs; of outputs: as the input
  integer, parameter, public :: weft_form_as_input = 0 !< of outputs
  integer, parameter, public :: weft_form_slab = 1     !< one axis is split
  integer, parameter, public :: weft_form_pencil = 2   !< one axis is whole, two are split
  integer, parameter, public :: weft_form_brick = 3    !< three axes are split
  integer, parameter, public :: weft_form_grid = 4     !< so many parts along each axis
  integer, parameter, public :: weft_form_boxes = 5    !< a box for each rank
  integer, parameter, public :: weft_form_own_box = 6  !< the box of the calling rank

  integer, parameter, public :: weft_split_balanced = 0 !< split: sizes differ by at most one
  integer, parameter, public :: weft_split_block = 1    !< split by FFTW's rule: blocks of ceil(n/p)

  ! Lanes of a timeline: what does the work of a span, or waits.
  integer, parameter, public :: weft_lane_run = 0      !< a whole transform of a field
  integer, parameter, public :: weft_lane_compute = 1  !< passes over memory
  integer, parameter, public :: weft_lane_send = 2     !< sends to other ranks
  integer, parameter, public :: weft_lane_own = 3      !< a device copies what stays on the rank
  integer, parameter, public :: weft_lane_wait = 4     !< nothing can go on before messages are here
  integer, parameter, public :: weft_lane_messages = 5 !< messages of the host are under way
  integer, parameter, public :: weft_lane_host = 6     !< the host submits work to a device's streams

  ! Order of the coefficients of a long transform.
  integer, parameter, public :: weft_long_order_natural = 0    !< contiguous blocks, of other sizes than the input's
  integer, parameter, public :: weft_long_order_transposed = 1 !< as they come: one redistribution less
end module weft_constants
