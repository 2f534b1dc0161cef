"""weft as a backend of `scipy.fft`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


class ScipyBackend:
    """A backend for `scipy.fft.set_backend` and `scipy.fft.set_global_backend`.

    Examples
    --------
    >>> import numpy as np, scipy.fft, weft
    >>> with scipy.fft.set_backend(weft.scipy_backend, only=True):
    ...     spectrum = scipy.fft.rfftn(np.ones((8, 8)))
    """

    __ua_domain__ = "numpy.scipy.fft"

    def __init__(self) -> None:
        self.calls = 0  #: how many functions of weft were called for SciPy

    def __ua_function__(self, method: Callable[..., Any], args: tuple[Any, ...],
                        kwargs: dict[str, Any]) -> Any:
        """Calls weft's function of the same name; uarray's protocol."""
        import weft.fft

        function = getattr(weft.fft, method.__name__, None)
        if function is None:
            return NotImplemented
        self.calls += 1
        return function(*args, **kwargs)


scipy_backend = ScipyBackend()
