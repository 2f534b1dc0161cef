!> Names for what is done along an axis, how results are scaled, and the like.
module weft_constants
  use, intrinsic :: iso_fortran_env, only: int64, real32, real64
  implicit none
  private

  !> Largest number of axes of an array.
  integer, parameter, public :: weft_max_axes = 6

  !> @name Status
  !> What `stat` is after a call; `errmsg` tells what went wrong. An error of a collective procedure
  !> comes on every rank, with the same text, and then no output was written.
  !> @{
  integer, parameter, public :: weft_success = 0
  !> Bad arguments, failed MPI calls, memory that is not there.
  integer, parameter, public :: weft_error = 1
  !> The object has not been created, or was destroyed: the only error of a collective procedure
  !> that other ranks do not learn of.
  integer, parameter, public :: weft_not_created = 2
  !> @}

  !> @name Kinds
  !> What is done along one axis.
  !> @{
  integer, parameter, public :: weft_none = 0 !< the axis is not transformed
  integer, parameter, public :: weft_c2c = 1  !< complex; exp(-2 pi i j k / n) forward
  integer, parameter, public :: weft_r2c = 2  !< of real data; n/2+1 coefficients are kept
  ! Cosine and sine transforms of types I to IV with the weights of scipy.fft.dct and dst, which are
  ! those of FFTW's r2r kinds REDFT and RODFT; of complex data the real and the imaginary part each
  ! for itself. Types II and III are each other's inverse.
  integer, parameter, public :: weft_dct1 = 3 !< REDFT00, of at least 2 points
  integer, parameter, public :: weft_dct2 = 4 !< REDFT10
  integer, parameter, public :: weft_dct3 = 5 !< REDFT01
  integer, parameter, public :: weft_dct4 = 6 !< REDFT11
  integer, parameter, public :: weft_dst1 = 7 !< RODFT00
  integer, parameter, public :: weft_dst2 = 8 !< RODFT10
  integer, parameter, public :: weft_dst3 = 9 !< RODFT01
  integer, parameter, public :: weft_dst4 = 10 !< RODFT11
  !> @}

  !> @name Numbers
  !> Of the array in physical space. Automatic: real where a kind is r2c, or where all kinds are
  !> cosine and sine transforms and `none`; otherwise complex.
  !> @{
  integer, parameter, public :: weft_automatic = 0
  integer, parameter, public :: weft_real = 1
  integer, parameter, public :: weft_complex = 2
  !> @}

  !> @name Scaling
  !> With N the number of points transformed together (for cosine and sine transforms that of the
  !> Fourier transforms they are parts of: 2n, dct1 2(n-1), dst1 2(n+1)): backward, the default:
  !> forward 1, backward 1/N; ortho: both 1/sqrt(N); forward: forward 1/N, backward 1.
  !> @{
  integer, parameter, public :: weft_norm_backward = 0
  integer, parameter, public :: weft_norm_ortho = 1
  integer, parameter, public :: weft_norm_forward = 2
  !> @}

  !> @name Directions
  !> @{
  integer, parameter, public :: weft_forward = 0
  integer, parameter, public :: weft_backward = 1
  !> @}

  !> @name Forms of layouts
  !> Which points each rank owns.
  !> @{
  integer, parameter, public :: weft_form_default = -1 !< slabs; outputs: like the input
  integer, parameter, public :: weft_form_as_input = 0
  integer, parameter, public :: weft_form_slab = 1
  integer, parameter, public :: weft_form_pencil = 2
  integer, parameter, public :: weft_form_brick = 3
  integer, parameter, public :: weft_form_grid = 4
  integer, parameter, public :: weft_form_boxes = 5
  integer, parameter, public :: weft_form_own_box = 6
  !> @}

  !> @name Splits
  !> How one axis is divided into parts.
  !> @{
  integer, parameter, public :: weft_balanced = 0 !< sizes differ by at most one, larger parts first
  integer, parameter, public :: weft_block = 1    !< FFTW's rule: blocks of ceil(n/p)
  !> @}

  !> @name Intermediate layouts that the planner may use
  !> @{
  integer, parameter, public :: weft_algorithm_automatic = 0
  integer, parameter, public :: weft_algorithm_slab = 1
  integer, parameter, public :: weft_algorithm_pencil = 2
  !> @}

  !> @name Time that a local FFT library may spend on planning
  !> @{
  integer, parameter, public :: weft_estimate = 0
  integer, parameter, public :: weft_measure = 1
  integer, parameter, public :: weft_patient = 2
  !> @}

  !> @name How messages are kept moving while a rank computes
  !> @{
  integer, parameter, public :: weft_polling = 0 !< MPI is called between tiles of the computation
  integer, parameter, public :: weft_thread = 1  !< by a thread, which needs MPI_THREAD_MULTIPLE
  !> @}

  !> @name Order of the coefficients of a long transform
  !> @{
  integer, parameter, public :: weft_natural = 0    !< like the input: contiguous blocks
  integer, parameter, public :: weft_transposed = 1 !< as they come: one redistribution less
  !> @}
end module weft_constants
