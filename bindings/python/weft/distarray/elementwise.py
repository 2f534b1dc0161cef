"""NumPy's universal functions and operators on distributed arrays, element by element."""

from __future__ import annotations

import numbers
from typing import TYPE_CHECKING, Any

import numpy
from numpy.lib.mixins import NDArrayOperatorsMixin

from weft.distarray.base import ArrayBase
from weft.distarray.device import array_module

if TYPE_CHECKING:
    from typing_extensions import Self


class Elementwise(NDArrayOperatorsMixin, ArrayBase):
    """Operators, and `numpy.sin` and its like, of a `DistArray`. Nothing is sent.

    Operands are arrays of the same layout (memory order and halo may differ; the result has those
    of the first), numbers, and NumPy arrays, which stand for global arrays that all ranks have:
    they are broadcast to the shape of the distributed ones, and each rank uses its part. So ``a *
    k[:, None, None]`` multiplies by wavenumbers along the first axis.

    Results have new memory; ``out=`` and ``a += b`` write into arrays of the same layout. Errors
    about layouts and shapes are raised on all ranks; errors that depend on elements, such as
    negative powers of integers, on the ranks that own them.
    """

    def __array_ufunc__(self, ufunc: numpy.ufunc, method: str, *inputs: Any,
                        out: tuple[Any, ...] = (), where: Any = True, **options: Any) -> Any:
        for other in (*inputs, *out, where):
            if not _is_operand(other):
                if hasattr(other, "__array_ufunc__"):
                    return NotImplemented
                kind = type(other).__name__
                raise TypeError(f"numpy.{ufunc.__name__} of a DistArray and one of type {kind}")
        if method != "__call__" or ufunc.signature is not None:
            name = ufunc.__name__ + ("" if method == "__call__" else f".{method}")
            raise TypeError(f"numpy.{name} is not elementwise: of a DistArray it is not supported")
        for target in out:
            if target is not None and not isinstance(target, ArrayBase):
                raise TypeError(f"out of numpy.{ufunc.__name__} is to be a DistArray")
        first = next(x for x in (*inputs, *out, where) if isinstance(x, Elementwise))
        if out:
            options["out"] = tuple(None if x is None else first._operand(x) for x in out)
        if where is not True:
            options["where"] = first._operand(where)
        results = ufunc(*map(first._operand, inputs), **options)
        if ufunc.nout == 1:
            return first._result(results, out[0] if out else None)
        return tuple(map(first._result, results, out or (None,) * ufunc.nout))

    def _operand(self, other: Any) -> Any:
        """What this rank has of an operand."""
        if isinstance(other, ArrayBase):
            self._check_layout(other)
            return other.local
        if isinstance(other, numbers.Number) or numpy.ndim(other) == 0:
            return other
        whole = array_module(self.device).asarray(other)
        try:
            return numpy.broadcast_to(whole, self.shape)[self.box.slices]
        except ValueError:
            raise ValueError(
                f"a global array of shape {whole.shape} does not broadcast to {self.shape}, the "
                "shape of the DistArray"
            ) from None

    def _result(self, values: Any, out: Self | None) -> Self:
        if out is not None:
            return out
        memory = self._geometry.flat(values, self.device)
        if memory is not None:
            return self._of(self._geometry, memory, self.device)
        return self._like(values)


def _is_operand(value: Any) -> bool:
    known = (ArrayBase, numpy.ndarray, numpy.generic, numbers.Number, list, tuple, type(None))
    return isinstance(value, known) or hasattr(value, "__cuda_array_interface__")
