"""Sums, extrema and scalar products over all ranks."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy
from numpy.typing import DTypeLike

from weft.distarray.base import ArrayBase
from weft.distarray.device import to_host

if TYPE_CHECKING:
    from typing_extensions import Self


class Reductions(ArrayBase):
    """Reductions of a `DistArray` over all of its elements. All of them are collective.

    Every rank gets the same NumPy number, with the type of NumPy's reduction of the global array.
    Contributions are combined in the order of ranks, so the result is the same in every run;
    between layouts it differs by rounding.
    """

    def sum(self, axis: None = None, dtype: DTypeLike | None = None) -> Any:
        """The sum of all elements. Collective."""
        return self._reduced("sum", axis, lambda a: a.sum(dtype=dtype), numpy.sum, dtype)

    def prod(self, axis: None = None, dtype: DTypeLike | None = None) -> Any:
        """The product of all elements. Collective."""
        return self._reduced("prod", axis, lambda a: a.prod(dtype=dtype), numpy.prod, dtype)

    def min(self, axis: None = None) -> Any:
        """The smallest element; NaN where there is one. Collective."""
        return self._reduced("min", axis, lambda a: a.min() if a.size else None, numpy.min)

    def max(self, axis: None = None) -> Any:
        """The largest element; NaN where there is one. Collective."""
        return self._reduced("max", axis, lambda a: a.max() if a.size else None, numpy.max)

    def any(self, axis: None = None) -> Any:
        """Whether an element is true. Collective."""
        return self._reduced("any", axis, lambda a: a.any(), numpy.any)

    def all(self, axis: None = None) -> Any:
        """Whether all elements are true. Collective."""
        return self._reduced("all", axis, lambda a: a.all(), numpy.all)

    def mean(self, axis: None = None) -> Any:
        """The mean of all elements. Collective. Integers are summed as float64."""
        dtype = _wide(self.dtype)
        total = self._reduced("mean", axis, lambda a: a.sum(dtype=dtype), numpy.sum)
        mean = total / total.dtype.type(self.size)
        return mean.astype(self.dtype) if self.dtype.kind in "fc" else mean

    def norm(self) -> Any:
        """The square root of the sum of |x|^2 over all elements x. Collective."""

        def squares(local: Any) -> Any:
            values = local.astype(_wide(local.dtype), copy=False).reshape(-1)
            return _flat_product(values.conj(), values).real

        return numpy.sqrt(self._reduced("norm", None, squares, numpy.sum))

    def dot(self, other: Self) -> Any:
        """The sum of the products of all elements. Collective.

        Raises
        ------
        TypeError, ValueError
            On every rank, where `other` is no `DistArray` of the same layout.
        """
        return self._product("dot", other, lambda a: a)

    def vdot(self, other: Self) -> Any:
        """The same with the complex conjugates of this array's elements. Collective."""
        return self._product("vdot", other, lambda a: a.conj())

    def _product(self, name: str, other: Self, first: Callable[[Any], Any]) -> Any:
        def check() -> None:
            if not isinstance(other, ArrayBase):
                raise TypeError(f"{name} of a DistArray and an object of {type(other).__name__}")
            self._check_layout(other)

        self._context.collectively(f"{name} of {self._text}", check)
        return self._reduced(
            name,
            None,
            lambda local: _flat_product(first(local).reshape(-1), other.local.reshape(-1)),
            numpy.sum,
        )

    def _reduced(self, name: str, axis: None, of_local: Callable[[Any], Any],
                 of_ranks: Callable[..., Any], dtype: DTypeLike | None = None) -> Any:
        """Combines what the function gives on each rank; None stands for nothing."""

        def partial() -> Any:
            if axis is not None:
                raise ValueError(
                    f"{name} along axis {axis!r}: a DistArray is reduced over all axes at once"
                )
            value = of_local(self.local)
            return None if value is None else to_host(value)[()]

        call = f"{name}(dtype={dtype!r}) of {self._text}"
        mine = self._context.collectively(call, partial)
        partials = [x for x in self._context.comm.allgather(mine) if x is not None]
        combined = of_ranks(numpy.array(partials))
        return combined.astype(partials[0].dtype)


def _wide(dtype: numpy.dtype) -> numpy.dtype:
    """What elements are summed as where the result is not to be an integer."""
    if dtype.kind not in "fc":
        return numpy.dtype(float)
    return numpy.dtype(numpy.float32) if dtype == numpy.float16 else dtype


def _flat_product(a: Any, b: Any) -> Any:
    return a.dot(b)
