"""Transforms of distributed arrays, as `PFFT` and `Transform`."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from weft.mpi4py_fft.axes import collapsed, groups_of, padded_shape
from weft.mpi4py_fft.distributed import Distributed
from weft.mpi4py_fft.kinds import Transforms, spectrum_of
from weft.mpi4py_fft.libfft import FFT
from weft.mpi4py_fft.options import plan_options
from weft.mpi4py_fft.pencil import Pencil, Subcomm, Transfer
from weft.mpi4py_fft.steps import Steps, steps_of
from weft.mpi4py_fft.transform import Transform
from weft.mpi4py_fft.whole import Whole, WholeTransform


class PFFT:
    """A transform of a distributed array.

    Parameters
    ----------
    comm : mpi4py.MPI.Intracomm or Subcomm
        Who takes part; a `Subcomm` also tells how axes are divided in physical space.
    shape : sequence of int, optional
        Of the global array, before padding; by default that of `darray`.
    axes : int, or sequence of int or of sequences of int, optional
        What is transformed; all axes by default. The last entry comes first on the way forward, and
        its last axis is the halved one of real numbers. Axes of one entry are transformed together.
    dtype : dtype, optional
        In physical space: single, double or extended precision, real or complex.
    grid : sequence of int, optional
        Processes along the first axes; others stay whole, and numbers below 1 are free. By default
        all axes are divided but those of the last entry of `axes`.
    padding : False, number or sequence of numbers, optional
        Factors by which physical space has more points than modes, one for each axis. Those in a
        list become the ratios of the lengths.
    collapse : bool, optional
        Whether entries of `axes` that are whole on each process are joined.
    backend : str, optional
        ``"fftw"``, ``"pyfftw"``, ``"numpy"``, ``"scipy"`` or ``"mkl_fft"``, which all stand for
        weft; ``"cupy"`` for weft on arrays of CuPy.
    transforms : dict, optional
        For groups of axes a pair of functions, forward and backward, such as
        ``{(1, 2): (dctn, idctn)}`` with those of `weft.mpi4py_fft.fftw`.
    darray : DistArray, optional
        Takes shape, type and division from an array in physical space.
    slab : bool or int, optional
        Divides only one axis: the one after the last one of `axes`, or this one.
    **kw
        ``planner_effort="FFTW_MEASURE"`` and ``threads=2``, as of mpi4py-fft, and options of
        `weft.Plan`, such as ``tolerance=1e-6``.

    Attributes
    ----------
    forward, backward : Transform
    axes : tuple of tuples of int
    subcomm : tuple of communicators
        Along each axis, in physical space.
    pencil : list of Pencil
        In physical and in spectral space.
    xfftn : list of FFT
    transfer : list of Transfer
        Steps of the transform for those who want to go them alone; made when they are first asked
        for.

    Raises
    ------
    ValueError
        If arguments do not fit together.
    weft.Error
        If an option makes no sense.

    Notes
    -----
    Making, running and destroying it is collective. A plan of weft does both directions, unless
    functions in `transforms` are others than Fourier, cosine and sine transforms, or numbers are of
    extended precision: then SciPy, or the functions, transform groups of axes one after another,
    and plans move the data between them.
    """

    module: ModuleType = np  #: whose arrays they are
    _whole: Whole | None = None

    def __init__(self, comm: Any, shape: Sequence[int] | None = None, axes: Any = None,
                 dtype: DTypeLike = float, grid: Sequence[int] | None = None,
                 padding: Any = False, collapse: bool = False, backend: str = "fftw",
                 transforms: Transforms | None = None, darray: Distributed | None = None,
                 slab: bool | int = False, **kw: Any) -> None:
        if darray is not None:
            shape, dtype = darray.pencil.shape, darray.dtype
            if axes is None:  # the whole one comes first
                axes = np.roll(range(len(shape)), len(shape) - 1 - darray.alignment)
        if shape is None:
            raise ValueError("shape or darray must be given")
        count = len(shape)
        groups = groups_of(axes, count)
        if padding is not False:
            padding = ([float(padding)] * count if not np.ndim(padding) else
                       list(padding) if isinstance(padding, tuple) else padding)
        lengths = [int(n) for n in shape]
        if padding is not False and darray is None:
            lengths = padded_shape(shape, groups, padding)
        number = np.dtype(dtype)
        if number.char not in "fdgFDG" or min(lengths) < 1:
            raise ValueError(f"no transform of shape {tuple(lengths)} and type {number}")
        self.subcomm = (darray.pencil.subcomm if darray is not None else
                        _division(comm, count, groups[-1], grid, slab))
        if len(self.subcomm) != count or any(self.subcomm[a].size > 1 for a in groups[-1]):
            raise ValueError(f"axes {groups[-1]} must be whole at first, and there must be one "
                             f"communicator for each of {count} axes")
        self.collapse = collapse
        if collapse:
            groups = collapsed(groups, [each.size for each in self.subcomm])
        self.axes = tuple(groups)
        self._input_shape = tuple(lengths)
        self.module, options = plan_options(backend, kw)
        self._make_steps = lambda: steps_of(self.subcomm, self.axes, lengths, number, padding,
                                            backend, transforms, self.module, kw)
        spectrum = spectrum_of(groups, lengths, number, padding, transforms, backend)
        first = Pencil(self.subcomm, lengths, groups[-1][-1])
        if spectrum is None:
            steps = self._steps
            self.xfftn, self.transfer = steps.xfftn, steps.transfer
            self.pencil = [first, steps.last]
            self.forward = Transform([each.forward for each in steps.xfftn],
                                     [each.forward for each in steps.transfer], self.pencil)
            self.backward = Transform([each.backward for each in reversed(steps.xfftn)],
                                      [each.backward for each in reversed(steps.transfer)],
                                      self.pencil[::-1])
        else:
            last = first
            for axes_of_group in reversed(groups[:-1]):
                last = last.pencil(axes_of_group[-1])
            self.pencil = [first, Pencil(last.subcomm, spectrum.shape, last.axis)]
            self._whole = Whole(self.pencil, number, spectrum, self.module, options)
            self.forward = WholeTransform(self, self._whole, True)
            self.backward = WholeTransform(self, self._whole, False)
        self._output_shape = self.pencil[1].shape

    @cached_property
    def _steps(self) -> Steps:
        return self._make_steps()

    @cached_property
    def xfftn(self) -> list[FFT]:
        """The transforms of groups of axes, in the order of the way forward."""
        return self._steps.xfftn

    @cached_property
    def transfer(self) -> list[Transfer]:
        """What moves arrays between them."""
        return self._steps.transfer

    def destroy(self) -> None:
        """Frees plans and communicators. Collective."""
        if self._whole is not None:
            self._whole.plan.destroy()
        for transfer in self.__dict__.get("transfer", ()):
            transfer.destroy()
        if isinstance(self.subcomm, Subcomm):
            self.subcomm.destroy()

    def shape(self, forward_output: bool = True) -> tuple[int, ...]:
        """Shape of this process's array: in spectral space, or else in physical space."""
        return self._pencil_of(forward_output).subshape

    def local_slice(self, forward_output: bool = True) -> tuple[slice, ...]:
        """The same part as an index of the global array."""
        pencil = self._pencil_of(forward_output)
        return tuple(slice(start, start + length)
                     for start, length in zip(pencil.substart, pencil.subshape))

    def global_shape(self, forward_output: bool = False) -> tuple[int, ...]:
        """Shape of the global array, by default in physical space."""
        return self._output_shape if forward_output else self._input_shape

    def dtype(self, forward_output: bool = False) -> np.dtype:
        """Type of the numbers, by default in physical space."""
        if self._whole is not None:
            return self._whole.dtypes[bool(forward_output)]
        return (self.forward.output_array if forward_output else self.forward.input_array).dtype

    @property
    def dimensions(self) -> int:
        """Number of axes."""
        return len(self.forward.input_pencil.shape)

    def _pencil_of(self, forward_output: bool) -> Pencil:
        return self.forward.output_pencil if forward_output else self.forward.input_pencil


def _division(comm: Any, count: int, first: Sequence[int], grid: Sequence[int] | None,
              slab: bool | int | None) -> Subcomm:
    """The communicators along the axes in physical space; `first` are the axes that stay whole."""
    divides_one = slab is not False and slab is not None
    if isinstance(comm, Subcomm):
        if grid is not None or divides_one:
            raise ValueError("grid and slab must not be given with a Subcomm")
        return comm
    if grid is not None:
        if divides_one or len(grid) > count:
            raise ValueError(f"grid {tuple(grid)} for {count} axes, slab={slab}")
        return Subcomm(comm, [*grid, *[1] * (count - len(grid))])
    if divides_one:
        axis = (first[-1] + 1) % count if slab is True else slab
        if not -count <= axis < count:
            raise ValueError(f"slab {slab} of {count} axes")
        return Subcomm(comm, [comm.size if other == axis % count else 1 for other in range(count)])
    return Subcomm(comm, [int(axis in first) for axis in range(count)])
