!> Energy spectra of fields.
module weft_shell_spectra
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: real64
  use weft_c
  use weft_constants, only: weft_success
  use weft_errors, only: c_string, conclude, expect_count
  use weft_plans, only: weft_plan
  implicit none
  private
  public :: weft_shell_spectrum

contains

  !> The energy spectrum of fields, such as the components of a velocity, whose coefficients are in
  !> spectral space of a plan: energy(s) = 1/2 sum over fields (those of a batch too) and over the
  !> modes with (s - 1/2) width <= |k| < (s + 1/2) width of |u_k|^2, s = 0, 1, ..., in double
  !> precision. Collective; every rank gets the same numbers.
  !>
  !>     call weft_shell_spectrum(plan, uh, [lx, ly, lz], energy, k)
  !>
  !> u_k is the amplitude of the wave exp(i k x) in the field, whatever the norm of the plan. A
  !> coefficient of r2c counts twice unless that of -k is stored too. So, by Parseval's theorem,
  !> sum(energy) is half of the mean of u^2 over the points in physical space: over all of the
  !> shape, zeros of a padded input included; if modes are truncated, of the field without them. The
  !> same holds for waves of cosine and sine transforms, with points at the borders of the domain
  !> counted half, as in the trapezoidal rule. Along an axis of kind none it is the mean over its
  !> points. energy / width is a density E(k).
  !>
  !> `coefficients`: an array of the plan, one with one more dimension, the last one, for the
  !> fields, or a list of type(c_ptr) to the first elements of separate arrays. `lengths` of the
  !> box, one for each axis. `k`: the wavenumbers of the shells, s * width. `width`: by default the
  !> smallest wavenumber of the box, that is the smallest 2 pi / length (cosines and sines: pi /
  !> length) of the transformed axes with more than one coefficient. Both lists begin with 0. With a
  !> plan on a device, arrays are copied to the host and summed there.
  !>
  !> Kinds dct1, dct3 and dst3 with orthogonal matrices are an error, because they transform a field
  !> with other values at the borders.
  subroutine weft_shell_spectrum(plan, coefficients, lengths, energy, k, width, stat, errmsg)
    type(weft_plan), intent(in) :: plan
    type(*), dimension(..), intent(in) :: coefficients
    real(real64), intent(in) :: lengths(:)
    real(real64), allocatable, intent(out) :: energy(:)
    real(real64), allocatable, intent(out), optional :: k(:)
    real(real64), intent(in), optional :: width
    include 'stat_and_errmsg.inc'
    character(:), allocatable :: complaint
    type(c_local_array) :: array
    type(c_dimensions) :: dimensions(2)
    type(c_shell_spectrum) :: spectrum
    real(c_double) :: chosen
    real(c_double), pointer :: list(:)
    integer :: shell, status

    chosen = 0
    if (present(width)) chosen = width
    dimensions = plan%get_dimensions()
    status = c_plan_output(plan%get_handle(), array)
    if (status == weft_success) then
      call expect_count(complaint, size(lengths), array%axes, 'lengths')
      status = weft_fortran_shell_spectrum(plan%get_handle(), coefficients, lengths, &
                                           c_string(complaint), chosen, dimensions(2), spectrum)
    end if
    call conclude(status, stat, errmsg)
    if (status /= weft_success) return
    call c_f_pointer(spectrum%energy, list, [spectrum%count])
    allocate (energy(0:size(list) - 1), source=list)
    if (present(k)) then
      allocate (k(0:size(list) - 1))
      k = [(shell * spectrum%width, shell=0, size(list) - 1)]
    end if
  end subroutine weft_shell_spectrum
end module weft_shell_spectra
