!> What the interface of Fortran must refuse, on all of 3 ranks with the same words. After each
!> error a plan on the same communicator has to work.
module bad_callbacks
  use expect, only: rank
  use weft
  implicit none

contains

  subroutine fine(status)
    integer, intent(inout) :: status

    status = 0
  end subroutine fine

  subroutine failing(line)
    type(weft_line), intent(inout) :: line

    if (rank == 1) line%status = 5
  end subroutine failing
end module bad_callbacks

program bad_input_in_fortran
  use, intrinsic :: iso_fortran_env, only: int64, real32, real64
  use mpi, only: MPI_COMM_NULL, MPI_COMM_WORLD
  use bad_callbacks
  use expect
  use weft
  implicit none

  type(weft_plan) :: good
  type(weft_array) :: mine
  complex(real64), allocatable :: u(:, :), uh(:, :)
  character(300) :: message
  integer :: stat

  call begin()
  call expect_that(ranks == 3, '3 ranks')
  call good%create(MPI_COMM_WORLD, [9, 8], output=weft_slab_split(1))
  mine = good%input()
  allocate (u(9, mine%lower(2):mine%upper(2)))
  mine = good%output()
  allocate (uh(mine%lower(1):mine%upper(1), 8))
  call arrays()
  call many_fields()
  call callbacks_and_waits()
  call objects_that_are_not()
  call problems()
  call layouts()
  call halos()
  call others()
  call good%destroy()
  call finish()

