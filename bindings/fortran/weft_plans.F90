!> Planned distributed transforms.
module weft_plans
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: int64
#ifdef WEFT_WITH_MPI_F08
  use mpi_f08, only: MPI_Comm
#endif
  use weft_arrays, only: weft_array
  use weft_c, only: c_dimensions
  use weft_constants
  use weft_handles, only: owned_handle
  use weft_layouts, only: weft_layout
  use weft_lines, only: weft_function
  use weft_problems, only: weft_problem
  use weft_reports, only: weft_plan_info, weft_report, weft_stage_timing
  use weft_traces, only: weft_trace
  implicit none
  private

  !> A planned distributed transform, made once by create() and used many times.
  !>
  !> create, destroy and all transforms (start, test and wait too) are collective over the
  !> communicator, which is duplicated. All arguments except explicit strides and own boxes must be
  !> equal on all ranks. A plan must not run in two threads at a time; different plans may, with
  !> MPI_THREAD_MULTIPLE.
  !>
  !> There is no finalizer, because scopes end at different times on different ranks: call destroy
  !> before MPI_Finalize. One variable owns a plan: assigning an existing plan ends the program.
  !>
  !> Arrays are whole arrays, or contiguous sections, of the type, the kind and the shape that the
  !> layout asks for (see input and output), or of rank 1 with all elements. All of that is checked,
  !> on ranks that own something. Input is preserved unless the option overwrite_input is set.
  type, public :: weft_plan
    private
    type(owned_handle) :: handle
    type(c_dimensions) :: dimensions(2) = c_dimensions() !< of arrays in both spaces
  contains
    procedure, private :: shape_with_integer, problem_with_integer
#ifdef WEFT_WITH_MPI_F08
    procedure, private :: shape_with_f08, problem_with_f08
    generic :: create => shape_with_f08, problem_with_f08
