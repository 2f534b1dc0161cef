"""What a rank owns of an array, and how it lies in memory."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from weft._memory import aligned
from weft._modules import module_of


class Box(NamedTuple):
    """Half-open range of indices of the global array, along each axis; may be empty.

    Attributes
    ----------
    lower, upper : tuple of int
    """

    lower: tuple[int, ...]
    upper: tuple[int, ...]

    @property
    def extents(self) -> tuple[int, ...]:
        """Number of points along each axis."""
        return tuple(b - a for a, b in zip(self.lower, self.upper))

    @property
    def slices(self) -> tuple[slice, ...]:
        """The box as an index: ``whole[box.slices]`` is this part of the global array."""
        return tuple(slice(a, b) for a, b in zip(self.lower, self.upper))


class LocalArray:
    """The part of an array that this rank owns, and how it has to lie in memory.

    Attributes
    ----------
    box : Box
        The part of the global array.
    shape : tuple of int
        Shape of this rank's array: the lengths of the box. A batch is an additional first axis, or
        the last one if fields are interleaved.
    strides : tuple of int
        Distances between neighbors, in elements, in the order of `shape`.
    offset : int
        Number of elements before the first one owned.
    allocation_size : int
        Number of elements to allocate, halo included; 0 if the box is empty.
    dtype : numpy.dtype
    field_axis : int or None
        The axis of `shape` that numbers fields: 0 or -1; None if there is none.
    """

    __slots__ = ("allocation_size", "box", "dtype", "field_axis", "offset", "shape", "strides",
                 "_byte_strides")

    def __init__(self, lower: tuple[int, ...], upper: tuple[int, ...], shape: tuple[int, ...],
                 strides: tuple[int, ...], offset: int, allocation_size: int, dtype: str,
                 field_axis: int | None = None) -> None:
        self.box = Box(lower, upper)
        self.shape = shape
        self.strides = strides
        self.offset = offset
        self.allocation_size = allocation_size
        self.dtype = np.dtype(dtype)
        self.field_axis = field_axis
        self._byte_strides = tuple(self.dtype.itemsize * stride for stride in strides)

    def __repr__(self) -> str:
        return (f"LocalArray(box={self.box}, shape={self.shape}, strides={self.strides}, offset="
                f"{self.offset}, allocation_size={self.allocation_size}, dtype={self.dtype})")

    @property
    def nbytes(self) -> int:
        """Bytes to allocate, halo included."""
        return self.allocation_size * self.dtype.itemsize

    def empty(self, module: Any = np) -> Any:
        """Makes an array of this layout.

        Parameters
        ----------
        module : module, optional
            `numpy`, or `cupy` for an array on its current device.

        Returns
        -------
        numpy.ndarray or cupy.ndarray
            Uninitialized, with `shape`, `dtype` and the planned strides. It is a view if the layout
            has a halo, padding or another order; its memory has all `allocation_size` elements.
        """
        return self._made(module, module.empty)

    def zeros(self, module: Any = np) -> Any:
        """Makes an array that is filled with zeros, halo included; otherwise as `empty`."""
        return self._made(module, module.zeros)

    def _made(self, module: Any, make: Any) -> Any:
        return self.over(aligned(self.nbytes, make) if module is np else
                         make(self.allocation_size, self.dtype))

    def over(self, memory: Any) -> Any:
        """Makes an array of this layout in existing memory, for transforms in place.

        Parameters
        ----------
        memory : numpy.ndarray or cupy.ndarray
            Contiguous, of any type, and of at least `nbytes` bytes.

        Returns
        -------
        numpy.ndarray or cupy.ndarray
            Shares the memory.

        Raises
        ------
        ValueError
            If the memory is not contiguous, or too small.
        """
        flat = memory.reshape(-1) if memory.flags.c_contiguous else memory.T.reshape(-1)
        module = module_of(memory)
        if not module.may_share_memory(flat, memory) and memory.size > 0:
            raise ValueError("the memory is not contiguous")
        if memory.nbytes < self.nbytes:
            raise ValueError(f"the memory has {memory.nbytes} bytes, {self.nbytes} are needed")
        if math.prod(self.shape) == 0:
            return module.empty(self.shape, self.dtype)
        if module is np:
            return np.ndarray(self.shape, self.dtype, flat, self.offset * self.dtype.itemsize,
                              self._byte_strides)
        first = flat.view(np.uint8)[self.offset * self.dtype.itemsize:self.nbytes]
        return module.lib.stride_tricks.as_strided(first.view(self.dtype), self.shape,
                                                   self._byte_strides)


def new_result(side: LocalArray, x: Any) -> Any:
    """A new array for what comes of another one, of the same module; where there is no memory for
    it, what is refused on all ranks."""
    try:
        return side.empty(module_of(x))
    except MemoryError:
        return None
