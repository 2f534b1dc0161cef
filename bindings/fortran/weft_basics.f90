!> Names from text, addresses as text, wavenumbers and points, wisdom, version.
module weft_basics
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: int64, real64
  use weft_c
  use weft_constants
  use weft_errors, only: c_string, conclude, text_of
  use weft_numbering
  implicit none
  private
  public :: weft_version, weft_parse_kinds, weft_parse_precision, weft_parse_numbers
  public :: weft_parse_norm, weft_address
  public :: weft_wavenumber, weft_grid_point, weft_angular_wavenumber
  public :: weft_derivative_wavenumber, weft_good_length
  public :: weft_wisdom_path, weft_merge_wisdom, weft_forget_wisdom
  public :: weft_import_fftw_wisdom, weft_export_fftw_wisdom

  ! Where the points and coefficients of an axis of unit length are: a Fourier coefficient belongs
  ! to exp(2 pi i w x), that of a cosine or sine transform to cos(pi w x) or sin(pi w x), for
  ! wavenumber w and the points x.

  !> Wavenumber of coefficient k = 1, 2, ... of an axis with n points; of an axis that keeps n
  !> modes, of kept mode k. c2c: 0, 1, ..., -1; r2c, dct1, dct2: k - 1; dst1, dst2: k; types III and
  !> IV: k - 1/2; none: 0. NaN for an unknown kind.
  interface weft_wavenumber
    module procedure wavenumber_default, wavenumber_int64
  end interface weft_wavenumber

  !> Point j = 1, ..., n of n. Fourier, none and dct3: (j-1) / n; dct1: (j-1) / (n-1); dst1: j /
  !> (n+1); dst3: j / n; types II and IV: (j - 1/2) / n.
  interface weft_grid_point
    module procedure grid_point_default, grid_point_int64
  end interface weft_grid_point

  !> The angular wavenumber, 2 pi w / length or pi w / length, for an axis of this length. A second
  !> derivative multiplies by minus its square. For odd derivatives see weft_derivative_wavenumber.
  interface weft_angular_wavenumber
    module procedure angular_default, angular_int64
  end interface weft_angular_wavenumber

  !> The factor of a first derivative along an axis of this length. A Fourier coefficient is
  !> multiplied by i times this; for cosines and sines, cos(a x) becomes -a sin(a x), and sin(a x)
  !> becomes a cos(a x). It equals weft_angular_wavenumber, but is zero for the Nyquist mode, whose
  !> sign changes from point to point: the highest mode of c2c and r2c with an even number of
  !> points, the last one of dct1 and dst2. The grid has only its cosine (dst2: its sine), so that
  !> the odd derivatives of the smoothest function through the points vanish at every point. Even
  !> derivatives do not. `n` is the number of points of the axis, also if it keeps fewer modes; for
  !> c2c it is the number of modes kept. If that is even, the mode -n/2 has no opposite, and counts
  !> as the Nyquist mode of a grid of n points.
  interface weft_derivative_wavenumber
    module procedure derivative_default, derivative_int64
  end interface weft_derivative_wavenumber

  !> The smallest length of at least n that is a product of 2, 3, 5 and 7, for fast transforms.
  interface weft_good_length
    module procedure good_length_default, good_length_int64
  end interface weft_good_length

