!> Checks of transforms against the exact ones.
module weft_verification
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: int64, real64
#ifdef WEFT_WITH_MPI_F08
  use mpi_f08, only: MPI_Comm
#endif
  use weft_arrays, only: array_from_c, array_in_c, weft_array
  use weft_c
  use weft_constants
  use weft_errors, only: conclude
  use weft_numbering
  use weft_plans, only: weft_plan
  implicit none
  private
  public :: weft_check, weft_fill_random, weft_transform_of, weft_rounding_error_bound

  !> Error of one transform against the exact one at a few random points of its result, by direct
  !> summation in extended precision.
  type, public :: weft_sampled_error
    real(real64) :: relative_l2 = 0 !< |computed - exact| / |exact|, over the sampled points
    real(real64) :: largest = 0     !< largest |computed - exact|; infinity where it is NaN
    integer :: samples = 0
  end type weft_sampled_error

  !> Describes a distributed transform of any library, to check its result. Entries beyond `axes`
  !> are ignored.
  type, public :: weft_transform
    integer :: axes = 0
    integer(int64) :: shape(weft_max_axes) = 0 !< lengths of the transforms, without the batch
    integer :: kinds(weft_max_axes) = weft_kind_c2c
    integer :: norm = weft_norm_backward
    integer(int64) :: batch = 1
    type(weft_array) :: physical !< this rank's array in physical space
    type(weft_array) :: spectral
    integer :: threads = 1 !< for the summation
    logical :: orthogonal = .false. !< weights of cosine and sine transforms
    integer(int64) :: input_points(weft_max_axes) = 0 !< that exist in physical space; all 0: all
    integer(int64) :: modes(weft_max_axes) = 0 !< modes that exist in spectral space; all 0: all
  end type weft_transform

  !> Collective. Compares a result with the exact transform:
  !>
  !>     call weft_check(plan, weft_direction_forward, u, uh, error)
  !>     call weft_check(transform, comm, weft_direction_forward, u, uh, error)
  !>
  !> The arrays are physical and spectral for weft_direction_forward, the other way round for
  !> weft_direction_backward. `seed` selects `samples` points; both must be equal on all ranks.
  interface weft_check
    module procedure check_plan, check_with_integer
#ifdef WEFT_WITH_MPI_F08
    module procedure check_with_f08
#endif
  end interface weft_check

contains

  subroutine check_plan(plan, direction, in, out, error, samples, seed, stat, errmsg)
    type(weft_plan), intent(in) :: plan
    integer, intent(in) :: direction
    type(*), dimension(..), intent(in) :: in, out
    type(weft_sampled_error), intent(out) :: error
    integer, intent(in), optional :: samples, seed
    include 'stat_and_errmsg.inc'
    type(c_sampled_error) :: told
    integer :: status

    status = weft_fortran_sampled_error(plan%get_handle(), direction, in, out, &
                                        samples_or_default(samples), seed_or_default(seed), told, &
                                        plan%get_dimensions())
    if (status == weft_success) error = error_from_c(told)
    call conclude(status, stat, errmsg)
  end subroutine check_plan

  subroutine check_with_integer(transform, comm, direction, in, out, error, samples, seed, stat, &
                                errmsg)
    type(weft_transform), intent(in) :: transform
    integer, intent(in) :: comm
    integer, intent(in) :: direction
    type(*), dimension(..), intent(in) :: in, out
    type(weft_sampled_error), intent(out) :: error
    integer, intent(in), optional :: samples, seed
    include 'stat_and_errmsg.inc'
    type(c_transform) :: converted
    type(c_sampled_error) :: told
    integer :: status

    call weft_fortran_transform_init(converted, transform%axes, transform%shape)
    converted%kinds = transform%kinds
    converted%norm = transform%norm
    converted%batch = transform%batch
    converted%physical = array_in_c(transform%physical)
    converted%spectral = array_in_c(transform%spectral)
    converted%threads = transform%threads
    converted%orthogonal = as_c_logical(transform%orthogonal)
    converted%input_points = transform%input_points
    converted%modes = transform%modes
    status = weft_fortran_check_transform(comm, converted, direction, in, &
                                          out, samples_or_default(samples), seed_or_default(seed), &
                                          told)
    if (status == weft_success) error = error_from_c(told)
    call conclude(status, stat, errmsg)
  end subroutine check_with_integer

#ifdef WEFT_WITH_MPI_F08
  include 'weft_verification_f08.inc'
#endif

  pure integer(c_int) function samples_or_default(samples)
    integer, intent(in), optional :: samples

    samples_or_default = 32
    if (present(samples)) samples_or_default = samples
  end function samples_or_default

  pure integer(c_int64_t) function seed_or_default(seed)
    integer, intent(in), optional :: seed

    seed_or_default = 1
    if (present(seed)) seed_or_default = seed
  end function seed_or_default

  pure type(weft_sampled_error) function error_from_c(told) result(error)
    type(c_sampled_error), intent(in) :: told

    error = weft_sampled_error(told%relative_l2, told%largest, told%samples)
  end function error_from_c

  !> The transform that a plan computes, with all that was left to defaults.
  function weft_transform_of(plan, stat, errmsg) result(transform)
    type(weft_plan), intent(in) :: plan
    include 'stat_and_errmsg.inc'
    type(weft_transform) :: transform
    type(c_transform) :: told
    type(c_dimensions) :: dimensions(2)
    integer :: status

    call weft_fortran_transform_init(told, 0, transform%shape)
    status = c_plan_transform(plan%get_handle(), told)
    call conclude(status, stat, errmsg)
    if (status /= weft_success) return
    transform%axes = told%axes
    transform%shape = told%shape
    transform%kinds = told%kinds
    transform%norm = told%norm
    transform%batch = told%batch
    dimensions = plan%get_dimensions()
    transform%physical = array_from_c(told%physical, dimensions(1))
    transform%spectral = array_from_c(told%spectral, dimensions(2))
    transform%threads = told%threads
    transform%orthogonal = told%orthogonal /= 0
    transform%input_points = told%input_points
    transform%modes = told%modes
  end function weft_transform_of

  !> Fills what this rank owns of the array of a plan, in physical space or (spectral) in spectral
  !> space, with numbers in [-1, 1) that depend on the seed and on the place in the global array
  !> only: not on layouts and ranks. The halo is left alone. Not collective.
  subroutine weft_fill_random(plan, array, seed, spectral, stat, errmsg)
    type(weft_plan), intent(in) :: plan
    type(*), dimension(..), intent(inout) :: array
    integer, intent(in), optional :: seed
    logical, intent(in), optional :: spectral
    include 'stat_and_errmsg.inc'
    integer(c_int) :: of_spectrum

    of_spectrum = 0
    if (present(spectral)) of_spectrum = as_c_logical(spectral)
    call conclude(weft_fortran_fill_random(plan%get_handle(), of_spectrum, array, &
                                           seed_or_default(seed), plan%get_dimensions()), stat, &
                  errmsg)
  end subroutine weft_fill_random

  !> Bound on the relative L2 error of a transform of so many points in the working precision,
  !> real32 or real64: 5 eps log2(points).
  real(real64) function weft_rounding_error_bound(precision, points)
    integer, intent(in) :: precision
    integer(int64), intent(in) :: points

    weft_rounding_error_bound = c_rounding_error_bound(precision_in_c(precision), points)
  end function weft_rounding_error_bound
end module weft_verification
