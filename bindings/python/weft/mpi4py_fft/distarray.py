"""The part of a distributed array that belongs to this process, as an array of NumPy or CuPy."""

from __future__ import annotations

import functools
import importlib
from collections.abc import Sequence
from numbers import Integral, Number
from typing import TYPE_CHECKING, Any

import numpy as np
from mpi4py import MPI
from numpy.typing import DTypeLike

from weft.distarray.collective import context_of
from weft.mpi4py_fft.gathering import global_part
from weft.mpi4py_fft.pencil import Pencil, Subcomm, Transfer

if TYPE_CHECKING:
    from typing_extensions import Self

    from weft.mpi4py_fft.mpifft import PFFT


@functools.cache
def _grid_of_world(dims: tuple[int, ...]) -> Subcomm:
    """Arrays that are made alike share their communicators, of which there is a limited number."""
    return Subcomm(MPI.COMM_WORLD, dims)


def _pencil_of(shape: Sequence[int], subcomm: Any, alignment: int | None) -> Pencil:
    """How an array of this shape is divided."""
    count = len(shape)
    if count == 1 and subcomm is None:  # every process has all of it
        return Pencil((MPI.COMM_SELF,), shape, 0)
    if subcomm is None:
        whole = count - 1 if alignment is None else alignment % count
        subcomm = _grid_of_world(tuple(int(axis == whole) for axis in range(count)))
    elif not isinstance(subcomm, Subcomm):
        if len(subcomm) != count:
            raise ValueError(f"{len(subcomm)} entries of subcomm for {count} axes")
        if not all(isinstance(entry, MPI.Comm) for entry in subcomm):
            subcomm = _grid_of_world(tuple(int(entry) for entry in subcomm))
    whole_axes = [axis for axis, comm in enumerate(subcomm) if comm.size == 1]
    if alignment is None:
        if not whole_axes:
            raise ValueError("no axis is whole: a Transfer could not begin anywhere")
        alignment = whole_axes[-1]
    return Pencil(subcomm, shape, int(alignment))


