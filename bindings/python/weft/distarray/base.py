"""What every part of `DistArray` stands on: its geometry, memory and device."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, TypeAlias, TypeVar

import numpy
from mpi4py import MPI
from numpy.typing import DTypeLike

from weft._layout import Layout
from weft._local_array import Box
from weft.distarray.collective import Context
from weft.distarray.geometry import Geometry, Shape, described, dtype_of, layout_of, resolve
from weft.distarray.redistribution import redistribute

if TYPE_CHECKING:
    from typing_extensions import Self


_Casting: TypeAlias = Literal["no", "equiv", "safe", "same_kind", "unsafe"]


class ArrayBase:
    """Elements of this rank, and where they belong."""

    local: Any
    memory: Any
    device: str
    _geometry: Geometry

    def _take(self, geometry: Geometry, memory: Any, device: str) -> None:
        self._geometry = geometry
        self.device = device
        self.memory = memory
        self.local = geometry.view(memory, device)

    @classmethod
    def _of(cls, geometry: Geometry, memory: Any, device: str) -> Self:
        """An array in this memory. Not collective."""
        array = cls.__new__(cls)
        array._take(geometry, memory, device)
        return array

    @classmethod
    def _from_values(cls, geometry: Geometry, values: Any, dtype: numpy.dtype, device: str) -> Self:
        """An array with a copy of these elements of this rank. Not collective."""
        array = cls._of(geometry, geometry.empty(dtype, device), device)
        array.local[...] = values
        return array

    @property
    def _context(self) -> Context:
        return self._geometry.context

    @property
    def shape(self) -> Shape:
        """Lengths of the global array."""
        return self._geometry.shape

    @property
    def ndim(self) -> int:
        return len(self.shape)

    @property
    def size(self) -> int:
        """Number of elements of the global array."""
        return int(numpy.prod(self.shape, dtype=object))

    @property
    def dtype(self) -> numpy.dtype:
        dtype: numpy.dtype = self.memory.dtype
        return dtype

    @property
    def layout(self) -> Layout:
        return self._geometry.layout

    @property
    def comm(self) -> MPI.Intracomm:
        """The communicator that the array was made with."""
        return self._context.users

    @property
    def box(self) -> Box:
        """What this rank owns: indices from `lower` to below `upper` along each axis."""
        return self._geometry.box

    @property
    def boxes(self) -> tuple[Box, ...]:
        """The boxes of all ranks."""
        return self._geometry.boxes

    def copy(self) -> Self:
        """An array of the same layout with memory of its own, the halo included."""
        return self._of(self._geometry, self.memory.copy(), self.device)

    def astype(self, dtype: DTypeLike, casting: _Casting = "unsafe") -> Self:
        """A copy with elements of another type, as `numpy.ndarray.astype`."""
        chosen = dtype_of(dtype)
        if not numpy.can_cast(self.dtype, chosen, casting):
            raise TypeError(
                f"elements of dtype {self.dtype} are not cast to {chosen} by the rule {casting!r}"
            )
        return self._like(self.local.astype(chosen))

    @property
    def real(self) -> Self:
        """The real parts, copied."""
        return self._like(self.local.real)

    @property
    def imag(self) -> Self:
        """The imaginary parts, copied."""
        return self._like(self.local.imag)

    def conj(self) -> Self:
        """The complex conjugates, in a new array."""
        return self._like(self.local.conj())

    conjugate = conj

    def _like(self, values: Any) -> Self:
        """An array of the same layout with a copy of these elements."""
        return self._from_values(self._geometry, values, values.dtype, self.device)

    def _memory_in(self, target: Geometry) -> Any:
        """Collective. The array's own memory where it lies so, otherwise new one."""
        if target.number == self._geometry.number:
            return self.memory
        return redistribute(self._geometry, target, self.memory, self.device)

    @property
    def _text(self) -> str:
        return f"a DistArray of layout {self._geometry}, dtype {self.dtype}"

    def _check_layout(self, other: ArrayBase) -> None:
        """Raises ValueError unless the ranks own the same points of both."""
        if self._context is not other._context:
            raise ValueError(
                f"communicators differ: {self._text} on {self._context.size} ranks, "
                f"{other._text} on {other._context.size} ranks"
            )
        if not self._geometry.has_boxes_of(other._geometry):
            raise ValueError(
                f"layouts differ: {self._geometry} and {other._geometry}; see redistribute()"
            )
        if self.device != other.device:
            raise ValueError(f"devices differ: {self.device!r} and {other.device!r}")

    def _in_layout(self, layout: Layout | str | None, shape: Shape, default: Layout) -> Geometry:
        """Collective. A layout that a caller chose, or the default, for a shape."""
        if layout is None:
            return resolve(self._context, shape, default)
        call = f"layout={described(layout)}"
        chosen = self._context.collectively(call, lambda: layout_of(layout))
        return resolve(self._context, shape, chosen)


SomeArray = TypeVar("SomeArray", bound=ArrayBase)
