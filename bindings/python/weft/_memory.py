"""Memory of arrays on the host."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

#: Bytes of a cache line, and of the widest vector registers.
_LINE = 64


def aligned(nbytes: int, make: Callable[..., Any] = np.empty) -> Any:
    """Bytes made by `numpy.empty` or `numpy.zeros` that begin a cache line. Large arrays of NumPy
    begin 16 bytes behind one, so that every wide load and store touches two: a real 64^3 transform
    takes 4 % longer."""
    memory = make(nbytes + _LINE, np.uint8)
    first = -memory.__array_interface__["data"][0] % _LINE
    return memory[first:first + nbytes]