class Distributed:
    """What is the same for arrays of NumPy and of CuPy: see `DistArray`."""

    _p0: Pencil
    _rank: int

    def __array_finalize__(self, obj: Any) -> None:
        if obj is not None:
            self._p0 = getattr(obj, "_p0", None)
            self._rank = getattr(obj, "_rank", 0)

    @property
    def rank(self) -> int:
        """Rank of the tensor: 0 of a scalar, 1 of a vector, 2 of a matrix."""
        return self._rank

    @property
    def pencil(self) -> Pencil:
        """How the array is divided, components left aside."""
        return self._p0

    @property
    def alignment(self) -> int:
        """The axis that is whole on each process, counted without those of components."""
        return self._p0.axis

    @property
    def dimensions(self) -> int:
        """Number of axes, without those of components."""
        return len(self._p0.shape)

    @property
    def global_shape(self) -> tuple[int, ...]:
        """Shape of the global array."""
        return (*self.shape[:self.rank], *self._p0.shape)

    @property
    def substart(self) -> tuple[int, ...]:
        """First global index of this process's part along each axis."""
        return (0,) * self.rank + self._p0.substart

    @property
    def subcomm(self) -> tuple[MPI.Intracomm, ...]:
        """The communicator of each axis."""
        return (MPI.COMM_SELF,) * self.rank + self._p0.subcomm

    @property
    def commsizes(self) -> list[int]:
        """Number of processes along each axis."""
        return [comm.size for comm in self.subcomm]

    def local_slice(self) -> tuple[slice, ...]:
        """This process's part as an index of the global array."""
        return (*(slice(0, length) for length in self.shape[:self.rank]), *self._p0.slices)

    def __getitem__(self, index: Any) -> Any:
        """Components of tensors are arrays like this one, of lower rank; anything else is a plain
        array."""
        entries = index if isinstance(index, tuple) else (index,)
        of_components = len(entries) <= self.rank < self.ndim and all(
            isinstance(entry, (Integral, slice)) for entry in entries)
        if not of_components:
            return self.v[index]
        part = super().__getitem__(index)
        part._rank = self.rank - (self.ndim - part.ndim)
        return part

    def get(self, gslice: Sequence[int | slice]) -> Any:
        """A part of the global array. Collective.

        Parameters
        ----------
        gslice : sequence of int and slice
            One for each axis, those of components first.

        Returns
        -------
        numpy.ndarray or None
            The part, on the first of the array's processes; None on the others.

        Raises
        ------
        IndexError
            If there are too many or too few entries, or one is out of range.
        """
        return global_part(self, gslice)

    def get_pencil_and_transfer(self, axis: int) -> tuple[Pencil, Transfer]:
        """The pencil aligned with another axis, and what moves this array there, which the caller
        destroys."""
        pencil = self._p0.pencil(axis)
        return pencil, self._p0.transfer(pencil, self.dtype)

    def redistribute(self, axis: int | None = None, out: Any = None) -> Any:
        """Moves the array to another alignment. Collective.

        Parameters
        ----------
        axis : int, optional
            The axis that is to be whole; that of `out` by default.
        out : DistArray, optional
            Of the same global shape, and aligned with `axis`.

        Returns
        -------
        DistArray
            `out`, or a new array; the array itself, if it is aligned with `axis` already.

        Raises
        ------
        ValueError
            If neither argument is given, or `out` does not fit.
        """
        if axis is None and out is None:
            raise ValueError("axis or out must be given")
        if axis is None:
            axis = out.alignment
        axis %= self.dimensions
        if out is not None and (axis != out.alignment or self.global_shape != out.global_shape):
            raise ValueError(f"out has shape {out.global_shape} and alignment {out.alignment}, "
                             f"not {self.global_shape} and {axis}")
        if out is None and self._p0.subcomm[axis].size == 1:
            if axis != self.alignment:  # only the name of the alignment changes
                self._p0 = Pencil(self._p0.subcomm, self._p0.shape, axis)
            return self
        if out is not None and self.commsizes == out.commsizes:
            out[...] = self
            return out
        pencil = self._p0.pencil(axis)
        if out is None:
            out = _array_over(type(self), (*self.shape[:self.rank], *pencil.subshape), self.dtype)
            out._p0, out._rank = pencil, self.rank
        # Plans are kept with the communicator.
        key = ("mpi4py_fft", self._p0.shape, self.alignment, axis, self.dtype.str)
        plans = context_of(self._p0.subcomm[axis]).plans
        transfer = plans.get(key, lambda: self._p0.transfer(out.pencil, self.dtype))
        for component in np.ndindex(self.shape[:self.rank]):
            transfer.forward(self[component], out[component])
        return out

    def write(self, filename: Any, name: str = "darray", step: int = 0,
              global_slice: Sequence[int | slice] | None = None, domain: Any = None,
              as_scalar: bool = False) -> None:
        """Writes the array to a file. Collective.

        Parameters
        ----------
        filename : str or HDF5File or NCFile
            Ending in ``.h5`` for HDF5, else netCDF; or an open file of mpi4py-fft.
        name, step : str and int
            Of the snapshot.
        global_slice : sequence of int and slice, optional
            What is written of the global array; by default all of it.
        domain : sequence, optional
            For each axis a pair of origin and length, or the coordinates.
        as_scalar : bool, optional
            Whether components are written as fields of their own.

        Raises
        ------
        ImportError
            If mpi4py-fft, which writes the files, is not installed.
        """
        file = _opened(filename, mode="a", domain=domain)
        field = [self] if global_slice is None else [(self, global_slice)]
        file.write(step, {name: field}, as_scalar=as_scalar)

    def read(self, filename: Any, name: str = "darray", step: int = 0) -> None:
        """Reads the array from a file; parameters and errors as of `write`. Collective."""
        _opened(filename, mode="r").read(self, name, step=step)


def _opened(file: Any, **options: Any) -> Any:
    if not isinstance(file, str):
        return file
    api = importlib.import_module("weft.mpi4py_fft")
    return (api.HDF5File if file.endswith(".h5") else api.NCFile)(file, **options)


