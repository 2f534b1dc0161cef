!> Halo exchange of distributed arrays.
module weft_halos
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: int64, real64
#ifdef WEFT_WITH_MPI_F08
  use mpi_f08, only: MPI_Comm
#endif
  use weft_arrays, only: array_from_c, weft_array
  use weft_c
  use weft_constants
  use weft_errors, only: c_string, conclude, expect_count
  use weft_handles, only: owned_handle
  use weft_layouts, only: dimensions_of, layout_for_c, layout_in_c, weft_layout
  use weft_numbering
  implicit none
  private

  ! What weft_fortran_halo_run does.
  integer(c_int), parameter :: of_exchange = 0, of_accumulate = 1, of_start_exchange = 2, &
    of_start_accumulate = 3

  !> The halo exchange of a distributed array, set up once and used many times. The halo of a rank
  !> consists of the points around its box, including edges and corners, that other ranks own, or
  !> the rank itself across a periodic border.
  !>
  !> create, destroy and all operations are collective over the communicator, which is duplicated.
  !> All arguments except explicit strides and own boxes must be equal on all ranks. Operations
  !> return errors when they are complete; the array was not written then. As for plans there is no
  !> finalizer: call destroy before MPI_Finalize.
  type, public :: weft_halo
    private
    type(owned_handle) :: handle
    type(c_dimensions) :: dimensions = c_dimensions()
  contains
    procedure, private :: create_with_integer
#ifdef WEFT_WITH_MPI_F08
    procedure, private :: create_with_f08
    generic :: create => create_with_f08
#endif
    generic :: create => create_with_integer
    procedure :: destroy
    procedure :: exchange
    procedure :: accumulate
    procedure :: start_exchange
    procedure :: start_accumulate
    procedure :: test
    procedure :: wait
    procedure :: array
    procedure :: widths
    procedure :: peers
    procedure :: bytes_sent
  end type weft_halo

contains

  !> Makes a halo exchange for arrays of this shape, of kind real32 or real64, on a communicator of
  !> the modules mpi or mpi_f08.
  !>
  !> `layout` says which box each rank owns and how it lies in memory; its halo leaves the room
  !> (default: slabs along the last axis). With explicit strides, as weft_layout_of_array gives them
  !> for an array of a plan, the caller guarantees that there is room around the box, and passes the
  !> array by the first element owned. `lower` and `upper` are the widths of the halo before and
  !> after the box along each axis: at most, and by default, those of the layout; with explicit
  !> strides they must be given. They may exceed the boxes of neighbors. `periodic`: whether the
  !> halo wraps around, per axis; default: along no axis. `batch` fields are exchanged together.
  subroutine create_with_integer(self, comm, shape, layout, lower, upper, periodic, precision, &
                                 is_complex, batch, interleaved, stat, errmsg)
    class(weft_halo), intent(inout) :: self
    integer, intent(in) :: shape(:)
    integer, intent(in) :: comm
    type(weft_layout), intent(in), optional :: layout
    integer, intent(in), optional :: lower(:), upper(:)
    logical, intent(in), optional :: periodic(:)
    integer, intent(in), optional :: precision
    logical, intent(in), optional :: is_complex
    integer, intent(in), optional :: batch
    logical, intent(in), optional :: interleaved
    include 'stat_and_errmsg.inc'
    type(weft_layout) :: given
    type(c_halo_problem) :: problem
    type(layout_for_c), target :: room
    character(:), allocatable :: complaint
    integer :: axes

    axes = size(shape)
    call weft_fortran_halo_problem_init(problem, axes, int(shape, int64))
    if (present(batch)) problem%batch = batch
    if (present(layout)) given = layout
    call layout_in_c(given, axes, problem%batch, 'input', room, complaint)
    problem%layout = c_loc(room%layout)
    call put_entries(lower, axes, 'lower', problem%lower, complaint)
    call put_entries(upper, axes, 'upper', problem%upper, complaint)
    if (present(periodic)) then
      call expect_count(complaint, size(periodic), axes, 'periodic')
      problem%periodic = int(padded(merge(1_int64, 0_int64, periodic), weft_max_axes), c_int)
    end if
    if (present(precision)) problem%precision = precision_in_c(precision)
    if (present(is_complex)) problem%is_complex = as_c_logical(is_complex)
    if (present(interleaved)) problem%interleaved = as_c_logical(interleaved)
    call self%destroy()
    self%dimensions = dimensions_of(given, axes, problem%batch > 1, problem%interleaved /= 0)
    call conclude(weft_fortran_halo_create(comm, problem, c_string(complaint), self%handle%to), &
                  stat, errmsg)
  end subroutine create_with_integer

#ifdef WEFT_WITH_MPI_F08
  include 'weft_halos_f08.inc'