contains

  !> Version of the library: "major.minor.patch".
  function weft_version() result(text)
    character(:), allocatable :: text

    text = text_of(c_version())
  end function weft_version

  !> Reads kinds from text, one for each entry of `kinds`: "c2c" (every axis), "r2c" (the first
  !> axis, the others c2c), "none", or one name for each axis: "r2c,none,dct2".
  subroutine weft_parse_kinds(text, kinds, stat, errmsg)
    character(*), intent(in) :: text
    integer, intent(out) :: kinds(:)
    include 'stat_and_errmsg.inc'
    integer(c_int) :: list(weft_max_axes)
    integer :: status

    status = c_parse_kinds(c_string(text), size(kinds), list)
    if (status == weft_success) then
      kinds = list(1:size(kinds))
      ! One name for all axes halves the last one in C.
      if (trim(text) == 'r2c') kinds = list(size(kinds):1:-1)
    end if
    call conclude(status, stat, errmsg)
  end subroutine weft_parse_kinds

  !> "f32" or "f64": real32 or real64
  subroutine weft_parse_precision(text, precision, stat, errmsg)
    character(*), intent(in) :: text
    integer, intent(out) :: precision
    include 'stat_and_errmsg.inc'
    integer(c_int) :: number
    integer :: status

    status = c_parse_precision(c_string(text), number)
    if (status == weft_success) precision = precision_in_fortran(number)
    call conclude(status, stat, errmsg)
  end subroutine weft_parse_precision

  !> "automatic", "real" or "complex"
  subroutine weft_parse_numbers(text, numbers, stat, errmsg)
    character(*), intent(in) :: text
    integer, intent(out) :: numbers
    include 'stat_and_errmsg.inc'

    call conclude(c_parse_numbers(c_string(text), numbers), stat, errmsg)
  end subroutine weft_parse_numbers

  !> "backward", "ortho", "forward" or "none"
  subroutine weft_parse_norm(text, norm, stat, errmsg)
    character(*), intent(in) :: text
    integer, intent(out) :: norm
    include 'stat_and_errmsg.inc'

    call conclude(c_parse_norm(c_string(text), norm), stat, errmsg)
  end subroutine weft_parse_norm

  !> The address in a pointer, such as a cudaStream_t or hipStream_t, as options take it:
  !> 'device=cuda, stream=' // weft_address(stream).
  pure function weft_address(pointer) result(text)
    type(c_ptr), intent(in) :: pointer
    character(:), allocatable :: text
    character(18) :: written

    write (written, '("0x", z0)') transfer(pointer, 0_c_intptr_t)
    text = trim(written)
  end function weft_address

  !> The path of the file of wisdom: the environment variable WEFT_WISDOM, or else a file of this
  !> user. Empty: there is none.
  function weft_wisdom_path() result(path)
    character(:), allocatable :: path

    path = text_of(c_wisdom_path())
  end function weft_wisdom_path

  !> Adds the records of tuning and `weft limits` in one file of wisdom to another, by default to
  !> weft_wisdom_path(). Not collective.
  subroutine weft_merge_wisdom(from, into, stat, errmsg)
    character(*), intent(in) :: from
    character(*), intent(in), optional :: into
    include 'stat_and_errmsg.inc'
    character(:), allocatable :: file

    file = weft_wisdom_path()
    if (present(into)) file = into
    call conclude(c_merge_wisdom(c_string(from), c_string(file)), stat, errmsg)
  end subroutine weft_merge_wisdom

  !> Removes records with this text in their problem, machine or settings from a file, by default
  !> from weft_wisdom_path(). Not collective.
  subroutine weft_forget_wisdom(text, path, removed, stat, errmsg)
    character(*), intent(in) :: text
    character(*), intent(in), optional :: path
    integer(int64), intent(out), optional :: removed !< how many there were
    include 'stat_and_errmsg.inc'
    character(:), allocatable :: file
    integer(int64) :: count

    file = weft_wisdom_path()
    if (present(path)) file = path
    count = 0
    call conclude(c_forget_wisdom(c_string(text), c_string(file), count), stat, errmsg)
    if (present(removed)) removed = count
  end subroutine weft_forget_wisdom

  !> Imports FFTW's wisdom from a file, for all plans made afterwards with a rigor above estimate.
  !> Local to the calling process.
  subroutine weft_import_fftw_wisdom(path, precision, stat, errmsg)
    character(*), intent(in) :: path
    integer, intent(in) :: precision
    include 'stat_and_errmsg.inc'

    call conclude(c_import_fftw_wisdom(c_string(path), precision_in_c(precision)), stat, errmsg)
  end subroutine weft_import_fftw_wisdom

  !> Exports FFTW's wisdom to a file.
  subroutine weft_export_fftw_wisdom(path, precision, stat, errmsg)
    character(*), intent(in) :: path
    integer, intent(in) :: precision
    include 'stat_and_errmsg.inc'

    call conclude(c_export_fftw_wisdom(c_string(path), precision_in_c(precision)), stat, errmsg)
  end subroutine weft_export_fftw_wisdom

  real(real64) function wavenumber_int64(kind, k, n)
    integer, intent(in) :: kind
    integer(int64), intent(in) :: k, n

    wavenumber_int64 = c_wavenumber(int(kind, c_int), number_in_c(k), n)
  end function wavenumber_int64

  real(real64) function grid_point_int64(kind, j, n)
    integer, intent(in) :: kind
    integer(int64), intent(in) :: j, n

    grid_point_int64 = c_grid_point(int(kind, c_int), number_in_c(j), n)
  end function grid_point_int64

  real(real64) function angular_int64(kind, k, n, length)
    integer, intent(in) :: kind
    integer(int64), intent(in) :: k, n
    real(real64), intent(in) :: length

    angular_int64 = c_angular_wavenumber(int(kind, c_int), number_in_c(k), n, length)
  end function angular_int64

  real(real64) function derivative_int64(kind, k, n, length)
    integer, intent(in) :: kind
    integer(int64), intent(in) :: k, n
    real(real64), intent(in) :: length

    derivative_int64 = c_derivative_wavenumber(int(kind, c_int), number_in_c(k), n, length)
  end function derivative_int64

  include 'weft_basics_default.inc'

  integer function good_length_default(n)
    integer, intent(in) :: n

    good_length_default = int(c_good_length(int(n, int64)))
  end function good_length_default

  integer(int64) function good_length_int64(n)
    integer(int64), intent(in) :: n

    good_length_int64 = c_good_length(n)
  end function good_length_int64
end module weft_basics
