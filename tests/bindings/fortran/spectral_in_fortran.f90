!> Convolutions, long vectors, operators of calculus, and small things, from Fortran.
module responses
  use, intrinsic :: iso_fortran_env, only: real64
  use weft
  implicit none
  real(real64), parameter :: pi = acos(-1.0_real64)

contains

  function gauss(k) result(factor)
    real(real64), intent(in) :: k
    real(real64) :: factor

    factor = exp(-k**2 / 8)
  end function gauss

  function cut(k, data) result(factor)
    real(real64), intent(in) :: k
    class(*), intent(in) :: data
    real(real64) :: factor

    factor = 0
    select type (data)
    type is (real(real64))
      factor = merge(1.0_real64, 0.0_real64, k < data)
    end select
  end function cut

  subroutine negate(line)
    type(weft_line), intent(inout) :: line
    complex(real64), pointer :: values(:)

    call weft_values(line, values)
    values = -values
  end subroutine negate
end module responses

program spectral_in_fortran
  use, intrinsic :: ieee_arithmetic, only: ieee_is_nan
  use, intrinsic :: iso_c_binding, only: c_intptr_t, c_loc, c_null_ptr, c_ptr
  use, intrinsic :: iso_fortran_env, only: int64, real32, real64
  use mpi, only: MPI_COMM_WORLD
  use expect
  use responses
  use weft
  implicit none

  call begin()
  call small_things()
  call texts()
  call convolutions()
  call long_vectors()
  call calculus_of_waves()
  call functions_of_waves()
  call shell_spectra()
  call wisdom()
  call finish()

