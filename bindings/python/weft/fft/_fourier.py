"""Fourier transforms with the signatures of SciPy's."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

import numpy as np

from weft._transform_arguments import OPPOSITE, lengths_and_axes, norm_of
from weft.fft import _arguments as arguments
from weft.fft import _scipy
from weft.fft._documentation import documented
from weft.fft._engine import transform

_Resolve = Callable[..., tuple[list[int], list[int]]]


def _kinds(axes: list[int], dimensions: int, last: str) -> tuple[str, ...]:
    """c2c along the axes, but for the last one of them."""
    kinds = ["none"] * dimensions
    for axis in axes:
        kinds[axis] = "c2c"
    kinds[axes[-1]] = last
    return tuple(kinds)


def _complex(name: str, x: Any, s: Any, axes: Any, norm: str | None, overwrite_x: bool,
             workers: int | None, resolve: _Resolve) -> Any:
    """fftn and ifftn."""
    array = arguments.number_array(x)
    lengths, chosen = resolve(array.shape, s, axes)
    norm, threads = norm_of(name, norm), arguments.threads_of(workers)
    if not chosen:
        return x
    if _scipy.is_needed_for(array):
        return _scipy.call(name, array, lengths, chosen, norm, workers=threads)
    own = overwrite_x or arguments.is_temporary(array, x)
    array, copied = arguments.resized(array, lengths, chosen)
    if array.dtype.kind == "f":
        array, copied = array.astype(f"c{2 * array.itemsize}"), True
    in_place = (own or copied) and arguments.may_be_overwritten(array)
    return transform(array, _kinds(chosen, array.ndim, "c2c"), array.shape, name == "fftn",
                     norm, threads, out=array if in_place else None)


def _from_real(name: str, x: Any, s: Any, axes: Any, norm: str | None, overwrite_x: bool,
               workers: int | None, resolve: _Resolve) -> Any:
    """rfftn, and ihfftn, which is its conjugate."""
    array = arguments.number_array(x)
    if array.dtype.kind == "c":
        raise TypeError("x must be a real sequence")
    lengths, chosen = resolve(array.shape, s, axes)
    is_conjugate = name == "ihfftn"
    norm, threads = norm_of(name, norm), arguments.threads_of(workers)
    scaling = OPPOSITE[norm] if is_conjugate else norm
    if not chosen:
        raise ValueError("at least 1 axis must be transformed")
    if _scipy.is_needed_for(array):
        return _scipy.call(name, array, lengths, chosen, norm, workers=threads)
    array, _ = arguments.resized(array, lengths, chosen)
    result = transform(array, _kinds(chosen, array.ndim, "r2c"), array.shape, True, scaling,
                       threads)
    return np.conjugate(result, out=result) if is_conjugate else result


def _to_real(name: str, x: Any, s: Any, axes: Any, norm: str | None, overwrite_x: bool,
             workers: int | None, resolve: _Resolve) -> Any:
    """irfftn, and hfftn, which is the same of the conjugate numbers."""
    array = arguments.number_array(x)
    lengths, chosen = resolve(array.shape, s, axes)
    is_conjugate = name == "hfftn"
    norm, threads = norm_of(name, norm), arguments.threads_of(workers)
    scaling = OPPOSITE[norm] if is_conjugate else norm
    if not chosen:
        raise ValueError("at least 1 axis must be transformed")
    if s is None:
        lengths[-1] = 2 * (lengths[-1] - 1)
        if lengths[-1] == 0 and resolve is arguments.length_and_axis:
            raise ValueError("invalid number of data points (0) specified")
        lengths[-1] = max(lengths[-1], 1)  # as SciPy's functions of several axes
    if _scipy.is_needed_for(array):
        return _scipy.call(name, array, lengths, chosen, norm, workers=threads)
    array, _ = arguments.resized(array, [*lengths[:-1], lengths[-1] // 2 + 1], chosen)
    if array.dtype.kind == "f":
        array = array.astype(f"c{2 * array.itemsize}")
    elif is_conjugate:
        array = np.conjugate(array)
    shape = list(array.shape)
    shape[chosen[-1]] = lengths[-1]
    return transform(array, _kinds(chosen, array.ndim, "r2c"), tuple(shape), False, scaling,
                     threads)


_FAMILIES = {"fftn": _complex, "ifftn": _complex, "rfftn": _from_real, "ihfftn": _from_real,
             "irfftn": _to_real, "hfftn": _to_real}


def _transform(name: str, x: Any, s: Any, axes: Any, norm: str | None, overwrite_x: bool,
               workers: int | None, plan: None, one_axis: bool) -> Any:
    arguments.refuse_plan(plan)
    distributed = getattr(x, "__weft_transform__", None)
    if distributed is None:
        resolve = arguments.length_and_axis if one_axis else lengths_and_axes
        return _FAMILIES[name](name, x, s, axes, norm, overwrite_x, workers, resolve)
    if one_axis:
        s, axes = (None if s is None else (s,)), (axes,)
    return distributed(name, s=s, axes=axes, norm=norm, overwrite_x=overwrite_x, workers=workers)


class _AlongAxis(Protocol):
    """The functions of one axis."""

    def __call__(self, x: Any, n: int | None = None, axis: int = -1, norm: str | None = None,
                 overwrite_x: bool = False, workers: int | None = None, *,
                 plan: None = None) -> Any: ...


class _AlongAxes(Protocol):
    """Those of several."""

    def __call__(self, x: Any, s: Any = None, axes: Any = None, norm: str | None = None,
                 overwrite_x: bool = False, workers: int | None = None, *,
                 plan: None = None) -> Any: ...


def _along_axes(function: str, result: str, summary: str, default_axes: Any = None) -> _AlongAxes:
    """The function of several axes of this name: "fftn", or "fft2" with two axes by default."""
    name = function.replace("2", "n")

    def along_axes(x: Any, s: Any = None, axes: Any = default_axes, norm: str | None = None,
                   overwrite_x: bool = False, workers: int | None = None, *,
                   plan: None = None) -> Any:
        return _transform(name, x, s, axes, norm, overwrite_x, workers, plan, one_axis=False)

    return documented(along_axes, __name__, function, result, summary)


def _along_axis(function: str, result: str, summary: str) -> _AlongAxis:
    """The function of one axis of this name: "fft"."""

    def along_axis(x: Any, n: int | None = None, axis: int = -1, norm: str | None = None,
                   overwrite_x: bool = False, workers: int | None = None, *,
                   plan: None = None) -> Any:
        return _transform(function + "n", x, n, axis, norm, overwrite_x, workers, plan,
                          one_axis=True)

    return documented(along_axis, __name__, function, result, summary)


def _family(name: str, result: str,
            summary: str) -> tuple[_AlongAxis, _AlongAxes, _AlongAxes]:
    """The functions of one axis, of two and of several."""
    return (_along_axis(name, result, summary.format("along one axis", "")),
            _along_axes(name + "2", result, summary.format("along two axes", "2"), (-2, -1)),
            _along_axes(name + "n", result, summary.format("along several axes", "n")))


_COMPLEX, _REAL = "complex ndarray", "real ndarray"
_HALF = "complex ndarray: coefficients 0 to n // 2 along the last transformed axis"

fft, fft2, fftn = _family("fft", _COMPLEX, "Transforms {}.")
ifft, ifft2, ifftn = _family("ifft", _COMPLEX, "Transforms {} back; the inverse of `fft{}`.")
rfft, rfft2, rfftn = _family("rfft", _HALF, "Transforms real numbers {}.")
irfft, irfft2, irfftn = _family(
    "irfft", _REAL, "Transforms half a spectrum back to real numbers {}; inverse of `rfft{}`.")
hfft, hfft2, hfftn = _family(
    "hfft", _REAL, "Transforms numbers of Hermitian symmetry, of which half are given, {}.")
ihfft, ihfft2, ihfftn = _family(
    "ihfft", _HALF, "Transforms a real spectrum back to half the numbers {}; inverse of `hfft{}`.")
