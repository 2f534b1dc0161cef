"""Convolution and correlation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from mpi4py import MPI
from numpy.typing import DTypeLike

from weft import _core
from weft._collective import Collective, make_collectively
from weft._layout import Layout
from weft._local_array import LocalArray, new_result
from weft._plan_options import PlanOptions
from weft._request import (
    checked_layout,
    number_type,
    numbers_of,
    optional_numbers,
    options_text,
)

if TYPE_CHECKING:
    from typing_extensions import Unpack


class Convolution(Collective[_core.Convolution]):
    """Convolution and correlation of arrays that are spread over all ranks::

        convolve:  c[k] = sum over j of a[j] b[k - j]
        correlate: c[k] = sum over j of conj(a[j]) b[j + k]

    Circular: with indices modulo the shape of the first array, which the result has too. Linear:
    the second one is zero outside its shape, and the result has every k for which the sum is not
    empty: along each axis m + n - 1 for m and n points, of `correlate` from lag -(m - 1) on. So
    `convolve` is ``scipy.signal.convolve(a, b, "full")``, and `correlate`
    ``scipy.signal.correlate(b, a, "full")``.

    Computed with two forward transforms and one backward transform. The zero padding of linear
    convolutions is neither stored nor communicated. Making, using and destroying it is collective;
    the rules for errors, threads and the lifetime of `Plan` apply. It holds two spectra.

    Parameters
    ----------
    shape : sequence of int
        Shape of the first array.
    dtype : dtype, optional
        Of all three: float64 (default), float32, complex128 or complex64.
    comm : mpi4py.MPI.Intracomm, optional
        Communicator; all processes by default.
    second : sequence of int, optional
        Shape of the second array, if circular at most as long along each axis; by default that of
        the first.
    mode : {'circular', 'linear'}, optional
    input, output : str or Layout, optional
        Layouts of both inputs, and of the result; that is like `input` by default.
    **options
        Options of `Plan`: `exchange`, `local`, `threads`, ...

    Examples
    --------
    >>> import numpy as np, weft
    >>> with weft.Convolution((12, 10), second=(3, 3), mode="linear") as convolution:
    ...     a, b = convolution.first.zeros(), convolution.second.zeros()
    ...     c = convolution.convolve(a, b)
    """

    def __init__(self, shape: Sequence[int] | int, dtype: DTypeLike = np.float64,
                 comm: MPI.Intracomm = MPI.COMM_WORLD, *,
                 second: Sequence[int] | int | None = None, mode: str = "circular",
                 input: str | Layout = "slab:0", output: str | Layout | None = None,
                 **options: Unpack[PlanOptions]) -> None:
        def read() -> dict[str, Any]:
            precision, numbers = number_type(dtype)
            if mode not in ("circular", "linear"):
                raise ValueError(f"mode {mode!r} is unknown; known: 'circular', 'linear'")
            if input is None:
                raise TypeError("the input layout must be given")
            return {"first": numbers_of(shape), "second": optional_numbers(second),
                    "precision": precision, "numbers": numbers, "periodic": mode == "circular",
                    "input": checked_layout(input, "input"),
                    "output": checked_layout(output, "output"),
                    "options": options_text(Convolution, options)}

        self._core = make_collectively(_core.Convolution, comm, read)
        self._sides = tuple(LocalArray(*self._core.side(number)) for number in range(3))

    def convolve(self, a: Any, b: Any, out: Any = None) -> Any:
        """Convolves two arrays. Collective.

        Parameters
        ----------
        a, b : array
            Arrays as described by `first` and `second`. On a device, arrays of the host are copied.
        out : array, optional
            An array as described by `result`. By default a new array: a CuPy array if `a` is one,
            else a NumPy array.

        Returns
        -------
        array
            `out`.

        Raises
        ------
        weft.Error
            If an array of any rank does not fit.
        """
        return self._run(a, b, out, correlate=False)

    def correlate(self, a: Any, b: Any, out: Any = None) -> Any:
        """Correlates two arrays, with the arguments of `convolve`. Collective."""
        return self._run(a, b, out, correlate=True)

    @property
    def first(self) -> LocalArray:
        """This rank's part of the first array."""
        return self._sides[0]

    @property
    def second(self) -> LocalArray:
        """This rank's part of the second array."""
        return self._sides[1]

    @property
    def result(self) -> LocalArray:
        """This rank's part of the result."""
        return self._sides[2]

    def _run(self, a: Any, b: Any, out: Any, correlate: bool) -> Any:
        if out is None:
            out = new_result(self.result, a)
        self._core.run(a, b, out, correlate)
        return out
