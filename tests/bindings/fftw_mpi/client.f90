! A program of FFTW-MPI in Fortran. Its arrays have the axes in the other order: what is n0 to FFTW is
! the last one here.
module fftw_mpi
  use, intrinsic :: iso_c_binding
  implicit none
  include 'fftw3-mpi.f03'
end module

program client
  use mpi
  use fftw_mpi
  implicit none
  integer, parameter :: n0 = 9, n1 = 10, n2 = 12, k0 = 2, k1 = 3, k2 = 5
  real(c_double), parameter :: pi = acos(-1.0_c_double)
  integer :: error, rank, failures = 0

  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call fftw_mpi_init()
  call one_wave()
  call real_wave_in_place()
  call transpose_in_single_precision()
  call cosines()
  call fftw_mpi_cleanup()
  call MPI_Allreduce(MPI_IN_PLACE, failures, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, error)
  call MPI_Finalize(error)
  if (failures > 0) error stop 1

contains

  subroutine expect(good, what)
    logical, intent(in) :: good
    character(*), intent(in) :: what
    if (good) return
    failures = failures + 1
    print '(a,i0,2a)', 'rank ', rank, ': ', what
  end subroutine

  ! exp(i k x) has one coefficient.
  subroutine one_wave()
    type(c_ptr) :: forward, backward, memory
    complex(c_double_complex), pointer :: x(:, :, :), y(:, :, :)
    integer(c_intptr_t) :: allocation, rows, first_row, columns, first_column, i, j, k
    real(c_double) :: phase, worst, right
    type(c_ptr) :: text
    character(kind=c_char), pointer :: letters(:)

    allocation = fftw_mpi_local_size_3d_transposed(int(n0, c_intptr_t), int(n1, c_intptr_t), &
      int(n2, c_intptr_t), MPI_COMM_WORLD, rows, first_row, columns, first_column)
    memory = fftw_alloc_complex(int(allocation, c_size_t))
    call c_f_pointer(memory, x, [int(n2, c_intptr_t), int(n1, c_intptr_t), rows])
    call c_f_pointer(memory, y, [int(n2, c_intptr_t), int(n0, c_intptr_t), columns])
    forward = fftw_mpi_plan_dft_3d(int(n0, c_intptr_t), int(n1, c_intptr_t), int(n2, c_intptr_t), x, &
      y, MPI_COMM_WORLD, FFTW_FORWARD, ior(FFTW_ESTIMATE, FFTW_MPI_TRANSPOSED_OUT))
    backward = fftw_mpi_plan_dft_3d(int(n0, c_intptr_t), int(n1, c_intptr_t), int(n2, c_intptr_t), &
      y, x, MPI_COMM_WORLD, FFTW_BACKWARD, ior(FFTW_ESTIMATE, FFTW_MPI_TRANSPOSED_IN))
    text = fftw_sprint_plan(forward)
    call c_f_pointer(text, letters, [7])
    call expect(all(letters == ['(', 'w', 'e', 'f', 't', ':', ' ']), 'the plan is of weft')
    do i = 1, rows
      do j = 1, n1
        do k = 1, n2
          phase = real(k0 * (first_row + i - 1), c_double) / n0 + real(k1 * (j - 1), c_double) / n1 &
            + real(k2 * (k - 1), c_double) / n2
          x(k, j, i) = exp(cmplx(0, 2 * pi * phase, c_double_complex))
        end do
      end do
    end do
    call fftw_mpi_execute_dft(forward, x, y)
    worst = 0
    do j = 1, columns
      do i = 1, n0
        do k = 1, n2
          right = 0
          if (i == k0 + 1 .and. first_column + j == k1 + 1 .and. k == k2 + 1) right = n0 * n1 * n2
          worst = max(worst, abs(y(k, i, j) - right))
        end do
      end do
    end do
    call expect(worst < 1e-11_c_double, 'a wave has one coefficient')
    call fftw_mpi_execute_dft(backward, y, x)
    worst = 0
    do i = 1, rows
      phase = real(k0 * (first_row + i - 1), c_double) / n0
      worst = max(worst, abs(x(1, 1, i) / (n0 * n1 * n2) - exp(cmplx(0, 2 * pi * phase, &
        c_double_complex))))
    end do
    call expect(worst < 1e-14_c_double, 'backward returns the wave')
    call fftw_destroy_plan(forward)
    call fftw_destroy_plan(backward)
    call fftw_free(memory)
  end subroutine

  ! Rows are padded to 2 (n2 / 2 + 1) reals.
  subroutine real_wave_in_place()
    type(c_ptr) :: forward, backward, memory
    real(c_double), pointer :: x(:, :, :)
    complex(c_double_complex), pointer :: y(:, :, :)
    integer(c_intptr_t) :: allocation, rows, first_row, i, k
    integer(c_intptr_t), parameter :: n(3) = [n0, n1, n2], halved(3) = [n0, n1, n2 / 2 + 1]
    real(c_double) :: worst

    allocation = fftw_mpi_local_size(3, halved, MPI_COMM_WORLD, rows, first_row)
    memory = fftw_alloc_complex(int(allocation, c_size_t))
    call c_f_pointer(memory, x, [2 * halved(3), n(2), rows])
    call c_f_pointer(memory, y, [halved(3), n(2), rows])
    forward = fftw_mpi_plan_dft_r2c(3, n, x, y, MPI_COMM_WORLD, FFTW_ESTIMATE)
    backward = fftw_mpi_plan_dft_c2r(3, n, y, x, MPI_COMM_WORLD, FFTW_ESTIMATE)
    do k = 1, n2
      x(k, :, :) = cos(2 * pi * k2 * (k - 1) / n2)
    end do
    call fftw_mpi_execute_dft_r2c(forward, x, y)
    worst = 0
    do i = 1, rows
      if (first_row + i == 1) y(k2 + 1, 1, i) = y(k2 + 1, 1, i) - n0 * n1 * n2 / 2
      worst = max(worst, maxval(abs(y(:, :, i))))
      if (first_row + i == 1) y(k2 + 1, 1, i) = n0 * n1 * n2 / 2
    end do
    call expect(worst < 1e-11_c_double, 'a real wave has one coefficient')
    call fftw_mpi_execute_dft_c2r(backward, y, x)
    worst = 0
    do k = 1, n2
      if (rows > 0) worst = max(worst, maxval(abs(x(k, :, :) / (n0 * n1 * n2) &
        - cos(2 * pi * k2 * (k - 1) / n2))))
    end do
    call expect(worst < 1e-14_c_double, 'backward returns the real wave')
    call fftw_destroy_plan(forward)
    call fftw_destroy_plan(backward)
    call fftw_free(memory)
  end subroutine

  subroutine transpose_in_single_precision()
    type(c_ptr) :: plan, memory
    real(c_float), pointer :: x(:, :), y(:, :)
    integer(c_intptr_t) :: allocation, rows, first_row, columns, first_column, i, j
    logical :: good

    allocation = fftwf_mpi_local_size_2d_transposed(int(n0, c_intptr_t), int(n1, c_intptr_t), &
      MPI_COMM_WORLD, rows, first_row, columns, first_column)
    memory = fftwf_alloc_real(int(allocation, c_size_t))
    call c_f_pointer(memory, x, [int(n1, c_intptr_t), rows])
    call c_f_pointer(memory, y, [int(n0, c_intptr_t), columns])
    plan = fftwf_mpi_plan_transpose(int(n0, c_intptr_t), int(n1, c_intptr_t), x, y, MPI_COMM_WORLD, &
      FFTW_ESTIMATE)
    do i = 1, rows
      x(:, i) = [(real(100 * (first_row + i) + j, c_float), j = 1, n1)]
    end do
    call fftwf_mpi_execute_r2r(plan, x, y)
    good = .true.
    do j = 1, columns
      good = good .and. all(y(:, j) == [(real(100 * i + first_column + j, c_float), i = 1, n0)])
    end do
    call expect(good, 'a transpose')
    call fftwf_destroy_plan(plan)
    call fftwf_free(memory)
  end subroutine

  ! REDFT01 of REDFT10 is 4 n0 n1 times the data.
  subroutine cosines()
    type(c_ptr) :: forward, backward, memory
    real(c_double), pointer :: x(:, :)
    integer(c_intptr_t) :: allocation, rows, first_row, i, j
    real(c_double) :: worst

    allocation = fftw_mpi_local_size_2d(int(n0, c_intptr_t), int(n1, c_intptr_t), MPI_COMM_WORLD, &
      rows, first_row)
    memory = fftw_alloc_real(int(allocation, c_size_t))
    call c_f_pointer(memory, x, [int(n1, c_intptr_t), rows])
    forward = fftw_mpi_plan_r2r_2d(int(n0, c_intptr_t), int(n1, c_intptr_t), x, x, MPI_COMM_WORLD, &
      FFTW_REDFT10, FFTW_REDFT10, FFTW_ESTIMATE)
    backward = fftw_mpi_plan_r2r_2d(int(n0, c_intptr_t), int(n1, c_intptr_t), x, x, MPI_COMM_WORLD, &
      FFTW_REDFT01, FFTW_REDFT01, FFTW_ESTIMATE)
    do i = 1, rows
      x(:, i) = [(real(10 * (first_row + i) + j, c_double), j = 1, n1)]
    end do
    call fftw_mpi_execute_r2r(forward, x, x)
    call fftw_mpi_execute_r2r(backward, x, x)
    worst = 0
    do i = 1, rows
      worst = max(worst, maxval(abs(x(:, i) / (4 * n0 * n1) &
        - [(real(10 * (first_row + i) + j, c_double), j = 1, n1)])))
    end do
    call expect(worst < 1e-12_c_double, 'cosines there and back')
    call fftw_destroy_plan(forward)
    call fftw_destroy_plan(backward)
    call fftw_free(memory)
  end subroutine

end program
