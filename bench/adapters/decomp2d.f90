! 2DECOMP&FFT from C. Arrays are X pencils before the transform and Z pencils after it; x, the
! fastest index, is the last axis of the harness.

! p_row and p_col: the process grid, which splits y and z of X pencils. overwrite: 0 nothing, 1
! complex input, 2 real arrays too, which have to hold the half spectrum in X pencils.
subroutine bench_decomp2d_start(nx, ny, nz, p_row, p_col, comm, is_real, overwrite) bind(C)
  use, intrinsic :: iso_c_binding, only: c_int
  use decomp_2d, only: decomp_2d_init, decomp_log
  use decomp_2d_constants, only: D2D_LOG_QUIET, PHYSICAL_IN_X
  use decomp_2d_fft, only: decomp_2d_fft_init
  implicit none
  integer(c_int), value :: nx, ny, nz, p_row, p_col, comm, is_real, overwrite
  integer :: rows, columns

  ! Otherwise it writes a file into the working directory.
  decomp_log = D2D_LOG_QUIET
  rows = p_row
  columns = p_col
  call decomp_2d_init(nx, ny, nz, rows, columns, comm=comm, complex_pool=is_real == 0)
  call decomp_2d_fft_init(PHYSICAL_IN_X, nx, ny, nz, opt_inplace=overwrite > 0, &
                          opt_inplace_r2c=overwrite > 1, opt_inplace_c2r=overwrite > 1)
end subroutine

! First and last index, from 1, of the box of this rank.
subroutine bench_decomp2d_physical_box(first, last) bind(C)
  use, intrinsic :: iso_c_binding, only: c_int
  use decomp_2d, only: decomp_info
  use decomp_2d_fft, only: decomp_2d_fft_get_ph
  implicit none
  integer(c_int), intent(out) :: first(3), last(3)
  type(decomp_info), pointer :: physical

  physical => decomp_2d_fft_get_ph()
  first = physical%xst
  last = physical%xen
end subroutine

subroutine bench_decomp2d_spectral_box(is_real, first, last) bind(C)
  use, intrinsic :: iso_c_binding, only: c_int
  use decomp_2d, only: decomp_info
  use decomp_2d_fft, only: decomp_2d_fft_get_ph, decomp_2d_fft_get_sp
  implicit none
  integer(c_int), value :: is_real
  integer(c_int), intent(out) :: first(3), last(3)
  type(decomp_info), pointer :: spectral

  if (is_real /= 0) then
    spectral => decomp_2d_fft_get_sp()
  else
    spectral => decomp_2d_fft_get_ph()
  end if
  first = spectral%zst
  last = spectral%zen
end subroutine

subroutine bench_decomp2d_c2c(physical, spectral, is_forward) bind(C)
  use, intrinsic :: iso_c_binding, only: c_f_pointer, c_int, c_ptr
  use decomp_2d, only: decomp_info
  use decomp_2d_constants, only: DECOMP_2D_FFT_BACKWARD, DECOMP_2D_FFT_FORWARD, mytype
  use decomp_2d_fft, only: decomp_2d_fft_3d, decomp_2d_fft_get_ph
  implicit none
  type(c_ptr), value :: physical, spectral
  integer(c_int), value :: is_forward
  complex(mytype), pointer, contiguous :: u(:, :, :), uh(:, :, :)
  type(decomp_info), pointer :: box

  box => decomp_2d_fft_get_ph()
  call c_f_pointer(physical, u, box%xsz)
  call c_f_pointer(spectral, uh, box%zsz)
  if (is_forward /= 0) then
    call decomp_2d_fft_3d(u, uh, DECOMP_2D_FFT_FORWARD)
  else
    call decomp_2d_fft_3d(uh, u, DECOMP_2D_FFT_BACKWARD)
  end if
end subroutine

subroutine bench_decomp2d_real(physical, spectral, is_forward) bind(C)
  use, intrinsic :: iso_c_binding, only: c_f_pointer, c_int, c_ptr
  use decomp_2d, only: decomp_info
  use decomp_2d_constants, only: mytype
  use decomp_2d_fft, only: decomp_2d_fft_3d, decomp_2d_fft_get_ph, decomp_2d_fft_get_sp
  implicit none
  type(c_ptr), value :: physical, spectral
  integer(c_int), value :: is_forward
  real(mytype), pointer, contiguous :: u(:, :, :)
  complex(mytype), pointer, contiguous :: uh(:, :, :)
  type(decomp_info), pointer :: box, half

  box => decomp_2d_fft_get_ph()
  half => decomp_2d_fft_get_sp()
  call c_f_pointer(physical, u, box%xsz)
  call c_f_pointer(spectral, uh, half%zsz)
  if (is_forward /= 0) then
    call decomp_2d_fft_3d(u, uh)
  else
    call decomp_2d_fft_3d(uh, u)
  end if
end subroutine

subroutine bench_decomp2d_end() bind(C)
  use decomp_2d, only: decomp_2d_finalize
  use decomp_2d_fft, only: decomp_2d_fft_finalize
  implicit none

  call decomp_2d_fft_finalize()
  call decomp_2d_finalize()
end subroutine
