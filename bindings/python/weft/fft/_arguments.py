"""Arguments of the functions, as SciPy takes them."""

from __future__ import annotations

import operator
import os
from collections.abc import Iterable
from typing import Any

import numpy as np
import scipy.fft
from numpy.typing import NDArray

from weft._modules import module_of

Array = NDArray[Any]

def threads_of(workers: int | None) -> int:
    """How many threads `workers` asks for; negative numbers count back from all processors."""
    if workers is None:
        return int(scipy.fft.get_workers())
    workers = operator.index(workers)
    if workers == 0:
        raise ValueError("workers must not be zero")
    if workers > 0:
        return workers
    processors = os.cpu_count() or 1
    if workers < -processors:
        raise ValueError(f"workers value out of range; got {workers}, must not be less than "
                         f"{-processors}")
    return workers + 1 + processors


def refuse_plan(plan: object) -> None:
    """SciPy has the argument, but nothing that could be passed."""
    if plan is not None:
        raise NotImplementedError(
            "a precomputed plan cannot be passed: weft.fft keeps its plans itself")


def number_array(x: Any) -> Array:
    """An aligned array of native single, double or long double precision, real or complex; of CuPy
    where `x` is, otherwise of NumPy."""
    array: Array = module_of(x).asarray(x)
    if array.dtype.kind not in "fc":
        return array.astype(np.float64)
    if array.dtype.char == "e":
        return array.astype(np.float32)
    if not array.dtype.isnative:
        return array.astype(array.dtype.newbyteorder("="))
    return array if getattr(array.flags, "aligned", True) else array.copy()


def is_temporary(array: Array, x: Any) -> bool:
    """Whether `array`, made from `x`, is memory that nobody else sees."""
    if array is x:
        return False
    if not isinstance(x, np.ndarray) and (hasattr(x, "__array__") or
                                          hasattr(x, "__array_interface__") or
                                          hasattr(x, "__buffer__")):
        return False
    return array.base is None and not (isinstance(x, np.ndarray) and
                                       np.may_share_memory(array, x))


def may_be_overwritten(array: Array) -> bool:
    """Whether a result can take the place of an array of the caller that is given up."""
    flags = array.flags
    return bool(flags.c_contiguous) and getattr(flags, "writeable", True)


def length_and_axis(shape: tuple[int, ...], n: int | None,
                    axis: int) -> tuple[list[int], list[int]]:
    """As lengths_and_axes, for functions of one axis."""
    points = shape[axis]
    length = points if n is None else operator.index(n)
    if length < 1:
        raise ValueError(f"invalid number of data points ({length}) specified")
    return [length], [axis % len(shape)]


def resized(x: Array, lengths: Iterable[int], axes: Iterable[int]) -> tuple[Array, bool]:
    """The array cut, or continued with zeros, to these lengths; whether it has been copied."""
    wanted = list(x.shape)
    for n, axis in zip(lengths, axes):
        wanted[axis] = n
    if tuple(wanted) == x.shape:
        return x, False
    part = tuple(slice(min(n, m)) for n, m in zip(wanted, x.shape))
    if all(n <= m for n, m in zip(wanted, x.shape)):
        return x[part], False
    padded: Array = module_of(x).zeros(wanted, x.dtype)
    padded[part] = x[part]
    return padded, True