contains

  !> An error was expected, and then all works as ever.
  subroutine refused(part)
    character(*), intent(in) :: part
    type(weft_sampled_error) :: error

    call expect_failure(stat, message, part)
    call weft_fill_random(good, u)
    call good%forward(u, uh)
    call weft_check(good, weft_direction_forward, u, uh, error, samples=4)
    call expect_near(error%relative_l2, 1e-13_real64, 'a transform after ' // part)
  end subroutine refused

  subroutine arrays()
    complex(real32), allocatable :: single(:, :)
    complex(real64), allocatable :: larger(:, :), none(:, :), deep(:, :, :)
    real(real64), allocatable :: reals(:, :)
    integer, allocatable :: whole(:, :)

    allocate (single(9, size(u, 2)), larger(18, size(u, 2)), reals(9, size(u, 2)))
    allocate (whole(9, size(u, 2)), deep(9, size(u, 2), 1))
    larger = 1
    ! On all ranks, then on one only: it must be told which.
    call good%forward(single, uh, stat=stat, errmsg=message)
    call refused('input array is complex(real32), the plan works on complex(real64)')
    call good%forward(reals, uh, stat=stat, errmsg=message)
    call refused('input array is real(real64), the plan works on complex(real64)')
    call good%backward(uh, whole, stat=stat, errmsg=message)
    call refused('output array is neither real nor complex with kind real32 or real64')
    call good%forward(larger(1:9, :), uh, stat=stat, errmsg=message)
    call refused('input array is a section that is not contiguous: pass a whole array')
    if (rank == 1) then
      call good%forward(larger(1:18:2, :), uh, stat=stat, errmsg=message)
    else
      call good%forward(u, uh, stat=stat, errmsg=message)
    end if
    call refused('rank 1: input array is a section that is not contiguous')
    call good%forward(u, uh(:, 1:merge(7, 8, rank == 2)), stat=stat, errmsg=message)
    call refused('rank 2: output array has shape (3,7), that of this rank is (3,8)')
    call good%forward(deep, uh, stat=stat, errmsg=message)
    call refused('input array has rank 3; it may have 2, or 1 with all elements')
    call good%forward(u, uh(:, 1), stat=stat, errmsg=message)
    call refused('output array has 3 elements, 24 are needed')
    if (rank == 0) then
      call good%forward(u(1, lbound(u, 2)), uh, stat=stat, errmsg=message)
    else
      call good%forward(u, uh, stat=stat, errmsg=message)
    end if
    call refused('rank 0: input array is a single number')
    if (rank == 1) then
      call good%forward(none, uh, stat=stat, errmsg=message)
    else
      call good%forward(u, uh, stat=stat, errmsg=message)
    end if
    call refused('rank 1: input array is not allocated')
    call assumed_size(u)
    call good%start_forward(single, uh, stat, message)
    call refused('input array is complex(real32)')
    call good%forward_while(u, single, fine, stat, message)
    call refused('output array is complex(real32)')
    call good%forward_in_place(larger(1:18:2, :), stat=stat, errmsg=message)
    call refused('the array is a section that is not contiguous')
    call good%forward_in_place(whole, stat=stat, errmsg=message)
    call refused('the array is neither real nor complex')
    call good%forward_in_place(single(:, 1), stat=stat, errmsg=message)
    call refused('elements, ')
    call good%set_workspace(larger(1:18:2, :), stat, message)
    call refused('the workspace array is a section that is not contiguous')
    call good%set_workspace(larger(:, 1), stat, message)
    call expect_that(stat == weft_error_argument, 'a workspace that is too small')
    call weft_fill_random(good, single, stat=stat, errmsg=message)
    call refused('physical array is complex(real32)')
  end subroutine arrays

  !> Of such an array the last extent is unknown, which is fine.
  subroutine assumed_size(array)
    complex(real64), intent(in) :: array(9, *)

    call good%forward(array, uh)
  end subroutine assumed_size

  subroutine many_fields()
    complex(real64) :: from(9, size(u, 2), 2), to(size(uh, 1), 8, 2)

    from = 0
    call good%forward_many(from, to(:, :, 1:1), stat=stat, errmsg=message)
    call refused('2 input fields, but 1 output fields')
    call good%forward_many(u, to(:, :, 1:1), stat=stat, errmsg=message)
    call refused('each field of the input array')
    call good%forward_many(from(1:9:2, :, :), to, stat=stat, errmsg=message)
    call refused('each field of the input array is a section that is not contiguous')
    call good%backward_many(to, from(:, 1:merge(2, size(u, 2), rank == 1), :), stat=stat, &
                            errmsg=message)
    call refused('rank 1: each field of the output array has shape (9,2), that of this rank is (9,3)')
  end subroutine many_fields

  subroutine callbacks_and_waits()
    call good%forward(u, uh, on_output=weft_function(failing), stat=stat, errmsg=message)
    call refused('rank 1: a function of the caller returned 5')
    call good%start_forward(u, uh)
    call good%forward(u, uh, stat=stat, errmsg=message)
    call expect_failure(stat, message, 'a transform is under way')
    call good%wait()
    call good%wait(stat, message)
    call refused('nothing was started')
  end subroutine callbacks_and_waits

  subroutine objects_that_are_not()
    type(weft_plan) :: plan
    type(weft_halo) :: halo
    type(weft_convolution) :: convolution
    type(weft_long_transform) :: line
    type(weft_calculus) :: calculus
    type(weft_wavenumbers) :: waves
    type(weft_function) :: function
    type(weft_sampled_error) :: error
    character(:), allocatable :: text
    logical :: done
    type(weft_plan_info) :: info
    integer(int64) :: number

    call plan%create(MPI_COMM_WORLD, [9, 8])
    call plan%destroy()
    call plan%forward(u, uh, stat=stat, errmsg=message)
    call expect_that(stat == weft_error_not_created, 'the status of a plan that was destroyed')
    call refused('the plan does not exist: it was not created, or has been destroyed')
    call plan%backward_in_place(u, stat=stat, errmsg=message)
    call refused('the plan does not exist')
    call plan%forward_many(u, uh, stat=stat, errmsg=message)
    call refused('the plan does not exist')
    call plan%test(done, stat, message)
    call refused('the plan does not exist')
    call plan%wait(stat, message)
    call refused('the plan does not exist')
    text = plan%describe(stat, message)
    call expect_that(text == '', 'no description')
    call refused('the plan does not exist')
    info = plan%info(stat, message)
    call refused('the plan does not exist')
    call weft_check(plan, weft_direction_forward, u, uh, error, stat=stat, errmsg=message)
    call refused('the plan does not exist')
    call calculus%create(plan, [1.0_real64, 1.0_real64], stat, message)
    call refused('the plan does not exist')
    call waves%create(plan, [1.0_real64, 1.0_real64], stat, message)
    call refused('the plan does not exist')
    call halo%exchange(u, stat, message)
    call refused('the halo does not exist')
    call convolution%convolve(u, u, u, stat, message)
    call refused('the convolution does not exist')
    call line%forward(u, u, stat, message)
    call refused('the long transform does not exist')
    number = line%upper(stat, message)
    call refused('the long transform does not exist')
    call calculus%laplacian(u, u, stat, message)
    call refused('the calculus does not exist')
    function = waves%laplacian(stat, message)
    call refused('the wavenumbers object does not exist')
    ! Without a function nothing is applied.
    call good%forward(u, uh, on_output=function)
  end subroutine objects_that_are_not

  subroutine problems()
    type(weft_plan) :: plan
    type(weft_problem) :: problem
    integer, parameter :: shape(2) = [9, 8]

    call plan%create(MPI_COMM_NULL, [9, 8], stat=stat, errmsg=message)
    call refused('the communicator is MPI_COMM_NULL')
    call plan%create(MPI_COMM_WORLD, [9, merge(8, 7, rank /= 1)], stat=stat, errmsg=message)
    call refused('differs between ranks')
    call plan%create(MPI_COMM_WORLD, [9, 8], kinds=[1, 1, 1], stat=stat, errmsg=message)
    call refused('kinds must have 2 entries, not 3')
    call plan%create(MPI_COMM_WORLD, [9, 8], input_points=[9, 8, 7], stat=stat, errmsg=message)
    call refused('input_points must have 2 entries, not 3')
    call plan%create(MPI_COMM_WORLD, shape, modes=shape(1:merge(1, 2, rank == 1)), stat=stat, &
                     errmsg=message)
    call refused('rank 1: modes must have 2 entries, not 1')
    call plan%create(MPI_COMM_WORLD, [1, 2, 3, 4, 5, 6, 7], stat=stat, errmsg=message)
    call refused('7 axes; 1 to 6 are supported')
    call plan%create(MPI_COMM_WORLD, [integer ::], stat=stat, errmsg=message)
    call refused('0 axes; 1 to 6 are supported')
    call plan%create(MPI_COMM_WORLD, [9, 8], precision=16, stat=stat, errmsg=message)
    call refused('precision 16 is unknown')
    call plan%create(MPI_COMM_WORLD, [9, 8], precision=1, stat=stat, errmsg=message)
    call refused('precision -1 is unknown')
    call plan%create(MPI_COMM_WORLD, [9, 1], kinds=[weft_kind_c2c, weft_kind_dct1], stat=stat, &
                     errmsg=message)
    call refused('along axis 2')
    call plan%create(MPI_COMM_WORLD, problem, stat=stat, errmsg=message)
    call refused('no shape is given')
    call plan%create(MPI_COMM_WORLD, [9, 8], stat=stat, errmsg=message, &
                     options=merge('tile_byte=5', 'threads=1  ', rank == 1))
    call refused("rank 1: option 'tile_byte' is unknown (did you mean 'tile_bytes'?)")
    call expect_that(.not. plan%is_created(), 'no plan after errors')
  end subroutine problems

  subroutine layouts()
    call create_with(weft_slab_split(3))
    call refused('axis 3 is not one of the 2 axes of the array')
    call create_with(weft_slab_split(0))
    call refused('axis 0 is not one of the 2 axes of the array')
    call create_with(weft_grid([3]))
    call refused('input layout: parts must have 2 entries, not 1')
    call create_with(weft_slab_split(2, order=[1, 1]))
    call refused('memory order [1,1] is not a permutation of the axes 1 to 2')
    call create_with(weft_slab_split(2, order=[1, 2, 3]))
    call refused('input layout: order must have 2 entries, not 3')
    call create_with(weft_slab_split(2, halo=[1]))
    call refused('input layout: halo must have 2 entries, not 1')
    call create_with(weft_box([1, 3 * rank + 1], [9, 3 * rank + 3]))
    call refused('[1:9]x[7:9]')
    call create_with(weft_box([1], [9]))
    call refused('input layout: lower must have 2 entries, not 1')
    call create_with(weft_box([1, 1], [9, 8], strides=[1_int64]))
    call refused('input layout: strides must have 2 entries, not 1')
    call create_with(weft_boxes(reshape([1, 1], [2, 1]), reshape([9, 8], [2, 1])))
    call refused('input layout lists 1 boxes, the communicator has 3 ranks')
    call create_with(weft_layout(form=weft_form_own_box))
    call refused('input layout: no box is given')
  end subroutine layouts

  subroutine create_with(input)
    type(weft_layout), intent(in) :: input
    type(weft_plan) :: plan

    call plan%create(MPI_COMM_WORLD, [9, 8], input=input, stat=stat, errmsg=message)
  end subroutine create_with

  subroutine halos()
    type(weft_halo) :: halo
    real(real64), allocatable :: a(:, :)
    real(real32), allocatable :: single(:, :)
    type(weft_array) :: array

    call halo%create(MPI_COMM_WORLD, [9, 8], periodic=[.true.], stat=stat, errmsg=message)
    call refused('periodic must have 2 entries, not 1')
    call halo%create(MPI_COMM_WORLD, [9, 8], lower=[1, 1], stat=stat, errmsg=message)
    call refused('lower')
    call halo%create(MPI_COMM_WORLD, [9, 8], upper=[1], stat=stat, errmsg=message)
    call refused('upper must have 2 entries, not 1')
    call halo%create(MPI_COMM_WORLD, [9, 8], layout=weft_slab_split(2, halo=[1, 1]), stat=stat, &
                     errmsg=message)
    array = halo%array()
    allocate (a(0:10, array%alloc_lower(2):array%alloc_upper(2)), source=0.0_real64)
    allocate (single(11, 3), source=0.0_real32)
    if (rank == 2) then
      call halo%exchange(single, stat, message)
    else
      call halo%exchange(a, stat, message)
    end if
    call refused('rank 2: halo array is real(real32), the halo exchange works on real(real64)')
    ! Of what was started one learns when it is complete.
    call halo%start_accumulate(a(merge(1, 0, rank == 0):10, :), stat, message)
    call expect_that(stat == weft_success, 'start waits for nobody')
    call halo%wait(stat, message)
    call refused('rank 0: halo array is a section that is not contiguous')
    call halo%exchange(a)
    call halo%destroy()
  end subroutine halos

  subroutine others()
    type(weft_convolution) :: convolution
    type(weft_long_transform) :: line
    type(weft_calculus) :: calculus
    type(weft_transform) :: transform
    type(weft_sampled_error) :: error
    complex(real64), allocatable :: v(:), components(:, :, :)
    real(real64) :: a(4)

    call convolution%create(MPI_COMM_WORLD, [9], second=[3, 3], stat=stat, errmsg=message)
    call refused('second must have 1 entry, not 2')
    call convolution%create(MPI_COMM_WORLD, [9], second=[10], stat=stat, errmsg=message)
    call refused('the second array is longer than the period')
    call convolution%create(MPI_COMM_WORLD, [9], options='chunk=2', stat=stat, errmsg=message)
    call refused("option 'chunk' is unknown (did you mean 'chunks'?)")
    call convolution%create(MPI_COMM_WORLD, [9])
    a = 1
    call convolution%convolve(a(1:3), a(1:3), a(1:merge(2, 3, rank == 1)), stat, message)
    call refused('rank 1: result array has 2 elements, 3 are needed')
    call convolution%destroy()

    call line%create(MPI_COMM_WORLD, 0_int64, stat=stat, errmsg=message)
    call refused('0')
    call line%create(MPI_COMM_WORLD, 12_int64, options='chunk=2', stat=stat, errmsg=message)
    call refused("option 'chunk' is unknown (did you mean 'chunks'?)")
    call line%create(MPI_COMM_WORLD, 12_int64)
    allocate (v(4))
    call line%forward(v, a, stat, message)
    call refused('output array is real(real64), the long transform works on complex(real64)')
    call line%destroy()

    call calculus%create(good, [1.0_real64], stat, message)
    call refused('lengths must have 2 entries, not 1')
    call calculus%create(good, [1.0_real64, merge(-1.0_real64, 1.0_real64, rank == 1)], stat, &
                         message)
    call refused('rank 1: length -1')
    call calculus%create(good, [1.0_real64, 1.0_real64])
    allocate (components(9, size(u, 2), 3))
    call calculus%gradient(u, components, stat, message)
    call refused('output array has 3 fields, 2 are needed')
    call calculus%divergence(components(:, :, 1:merge(1, 2, rank == 2)), u, stat, message)
    call refused('rank 2: input array has 1 fields, 2 are needed')
    call calculus%curl(components, components, stat, message)
    call refused('axis 3 of 2')
    call calculus%laplacian(u, a, stat, message)
    call refused('output array is real(real64)')
    call calculus%destroy()

    transform = weft_transform_of(good)
    call weft_check(transform, MPI_COMM_WORLD, weft_direction_forward, a, uh, error, stat=stat, &
                    errmsg=message)
    call refused('input array is real(real64), the transform works on complex(real64)')
    transform%axes = 7
    call weft_check(transform, MPI_COMM_WORLD, weft_direction_forward, u, uh, error, stat=stat, &
                    errmsg=message)
    call refused('7 axes')
    call weft_check(good, 3, u, uh, error, stat=stat, errmsg=message)
    call refused('direction 3 is unknown')
  end subroutine others
end program bad_input_in_fortran
