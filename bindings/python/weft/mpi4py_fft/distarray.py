"""Distributed arrays, each process with its part: `DistArray`, and what makes them."""

from __future__ import annotations

import functools
import importlib
from collections.abc import Sequence
from numbers import Number
from typing import TYPE_CHECKING, Any

import numpy as np
from mpi4py import MPI
from numpy.typing import DTypeLike

from weft.mpi4py_fft.distributed import Distributed, array_over
from weft.mpi4py_fft.pencil import Pencil, Subcomm

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


def _make(cls: type, global_shape: Sequence[int], subcomm: Any, val: Any, dtype: DTypeLike,
          buffer: Any, alignment: int | None, rank: int) -> Any:
    shape = tuple(int(length) for length in global_shape)
    pencil = _pencil_of(shape[rank:], subcomm, alignment)
    made = array_over(cls, (*shape[:rank], *pencil.subshape), dtype, buffer)
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
            return cupy.ndarray(self.shape, self.dtype, self.data, self.strides)

        def get(self, gslice: Sequence[int | slice] | None = None, **copying: Any) -> Any:
            """A part of the global array, see `DistArray.get`; without `gslice` the local part in
            memory of the host, with the arguments of CuPy, whose functions call this."""
            if gslice is None:
                return self.v.get(**copying)
            return super().get(gslice)

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
