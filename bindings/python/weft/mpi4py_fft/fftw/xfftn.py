"""Functions that plan transforms of arrays of one process.

All take an `input_array`, which is the one that is used where a call gives none; `s`, which tells
lengths only where the input does not, as for `irfftn`; `axes`; `threads`, `flags` and an
`output_array`, by default a new one. They return an `FFT`, which is called to do it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from weft.mpi4py_fft.fftw import utilities
from weft.mpi4py_fft.fftw.factory import FFT, get_planned_FFT, new_array
from weft.mpi4py_fft.fftw.utilities import (
    C2C_BACKWARD,
    C2C_FORWARD,
    C2R,
    FFTW_MEASURE,
    FFTW_REDFT00,
    FFTW_REDFT01,
    FFTW_REDFT10,
    FFTW_REDFT11,
    FFTW_RODFT00,
    FFTW_RODFT01,
    FFTW_RODFT10,
    FFTW_RODFT11,
    R2C,
)

#: Flags by their names.
flag_dict = {name: value for name, value in vars(utilities).items() if name.startswith("FFTW_")}
#: Kinds of cosine and sine transforms by their types, and those of their inverses.
dct_type = {1: FFTW_REDFT00, 2: FFTW_REDFT10, 3: FFTW_REDFT01, 4: FFTW_REDFT11}
idct_type = {1: FFTW_REDFT00, 2: FFTW_REDFT01, 3: FFTW_REDFT10, 4: FFTW_REDFT11}
dst_type = {1: FFTW_RODFT00, 2: FFTW_RODFT10, 3: FFTW_RODFT01, 4: FFTW_RODFT11}
idst_type = {1: FFTW_RODFT00, 2: FFTW_RODFT01, 3: FFTW_RODFT10, 4: FFTW_RODFT11}

_Axes = Sequence[int]


def get_normalization(kind: int | Sequence[int], shape: Sequence[int], axes: _Axes) -> float:
    """One over the product, over the axes, of what a transform and its inverse multiply by.

    Parameters
    ----------
    kind : int or sequence of int
        Of all axes, or of each.
    shape : sequence of int
        Of the array in physical space.
    axes : sequence of int

    Returns
    -------
    float
        ``2 (n - 1)`` for ``FFTW_REDFT00``, ``2 (n + 1)`` for ``FFTW_RODFT00``, ``2 n`` for other
        cosine and sine transforms and ``n`` for Fourier transforms make up the product.
    """
    kinds = [kind] * len(axes) if isinstance(kind, int) else list(kind)
    more = {FFTW_REDFT00: -2, FFTW_RODFT00: 2}
    return 1 / math.prod(
        2 * shape[axis] + more.get(each, 0) if each >= FFTW_REDFT00 else shape[axis]
        for each, axis in zip(kinds, axes))


def _checked(array: Any, types: str, name: str) -> None:
    if array.dtype.char not in types:
        raise ValueError(f"{name} of numbers of type {array.dtype}")


def _planned(x: Any, out: Any, shape: Sequence[int], dtype: str, axes: _Axes, kind: Any,
             threads: int, flags: Any, factor: float) -> FFT:
    if out is None:
        out = new_array(x, shape, dtype)
    if out.shape != tuple(shape) or out.dtype.char != dtype:
        raise ValueError(f"output of shape {out.shape} and type {out.dtype}, not {tuple(shape)} "
                         f"and {dtype!r}")
    return get_planned_FFT(x, out, axes, kind, threads, flags, factor)


def _complex(name: str, kind: int) -> Callable[..., FFT]:
    def plan(input_array: Any, s: Sequence[int] | None = None, axes: _Axes = (-1,),
             threads: int = 1, flags: Any = (FFTW_MEASURE,), output_array: Any = None) -> FFT:
        del s
        _checked(input_array, "FDG", name)
        return _planned(input_array, output_array, input_array.shape, input_array.dtype.char, axes,
                        kind, threads, flags, get_normalization(kind, input_array.shape, axes))

    return _named(plan, name, "complex numbers " + ("forward" if kind < 0 else "backward"))


def _from_real(name: str) -> Callable[..., FFT]:
    def plan(input_array: Any, s: Sequence[int] | None = None, axes: _Axes = (-1,),
             threads: int = 1, flags: Any = (FFTW_MEASURE,), output_array: Any = None) -> FFT:
        del s
        _checked(input_array, "fdg", name)
        shape = list(input_array.shape)
        shape[axes[-1]] = shape[axes[-1]] // 2 + 1
        return _planned(input_array, output_array, shape, input_array.dtype.char.upper(), axes, R2C,
                        threads, flags, get_normalization(R2C, input_array.shape, axes))

    return _named(plan, name, "real numbers to half a spectrum, halved along the last of `axes`")


def _to_real(name: str) -> Callable[..., FFT]:
    def plan(input_array: Any, s: Sequence[int] | None = None, axes: _Axes = (-1,),
             threads: int = 1, flags: Any = (FFTW_MEASURE,), output_array: Any = None) -> FFT:
        _checked(input_array, "FDG", name)
        shape = list(input_array.shape)
        shape[axes[-1]] = 2 * shape[axes[-1]] - 2
        if s is not None:
            for axis, length in zip(axes, s):
                shape[axis] = int(length)
        if shape[axes[-1]] // 2 + 1 != input_array.shape[axes[-1]]:
            raise ValueError(f"{name}: half of {shape[axes[-1]]} points is not "
                             f"{input_array.shape[axes[-1]]}")
        return _planned(input_array, output_array, shape, input_array.dtype.char.lower(), axes, C2R,
                        threads, flags, get_normalization(C2R, shape, axes))

    return _named(plan, name, "half a spectrum to real numbers, of which `s` tells the lengths; an "
                              "even one of the halved axis by default")


def _r2r(name: str, kinds: dict[int, int]) -> Callable[..., FFT]:
    def plan(input_array: Any, s: Sequence[int] | None = None, axes: _Axes = (-1,), type: int = 2,
             threads: int = 1, flags: Any = (FFTW_MEASURE,), output_array: Any = None) -> FFT:
        del s
        _checked(input_array, "fdg", name)
        each = [kinds[type]] * len(axes)
        return _planned(input_array, output_array, input_array.shape, input_array.dtype.char, axes,
                        each, threads, flags, get_normalization(each, input_array.shape, axes))

    return _named(plan, name, "real numbers by a cosine or sine transform of a `type` from 1 to 4, "
                              "or what undoes it but for scaling")


def _named(plan: Callable[..., FFT], name: str, what: str) -> Callable[..., FFT]:
    plan.__name__ = plan.__qualname__ = name
    plan.__doc__ = (f"Plans a transform of {what}. Unscaled unless called with ``normalize=True``. "
                    "Raises ValueError where an array is not as it should be.")
    return plan


fftn, ifftn = _complex("fftn", C2C_FORWARD), _complex("ifftn", C2C_BACKWARD)
rfftn, irfftn = _from_real("rfftn"), _to_real("irfftn")
ihfftn, hfftn = _from_real("ihfftn"), _to_real("hfftn")
dctn, idctn = _r2r("dctn", dct_type), _r2r("idctn", idct_type)
dstn, idstn = _r2r("dstn", dst_type), _r2r("idstn", idst_type)

#: What undoes a kind, or a function, but for scaling.
inverse: dict[Any, Any] = {
    FFTW_REDFT00: FFTW_REDFT00, FFTW_REDFT01: FFTW_REDFT10, FFTW_REDFT10: FFTW_REDFT01,
    FFTW_REDFT11: FFTW_REDFT11, FFTW_RODFT00: FFTW_RODFT00, FFTW_RODFT01: FFTW_RODFT10,
    FFTW_RODFT10: FFTW_RODFT01, FFTW_RODFT11: FFTW_RODFT11, fftn: ifftn, ifftn: fftn, rfftn: irfftn,
    irfftn: rfftn, dctn: idctn, idctn: dctn, dstn: idstn, idstn: dstn, hfftn: ihfftn, ihfftn: hfftn,
}