#endif
    generic :: create => shape_with_integer, problem_with_integer
    procedure :: destroy, is_created
    procedure :: forward, backward, forward_in_place, backward_in_place, forward_many, backward_many
    procedure :: start_forward, start_backward, test, wait, forward_while, backward_while
    procedure :: input, output, set_workspace, info, describe, communicator, timings, report
    procedure :: get_handle, get_dimensions
    procedure :: start_trace, stop_trace, write_trace
    procedure :: write_input, write_output, read_input, read_output
  end type weft_plan

  abstract interface
    !> Other work of the caller. `status` is 0; set it to anything else to report an error.
    subroutine weft_work(status)
      integer, intent(inout) :: status
    end subroutine weft_work
  end interface
  public :: weft_work

  ! Making and destroying: plan_creation.f90.
  interface
    !> Makes a plan for an array of this shape, on a communicator of the modules mpi or mpi_f08. The
    !> other arguments are the components of weft_problem; and `options`, which are text, as
    !> 'chunks=4, exchange=p2p, tolerance=1e-6': `weft list options` shows their names and values.
    !> An existing plan is destroyed first.
    module subroutine shape_with_integer(self, comm, shape, kinds, input, output, precision, &
                                        numbers, batch, interleaved, norm, orthogonalize, &
                                        input_points, modes, options, stat, errmsg)
      class(weft_plan), intent(inout) :: self
      integer, intent(in) :: shape(:)
      integer, intent(in) :: comm
      integer, intent(in), optional :: kinds(:)
      type(weft_layout), intent(in), optional :: input, output
      integer, intent(in), optional :: precision, numbers, batch, norm
      logical, intent(in), optional :: interleaved, orthogonalize
      integer, intent(in), optional :: input_points(:), modes(:)
      character(*), intent(in), optional :: options
      include 'stat_and_errmsg.inc'
    end subroutine shape_with_integer

    module subroutine problem_with_integer(self, comm, problem, options, stat, errmsg)
      class(weft_plan), intent(inout) :: self
      type(weft_problem), intent(in) :: problem
      integer, intent(in) :: comm
      character(*), intent(in), optional :: options
      include 'stat_and_errmsg.inc'
    end subroutine problem_with_integer

    !> Does nothing if the plan does not exist.
    module subroutine destroy(self, stat, errmsg)
      class(weft_plan), intent(inout) :: self
      include 'stat_and_errmsg.inc'
    end subroutine destroy

    pure module function is_created(self) result(created)
      class(weft_plan), intent(in) :: self
      logical :: created
    end function is_created
  end interface

  ! Transforms: plan_runs.f90.
  interface
    !> Transforms from physical space, in the layout `input`, to spectral space, in the layout
    !> `output`. Optional callbacks change elements as they are loaded (the input array does not
    !> change) or before they are stored; every rank must give callbacks for the same sides.
    module subroutine forward(self, in, out, on_input, on_output, stat, errmsg)
      class(weft_plan), intent(in) :: self
      include 'in_and_out.inc'
      type(weft_function), intent(in), optional :: on_input, on_output
      include 'stat_and_errmsg.inc'
    end subroutine forward

    !> Transforms from spectral to physical space.
    module subroutine backward(self, in, out, on_input, on_output, stat, errmsg)
      class(weft_plan), intent(in) :: self
      include 'in_and_out.inc'
      type(weft_function), intent(in), optional :: on_input, on_output
      include 'stat_and_errmsg.inc'
    end subroutine backward

    !> Transforms in place, in any contiguous array of real or complex numbers that is large enough
    !> for both sides.
    module subroutine forward_in_place(self, array, on_input, on_output, stat, errmsg)
      class(weft_plan), intent(in) :: self
      type(*), dimension(..), intent(inout) :: array
      type(weft_function), intent(in), optional :: on_input, on_output
      include 'stat_and_errmsg.inc'
    end subroutine forward_in_place

    module subroutine backward_in_place(self, array, on_input, on_output, stat, errmsg)
      class(weft_plan), intent(in) :: self
      type(*), dimension(..), intent(inout) :: array
      type(weft_function), intent(in), optional :: on_input, on_output
      include 'stat_and_errmsg.inc'
    end subroutine backward_in_place

    !> Transforms many fields, such as the components of a velocity: arrays with an additional last
    !> dimension for the fields, or lists of type(c_ptr) to the first elements of separate arrays,
    !> which cannot be checked. With `fields_in_flight` above 1, one field is transformed while
    !> messages of another one travel.
    module subroutine forward_many(self, in, out, on_input, on_output, stat, errmsg)
      class(weft_plan), intent(in) :: self
      include 'in_and_out.inc'
      type(weft_function), intent(in), optional :: on_input, on_output
      include 'stat_and_errmsg.inc'
    end subroutine forward_many

    module subroutine backward_many(self, in, out, on_input, on_output, stat, errmsg)
      class(weft_plan), intent(in) :: self
      include 'in_and_out.inc'
      type(weft_function), intent(in), optional :: on_input, on_output
      include 'stat_and_errmsg.inc'
    end subroutine backward_many

    !> Starts a transform, so that the caller can do other work. start returns once the first
    !> messages have been sent. Do not access the arrays, which should have the attribute
    !> asynchronous, until wait has returned or test has set `done`; until then other calls that run
    !> or trace are errors on every rank, whatever the exchange. Every rank must call the same
    !> sequence of starts and waits, but test as often as it likes.
    module subroutine start_forward(self, in, out, stat, errmsg)
      class(weft_plan), intent(in) :: self
      type(*), dimension(..), intent(in), asynchronous :: in
      type(*), dimension(..), intent(inout), asynchronous :: out
      include 'stat_and_errmsg.inc'
    end subroutine start_forward

    module subroutine start_backward(self, in, out, stat, errmsg)
      class(weft_plan), intent(in) :: self
      type(*), dimension(..), intent(in), asynchronous :: in
      type(*), dimension(..), intent(inout), asynchronous :: out
      include 'stat_and_errmsg.inc'
    end subroutine start_backward

    !> Makes progress and never waits. Once it has set `done`, it does so until the next transform.
    !> If nothing was started, test and wait are errors.
    module subroutine test(self, done, stat, errmsg)
      class(weft_plan), intent(in) :: self
      logical, intent(out) :: done
      include 'stat_and_errmsg.inc'
    end subroutine test

    module subroutine wait(self, stat, errmsg)
      class(weft_plan), intent(in) :: self
      include 'stat_and_errmsg.inc'
    end subroutine wait

    !> Calls `work` once while messages are under way. If the status is not 0 on any rank, the
    !> transform is completed, and then fails on all ranks with the status in the message.
    module subroutine forward_while(self, in, out, work, stat, errmsg)
      class(weft_plan), intent(in) :: self
      include 'in_and_out.inc'
      procedure(weft_work) :: work
      include 'stat_and_errmsg.inc'
    end subroutine forward_while

    module subroutine backward_while(self, in, out, work, stat, errmsg)
      class(weft_plan), intent(in) :: self
      include 'in_and_out.inc'
      procedure(weft_work) :: work
      include 'stat_and_errmsg.inc'
    end subroutine backward_while
  end interface

  ! What a plan tells: plan_queries.f90.
  interface
    !> This rank's array in physical space: its box, and the bounds to allocate.
    module function input(self, stat, errmsg) result(array)
      class(weft_plan), intent(in) :: self
      include 'stat_and_errmsg.inc'
      type(weft_array) :: array
    end function input

    !> The same in spectral space.
    module function output(self, stat, errmsg) result(array)
      class(weft_plan), intent(in) :: self
      include 'stat_and_errmsg.inc'
      type(weft_array) :: array
    end function output

    !> Replaces the workspace by memory of the caller, a contiguous array that is aligned to 64
    !> bytes. The old one is freed. Not collective. The memory must stay valid as long as the plan
    !> runs.
    module subroutine set_workspace(self, workspace, stat, errmsg)
      class(weft_plan), intent(in) :: self
      type(*), dimension(..), intent(inout), target, asynchronous :: workspace
      include 'stat_and_errmsg.inc'
    end subroutine set_workspace

    !> The properties and the cost of the plan, on this rank: exchange, backend, threads, workspace,
    !> bytes sent and more.
    module function info(self, stat, errmsg) result(told)
      class(weft_plan), intent(in) :: self
      include 'stat_and_errmsg.inc'
      type(weft_plan_info) :: told
    end function info

    !> The schedule of both directions in words: stages, axes, layouts, peers, bytes.
    module function describe(self, stat, errmsg) result(text)
      class(weft_plan), intent(in) :: self
      include 'stat_and_errmsg.inc'
      character(:), allocatable :: text
    end function describe

    !> The plan's own communicator, as in the module mpi (in mpi_f08: its MPI_VAL); only for
    !> collective operations between runs of the plan.
    module function communicator(self, stat, errmsg) result(comm)
      class(weft_plan), intent(in) :: self
      include 'stat_and_errmsg.inc'
      integer :: comm
    end function communicator

    !> Times of the steps of the last transform on this rank.
    module function timings(self, stat, errmsg) result(steps)
      class(weft_plan), intent(in) :: self
      include 'stat_and_errmsg.inc'
      type(weft_stage_timing), allocatable :: steps(:)
    end function timings

    !> The effect of compression in the last transform: on one field of forward_many or
    !> backward_many, or on the last one.
    module function report(self, field, stat, errmsg) result(told)
      class(weft_plan), intent(in) :: self
      integer, intent(in), optional :: field
      include 'stat_and_errmsg.inc'
      type(weft_report) :: told
    end function report

    !> The weft_plan of C, for calls of the C interface.
    pure module function get_handle(self) result(handle)
      class(weft_plan), intent(in) :: self
      type(c_ptr) :: handle
    end function get_handle

    !> Dimensions of arrays in physical and in spectral space.
    pure module function get_dimensions(self) result(dimensions)
      class(weft_plan), intent(in) :: self
      type(c_dimensions) :: dimensions(2)
    end function get_dimensions
  end interface

  ! Timelines: plan_traces.f90.
  interface
    !> Starts a trace: every rank records when it does what. Collective, while no transform is under
    !> way. Without a trace this costs no time or memory.
    module subroutine start_trace(self, stat, errmsg)
      class(weft_plan), intent(in) :: self
      include 'stat_and_errmsg.inc'
    end subroutine start_trace

    !> Ends the trace, and gathers the spans of all ranks on rank 0 of the plan's communicator.
    !> Collective, while no transform is under way.
    module subroutine stop_trace(self, trace, stat, errmsg)
      class(weft_plan), intent(in) :: self
      type(weft_trace), intent(out), optional :: trace
      include 'stat_and_errmsg.inc'
    end subroutine stop_trace

    !> Writes the last trace of the plan to a file for ui.perfetto.dev or chrome://tracing: a
    !> process for each rank, a thread for each lane. Collective; rank 0 writes.
    module subroutine write_trace(self, path, stat, errmsg)
      class(weft_plan), intent(in) :: self
      character(*), intent(in) :: path
      include 'stat_and_errmsg.inc'
    end subroutine write_trace
  end interface

  ! Files: plan_files.f90.
  interface
    !> Writes the input arrays to one NumPy file (.npy), with MPI-IO. Collective. The file contains
    !> the global array, whatever the layout, without halos: u(i, j, k) here is u[i - 1, j - 1, k -
    !> 1] in NumPy. It appears complete or not at all.
    module subroutine write_input(self, path, array, stat, errmsg)
      class(weft_plan), intent(in) :: self
      character(*), intent(in) :: path
      type(*), dimension(..), intent(in) :: array
      include 'stat_and_errmsg.inc'
    end subroutine write_input

    !> Writes the output arrays; otherwise like write_input.
    module subroutine write_output(self, path, array, stat, errmsg)
      class(weft_plan), intent(in) :: self
      character(*), intent(in) :: path
      type(*), dimension(..), intent(in) :: array
      include 'stat_and_errmsg.inc'
    end subroutine write_output

    !> Reads a NumPy file into the input arrays. Collective. Its shape and type of numbers must be
    !> those of the input; halos do not change.
    module subroutine read_input(self, path, array, stat, errmsg)
      class(weft_plan), intent(in) :: self
      character(*), intent(in) :: path
      type(*), dimension(..), intent(inout) :: array
      include 'stat_and_errmsg.inc'
    end subroutine read_input

    !> Reads the output arrays; otherwise like read_input.
    module subroutine read_output(self, path, array, stat, errmsg)
      class(weft_plan), intent(in) :: self
      character(*), intent(in) :: path
      type(*), dimension(..), intent(inout) :: array
      include 'stat_and_errmsg.inc'
    end subroutine read_output
  end interface
#ifdef WEFT_WITH_MPI_F08
contains

  include 'weft_plans_f08.inc'
#endif
end module weft_plans
