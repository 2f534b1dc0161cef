"""Fourier transforms with the signatures of SciPy's."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

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
             workers: int | None, plan: None, resolve: _Resolve) -> Any:
    """fftn and ifftn."""
    arguments.refuse_plan(plan)
    array = arguments.number_array(x)
    lengths, chosen = resolve(array, s, axes)
    norm, threads = arguments.norm_of(name, norm), arguments.threads_of(workers)
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
               workers: int | None, plan: None, resolve: _Resolve) -> Any:
    """rfftn, and ihfftn, which is its conjugate."""
    arguments.refuse_plan(plan)
    array = arguments.number_array(x)
    if array.dtype.kind == "c":
        raise TypeError("x must be a real sequence")
    lengths, chosen = resolve(array, s, axes)
    is_conjugate = name == "ihfftn"
    norm, threads = arguments.norm_of(name, norm), arguments.threads_of(workers)
    scaling = arguments.OPPOSITE[norm] if is_conjugate else norm
    if not chosen:
        raise ValueError("at least 1 axis must be transformed")
    if _scipy.is_needed_for(array):
        return _scipy.call(name, array, lengths, chosen, norm, workers=threads)
    array, _ = arguments.resized(array, lengths, chosen)
    result = transform(array, _kinds(chosen, array.ndim, "r2c"), array.shape, True, scaling,
                       threads)
    return np.conjugate(result, out=result) if is_conjugate else result


def _to_real(name: str, x: Any, s: Any, axes: Any, norm: str | None, overwrite_x: bool,
             workers: int | None, plan: None, resolve: _Resolve) -> Any:
    """irfftn, and hfftn, which is the same of the conjugate numbers."""
    arguments.refuse_plan(plan)
    array = arguments.number_array(x)
    lengths, chosen = resolve(array, s, axes)
    is_conjugate = name == "hfftn"
    norm, threads = arguments.norm_of(name, norm), arguments.threads_of(workers)
    scaling = arguments.OPPOSITE[norm] if is_conjugate else norm
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


def _along_axes(name: str, x: Any, s: Any, axes: Any, norm: str | None, overwrite_x: bool,
                workers: int | None, plan: None) -> Any:
    distributed = getattr(x, "__weft_transform__", None)
    if distributed is not None:
        arguments.refuse_plan(plan)
        return distributed(name, s=s, axes=axes, norm=norm, overwrite_x=overwrite_x,
                           workers=workers)
    return _FAMILIES[name](name, x, s, axes, norm, overwrite_x, workers, plan,
                           arguments.lengths_and_axes)


def _along_axis(name: str, x: Any, n: int | None, axis: int, norm: str | None, overwrite_x: bool,
                workers: int | None, plan: None) -> Any:
    if hasattr(x, "__weft_transform__"):
        return _along_axes(name, x, None if n is None else (n,), (axis,), norm, overwrite_x,
                           workers, plan)
    return _FAMILIES[name](name, x, n, axis, norm, overwrite_x, workers, plan,
                           arguments.length_and_axis)


@documented("complex ndarray")
def fft(x: Any, n: int | None = None, axis: int = -1, norm: str | None = None,
        overwrite_x: bool = False, workers: int | None = None, *, plan: None = None) -> Any:
    """Transforms along one axis."""
    return _along_axis("fftn", x, n, axis, norm, overwrite_x, workers, plan)


@documented("complex ndarray")
def fft2(x: Any, s: Any = None, axes: Any = (-2, -1), norm: str | None = None,
         overwrite_x: bool = False, workers: int | None = None, *, plan: None = None) -> Any:
    """Transforms along two axes."""
    return _along_axes("fftn", x, s, axes, norm, overwrite_x, workers, plan)


@documented("complex ndarray")
def fftn(x: Any, s: Any = None, axes: Any = None, norm: str | None = None,
         overwrite_x: bool = False, workers: int | None = None, *, plan: None = None) -> Any:
    """Transforms along several axes."""
    return _along_axes("fftn", x, s, axes, norm, overwrite_x, workers, plan)


@documented("complex ndarray")
def ifft(x: Any, n: int | None = None, axis: int = -1, norm: str | None = None,
         overwrite_x: bool = False, workers: int | None = None, *, plan: None = None) -> Any:
    """Transforms along one axis back; the inverse of `fft`."""
    return _along_axis("ifftn", x, n, axis, norm, overwrite_x, workers, plan)


@documented("complex ndarray")
def ifft2(x: Any, s: Any = None, axes: Any = (-2, -1), norm: str | None = None,
          overwrite_x: bool = False, workers: int | None = None, *, plan: None = None) -> Any:
    """Transforms along two axes back; the inverse of `fft2`."""
    return _along_axes("ifftn", x, s, axes, norm, overwrite_x, workers, plan)


@documented("complex ndarray")
def ifftn(x: Any, s: Any = None, axes: Any = None, norm: str | None = None,
          overwrite_x: bool = False, workers: int | None = None, *, plan: None = None) -> Any:
    """Transforms along several axes back; the inverse of `fftn`."""
    return _along_axes("ifftn", x, s, axes, norm, overwrite_x, workers, plan)


@documented("complex ndarray: coefficients 0 to n // 2 along the last transformed axis")
def rfft(x: Any, n: int | None = None, axis: int = -1, norm: str | None = None,
         overwrite_x: bool = False, workers: int | None = None, *, plan: None = None) -> Any:
    """Transforms real numbers along one axis."""
    return _along_axis("rfftn", x, n, axis, norm, overwrite_x, workers, plan)


@documented("complex ndarray: coefficients 0 to n // 2 along the last transformed axis")
def rfft2(x: Any, s: Any = None, axes: Any = (-2, -1), norm: str | None = None,
          overwrite_x: bool = False, workers: int | None = None, *, plan: None = None) -> Any:
    """Transforms real numbers along two axes."""
    return _along_axes("rfftn", x, s, axes, norm, overwrite_x, workers, plan)


@documented("complex ndarray: coefficients 0 to n // 2 along the last transformed axis")
def rfftn(x: Any, s: Any = None, axes: Any = None, norm: str | None = None,
          overwrite_x: bool = False, workers: int | None = None, *, plan: None = None) -> Any:
    """Transforms real numbers along several axes."""
    return _along_axes("rfftn", x, s, axes, norm, overwrite_x, workers, plan)


@documented("real ndarray")
def irfft(x: Any, n: int | None = None, axis: int = -1, norm: str | None = None,
          overwrite_x: bool = False, workers: int | None = None, *, plan: None = None) -> Any:
    """Transforms half a spectrum back to real numbers along one axis; inverse of `rfft`."""
    return _along_axis("irfftn", x, n, axis, norm, overwrite_x, workers, plan)


@documented("real ndarray")
def irfft2(x: Any, s: Any = None, axes: Any = (-2, -1), norm: str | None = None,
           overwrite_x: bool = False, workers: int | None = None, *, plan: None = None) -> Any:
    """Transforms half a spectrum back to real numbers along two axes; inverse of `rfft2`."""
    return _along_axes("irfftn", x, s, axes, norm, overwrite_x, workers, plan)


@documented("real ndarray")
def irfftn(x: Any, s: Any = None, axes: Any = None, norm: str | None = None,
           overwrite_x: bool = False, workers: int | None = None, *, plan: None = None) -> Any:
    """Transforms half a spectrum back to real numbers along several axes; inverse of `rfftn`."""
    return _along_axes("irfftn", x, s, axes, norm, overwrite_x, workers, plan)


@documented("real ndarray")
def hfft(x: Any, n: int | None = None, axis: int = -1, norm: str | None = None,
         overwrite_x: bool = False, workers: int | None = None, *, plan: None = None) -> Any:
    """Transforms numbers of Hermitian symmetry, of which half are given, along one axis."""
    return _along_axis("hfftn", x, n, axis, norm, overwrite_x, workers, plan)


@documented("real ndarray")
def hfft2(x: Any, s: Any = None, axes: Any = (-2, -1), norm: str | None = None,
          overwrite_x: bool = False, workers: int | None = None, *, plan: None = None) -> Any:
    """Transforms numbers of Hermitian symmetry, of which half are given, along two axes."""
    return _along_axes("hfftn", x, s, axes, norm, overwrite_x, workers, plan)


@documented("real ndarray")
def hfftn(x: Any, s: Any = None, axes: Any = None, norm: str | None = None,
          overwrite_x: bool = False, workers: int | None = None, *, plan: None = None) -> Any:
    """Transforms numbers of Hermitian symmetry, of which half are given, along several axes."""
    return _along_axes("hfftn", x, s, axes, norm, overwrite_x, workers, plan)


@documented("complex ndarray: coefficients 0 to n // 2 along the last transformed axis")
def ihfft(x: Any, n: int | None = None, axis: int = -1, norm: str | None = None,
          overwrite_x: bool = False, workers: int | None = None, *, plan: None = None) -> Any:
    """Transforms a real spectrum back to half the numbers along one axis; inverse of `hfft`."""
    return _along_axis("ihfftn", x, n, axis, norm, overwrite_x, workers, plan)


@documented("complex ndarray: coefficients 0 to n // 2 along the last transformed axis")
def ihfft2(x: Any, s: Any = None, axes: Any = (-2, -1), norm: str | None = None,
           overwrite_x: bool = False, workers: int | None = None, *, plan: None = None) -> Any:
    """Transforms a real spectrum back to half the numbers along two axes; inverse of `hfft2`."""
    return _along_axes("ihfftn", x, s, axes, norm, overwrite_x, workers, plan)


@documented("complex ndarray: coefficients 0 to n // 2 along the last transformed axis")
def ihfftn(x: Any, s: Any = None, axes: Any = None, norm: str | None = None,
           overwrite_x: bool = False, workers: int | None = None, *, plan: None = None) -> Any:
    """Transforms a real spectrum back to half the numbers along axes; inverse of `hfftn`."""
    return _along_axes("ihfftn", x, s, axes, norm, overwrite_x, workers, plan)