def _array_over(cls: type, shape: Sequence[int], dtype: DTypeLike, buffer: Any = None) -> Any:
    """An array of a class of either package, in new memory or in that of another one."""
    if issubclass(cls, np.ndarray):
        return np.ndarray.__new__(cls, shape, dtype, buffer)
    cupy = importlib.import_module("cupy")
    return cupy.ndarray.__new__(cls, shape, dtype, None if buffer is None else buffer.data)


def _make(cls: type, global_shape: Sequence[int], subcomm: Any, val: Any, dtype: DTypeLike,
          buffer: Any, alignment: int | None, rank: int) -> Any:
    shape = tuple(int(length) for length in global_shape)
    pencil = _pencil_of(shape[rank:], subcomm, alignment)
    made = _array_over(cls, (*shape[:rank], *pencil.subshape), dtype, buffer)
    made._p0, made._rank = pencil, rank
    if buffer is None and isinstance(val, Number):
        made.fill(val)
    return made


class DistArray(Distributed, np.ndarray):
    """This process's part of a distributed array: a NumPy array that knows where it belongs.

    Parameters
    ----------
    global_shape : sequence of int
        Shape of the global array; that of one axis is not divided.
    subcomm : Subcomm, or sequence of communicators or int, optional
        How axes other than those of components are divided; by default all but the aligned one, on
        ``MPI.COMM_WORLD``. Numbers are those of a grid, as for `Subcomm`.
    val : number, optional
        Fills the array.
    dtype : dtype, optional
    buffer : array, optional
        Whose memory the array is to have.
    strides : optional
        Must be None, as arrays lie in C order.
    alignment : int, optional
        An axis that is to be whole; by default the last one that is.
    rank : int, optional
        Number of leading axes that are those of components, and are not divided.

    Raises
    ------
    ValueError
        If these do not fit together.

    Notes
    -----
    `shape` is that of the local part. Collective where communicators have to be made: with numbers,
    or by default.
    """

    def __new__(cls, global_shape: Sequence[int], subcomm: Any = None, val: Any = None,
                dtype: DTypeLike = float, buffer: Any = None, strides: None = None,
                alignment: int | None = None, rank: int = 0) -> Self:
        if strides is not None:
            raise ValueError("strides cannot be chosen")
        return _make(cls, global_shape, subcomm, val, dtype, buffer, alignment, rank)

    @property
    def v(self) -> np.ndarray:
        """The local part as a plain array, in the same memory."""
        return self.__array__()


@functools.cache
def _cupy_class() -> type:
    """`DistArray` on GPUs; CuPy is only imported by who has its arrays."""
    cupy = importlib.import_module("cupy")

    class CupyDistArray(Distributed, cupy.ndarray):
        """This process's part of a distributed array on a GPU: as `DistArray`, of CuPy."""

        @property
        def v(self) -> Any:
            """The local part as a plain array, in the same memory."""
            return self.view(array_class=cupy.ndarray)

    return CupyDistArray


def newDistArray(pfft: PFFT, forward_output: bool = True, val: Any = 0, rank: int = 0,
                 view: bool = False) -> Any:
    """A new array for a transform.

    Parameters
    ----------
    pfft : PFFT
    forward_output : bool, optional
        Whether it is to be an array in spectral space, or one in physical space.
    val : number, optional
        Fills it.
    rank : int, optional
        Number of leading axes for components, each as long as there are axes.
    view : bool, optional
        Whether to return the plain array, whose `base` is the `DistArray`.

    Returns
    -------
    DistArray
        On the GPU where the transform is one of arrays of CuPy. The number of components along each
        leading axis is that of the axes of the transform.
    """
    pencil = pfft.pencil[bool(forward_output)]
    cls = DistArray if pfft.module is np else _cupy_class()
    shape = (len(pencil.shape),) * rank + tuple(pencil.shape)
    made = _make(cls, shape, pencil.subcomm, val, pfft.dtype(forward_output), None, pencil.axis,
                 rank)
    return made.v if view else made


def Function(*args: Any, **kwargs: Any) -> Any:
    """An older name of `newDistArray`, with ``tensor=True`` for ``rank=1``."""
    if kwargs.pop("tensor", False):
        kwargs["rank"] = 1
    return newDistArray(*args, **kwargs)