contains

  subroutine small_things()
    call expect_that(verify(weft_version(), '0123456789.') == 0, weft_version())
    call expect_that(weft_good_length(11) == 12 .and. weft_good_length(121_int64) == 125, &
                     'good lengths')
    call expect_near(abs(weft_wavenumber(weft_kind_c2c, 8, 8) + 1), 0.0_real64, 'last mode')
    call expect_near(abs(weft_wavenumber(weft_kind_dst2, 1_int64, 8_int64) - 1), 0.0_real64, 'dst2')
    call expect_near(abs(weft_grid_point(weft_kind_dct2, 1, 8) - 0.0625_real64), 0.0_real64, 'cell')
    call expect_near(abs(weft_angular_wavenumber(weft_kind_r2c, 3, 8, pi) - 4), 1e-15_real64, &
                     'angular')
    call expect_near(abs(weft_derivative_wavenumber(weft_kind_r2c, 3, 8, pi) - 4), 1e-15_real64, &
                     'derivative')
    call expect_near(abs(weft_derivative_wavenumber(weft_kind_c2c, 5_int64, 8_int64, pi)), &
                     0.0_real64, 'derivative of the Nyquist mode')
    call expect_near(abs(weft_derivative_wavenumber(weft_kind_c2c, 5, 9, pi) - 8), 1e-15_real64, &
                     'derivative of the highest of an odd number of modes')
    call expect_that(ieee_is_nan(weft_wavenumber(77, 1, 8)), 'no number for unknown kinds')
    call expect_that(weft_rounding_error_bound(real32, 1024_int64) > 1e-7, 'bound')
  end subroutine small_things

  subroutine texts()
    type(weft_layout) :: layout
    character(200) :: message
    integer :: kinds(3), number, stat

    call weft_parse_kinds('r2c', kinds)
    call expect_that(all(kinds == [weft_kind_r2c, weft_kind_c2c, weft_kind_c2c]), 'axis 1 halved')
    call weft_parse_kinds('dct2,none,dst4', kinds)
    call expect_that(all(kinds == [weft_kind_dct2, weft_kind_none, weft_kind_dst4]), 'all kinds')
    call weft_parse_kinds('dct2,bird,dst4', kinds, stat, message)
    call expect_failure(stat, message, 'bird')
    call weft_parse_precision('f32', number)
    call expect_that(number == real32, 'precision')
    call weft_parse_numbers('real', number)
    call expect_that(number == weft_numbers_real, 'numbers')
    call weft_parse_norm('ortho', number)
    call expect_that(number == weft_norm_ortho, 'norm')
    call weft_parse_norm('none', number)
    call expect_that(number == weft_norm_none, 'norm of FFTW')
    call expect_that(weft_address(c_null_ptr) == '0x0', 'a null pointer')
    call expect_that(weft_address(transfer(48879_c_intptr_t, c_null_ptr)) == '0xBEEF', 'a pointer')
    call expect_that(weft_address(transfer(-1_c_intptr_t, c_null_ptr)) == '0x' // repeat('F', 16), &
                     'the last pointer')
    call weft_parse_layout('pencil:3,order=312,split=block', layout)
    call expect_that(layout%form == weft_form_pencil .and. layout%axis == 3, 'pencil')
    call expect_that(all(layout%order == [3, 1, 2]) .and. layout%split == weft_split_block, 'order')
    call weft_parse_layout('slab:6', layout)
    call expect_that(layout%axis == 6 .and. .not. allocated(layout%order), 'slab')
    call weft_parse_layout('grid:2x1x4', layout)
    call expect_that(all(layout%parts == [2, 1, 4]), 'grid')
    call weft_parse_layout('slab:0', layout, stat, message)
    call expect_failure(stat, message, 'is not an axis')
    call expect_that(message == weft_error_message(), 'the last message')
  end subroutine texts

  !> With one 1 among zeros, by which a(i, j) = i + 10 j is shifted or, correlated, turned round.
  subroutine convolutions()
    type(weft_convolution) :: convolution
    type(weft_array) :: first, second, third
    real(real64), allocatable :: a(:, :), b(:, :), c(:, :)
    complex(real32), allocatable :: v(:), w(:)
    integer :: i, j

    call convolution%create(MPI_COMM_WORLD, [7, 6], second=[3, 2], periodic=.false.)
    first = convolution%first()
    second = convolution%second()
    third = convolution%result()
    call expect_that(all(third%shape(1:1) == [9]), 'shape of a linear convolution')
    allocate (a(first%lower(1):first%upper(1), first%lower(2):first%upper(2)))
    allocate (b(second%lower(1):second%upper(1), second%lower(2):second%upper(2)))
    allocate (c(third%lower(1):third%upper(1), third%lower(2):third%upper(2)))
    do j = lbound(a, 2), ubound(a, 2)
      a(:, j) = [(i + 10 * j, i=1, 7)]
    end do
    b = 0
    if (size(b) > 0 .and. lbound(b, 2) == 1) b(2, 1) = 1
    call convolution%convolve(a, b, c)
    do j = lbound(c, 2), ubound(c, 2)
      call expect_near(maxval(abs(c(:, j) - merge(1, 0, j < 7) * &
                                  [0, (i + 10 * j, i=1, 7), 0])), 1e-12_real64, 'convolution')
    end do
    call convolution%correlate(a, b, c)
    do j = lbound(c, 2), ubound(c, 2)
      call expect_near(maxval(abs(c(:, j) - merge(1, 0, j < 7) * &
                                  [0, (8 - i + 10 * (7 - j), i=1, 7), 0])), 1e-12_real64, &
                       'correlation')
    end do

    call convolution%create(MPI_COMM_WORLD, [12], precision=real32, is_complex=.true., &
                            options='threads=1')
    first = convolution%first()
    allocate (v(first%lower(1):first%upper(1)), source=(0.0_real32, 1.0_real32))
    allocate (w, mold=v)
    call convolution%convolve(v, v, w)
    call expect_near(real(maxval([0.0_real32, abs(w + 12)]), real64), 1e-5_real64, 'periodic')
    call convolution%destroy()
    call convolution%destroy()
  end subroutine convolutions

  subroutine long_vectors()
    type(weft_long_transform) :: line
    complex(real64), allocatable :: v(:), vh(:)
    integer(int64) :: i
    integer, parameter :: n = 360
    integer :: order

    do order = weft_long_order_natural, weft_long_order_transposed
      call line%create(MPI_COMM_WORLD, int(n, int64), order=order)
      if (allocated(v)) deallocate (v, vh)
      allocate (v(line%lower():line%upper()), vh(line%spectrum_size()))
      call expect_that(size(v) == line%size(), 'size')
      do i = line%lower(), line%upper()
        v(i) = exp(cmplx(0, 2 * pi * 7 * (i - 1) / n, real64))
      end do
      call line%forward(v, vh)
      do i = 1, line%spectrum_size()
        call expect_near(abs(vh(i) - merge(n, 0, line%frequency(i) == 7)), 1e-10_real64, 'long')
      end do
      call line%backward(vh, v)
      call expect_near(maxval([0.0_real64, abs(abs(v) - 1)]), 1e-13_real64, 'and back')
    end do
    call line%destroy()
  end subroutine long_vectors

  !> u = sin(x) cos(2 y) in a box of 2 pi by 2 pi by 1.
  subroutine make_field(plan, u)
    type(weft_plan), intent(in) :: plan
    real(real64), allocatable, intent(out) :: u(:, :, :)
    type(weft_array) :: a

    a = plan%input()
    allocate (u(a%lower(1):a%upper(1), a%lower(2):a%upper(2), a%lower(3):a%upper(3)))
    call fill(u, 1)
  end subroutine make_field

  !> 1: sin(x) cos(2 y); 2: its derivative along x; 3: along y.
  subroutine fill(u, what)
    real(real64), allocatable, intent(inout) :: u(:, :, :)
    integer, intent(in) :: what
    real(real64) :: x, y
    integer :: i, j

    do j = lbound(u, 2), ubound(u, 2)
      do i = lbound(u, 1), ubound(u, 1)
        x = 2 * pi * (i - 1) / 16
        y = 2 * pi * (j - 1) / 12
        select case (what)
        case (1)
          u(i, j, :) = sin(x) * cos(2 * y)
        case (2)
          u(i, j, :) = cos(x) * cos(2 * y)
        case default
          u(i, j, :) = -2 * sin(x) * sin(2 * y)
        end select
      end do
    end do
  end subroutine fill

  subroutine calculus_of_waves()
    type(weft_plan) :: plan
    type(weft_calculus) :: calculus
    real(real64), allocatable :: u(:, :, :), v(:, :, :), expected(:, :, :), grad(:, :, :, :)
    real(real64), allocatable :: curl(:, :, :, :)
    real(real64), target :: edge

    call plan%create(MPI_COMM_WORLD, [16, 12, 6], kinds=[weft_kind_r2c], output=weft_slab_split(1))
    call make_field(plan, u)
    allocate (v, expected, mold=u)
    allocate (grad(lbound(u, 1):ubound(u, 1), lbound(u, 2):ubound(u, 2), &
                   lbound(u, 3):ubound(u, 3), 3))
    allocate (curl, mold=grad)
    call calculus%create(plan, [2 * pi, 2 * pi, 1.0_real64])
    call calculus%gradient(u, grad)
    call fill(expected, 2)
    call expect_near(distance(grad(:, :, :, 1), expected), 1e-13_real64, 'd/dx')
    call fill(expected, 3)
    call expect_near(distance(grad(:, :, :, 2), expected), 1e-13_real64, 'd/dy')
    call expect_near(maxval([0.0_real64, abs(grad(:, :, :, 3))]), 1e-13_real64, 'd/dz')
    call calculus%divergence(grad, v)
    call expect_near(distance(v, -5 * u), 1e-12_real64, 'divergence')
    call calculus%laplacian(u, v)
    call expect_near(distance(v, -5 * u), 1e-12_real64, 'laplacian')
    call calculus%inverse_laplacian(v, v)
    call expect_near(distance(v, u), 1e-13_real64, 'its inverse')
    call calculus%curl(grad, curl)
    call expect_near(maxval([0.0_real64, abs(curl)]), 1e-12_real64, 'curl of a gradient')
    grad(:, :, :, 1) = 0
    grad(:, :, :, 2) = 0
    grad(:, :, :, 3) = u
    call calculus%curl(grad, curl)
    call expect_near(distance(curl(:, :, :, 1), expected), 1e-13_real64, 'curl along x')
    call fill(expected, 2)
    call expect_near(distance(curl(:, :, :, 2), -expected), 1e-13_real64, 'curl along y')
    call calculus%filter(u, v, weft_response(gauss))
    call expect_near(distance(v, exp(-5.0_real64 / 8) * u), 1e-13_real64, 'filter')
    edge = 2
    call calculus%filter(u, v, weft_response(cut, edge))
    call expect_near(maxval([0.0_real64, abs(v)]), 1e-13_real64, 'filter with data')
    call calculus%apply(u, v, weft_function(negate))
    call expect_near(distance(v, -u), 1e-13_real64, 'any function')
    call calculus%destroy()
    call calculus%destroy()
    call plan%destroy()
  end subroutine calculus_of_waves

  real(real64) function distance(a, b)
    real(real64), intent(in) :: a(:, :, :), b(:, :, :)

    distance = maxval([0.0_real64, maxval(abs(a - b))])
  end function distance

  subroutine functions_of_waves()
    type(weft_plan) :: plan
    type(weft_wavenumbers) :: waves
    type(weft_array) :: a
    real(real64), allocatable :: u(:, :, :), v(:, :, :), expected(:, :, :), first(:), any(:)
    real(real64), allocatable :: local(:)
    complex(real64), allocatable :: uh(:, :, :)
    real(real64), target :: edge
    character(200) :: message
    integer :: stat

    call plan%create(MPI_COMM_WORLD, [16, 12, 6], kinds=[weft_kind_r2c], output=weft_slab_split(1))
    call make_field(plan, u)
    allocate (v, expected, mold=u)
    a = plan%output()
    allocate (uh(a%lower(1):a%upper(1), a%lower(2):a%upper(2), a%lower(3):a%upper(3)))
    call waves%create(plan, [2 * pi, 2 * pi, 1.0_real64])
    call waves%numbers(1, first, any)
    call expect_that(size(first) == 9 .and. size(any) == 9, 'modes of the halved axis')
    call expect_near(abs(first(4) - 3) + abs(first(9)) + abs(any(9) - 8), 1e-13_real64, 'numbers')
    call waves%local_k(3, local)
    call waves%numbers(3, first, any)
    call expect_that(lbound(local, 1) == a%lower(3) .or. size(local) == 0, 'local bounds')
    call expect_that(size(local) == a%shape(3), 'local modes')
    call expect_that(all(local == any(a%lower(3):a%upper(3))), 'local wavenumbers')
    call waves%local_derivative_k(3, local)
    call expect_that(all(local == first(a%lower(3):a%upper(3))), 'local, of derivatives')
    call waves%local_k(4, local, stat, message)
    call expect_failure(stat, message, 'wavenumbers along axis 4 of 3')
    call waves%numbers(2, k=any)
    call expect_near(abs(any(12) + 1), 1e-13_real64, 'number of the last mode')
    call plan%forward(u, uh)
    call plan%backward(uh, v, on_input=waves%derivative(1))
    call fill(expected, 2)
    call expect_near(distance(v, expected), 1e-13_real64, 'd/dx')
    call plan%backward(uh, v, on_input=waves%laplacian())
    call expect_near(distance(v, -5 * u), 1e-12_real64, 'laplacian')
    call plan%backward(uh, v, on_input=waves%inverse_laplacian())
    call expect_near(distance(v, -u / 5), 1e-13_real64, 'its inverse')
    call plan%backward(uh, v, on_input=waves%filter(weft_response(gauss)))
    call expect_near(distance(v, exp(-5.0_real64 / 8) * u), 1e-13_real64, 'filter')
    edge = 3
    call plan%forward(u, uh, on_output=waves%filter(weft_response(cut, edge)))
    call plan%backward(uh, v)
    call expect_near(distance(v, u), 1e-13_real64, 'filter with data')
    call waves%numbers(4, first, any, stat, message)
    call expect_failure(stat, message, 'wavenumbers along axis 4 of 3')
    call waves%create(plan, [1.0_real64], stat, message)
    call expect_failure(stat, message, 'lengths must have 3 entries, not 1')
    call waves%numbers(1, first, stat=stat, errmsg=message)
    call expect_failure(stat, message, 'the wavenumbers object does not exist')
    call waves%destroy()
    call plan%destroy()
  end subroutine functions_of_waves

  !> Of u = sin(x) cos(2 y), whose mean square is 1/4 and |k| = sqrt(5), and twice of it.
  subroutine shell_spectra()
    type(weft_plan) :: plan
    type(weft_array) :: a
    real(real64), allocatable :: u(:, :, :), energy(:), k(:)
    complex(real64), allocatable, target :: uh(:, :, :, :)
    character(200) :: message
    real(real64), parameter :: lengths(3) = 2 * pi
    integer :: stat

    call plan%create(MPI_COMM_WORLD, [16, 12, 6], kinds=[weft_kind_r2c], output=weft_slab_split(2))
    call make_field(plan, u)
    a = plan%output()
    allocate (uh(a%lower(1):a%upper(1), a%lower(2):a%upper(2), a%lower(3):a%upper(3), 2))
    call plan%forward(u, uh(:, :, :, 1))
    uh(:, :, :, 2) = 2 * uh(:, :, :, 1)
    call weft_shell_spectrum(plan, uh(:, :, :, 1), lengths, energy, k)
    call expect_that(lbound(energy, 1) == 0 .and. lbound(k, 1) == 0, 'shells from 0')
    call expect_that(ubound(energy, 1) == 10 .and. ubound(k, 1) == 10, 'shells to (8, 6, 3)')
    call expect_near(abs(energy(2) - 0.125_real64), 1e-14_real64, 'energy of its shell')
    call expect_near(abs(sum(energy) - 0.125_real64), 1e-14_real64, 'all of the energy')
    call expect_near(maxval(abs(k - [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10])), 1e-14_real64, 'k')
    call weft_shell_spectrum(plan, uh, lengths, energy)
    call expect_near(abs(energy(2) - 0.625_real64), 1e-14_real64, 'of two fields')
    call weft_shell_spectrum(plan, uh(:, :, :, 2), lengths, energy, k, width=0.5_real64)
    call expect_near(abs(energy(4) - 0.5_real64) + abs(k(4) - 2), 1e-14_real64, 'width')
    call weft_shell_spectrum(plan, [c_loc_of(uh(:, :, :, 1)), c_loc_of(uh(:, :, :, 2))], lengths, &
                             energy)
    call expect_near(abs(energy(2) - 0.625_real64), 1e-14_real64, 'of separate arrays')
    call weft_shell_spectrum(plan, uh, lengths(:2), energy, stat=stat, errmsg=message)
    call expect_failure(stat, message, 'lengths must have 3 entries, not 2')
    call weft_shell_spectrum(plan, uh, lengths, energy, width=-1.0_real64, stat=stat, &
                             errmsg=message)
    call expect_failure(stat, message, 'width -1')
    call plan%destroy()
    call weft_shell_spectrum(plan, uh, lengths, energy, stat=stat, errmsg=message)
    call expect_failure(stat, message, 'does not exist')
  end subroutine shell_spectra

  type(c_ptr) function c_loc_of(x)
    complex(real64), target, intent(in) :: x(:, :, :)

    c_loc_of = c_null_ptr
    if (size(x) > 0) c_loc_of = c_loc(x(lbound(x, 1), lbound(x, 2), lbound(x, 3)))
  end function c_loc_of

  subroutine wisdom()
    character(200) :: message
    integer :: stat
    integer(int64) :: removed

    call weft_merge_wisdom('/no/such/file', '/no/such/folder/file', stat, message)
    call expect_failure(stat, message, "'/no/such/file' contains no wisdom")
    call weft_forget_wisdom('chunks', '/no/such/file', removed, stat)
    call expect_that(stat == 0 .and. removed == 0, 'nothing to forget')
    call weft_import_fftw_wisdom('/no/such/file', real64, stat, message)
    call expect_failure(stat, message, '/no/such/file')
    call weft_export_fftw_wisdom('/no/such/folder/file', real32, stat, message)
    call expect_failure(stat, message, '/no/such/folder/file')
    call weft_import_fftw_wisdom('/no/such/file', 16, stat, message)
    call expect_failure(stat, message, 'precision 16 is unknown')
  end subroutine wisdom
end program spectral_in_fortran
