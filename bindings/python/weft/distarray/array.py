"""`DistArray`: a global array of which every rank owns a box."""

from __future__ import annotations

import operator
import os
from typing import Any

import numpy

from weft._layout import Layout
from weft.distarray import npy
from weft.distarray.creation import Creation, resolved
from weft.distarray.device import array_module, to_host
from weft.distarray.elementwise import Elementwise
from weft.distarray.gathering import gather_selection
from weft.distarray.geometry import layout_text
from weft.distarray.indexing import Selection
from weft.distarray.numpy_functions import NumpyFunctions
from weft.distarray.reductions import Reductions
from weft.distarray.spectral import Spectral


class DistArray(Creation, Elementwise, NumpyFunctions, Reductions, Spectral):
    """A global array that is spread over the ranks of a communicator, each of which owns a box.

    Making an array is collective over its communicator, and so is every method that says so: all
    ranks call it, in the same order and with the same arguments. If they do not, or if an argument
    is invalid on one rank, every rank raises the same exception, and the array does not change.
    Elementwise operations and assignments do not communicate.

    Parameters
    ----------
    shape : int or iterable of int
        Lengths of the global array: 1 to 6 axes of at least one point.
    dtype : dtype
        Type of the elements: any of fixed size. Transforms need float32, float64, complex64 or
        complex128.
    layout : Layout or str
        Which box each rank owns and how it lies in memory: ``"slab:0"``, ``weft.pencil_along(1)``,
        ``weft.boxes([...])``, with memory order, halo or strides.
    comm : mpi4py.MPI.Intracomm
        Default: ``MPI.COMM_WORLD``. It is duplicated once for all of its arrays. Their plans are
        cached until it is freed (see `set_plan_limit`).
    device : {'host', 'cuda', 'hip'}
        Where the elements lie: in NumPy arrays, or in CuPy arrays on a GPU of each rank (with
        'hip' this has never run).

    Attributes
    ----------
    local : numpy.ndarray or cupy.ndarray
        This rank's part: a view of the array's memory, to read and write. Its axes are in the order
        of the global array, whatever the memory order. It keeps the memory alive, and may be empty.
    memory : numpy.ndarray or cupy.ndarray
        All memory of this rank, flat, halo included.

    Notes
    -----
    The elements are uninitialized; use `zeros` and the like to set them. Results of operations have
    new memory, and the halo of a result is undefined.
    """

    __hash__ = None  # type: ignore[assignment]

    def __len__(self) -> int:
        return self.shape[0]

    __iter__ = None  # each step would be collective

    def __array__(self, *_args: Any, **_kwargs: Any) -> numpy.ndarray:
        raise TypeError("a DistArray is not gathered on its own: use allgather(), or local")

    def __bool__(self) -> bool:
        raise ValueError("the truth value of a DistArray is ambiguous: use any() or all()")

    def __repr__(self) -> str:
        place = "" if self.device == "host" else f", device={self.device!r}"
        box = "x".join(f"[{begin},{end})" for begin, end in zip(*self.box))
        rank = f"rank {self._context.rank} of {self._context.size}"
        return (
            f"DistArray(shape={self.shape}, dtype={self.dtype}, "
            f"layout={layout_text(self.layout)!r}{place}; {rank}: {box})"
        )

    def redistribute(self, layout: Layout | str) -> DistArray:
        """A copy in another layout. Collective.

        Parameters
        ----------
        layout
            Any: other boxes, memory order, halo or strides.

        Returns
        -------
        DistArray
            Its halo is undefined.

        Raises
        ------
        TypeError, weft.Error
            On every rank, if the layout is invalid, or does not fit shape and communicator.

        Notes
        -----
        Elements of 4, 8 and 16 bytes of any dtype are moved as they are; those of 1 and 2 bytes are
        widened to 4, and those of other sizes take several runs. The plan is cached.
        """
        target, _ = resolved("redistribute(", self._context, self.shape, layout)
        memory = self._memory_in(target)
        return self._of(target, memory.copy() if memory is self.memory else memory, self.device)

    def gather(self, root: int = 0) -> numpy.ndarray | None:
        """The global array, as a NumPy array on one rank; None on the others. Collective."""

        def check() -> Selection:
            if not 0 <= operator.index(root) < self._context.size:
                raise ValueError(f"root {root} is none of the {self._context.size} ranks")
            return Selection.of(..., self.shape)

        whole = self._context.collectively(f"gather(root={root!r}) of {self._text}", check)
        return gather_selection(self._geometry, whole, to_host(self.local), root)

    def allgather(self) -> numpy.ndarray:
        """The global array, as a NumPy array on every rank. Collective."""
        whole: numpy.ndarray = self[...]
        return whole

    def __getitem__(self, key: Any) -> Any:
        """Points of the global array, as a NumPy array (or number) on every rank. Collective.

        Parameters
        ----------
        key
            Integers, slices with any step, ``...`` and ``numpy.newaxis``, as in NumPy's basic
            indexing. The result is a copy.

        Raises
        ------
        IndexError
            On every rank, for indices out of bounds, too many of them, and other kinds of them.
        """
        selection = self._context.collectively(
            f"indexing with [{key!r}] of {self._text}", lambda: Selection.of(key, self.shape)
        )
        points = gather_selection(self._geometry, selection, to_host(self.local))
        assert points is not None
        return selection.to_result(points)

    def __setitem__(self, key: Any, value: Any) -> None:
        """Assigns to points of the global array. Not collective: nothing is sent.

        Parameters
        ----------
        key
            As for reading. All ranks that own any of the points have to assign.
        value
            A number; an array that broadcasts to the points that are named, of which each rank uses
            its part; or, for all points (``a[...] = b``), a `DistArray` of the same layout.

        Raises
        ------
        IndexError, ValueError
            Where indices or shapes do not fit, or layouts differ.
        """
        selection = Selection.of(key, self.shape)
        if isinstance(value, DistArray):
            if not selection.is_whole:
                raise ValueError("a DistArray can be assigned to the whole array only: a[...] = b")
            self._check_layout(value)
            self.local[...] = value.local
            return
        module = array_module(self.device)
        values = selection.from_value(module.asarray(value).astype(self.dtype, copy=False))
        part = selection.part(*self.box)
        if part is not None:
            mine, local = part
            self.local[local] = values[mine]

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the array as a NumPy file (.npy), in C order. Collective; see `weft.load`.

        Parameters
        ----------
        path
            An existing file is replaced when the new one is complete.

        Raises
        ------
        OSError
            On every rank; an existing file is then still there.
        """
        npy.save(self, path)
