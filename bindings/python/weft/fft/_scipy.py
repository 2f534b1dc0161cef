"""What is left to SciPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.fft

from weft.fft._pool import pool


def is_needed_for(x: np.ndarray[Any, Any]) -> bool:
    """Whether weft cannot do it: long doubles, and forked processes that must not use MPI."""
    return x.dtype.char in "gG" or not pool.is_usable


def call(name: str, *args: Any, **kwargs: Any) -> Any:
    """Calls a function of `scipy.fft` as SciPy implements it, whatever backend is set."""
    with scipy.fft.set_backend("scipy", only=True):
        return getattr(scipy.fft, name)(*args, **kwargs)


def fht(a: Any, dln: float, mu: float, offset: float = 0.0, bias: float = 0.0) -> Any:
    """Fast Hankel transform, by SciPy: see `scipy.fft.fht`."""
    return call("fht", a, dln, mu, offset=offset, bias=bias)


def ifht(A: Any, dln: float, mu: float, offset: float = 0.0, bias: float = 0.0) -> Any:
    """Inverse fast Hankel transform, by SciPy: see `scipy.fft.ifht`."""
    return call("ifht", A, dln, mu, offset=offset, bias=bias)
