!> Objects that outlive MPI: nothing can be done with them but to destroy them.
program after_finalize
  use, intrinsic :: iso_fortran_env, only: int64, real64
  use mpi, only: MPI_COMM_WORLD, MPI_Finalize, MPI_Init
  use weft
  implicit none
  type(weft_plan) :: plan
  type(weft_halo) :: halo
  type(weft_convolution) :: convolution
  type(weft_calculus) :: calculus
  type(weft_array) :: mine
  complex(real64), allocatable :: u(:, :)
  real(real64), allocatable :: a(:), b(:)
  character(200) :: message
  integer :: stat, code

  call plan%create(0, [8, 6], stat=stat, errmsg=message)
  call expect_refusal('MPI has not been initialized')
  call MPI_Init(code)
  call plan%create(MPI_COMM_WORLD, [8, 6])
  mine = plan%input()
  allocate (u(8, mine%lower(2):mine%upper(2)), a(9), b(9))
  u = 1
  a = 1
  call calculus%create(plan, [1.0_real64, 1.0_real64])
  call halo%create(MPI_COMM_WORLD, [9], layout=weft_slab_split(1, halo=[1]))
  call convolution%create(MPI_COMM_WORLD, [9])
  call MPI_Finalize(code)
  call plan%forward(u, u, stat=stat, errmsg=message)
  call expect_refusal('MPI has been finalized')
  call plan%start_forward(u, u, stat=stat, errmsg=message)
  call expect_refusal('MPI has been finalized')
  call plan%start_trace(stat, message)
  call expect_refusal('MPI has been finalized')
  call plan%stop_trace(stat=stat, errmsg=message)
  call expect_refusal('MPI has been finalized')
  call plan%write_trace('never', stat, message)
  call expect_refusal('MPI has been finalized')
  call halo%exchange(a, stat, message)
  call expect_refusal('MPI has been finalized')
  call halo%start_exchange(a, stat, message)
  call expect_refusal('MPI has been finalized')
  call convolution%convolve(a, a, b, stat, message)
  call expect_refusal('MPI has been finalized')
  call calculus%laplacian(u, u, stat, message)
  call expect_refusal('MPI has been finalized')
  call plan%create(MPI_COMM_WORLD, [8, 6], stat=stat, errmsg=message)
  call expect_refusal('MPI has been finalized')
  call halo%create(MPI_COMM_WORLD, [9], stat=stat, errmsg=message)
  call expect_refusal('MPI has been finalized')
  call calculus%destroy()
  call convolution%destroy()
  call halo%destroy()
  call plan%destroy()

contains

  subroutine expect_refusal(part)
    character(*), intent(in) :: part

    if (stat == weft_error_argument .and. index(message, part) > 0) return
    print '(i0, 1x, a)', stat, trim(message)
    error stop 1
  end subroutine expect_refusal
end program after_finalize
