"""What arrays know that are this process's part of a distributed one, of NumPy or of CuPy."""

from __future__ import annotations

import importlib
import math
from collections.abc import Sequence
from numbers import Integral
from typing import Any

import numpy as np
from mpi4py import MPI
from numpy.typing import DTypeLike

from weft._memory import aligned
from weft.distarray.collective import context_of
from weft.mpi4py_fft.gathering import global_part
from weft.mpi4py_fft.pencil import Pencil, Transfer


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
            out = array_over(type(self), (*self.shape[:self.rank], *pencil.subshape), self.dtype)
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


class _Memory(np.ndarray):
    """Memory of an array. NumPy takes the array for the base of its views, as this is of another
    class; else it would take the memory."""


def array_over(cls: type, shape: Sequence[int], dtype: DTypeLike, buffer: Any = None) -> Any:
    """An array of a class of either package, in new memory or in that of another one."""
    if issubclass(cls, np.ndarray):
        if buffer is None:
            buffer = aligned(math.prod(shape) * np.dtype(dtype).itemsize).view(_Memory)
        return np.ndarray.__new__(cls, shape, dtype, buffer)
    cupy = importlib.import_module("cupy")
    return cupy.ndarray.__new__(cls, shape, dtype, None if buffer is None else buffer.data)
