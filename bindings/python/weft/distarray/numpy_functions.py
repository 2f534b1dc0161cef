"""The functions of NumPy that take a `DistArray`, by NEP 18's `__array_function__`."""

from __future__ import annotations

import operator
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy
from numpy.typing import DTypeLike

from weft._layout import pencil_along
from weft._transform_arguments import lengths_and_axes
from weft.distarray.base import ArrayBase
from weft.distarray.device import array_module
from weft.distarray.reductions import Reductions


class NumpyFunctions(ArrayBase):
    """`numpy.sum`, `numpy.fft.fftn` and others of a `DistArray`, as its methods do them."""

    def __array_function__(
        self, function: Callable[..., Any], _types: Any, args: Any, kwargs: Any
    ) -> Any:
        known = FUNCTIONS.get(function)
        if known is None:
            names = ", ".join(sorted({_name(other) for other in FUNCTIONS}))
            raise TypeError(
                f"numpy.{_name(function)} of a DistArray is not supported; these "
                f"functions are: {names}"
            )
        return known(*args, **kwargs)


def _name(function: Callable[..., Any]) -> str:
    """Without "numpy."."""
    return f"{function.__module__}.{function.__name__}".removeprefix("numpy.")


def _like(fill: Any, a: Any, dtype: DTypeLike | None = None) -> Any:
    result = a._of(
        a._geometry, a._geometry.empty(numpy.dtype(dtype or a.dtype), a.device), a.device
    )
    if fill is not None:
        result.local[...] = fill
    return result


def _transformed(name: str, a: Any, out: Any, **arguments: Any) -> Any:
    """As the functions of `weft.fft`; SciPy is not needed."""
    if out is not None or not isinstance(a, ArrayBase):
        raise TypeError(
            "out= of numpy.fft is not supported with a DistArray: lengths, axes and "
            f"norm of {name} are"
        )
    transform: Any = a
    return transform.__weft_transform__(name, **arguments)


def _along_axis(name: str, a: Any, n: int | None = None, axis: int = -1, norm: str | None = None,
                out: None = None) -> Any:
    return _transformed(name, a, out, s=None if n is None else (n,), axes=(axis,), norm=norm)


def _along_axes(
    name: str, a: Any, s: Any = None, axes: Any = None, norm: str | None = None, out: None = None
) -> Any:
    return _transformed(name, a, out, s=s, axes=axes, norm=norm)


def _along_two_axes(name: str, a: Any, s: Any = None, axes: Any = (-2, -1), norm: str | None = None,
                    out: None = None) -> Any:
    return _transformed(name, a, out, s=s, axes=axes, norm=norm)


def _shifted(name: str, sign: int, x: Any, axes: Any = None) -> Any:
    """Collective. Shifts the zero frequency to the middle, or back.

    An axis that is not whole on every rank is made so for the time being: of an array of one axis
    a rank has all of it then.
    """
    call = f"{name}(axes={axes!r}) of {x._text}"
    result = x.copy()
    for axis in x._context.collectively(call, lambda: lengths_and_axes(x.shape, None, axes)[1]):
        extents = {box.extents[axis] for box in result.boxes if 0 not in box.extents}
        if extents != {x.shape[axis]}:
            result = result.redistribute(pencil_along(axis))
        if result.local.size:
            shift = sign * (x.shape[axis] // 2)
            result.local[...] = array_module(x.device).roll(result.local, shift, axis)
    return result.redistribute(x.layout)


#: What each function of NumPy does with a `DistArray`.
FUNCTIONS: dict[Callable[..., Any], Callable[..., Any]] = {
    **{
        getattr(numpy, name): getattr(Reductions, name)
        for name in ("sum", "prod", "min", "max", "any", "all", "mean", "vdot")
    },
    numpy.amin: Reductions.min,
    numpy.amax: Reductions.max,
    numpy.linalg.norm: Reductions.norm,
    **{
        getattr(numpy, name): operator.attrgetter(name)
        for name in ("real", "imag", "shape", "ndim", "size")
    },
    numpy.copy: lambda a: a.copy(),
    numpy.empty_like: partial(_like, None),
    numpy.zeros_like: partial(_like, 0),
    numpy.ones_like: partial(_like, 1),
    numpy.full_like: lambda a, fill_value, dtype=None: _like(fill_value, a, dtype),
    **{
        getattr(numpy.fft, name + ending): partial(function, name + "n")
        for name in ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft")
        for ending, function in (("", _along_axis), ("2", _along_two_axes), ("n", _along_axes))
        if hasattr(numpy.fft, name + ending)
    },
    numpy.fft.fftshift: partial(_shifted, "fftshift", 1),
    numpy.fft.ifftshift: partial(_shifted, "ifftshift", -1),
}
