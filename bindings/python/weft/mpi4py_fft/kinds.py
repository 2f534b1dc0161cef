"""What a `PFFT` does along each axis, in the words of weft's plans."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from weft.mpi4py_fft.axes import Group

#: Functions of the way forward and of that back.
Pair = tuple[Callable[..., Any], Callable[..., Any]]
Transforms = Mapping[Group, Pair]

#: That a plan may have.
MOST_AXES = 6
#: What undoes the cosine or sine transform of a type, but for scaling.
INVERSE_TYPE = {1: 1, 2: 3, 3: 2, 4: 4}

_FOURIER = {"fftn": "ifftn", "rfftn": "irfftn"}
_R2R = {"dctn": "dct", "dstn": "dst", "idctn": "dct", "idstn": "dst"}
#: Where functions of these names are what they seem, and by whom those of cosines and sines are
#: scaled as FFTW does it.
_OF_FFTW = ("mpi4py_fft", "weft")
_KNOWN = (*_OF_FFTW, "numpy", "scipy", "pyfftw", "mkl_fft")
#: Arguments that change nothing in the result.
_HARMLESS = {"threads", "flags", "workers", "planner_effort"}


def _name_and_type(function: Any) -> tuple[str, int]:
    """Name and type of a function that is known; an empty name for others."""
    arguments: dict[str, Any] = {}
    while isinstance(function, functools.partial):
        if function.args:
            return "", 0
        arguments = {**function.keywords, **arguments}
        function = function.func
    name = getattr(function, "__name__", "")
    package = (getattr(function, "__module__", None) or "").partition(".")[0]
    type = arguments.pop("type", 2)
    is_known = package in (_OF_FFTW if name in _R2R else _KNOWN)
    return (name, type) if is_known and set(arguments) <= _HARMLESS else ("", 0)


def _kinds_of(pair: Pair, axes: Group, is_real: bool) -> tuple[str, ...] | None:
    """Kinds of weft for what two functions do; None where there are none."""
    (name, type), (inverse, inverse_type) = map(_name_and_type, pair)
    if _FOURIER.get(name) == inverse and is_real == (name == "rfftn"):
        return ("c2c",) * (len(axes) - 1) + ("r2c" if is_real else "c2c",)
    if name not in _R2R or _R2R[name] != _R2R.get(inverse) or not is_real:
        return None
    numbers = [INVERSE_TYPE.get(t) if is_inverse else t
               for t, is_inverse in ((type, name[0] == "i"), (inverse_type, inverse[0] == "i"))]
    if numbers[0] not in INVERSE_TYPE or INVERSE_TYPE[numbers[0]] != numbers[1]:
        return None
    return (f"{_R2R[name]}{numbers[0]}",) * len(axes)


class Spectrum(NamedTuple):
    """What one plan can do for all axes together."""

    kinds: tuple[str, ...]
    modes: tuple[int | None, ...]  #: that are kept along each axis; None for all
    shape: tuple[int, ...]  #: of the global array in spectral space
    dtype: np.dtype  #: there


def kept_modes(length: int, factor: float) -> int | None:
    """How many modes there are along an axis that was padded by this factor to this length; None
    for all."""
    return None if abs(factor - 1) <= 1e-8 else int(np.round(length / factor))


def spectrum_of(groups: Sequence[Group], shape: Sequence[int], dtype: np.dtype, padding: Any,
                transforms: Transforms | None, backend: str) -> Spectrum | None:
    """The transform as kinds of weft; None where it has functions or numbers that weft has not.

    Raises
    ------
    ValueError
        If a group of several axes, or a cosine or sine transform, is to be padded.
    """
    if dtype.char in "gG" or len(shape) > MOST_AXES:
        return None
    kinds = ["none"] * len(shape)
    modes: list[int | None] = [None] * len(shape)
    lengths = list(shape)
    for axes in reversed(groups):
        is_real = dtype.kind == "f"
        last = axes[-1]
        pair = (transforms or {}).get(axes)
        if pair is not None:
            here = _kinds_of(pair, axes, is_real)
        else:
            here = ("c2c",) * (len(axes) - 1) + ("r2c" if is_real else "c2c",)
        if here is None or (is_real and backend == "scipy" and pair is None):
            return None  # scipy.fftpack, which "scipy" stands for, has no halved axis
        for axis, kind in zip(axes, here):
            kinds[axis] = kind
        if padding is not False:
            modes[last] = kept_modes(lengths[last], padding[last])
        if modes[last] is not None:
            check_padding(axes, padding[last], here[-1])
            lengths[last] = modes[last]
        if here[-1] == "r2c":
            lengths[last] = lengths[last] // 2 + 1
            dtype = np.dtype(dtype.char.upper())
    return Spectrum(tuple(kinds), tuple(modes), tuple(lengths), dtype)


def check_padding(axes: Group, factor: float, kind: str) -> None:
    """Raises ValueError where that cannot be."""
    if len(axes) > 1 or factor < 1 or kind not in ("c2c", "r2c"):
        raise ValueError(f"padding of axes {axes} by {factor}: only Fourier transforms can be "
                         "padded, along one axis at a time, by 1 or more")
