"""Where the points and the modes of an axis are."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from weft import _core
from weft._errors import Error
from weft._request import number_type


def good_length(n: int) -> int:
    """The smallest length of at least `n` that transforms well: a product of 2, 3, 5 and 7."""
    return _core.good_length(_core.integer(n, "n"))


def _length(n: int) -> int:
    length = _core.integer(n, "n")
    if length < 1:
        raise Error(f"n {length}: must be positive")
    return length


def _indices(given: Iterable[int] | int | None, n: int) -> NDArray[np.int64]:
    indices = np.arange(n) if given is None else np.asarray(given)
    if indices.dtype.kind not in "iu":
        raise TypeError(f"indices {given!r}: must be integers of 64 bits, not {indices.dtype}")
    return indices.astype(np.int64)


def _modes(kind: str, n: int, given: Any) -> NDArray[np.int64]:
    return _indices(given, n // 2 + 1 if kind == "r2c" else n)


def wavenumbers(kind: str, n: int, modes: Any = None,
                length: float | None = None) -> NDArray[np.float64]:
    """Wavenumbers of the coefficients of an axis.

    A Fourier coefficient belongs to ``exp(2 pi i w x / length)``, that of a cosine or sine
    transform to ``cos(pi w x / length)`` or ``sin(pi w x / length)``, with the wavenumber ``w`` and
    the points of `grid_points`.

    Parameters
    ----------
    kind : str
        ``"c2c"``, ``"r2c"``, ``"dct1"``, ...; for ``"none"`` they are 0.
    n : int
        Number of points of the axis, or of modes, if the axis keeps only some of them.
    modes : array_like of int, optional
        Indices of coefficients; by default all of the axis.
    length : float, optional
        Length of the axis. If given, wavenumbers are angular, ``2 pi w / length`` or ``pi w /
        length``. A second derivative multiplies by minus their squares; for odd derivatives see
        `derivative_wavenumbers`.

    Returns
    -------
    numpy.ndarray
        float64, with the shape of `modes`. c2c: 0, 1, ..., -1; r2c, dct1 and dct2: k; dst1 and
        dst2: k + 1; types III and IV: k + 1/2.
    """
    n = _length(n)
    chosen = _modes(kind, n, modes)
    numbers = np.array(_core.wavenumbers(kind, chosen.ravel().tolist(), n)).reshape(chosen.shape)
    if length is None:
        return numbers
    return numbers * ((2 if kind in ("c2c", "r2c") else 1) * np.pi / length)


def derivative_wavenumbers(kind: str, n: int, modes: Any = None,
                           length: float = 1.0) -> NDArray[np.float64]:
    """Factors of the coefficients for a first derivative along an axis.

    A Fourier coefficient is multiplied by ``1j`` times this; for cosines and sines, ``cos(a x)``
    becomes ``-a sin(a x)``, and ``sin(a x)`` becomes ``a cos(a x)``.

    These are the angular `wavenumbers`, but zero for the Nyquist mode, whose sign changes from
    point to point: the highest mode of c2c and r2c with an even number of points, the last one of
    dct1 and dst2. The grid has only its cosine (dst2: its sine), so that the odd derivatives of the
    smoothest function through the points vanish at every point (L. N. Trefethen, *Spectral Methods
    in MATLAB*, SIAM 2000, chapter 3; S. G. Johnson, *Notes on FFT-based differentiation*, MIT
    2011). Even derivatives do not.

    Parameters
    ----------
    kind : str
        ``"c2c"``, ``"r2c"``, ``"dct1"``, ...
    n : int
        Number of points of the axis, also if it keeps fewer modes; for c2c the number of modes
        kept. If that is even, the mode ``-n / 2`` has no opposite, and counts as the Nyquist mode
        of a grid of n points.
    modes : array_like of int, optional
        Indices of coefficients; by default those of all `n` points.
    length : float, optional
        Of the axis.

    Returns
    -------
    numpy.ndarray
        float64, with the shape of `modes`.

    Examples
    --------
    >>> import weft
    >>> weft.derivative_wavenumbers("c2c", 4, length=6.283185307179586)
    array([ 0.,  1.,  0., -1.])
    """
    n = _length(n)
    chosen = _modes(kind, n, modes)
    numbers = _core.derivative_wavenumbers(kind, chosen.ravel().tolist(), n, length)
    return np.array(numbers).reshape(chosen.shape)


def grid_points(kind: str, n: int, points: Any = None,
                length: float = 1.0) -> NDArray[np.float64]:
    """Where the points of an axis are.

    Parameters
    ----------
    kind : str
        Kind of the transform along the axis.
    n : int
        Points of the axis.
    points : array_like of int, optional
        Indices of points; by default all.
    length : float, optional
        Of the axis.

    Returns
    -------
    numpy.ndarray
        float64. Fourier, none and dct3: j / n; dct1: j / (n - 1); dst1: (j + 1) / (n + 1); dst3: (j
        + 1) / n; types II and IV: (j + 1/2) / n; times `length`.
    """
    n = _length(n)
    chosen = _indices(points, n)
    places = np.array(_core.grid_points(kind, chosen.ravel().tolist(), n)).reshape(chosen.shape)
    return length * places


def rounding_error_bound(dtype: DTypeLike, points: int) -> float:
    """Bound on the relative L2 error of a transform of so many points in single or double
    precision, that of `dtype`: 5 eps log2(points)."""
    return _core.rounding_error_bound(number_type(dtype)[0], _core.integer(points, "points"))
