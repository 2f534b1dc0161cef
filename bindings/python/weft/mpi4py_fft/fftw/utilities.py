"""Constants of FFTW, and arrays at aligned addresses."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import DTypeLike

FFTW_FORWARD, FFTW_BACKWARD = -1, 1
C2C_FORWARD, C2C_BACKWARD, R2C, C2R = -1, 1, -2, 2
FFTW_R2HC, FFTW_HC2R, FFTW_DHT = 0, 1, 2
FFTW_REDFT00, FFTW_REDFT01, FFTW_REDFT10, FFTW_REDFT11 = 3, 4, 5, 6
FFTW_RODFT00, FFTW_RODFT01, FFTW_RODFT10, FFTW_RODFT11 = 7, 8, 9, 10
FFTW_MEASURE, FFTW_DESTROY_INPUT, FFTW_UNALIGNED, FFTW_CONSERVE_MEMORY = 0, 1, 2, 4
FFTW_EXHAUSTIVE, FFTW_PRESERVE_INPUT, FFTW_PATIENT, FFTW_ESTIMATE = 8, 16, 32, 64
FFTW_WISDOM_ONLY = 1 << 21


def get_alignment(array: Any) -> int:
    """The largest power of two, at most 32, that divides the address of an array."""
    address = array.ctypes.data
    return min(address & -address or 32, 32)


def aligned(shape: int | Sequence[int], n: int = 32, dtype: DTypeLike = float,
            fill: float | None = None) -> np.ndarray:
    """A new array whose address is a multiple of `n`, a power of two; uninitialized, or filled with
    a number."""
    number = np.dtype(dtype)
    size = int(np.prod(shape)) * number.itemsize
    memory = np.empty(size + n, np.uint8)
    begin = -memory.ctypes.data % n
    array = memory[begin:begin + size].view(number).reshape(shape)
    if fill is not None:
        array[...] = fill
    return array


def aligned_like(z: Any, fill: float | None = None) -> np.ndarray:
    """A new array of the shape, type and alignment of another one; uninitialized, or filled with a
    number."""
    return aligned(z.shape, get_alignment(z), z.dtype, fill)
