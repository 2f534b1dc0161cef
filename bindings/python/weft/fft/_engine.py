"""Transforms of arrays of one process, whatever their axes and memory."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from weft._modules import device_of, module_of
from weft.fft._pool import PlanKey, pool

Array = NDArray[Any]

#: Axes that a plan may have.
_MOST_AXES = 6
#: Smaller shares are not worth a thread: threads wait for each other between the axes.
_LEAST_POINTS_OF_THREAD = 1 << 17

_NAMES = {"f": "float32", "d": "float64", "F": "complex64", "D": "complex128"}
_REAL = {"f": "float32", "d": "float64", "F": "float32", "D": "float64"}
_COMPLEX = {"f": np.complex64, "d": np.complex128}


def transform(x: Array, kinds: tuple[str, ...], shape: tuple[int, ...], forward: bool, norm: str,
              threads: int, orthogonalize: bool | None = None, out: Array | None = None) -> Array:
    """Transforms an array.

    Parameters
    ----------
    x : ndarray of NumPy or CuPy
        Of native single or double precision, real or complex as the kinds need it. Any strides.
    kinds : tuple of str
        For each axis, as in `weft.Plan`; ``"none"`` where it is not transformed.
    shape : tuple of int
        In physical space, so that of `x` if `forward`.
    forward : bool
        Direction.
    norm : str
        As in `weft.Plan`.
    threads : int
        At most.
    orthogonalize : bool, optional
        As in `weft.Plan`.
    out : ndarray, optional
        Of the shape and type of the result, in C order; may be `x`.

    Returns
    -------
    ndarray
        `out`, or a new array in C order.
    """
    half = "r2c" in kinds
    dtype = (_REAL if half else _NAMES)[x.dtype.char]
    module = module_of(x)
    # Copied where need be, so that results do not depend on how the input lies in memory.
    source = module.ascontiguousarray(x)
    if out is None and half:
        spectral = tuple(n // 2 + 1 if kind == "r2c" else n for n, kind in zip(shape, kinds))
        out = (module.empty(spectral, _COMPLEX[x.dtype.char]) if forward
               else module.empty(shape, dtype))
    elif out is None:
        is_shared = module.may_share_memory(source, x)
        out = module.empty(shape, x.dtype) if is_shared else source
    if out.size == 0:
        return out
    axes = _merged_axes(x.shape, kinds)
    if len(axes) > _MOST_AXES:
        return _by_groups(source, kinds, shape, forward, norm, threads, orthogonalize, out)
    target = out
    if len(axes) < len(kinds):
        source = source.reshape(_merged(source.shape, axes))
        target = out.reshape(_merged(out.shape, axes))
        shape = _merged(shape, axes)
        kinds = tuple(kinds[group[-1]] for group in axes)
    threads = max(1, min(threads, pool.most_threads, x.size // _LEAST_POINTS_OF_THREAD))
    key = PlanKey(shape, dtype, kinds, norm, orthogonalize, threads, *device_of(x))
    plan = pool.take(key)
    (plan.forward if forward else plan.backward)(source, target)
    pool.put(key, plan)
    return out


def _merged_axes(shape: tuple[int, ...], kinds: tuple[str, ...]) -> list[list[int]]:
    """Groups of neighboring axes that a plan may take for one; at least one group."""
    groups: list[list[int]] = []
    for axis, kind in enumerate(kinds):
        if kind == "none" and shape[axis] == 1:
            continue
        if kind == "none" and groups and kinds[groups[-1][-1]] == "none":
            groups[-1].append(axis)
        else:
            groups.append([axis])
    return groups or [[0]]


def _merged(shape: tuple[int, ...], axes: list[list[int]]) -> tuple[int, ...]:
    return tuple(math.prod(shape[axis] for axis in group) for group in axes)


def _by_groups(x: Array, kinds: tuple[str, ...], shape: tuple[int, ...], forward: bool, norm: str,
               threads: int, orthogonalize: bool | None, out: Array) -> Array:
    """The same for more axes than a plan may have: some axes after the others.

    The halved axis comes first on the way forward and last on the way back, so that its half
    spectrum is made, or used up, once.
    """
    transformed = [axis for axis, kind in enumerate(kinds) if kind != "none"]
    transformed.sort(key=lambda axis: kinds[axis] == "r2c", reverse=forward)
    current = list(x.shape)
    for begin in range(0, len(transformed), _MOST_AXES - 1):
        group = sorted(transformed[begin:begin + _MOST_AXES - 1])
        last = range(len(kinds) - len(group), len(kinds))
        rows = np.moveaxis(x, group, last)
        others = rows.shape[:len(kinds) - len(group)]
        rows = module_of(rows).ascontiguousarray(rows).reshape(-1, *rows.shape[len(others):])
        inside = [shape[axis] if kinds[axis] == "r2c" else current[axis] for axis in group]
        result = transform(rows, ("none", *(kinds[axis] for axis in group)),
                           (rows.shape[0], *inside), forward, norm, threads, orthogonalize)
        x = np.moveaxis(result.reshape(*others, *result.shape[1:]), last, group)
        current = list(x.shape)
    out[...] = x
    return out
