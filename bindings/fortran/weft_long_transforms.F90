!> Distributed 1-D FFTs.
module weft_long_transforms
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: int64, real64
#ifdef WEFT_WITH_MPI_F08
  use mpi_f08, only: MPI_Comm
#endif
  use weft_c
  use weft_constants
  use weft_errors, only: c_string, conclude
  use weft_handles, only: owned_handle
  use weft_numbering
  implicit none
  private

  !> A distributed 1-D FFT, a complex Fourier transform of one vector that is spread over all ranks,
  !> with indices from 0: X[k] = sum over j of x[j] exp(-2 pi i j k / n). Collective like a plan,
  !> with the same guarantees.
  type, public :: weft_long_transform
    private
    type(owned_handle) :: handle
    integer(c_int) :: precision = weft_precision_f64
  contains
    procedure, private :: create_with_integer
#ifdef WEFT_WITH_MPI_F08
    procedure, private :: create_with_f08
    generic :: create => create_with_f08
#endif
    generic :: create => create_with_integer
    procedure :: destroy
    procedure :: forward
    procedure :: backward
    procedure :: lower
    procedure :: upper
    procedure :: size => size_of_vector
    procedure :: spectrum_size
    procedure :: frequency
  end type weft_long_transform

contains

  !> Makes a transform of a vector of any length, of complex numbers of kind real32 or real64.
  !> `order` is that of the coefficients: weft_long_order_natural or weft_long_order_transposed.
  !> `options` are those of plans.
  subroutine create_with_integer(self, comm, length, order, precision, norm, options, stat, errmsg)
    class(weft_long_transform), intent(inout) :: self
    integer(int64), intent(in) :: length
    integer, intent(in) :: comm
    integer, intent(in), optional :: order, precision, norm
    character(*), intent(in), optional :: options
    include 'stat_and_errmsg.inc'
    type(c_long_problem) :: problem

    call weft_fortran_long_problem_init(problem, length)
    if (present(order)) problem%order = order
    if (present(precision)) problem%precision = precision_in_c(precision)
    if (present(norm)) problem%norm = norm
    call self%destroy()
    self%precision = problem%precision
    call conclude(weft_fortran_long_create(comm, problem, c_string(options), self%handle%to), &
                  stat, errmsg)
  end subroutine create_with_integer

#ifdef WEFT_WITH_MPI_F08
  include 'weft_long_transforms_f08.inc'
#endif

  !> Does nothing if it does not exist.
  subroutine destroy(self, stat, errmsg)
    class(weft_long_transform), intent(inout) :: self
    include 'stat_and_errmsg.inc'

    call conclude(weft_fortran_long_destroy(self%handle%to), stat, errmsg)
  end subroutine destroy

  subroutine forward(self, in, out, stat, errmsg)
    class(weft_long_transform), intent(in) :: self
    include 'in_and_out.inc'
    include 'stat_and_errmsg.inc'

    call conclude(weft_fortran_long_run(self%handle%to, weft_direction_forward, self%precision, &
                                        in, out), stat, errmsg)
  end subroutine forward

  subroutine backward(self, in, out, stat, errmsg)
    class(weft_long_transform), intent(in) :: self
    include 'in_and_out.inc'
    include 'stat_and_errmsg.inc'

    call conclude(weft_fortran_long_run(self%handle%to, weft_direction_backward, self%precision, &
                                        in, out), stat, errmsg)
  end subroutine backward

  !> This rank has the elements lower() to upper() of the vector, counted from 1.
  function lower(self, stat, errmsg) result(number)
    class(weft_long_transform), intent(in) :: self
    include 'stat_and_errmsg.inc'
    integer(int64) :: number
    integer(c_int64_t) :: begin

    number = 1
    call conclude(c_long_transform_begin(handle_of(self), begin), stat, errmsg)
    number = number_in_fortran(begin)
  end function lower

  function upper(self, stat, errmsg) result(number)
    class(weft_long_transform), intent(in) :: self
    include 'stat_and_errmsg.inc'
    integer(int64) :: number

    number = self%lower(stat, errmsg) + self%size(stat, errmsg) - 1
  end function upper

  function size_of_vector(self, stat, errmsg) result(number)
    class(weft_long_transform), intent(in) :: self
    include 'stat_and_errmsg.inc'
    integer(int64) :: number

    number = 0
    call conclude(c_long_transform_size(handle_of(self), number), stat, errmsg)
  end function size_of_vector

  !> Number of coefficients on this rank.
  function spectrum_size(self, stat, errmsg) result(number)
    class(weft_long_transform), intent(in) :: self
    include 'stat_and_errmsg.inc'
    integer(int64) :: number

    number = 0
    call conclude(c_long_transform_spectrum_size(handle_of(self), number), stat, errmsg)
  end function spectrum_size

  !> The frequency, counted from 0, of the coefficient at a position, counted from 1, of this rank's
  !> array.
  function frequency(self, position, stat, errmsg) result(k)
    class(weft_long_transform), intent(in) :: self
    integer(int64), intent(in) :: position
    include 'stat_and_errmsg.inc'
    integer(int64) :: k

    k = 0
    call conclude(c_long_transform_frequency(handle_of(self), number_in_c(position), k), stat, &
                  errmsg)
  end function frequency

  type(c_ptr) function handle_of(self)
    class(weft_long_transform), intent(in) :: self

    handle_of = weft_fortran_long_handle(self%handle%to)
  end function handle_of
end module weft_long_transforms