#endif

  !> Does nothing if it does not exist.
  subroutine destroy(self, stat, errmsg)
    class(weft_halo), intent(inout) :: self
    include 'stat_and_errmsg.inc'

    call conclude(weft_fortran_halo_destroy(self%handle%to), stat, errmsg)
  end subroutine destroy

  !> Fills the halo with the values of the owners. Nothing else changes, including the halo beyond
  !> borders that are not periodic.
  subroutine exchange(self, array, stat, errmsg)
    class(weft_halo), intent(in) :: self
    type(*), dimension(..), intent(inout), asynchronous :: array
    include 'stat_and_errmsg.inc'

    call run(self, of_exchange, array, stat, errmsg)
  end subroutine exchange

  !> The reverse, for example to collect the charge of particles: adds the values in the halos to
  !> the points of their owners, in the same order each time. Halos do not change.
  subroutine accumulate(self, array, stat, errmsg)
    class(weft_halo), intent(in) :: self
    type(*), dimension(..), intent(inout), asynchronous :: array
    include 'stat_and_errmsg.inc'

    call run(self, of_accumulate, array, stat, errmsg)
  end subroutine accumulate

  !> Starts an exchange and returns, so that the caller can do other work, for example on points
  !> that need no halo. It does not wait for other ranks. Until wait has returned, or test has set
  !> `done`, the array, which should have the attribute asynchronous, may be read but not written.
  subroutine start_exchange(self, array, stat, errmsg)
    class(weft_halo), intent(in) :: self
    type(*), dimension(..), intent(inout), asynchronous :: array
    include 'stat_and_errmsg.inc'

    call run(self, of_start_exchange, array, stat, errmsg)
  end subroutine start_exchange

  subroutine start_accumulate(self, array, stat, errmsg)
    class(weft_halo), intent(in) :: self
    type(*), dimension(..), intent(inout), asynchronous :: array
    include 'stat_and_errmsg.inc'

    call run(self, of_start_accumulate, array, stat, errmsg)
  end subroutine start_accumulate

  subroutine run(self, operation, array, stat, errmsg)
    class(weft_halo), intent(in) :: self
    integer(c_int), intent(in) :: operation
    type(*), dimension(..), intent(inout), asynchronous :: array
    include 'stat_and_errmsg.inc'

    call conclude(weft_fortran_halo_run(self%handle%to, operation, array, self%dimensions), stat, &
                  errmsg)
  end subroutine run

  !> Never waits. If nothing was started, test and wait are errors.
  subroutine test(self, done, stat, errmsg)
    class(weft_halo), intent(in) :: self
    logical, intent(out) :: done
    include 'stat_and_errmsg.inc'
    integer(c_int) :: all_done
    integer :: status

    done = .false.
    status = weft_fortran_halo_test(self%handle%to, all_done)
    if (status == weft_success) done = all_done /= 0
    call conclude(status, stat, errmsg)
  end subroutine test

  subroutine wait(self, stat, errmsg)
    class(weft_halo), intent(in) :: self
    include 'stat_and_errmsg.inc'

    call conclude(weft_fortran_halo_wait(self%handle%to), stat, errmsg)
  end subroutine wait

  !> This rank's array: its box, and the bounds to allocate.
  function array(self, stat, errmsg) result(told)
    class(weft_halo), intent(in) :: self
    include 'stat_and_errmsg.inc'
    type(weft_array) :: told
    type(c_local_array) :: of_c

    call conclude(c_halo_array(weft_fortran_halo_handle(self%handle%to), of_c), stat, errmsg)
    told = array_from_c(of_c, self%dimensions)
  end function array

  !> Widths of the halo before and after the box along each axis, as given or by default.
  subroutine widths(self, lower, upper, stat, errmsg)
    class(weft_halo), intent(in) :: self
    integer(int64), allocatable, intent(out) :: lower(:), upper(:)
    include 'stat_and_errmsg.inc'
    type(c_local_array) :: mine
    integer(c_int64_t) :: before(weft_max_axes), after(weft_max_axes)
    type(c_ptr) :: halo
    integer :: status

    halo = weft_fortran_halo_handle(self%handle%to)
    status = c_halo_array(halo, mine)
    if (status == weft_success) status = c_halo_widths(halo, before, after)
    lower = before(1:mine%axes)
    upper = after(1:mine%axes)
    call conclude(status, stat, errmsg)
  end subroutine widths

  !> Number of other ranks that this rank sends points to in an exchange.
  function peers(self, stat, errmsg) result(ranks)
    class(weft_halo), intent(in) :: self
    include 'stat_and_errmsg.inc'
    integer :: ranks

    ranks = 0
    call conclude(c_halo_peers(weft_fortran_halo_handle(self%handle%to), ranks), stat, errmsg)
  end function peers

  !> Number of bytes that this rank sends to others in an exchange.
  function bytes_sent(self, stat, errmsg) result(bytes)
    class(weft_halo), intent(in) :: self
    include 'stat_and_errmsg.inc'
    integer(int64) :: bytes

    bytes = 0
    call conclude(c_halo_bytes_sent(weft_fortran_halo_handle(self%handle%to), bytes), stat, errmsg)
  end function bytes_sent
end module weft_halos
