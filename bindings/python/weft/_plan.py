"""Planned distributed transforms."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from mpi4py import MPI
from numpy.typing import DTypeLike, NDArray

from weft import _core
from weft._collective import make_collectively
from weft._layout import Layout
from weft._local_array import LocalArray
from weft._plan_info import PlanInfo, plan_info
from weft._plan_options import PlanOptions
from weft._report import RedistributionReport, Report, SampledError, StageTiming
from weft._request import (
    optional_numbers,
    options_documentation,
    options_text,
    plain_request,
)
from weft._trace import Trace
from weft._transforms import Transforms

if TYPE_CHECKING:
    from typing_extensions import Unpack


Reals = NDArray[np.float64]


class Plan(Transforms):
    """A distributed transform, planned once and run many times.

    Making a plan, running it (`start_forward`, `test` and `wait` too) and destroying it are
    collective over the communicator, which is duplicated. All arguments except explicit strides
    and own boxes must be equal on all ranks.

    `forward` takes the array in physical space, in the layout `input`, to spectral space, in the
    layout `output`; `backward` the other way.

    Parameters
    ----------
    shape : sequence of int
        Lengths of the transforms, 1 to 6 axes. This is the shape of the global array in physical
        space, unless `input_points` is smaller.
    dtype : dtype, optional
        Type of the array in physical space: ``complex128`` (default), ``complex64``, ``float64`` or
        ``float32``. Kinds with ``"r2c"`` need real numbers, ``"c2c"`` without it complex ones.
    comm : mpi4py.MPI.Intracomm, optional
        Communicator; all processes by default.
    kinds : str or sequence of str, optional
        What is done along each axis: ``"none"``, ``"c2c"``, ``"r2c"`` (the halved axis), ``"dct1"``
        to ``"dct4"``, ``"dst1"`` to ``"dst4"``. A single name applies to all axes; ``"r2c"`` alone
        means ``"r2c"`` along the last one and ``"c2c"`` along the others.
    input, output : str or Layout, optional
        Layouts in physical and in spectral space, such as ``"slab:0"`` (the default of `input`),
        ``"pencil:2"``, ``"brick"``, ``"grid:2x1x4"``, or what `slab_split` and its like return.
        `output` is like `input` by default.
    norm : {'backward', 'ortho', 'forward', 'none'}, optional
        Scaling, as in `scipy.fft`; ``"none"`` scales neither direction, as in FFTW.
    orthogonalize : bool, optional
        For cosine and sine transforms, as in `scipy.fft`; by default true with ``norm="ortho"``.
    batch : int, optional
        Number of fields transformed together.
    interleaved : bool, optional
        Whether the fields lie side by side at each point, rather than one after another.
    input_points : sequence of int, optional
        Zero padding: number of points along each axis that exist in physical space, the first ones;
        the others are zeros, which are neither stored nor communicated.
    modes : sequence of int, optional
        Truncation: number of modes along each axis that exist in spectral space, the low ones; the
        others are dropped.
    **options
        The other parameters below. Text is read as in the command: ``grid="2x4"``. None, and
        ``"auto"`` if weft can choose, leave the choice to the environment, ``WEFT_CHUNKS=4``, and
        then to weft.

    Other Parameters
    ----------------
    OPTIONS

    Raises
    ------
    weft.Error
        If an argument is invalid on any rank, or differs between ranks; with the same text on all
        ranks.
    TypeError
        If `comm` is not a communicator.

    Notes
    -----
    *Arrays* are NumPy's, or any that offer the buffer protocol or DLPack, such as those of CuPy,
    PyTorch and JAX. They are not copied. They need the dtype, shape and strides of `input` and
    `output`; `LocalArray.empty` makes them. A plan on a device takes arrays of that device, and
    copies those of the host.

    *Errors* of calls that are collective are raised on all ranks, whichever is wrong: an array of
    the wrong type or shape on one rank is an `Error` on all of them, and nothing is written. Only
    where a function is called with a wrong number of arguments, Python raises `TypeError` on the
    rank that does so, and the others wait.

    *Threads*: Python's lock is released while a plan is made or runs. A plan that is called from
    several threads lets one run after the other. Where MPI was initialized with less than
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
            "options": options_text(Plan, options)})
        self._comm = comm
        self._input = LocalArray(*self._core.side(input=True))
        self._output = LocalArray(*self._core.side(input=False))
        self._info = plan_info(self._core.info(), self._input, self._output)

    def __repr__(self) -> str:
        if self._core.is_destroyed:
            return "<weft.Plan, destroyed>"
        shape, kinds = "x".join(map(str, self._info.shape)), ",".join(self._info.kinds)
        return f"<weft.Plan of {shape}, {kinds}, {self._input.dtype} to {self._output.dtype}>"

    def sampled_error(self, x: Any, out: Any, forward: bool = True, samples: int = 32,
                      seed: int = 1) -> SampledError:
        """The error of a transform against the exact one, at a few random points of its result, by
        direct summation in extended precision: O(N) for each point. Collective.

        Parameters
        ----------
        x, out : array
            Input and output of the transform, in host memory.
        forward : bool, optional
            True for `forward`, false for `backward`.
        samples : int, optional
            Number of points.
        seed : int, optional
            Selects the points; must be equal on all ranks.

        Returns
        -------
        SampledError

        Raises
        ------
        weft.Error
            If an array of any rank does not fit.
        """
        return SampledError(*self._core.sampled_error(bool(forward), x, out, samples, seed))

    def shell_spectrum(self, x: Any, lengths: Iterable[float],
                       width: float | None = None) -> tuple[Reals, Reals]:
        """The energy of fields by the length of their wave vectors: 1/2 sum over fields, those of a
        batch too, and over the modes of a shell of ``abs(u_k)**2``, in double precision.
        Collective; every rank gets the same.

        Parameters
        ----------
        x : array, or list or tuple of arrays
            Coefficients of a field, as `forward` returns them, or those of several fields, such as
            the components of a velocity.
        lengths : sequence of float
            Lengths of the box, one for each axis.
        width : float, optional
            Width of the shells, as an angular wavenumber: shell s has the modes with ``(s - 0.5) *
            width <= abs(k) < (s + 0.5) * width``. By default the smallest wavenumber of the box,
            that is the smallest 2 pi / length (cosines and sines: pi / length) of the transformed
            axes with more than one coefficient.

        Returns
        -------
        k, energy : numpy.ndarray
            float64: the wavenumbers of the shells, ``s * width`` for s = 0, 1, ..., and their
            energies. ``energy / width`` is a density E(k).

        Raises
        ------
        weft.Error
            If an array, the lengths or the width of any rank do not fit, or for dct1, dct3 and dst3
            with orthogonal matrices, which transform a field with other values at the borders.

        Notes
        -----
        ``u_k`` is the amplitude of the wave exp(i k x) in the field, whatever the norm of the plan.
        A coefficient of r2c counts twice unless that of -k is stored too. So, by Parseval's
        theorem, ``energy.sum()`` is half of the mean of ``u**2`` over the points in physical space:
        over all of the shape, zeros of a padded input included; if modes are truncated, of the
        field without them. The same holds for waves of cosine and sine transforms, with points at
        the borders of the domain counted half, as in the trapezoidal rule. Along an axis of kind
        none it is the mean over its points.

        With a plan on a device, arrays are copied to the host and summed there.
        """
        numbers: list[float] = []
        chosen, refusal = 0.0, ""
        try:
            numbers = [float(length) for length in lengths]
            chosen = 0.0 if width is None else float(width)
        except Exception as error:  # noqa: BLE001 - it is raised on all ranks
            refusal = str(error) or type(error).__name__
        fields = list(x) if isinstance(x, (list, tuple)) else [x]
        used, energy = self._core.shell_spectrum(fields, numbers, chosen, refusal)
        return used * np.arange(len(energy)), np.array(energy)

    def set_workspace(self, memory: Any) -> None:
        """Replaces the workspace by memory of the caller; the old one is freed.

        Not collective.

        Parameters
        ----------
        memory : array
            Contiguous and writable memory of the plan's device, of at least
            ``info.workspace_bytes`` bytes, aligned to 64 bytes. The plan keeps it alive.

        Raises
        ------
        weft.Error
            If it does not fit, or a transform is under way.
        """
        self._core.set_workspace(memory)

    def describe(self) -> str:
        """The schedule of both directions as text: stages, axes, layouts, peers, bytes."""
        return self._core.describe()

    def report(self, field: int | None = None) -> Report:
        """The effect of compression in the last transform.

        Parameters
        ----------
        field : int, optional
            Number of a field of `forward_many` or `backward_many`, from 0; by default the last.
        """
        told = self._core.report(field)
        parts = tuple(RedistributionReport(**part) for part in told.pop("redistributions"))
        return Report(redistributions=parts, **told)

    def timings(self) -> list[StageTiming]:
        """Time and traffic of each step of the last transform, on this rank."""
        return [StageTiming(*row) for row in self._core.timings()]

    def start_trace(self) -> None:
        """Starts a trace: every rank records when it does what, until `stop_trace`.

        Collective, while no transform is under way. Without a trace this costs no time or memory.

        Raises
        ------
        weft.Error
            If a trace is being recorded already.
        """
        self._core.start_trace()

    def stop_trace(self) -> Trace:
        """Ends the trace, and gathers the spans of all ranks on rank 0. Collective, while no
        transform is under way.

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
        """This rank's array in physical space."""
        return self._input

    @property
    def output(self) -> LocalArray:
        """This rank's array in spectral space."""
        return self._output

    @property
    def info(self) -> PlanInfo:
        """Everything that was chosen, and the cost: exchange, threads, workspace and more."""
        return self._info


Plan.__doc__ = str(Plan.__doc__).replace("    OPTIONS", options_documentation())
