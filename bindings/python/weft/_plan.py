"""Planned distributed transforms."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Any

import numpy as np
from mpi4py import MPI
from numpy.typing import DTypeLike

from weft import _core
from weft._functions import OnTheWay, called, raised_from
from weft._layout import Layout
from weft._local_array import LocalArray, new_result
from weft._plan_info import PlanInfo, plan_info
from weft._report import RedistributionReport, Report, SampledError, StageTiming
from weft._request import (
    PlanOptions,
    make_collectively,
    optional_numbers,
    options_text,
    plain_request,
)
from weft._trace import Trace

if TYPE_CHECKING:
    from typing_extensions import Unpack


class Plan:
    """A distributed transform, planned once and run many times.

    Making a plan, running it (`start_forward`, `test` and `wait` too) and destroying it are
    collective over the communicator, which is duplicated. All arguments except explicit strides
    and own boxes must be equal on all ranks.

    `forward` takes the array in physical space, in the layout `input`, to spectral space, in the
    layout `output`; `backward` the other way.

    Parameters
    ----------
    shape : sequence of int
        Lengths of the transforms, 1 to 6 axes: the shape of the global array in physical space,
        unless `input_points` says less.
    dtype : dtype, optional
        Of the array in physical space: ``complex128`` (default), ``complex64``, ``float64`` or
        ``float32``. Kinds with ``"r2c"`` need real numbers, ``"c2c"`` without it complex ones.
    comm : mpi4py.MPI.Intracomm, optional
        Who takes part; all processes by default.
    kinds : str or sequence of str, optional
        What is done along each axis: ``"none"``, ``"c2c"``, ``"r2c"`` (the halved axis),
        ``"dct1"`` to ``"dct4"``, ``"dst1"`` to ``"dst4"``. A single name stands for all axes, but
        ``"r2c"`` for ``"r2c"`` along the last one and ``"c2c"`` along the others.
    input, output : str or Layout, optional
        Layouts in physical and in spectral space, such as ``"slab:0"`` (the default of `input`),
        ``"pencil:2"``, ``"brick"``, ``"grid:2x1x4"``, or what `slab_split` and its like return.
        `output` is like `input` by default.
    norm : {'backward', 'ortho', 'forward', 'none'}, optional
        Scaling, as in `scipy.fft`; ``"none"``: of neither direction, as in FFTW.
    orthogonalize : bool, optional
        Of cosine and sine transforms, as in `scipy.fft`; by default true with ``norm="ortho"``.
    batch : int, optional
        Number of fields transformed together.
    interleaved : bool, optional
        Whether the fields lie side by side at each point, rather than one after another.
    input_points : sequence of int, optional
        Zero padding: points along each axis that exist in physical space, the first ones; the others are zeros
        that are neither stored nor sent.
    modes : sequence of int, optional
        Truncation: low modes along each axis that exist in spectral space; the others are dropped.
    **options
        How transforms are done: the other parameters below. Text is read as that of the command:
        ``grid="2x4"``. None, and ``"auto"`` where weft can choose, is left to the environment,
        ``WEFT_CHUNKS=4``, and then to weft.

    Other Parameters
    ----------------
    algorithm : {'auto', 'slab', 'pencil'}, optional
        Which layouts the planner may use on the way.
    grid : sequence of two int, optional
        Process grid of pencils on the way; near-square by default.
    device : str, optional
        What the plan works on: a name of `list_devices`.
    device_number : int, optional
        Of this process's devices; -1: by the rank's number on its node.
    stream : int, optional
        Address of the caller's stream on the device; 0: the default stream.
    exchange : str, optional
        How messages are exchanged: a name of `list_exchanges`, or ``"auto"``.
    local : str, optional
        Library of local transforms: a name of `list_local_transforms`, or ``"auto"``.
    reorder : bool, optional
        Whether tiles are transposed such that transformed lines are contiguous.
    overwrite_input : bool, optional
        Lets `forward` and `backward` overwrite their input, which is preserved otherwise.
    rigor : {'auto', 'estimate', 'measure', 'patient'}, optional
        How much time a library may spend on planning local transforms.
    threads : int, optional
        Of this rank, at most 4096; 0: ``OMP_NUM_THREADS``, else the cores divided by the ranks.
    tile_bytes : int, optional
        Size of tiles that stay in cache; 0: by the machine.
    stream_bytes : int, optional
        Arrays larger than this are written past the cache; -1: by the machine.
    codec : str, optional
        How messages are compressed: a name of `list_codecs`; ``"auto"`` follows from the tolerance.
    tolerance : float, optional
        Relative L2 error, less than 1, that messages may be compressed to; 0: they are not.
    chunks : int, optional
        Parts into which each redistribution is cut, to overlap it with transforms: what a rank
        sends, and what it receives; 0: by default.
    receive_chunks : int, optional
        Parts of what a rank receives in `forward`, and sends in `backward`; 0: as many.
    fields_in_flight : int, optional
        Fields that `forward_many` and `backward_many` keep under way at a time.
    progress : {'auto', 'polling', 'thread'}, optional
        How messages are kept moving while a rank computes.
    mpi_count_limit : int, optional
        Largest count handed to MPI in one argument.

    Raises
    ------
    weft.Error
        If an argument makes no sense on any rank, or differs between ranks; with the same text on
        all of them.
    TypeError
        If `comm` is no communicator.

    Notes
    -----
    *Arrays* are NumPy's, or any that offer the buffer protocol or DLPack, such as those of CuPy,
    PyTorch and JAX. They are not copied. They need the dtype, shape and strides that `input` and
    `output` tell; `LocalArray.empty` makes them. A plan on a device takes arrays of that device,
    and copies those of the host.

    *Errors* of calls that are collective are raised on all ranks, whichever is wrong: an array of
    the wrong type or shape on one rank is an `Error` on all of them, and nothing is written. Only
    where a function is called with a wrong number of arguments, Python raises `TypeError` on the
    rank that does so, and the others wait.

    *Threads*: Python's lock is released while a plan is made or runs. A plan that is called from
    several threads lets one run after the other. Where MPI was initialised with less than
    ``MPI_THREAD_MULTIPLE``, calls of all plans take turns.

    *Lifetime*: `destroy`, or the end of a ``with`` block, frees a plan, collectively. Plans that
    are merely forgotten are collected at different times on different ranks, so they are freed when
    the next plan on the same communicator is made, as far as by then all ranks have forgotten
    them; plans of one rank are freed at once. What is left at the end of the process is
    left to the operating system.

    Examples
    --------
    >>> import numpy as np, weft
    >>> with weft.Plan((48, 40, 31), np.float64, kinds="r2c", output="pencil:2") as plan:
    ...     u = plan.input.empty()
    ...     u[...] = 1
    ...     uh = plan.forward(u)
    ...     again = plan.backward(uh)
    """

    def __init__(self, shape: Sequence[int] | int, dtype: DTypeLike = np.complex128,
                 comm: MPI.Intracomm = MPI.COMM_WORLD, *,
                 kinds: str | Sequence[str] = "c2c",
                 input: str | Layout = "slab:0", output: str | Layout | None = None,
                 norm: str = "backward", orthogonalize: bool | None = None,
                 batch: int = 1, interleaved: bool = False,
                 input_points: Sequence[int] | None = None, modes: Sequence[int] | None = None,
                 **options: Unpack[PlanOptions]) -> None:
        self._core = make_collectively(_core.Plan, comm, lambda: {
            **plain_request(shape, dtype, kinds, input, output), "norm": norm,
            "orthogonalize": orthogonalize, "batch": batch, "interleaved": interleaved,
            "input_points": optional_numbers(input_points), "modes": optional_numbers(modes),
            "options": options_text(options)})
        self._comm = comm
        self._input = LocalArray(*self._core.side(input=True))
        self._output = LocalArray(*self._core.side(input=False))
        self._info = plan_info(self._core.info(), self._input, self._output)

    def __enter__(self) -> Plan:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        self.destroy()

    def __repr__(self) -> str:
        if self._core.is_destroyed:
            return "<weft.Plan, destroyed>"
        return (f"<weft.Plan of {'x'.join(map(str, self._info.shape))}, {','.join(self._info.kinds)}, "
                f"{self._input.dtype} to {self._output.dtype}>")

    def forward(self, x: Any, out: Any = None, *, on_input: OnTheWay = None,
                on_output: OnTheWay = None) -> Any:
        """Transforms to spectral space. Collective.

        Parameters
        ----------
        x : array
            As `input` tells.
        out : array, optional
            As `output` tells; may be in the memory of `x`. By default a new array, of CuPy where
            `x` is, else of NumPy.
        on_input, on_output : callable or operator, optional
            Functions for the numbers that are read, and for those that are written, on their way:
            ``function(values, block)`` with a block of numbers, as an array that may be changed in
            place and is there during the call only, and the `Block` that tells their global
            indices; what it returns, unless that is None, is assigned to them. It is called for
            each number once (`on_input`: again where messages are sent once more), in any order,
            and with Python's lock, also by other threads; it must not call plans, nor what waits
            for other ranks. The input itself stays as it is. Or operators of `Wavenumbers`, which run
            without Python. All ranks must give functions for the same sides. Plans on devices take
            operators only, but for those of `Wavenumbers.filter`.

        Returns
        -------
        array
            `out`.

        Raises
        ------
        weft.Error
            If an array of any rank does not fit, or the plan has been destroyed. Or if a function
            raised anything on any rank: after the transform, on all ranks, with its text; where
            that happened, the exception itself is the cause of the error.
        """
        return self._run(True, x, out, on_input, on_output)

    def backward(self, x: Any, out: Any = None, *, on_input: OnTheWay = None,
                 on_output: OnTheWay = None) -> Any:
        """Transforms to physical space. Collective.

        Parameters
        ----------
        x : array
            As `output` tells.
        out : array, optional
            As `input` tells; may be in the memory of `x`. By default a new array, of CuPy where
            `x` is, else of NumPy.
        on_input, on_output : callable or operator, optional
            As in `forward`.

        Returns
        -------
        array
            `out`.

        Raises
        ------
        weft.Error
            If an array of any rank does not fit, or the plan has been destroyed.
        """
        return self._run(False, x, out, on_input, on_output)

    def forward_many(self, xs: Sequence[Any], outs: Sequence[Any] | None = None, *,
                     on_input: OnTheWay = None, on_output: OnTheWay = None) -> list[Any]:
        """Transforms several fields to spectral space, `fields_in_flight` at a time. Collective.

        Parameters
        ----------
        xs : sequence of arrays
            Each as `input` tells. Their number must be the same on all ranks.
        outs : sequence of arrays, optional
            As many, each as `output` tells; new arrays by default, as in `forward`. One may be in
            the memory of its own input, but not of another one.
        on_input, on_output : callable or operator, optional
            As in `forward`, for the numbers of all fields: ``block.fields`` tells which one they
            are of, counted on from field to field, and with a batch within a field.

        Returns
        -------
        list of arrays
            `outs`.
        """
        return self._run_many(True, xs, outs, on_input, on_output)

    def backward_many(self, xs: Sequence[Any], outs: Sequence[Any] | None = None, *,
                      on_input: OnTheWay = None, on_output: OnTheWay = None) -> list[Any]:
        """Transforms several fields to physical space. Collective; see `forward_many`.

        Parameters
        ----------
        xs : sequence of arrays
            Each as `output` tells.
        outs : sequence of arrays, optional
            As many, each as `input` tells.
        on_input, on_output : callable or operator, optional
            As in `forward_many`.

        Returns
        -------
        list of arrays
            `outs`.
        """
        return self._run_many(False, xs, outs, on_input, on_output)

    def start_forward(self, x: Any, out: Any = None) -> Any:
        """Begins a transform to spectral space, for callers who have other work to do meanwhile.

        Collective, as `wait` is. It returns once the first messages have set out. The arrays must
        be left alone until `wait` has returned, or `test` has returned true; the plan keeps them
        alive. Until then other transforms, and traces, are refused on every rank, whatever the
        exchange.

        Parameters
        ----------
        x, out : array
            As in `forward`.

        Returns
        -------
        array
            `out`, which is complete only when the transform has ended.
        """
        return self._start(True, x, out)

    def start_backward(self, x: Any, out: Any = None) -> Any:
        """Begins a transform to physical space; see `start_forward`.

        Parameters
        ----------
        x, out : array
            As in `backward`.

        Returns
        -------
        array
            `out`, which is complete only when the transform has ended.
        """
        return self._start(False, x, out)

    def test(self) -> bool:
        """Goes on with what has arrived of a transform that was started, without waiting.

        Returns
        -------
        bool
            Whether the transform has ended. It stays true until the next one begins.

        Raises
        ------
        weft.Error
            Where none was started.
        """
        return self._core.test()

    def wait(self) -> None:
        """Ends a transform that was started. Raises `weft.Error` where none was."""
        self._core.wait()

    def destroy(self) -> None:
        """Frees the plan. Collective; a transform under way is ended first. Twice is harmless."""
        self._core.destroy()

    def sampled_error(self, x: Any, out: Any, forward: bool = True, samples: int = 32,
                      seed: int = 1) -> SampledError:
        """The error of a transform against the exact one, at a few random points of its result, by
        direct summation in extended precision: O(N) for each point. Collective.

        Parameters
        ----------
        x, out : array
            What was transformed, and what came of it; in memory of the host.
        forward : bool, optional
            Whether it was `forward`, or `backward`.
        samples : int, optional
            Number of points.
        seed : int, optional
            Chooses them; equal on all ranks.

        Returns
        -------
        SampledError

        Raises
        ------
        weft.Error
            If an array of any rank does not fit.
        """
        return SampledError(*self._core.sampled_error(bool(forward), x, out, samples, seed))

    def describe(self) -> str:
        """Tells the schedule of both directions in words: stages, axes, layouts, peers, bytes."""
        return self._core.describe()

    def report(self, field: int | None = None) -> Report:
        """Tells what compression did in the last transform.

        Parameters
        ----------
        field : int, optional
            Which of the fields of `forward_many` or `backward_many`, from 0; by default the last.
        """
        told = self._core.report(field)
        parts = tuple(RedistributionReport(**part) for part in told.pop("redistributions"))
        return Report(redistributions=parts, **told)

    def timings(self) -> list[StageTiming]:
        """Tells the time and traffic of each step of the last transform, on this rank."""
        return [StageTiming(*row) for row in self._core.timings()]

    def start_trace(self) -> None:
        """Lets every rank record when it does what, until `stop_trace`.

        Collective, while no transform is under way. Plans that are not traced take no time or
        memory for it.

        Raises
        ------
        weft.Error
            If a trace is being recorded already.
        """
        self._core.start_trace()

    def stop_trace(self) -> Trace:
        """Ends that, and gathers what all ranks did on rank 0. Collective, while no transform is
        under way.

        Returns
        -------
        Trace

        Raises
        ------
        weft.Error
            If no trace is being recorded.
        """
        return Trace(self._core.stop_trace(), self._comm)

    @property
    def input(self) -> LocalArray:
        """What this rank owns in physical space."""
        return self._input

    @property
    def output(self) -> LocalArray:
        """What this rank owns in spectral space."""
        return self._output

    @property
    def info(self) -> PlanInfo:
        """What was planned and chosen, and what it takes: exchange, threads, workspace and more."""
        return self._info

    def _sides(self, forward: bool) -> tuple[LocalArray, LocalArray]:
        return (self._input, self._output) if forward else (self._output, self._input)

    def _run(self, forward: bool, x: Any, out: Any, on_input: OnTheWay,
             on_output: OnTheWay) -> Any:
        if out is None:
            out = new_result(self._sides(forward)[1], x)
        self._call(self._core.run, forward, x, out, on_input, on_output)
        return out

    def _call(self, run: Callable[..., None], forward: bool, x: Any, out: Any, on_input: OnTheWay,
              on_output: OnTheWay) -> None:
        """Runs one field, or many, with functions on the way."""
        if on_input is None and on_output is None:
            run(forward, x, out)
            return
        source, sink = self._sides(forward)
        callers = called(on_input, source), called(on_output, sink)
        try:
            run(forward, x, out, *callers)
        except _core.Error as error:
            raise raised_from(error, *callers)  # noqa: B904 - it is the same error, with its cause

    def _start(self, forward: bool, x: Any, out: Any) -> Any:
        if out is None:
            out = new_result(self._sides(forward)[1], x)
        self._core.start(forward, x, out)
        return out

    def _run_many(self, forward: bool, xs: Sequence[Any], outs: Sequence[Any] | None,
                  on_input: OnTheWay, on_output: OnTheWay) -> list[Any]:
        sources = _fields(xs)
        if outs is None:
            sinks = [new_result(self._sides(forward)[1], source) for source in sources]
        else:
            sinks = _fields(outs)
        self._call(self._core.run_many, forward, sources, sinks, on_input, on_output)
        return sinks


def _fields(arrays: Any) -> list[Any]:
    """A list of fields; of something that cannot be one, one field that the plan refuses."""
    try:
        return list(arrays)
    except Exception:  # noqa: BLE001 - it is an error of all ranks
        return [None]
