"""Transforms of one long vector."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from mpi4py import MPI
from numpy.typing import DTypeLike, NDArray

from weft import _core
from weft._collective import Collective, make_collectively
from weft._local_array import LocalArray, new_result
from weft._plan_options import PlanOptions
from weft._request import number_type, options_text

if TYPE_CHECKING:
    from typing_extensions import Unpack


class LongTransform(Collective[_core.LongTransform]):
    """A distributed 1-D FFT: a complex Fourier transform of one vector that is spread over all
    ranks.

    The vector is treated as a matrix of n1 rows and n2 columns, n = n1 n2, with factors as equal as
    possible. Columns are transformed and multiplied by roots of unity; then rows are transformed. A
    prime length is a single row, which one rank transforms. Making, using and destroying it is
    collective; the rules for errors, threads and the lifetime of `Plan` apply.

    Parameters
    ----------
    length : int
        Any length; memory and work are shared among ranks as far as its factors permit.
    dtype : dtype, optional
        complex128 (default) or complex64.
    comm : mpi4py.MPI.Intracomm, optional
        Communicator; all processes by default.
    order : {'natural', 'transposed'}, optional
        Order of the coefficients: contiguous blocks, not of the same sizes as those of the vector;
        or as they are computed, which saves a redistribution: `frequencies` lists them.
    norm : {'backward', 'ortho', 'forward', 'none'}, optional
        Scaling, as in `scipy.fft`; ``"none"`` scales neither direction, as in FFTW.
    **options
        Options of `Plan`: `exchange`, `local`, `threads`, ...

    Examples
    --------
    >>> import numpy as np, weft
    >>> with weft.LongTransform(1000) as transform:
    ...     x = np.ones(transform.size, complex)
    ...     coefficients = transform.forward(x)
    """

    def __init__(self, length: int, dtype: DTypeLike = np.complex128,
                 comm: MPI.Intracomm = MPI.COMM_WORLD, *, order: str = "natural",
                 norm: str = "backward", **options: Unpack[PlanOptions]) -> None:
        def read() -> dict[str, Any]:
            precision, numbers = number_type(dtype)
            if numbers != "complex":
                raise TypeError(f"long transforms are of complex numbers, not {np.dtype(dtype)}")
            return {"length": length, "precision": precision, "order": order,
                    "norm": norm, "options": options_text(LongTransform, options)}

        self._core = make_collectively(_core.LongTransform, comm, read)
        self._vector, self._spectrum = (LocalArray(*self._core.side(input=side))
                                        for side in (True, False))

    def forward(self, x: Any, out: Any = None) -> Any:
        """Transforms the vector to its coefficients. Collective.

        Parameters
        ----------
        x : array
            This rank's part: `size` numbers, contiguous. On a device, an array of the host is
            copied.
        out : array, optional
            `spectrum_size` numbers. By default a new array: a CuPy array if `x` is one, else a
            NumPy array.

        Returns
        -------
        array
            `out`.

        Raises
        ------
        weft.Error
            If an array of any rank does not fit.
        """
        return self._run(True, x, out)

    def backward(self, x: Any, out: Any = None) -> Any:
        """Transforms the coefficients to the vector: as `forward`, but `x` has `spectrum_size`
        numbers, and `out` has `size`. Collective."""
        return self._run(False, x, out)

    @property
    def begin(self) -> int:
        """Index of the first element of the vector on this rank."""
        return self._vector.box.lower[0]

    @property
    def size(self) -> int:
        """Number of elements of the vector on this rank, from `begin` on."""
        return self._vector.shape[0]

    @property
    def spectrum_size(self) -> int:
        """Number of coefficients on this rank."""
        return self._spectrum.shape[0]

    @property
    def frequencies(self) -> NDArray[np.int64]:
        """Indices of the coefficients on this rank, each from 0 to below the length."""
        return np.array(self._core.frequencies(), np.int64)

    def _run(self, forward: bool, x: Any, out: Any) -> Any:
        if out is None:
            out = new_result(self._spectrum if forward else self._vector, x)
        self._core.run(forward, x, out)
        return out
