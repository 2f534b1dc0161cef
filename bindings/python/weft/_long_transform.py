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
    """A complex Fourier transform of one long vector that is spread over all ranks.

    The vector is taken as a matrix of n1 rows and n2 columns, n = n1 n2 with factors as equal as
    possible; columns are transformed, multiplied by roots of unity, and rows transformed. A prime
    length is one row: it is transformed on one rank. Making, using and destroying it is collective,
    and what is said of errors, threads and the life of `Plan` holds here, too.

    Parameters
    ----------
    length : int
        Any; memory and work are shared as far as it has factors.
    dtype : dtype, optional
        complex128 (default) or complex64.
    comm : mpi4py.MPI.Intracomm, optional
        Who takes part; all processes by default.
    order : {'natural', 'transposed'}, optional
        Of the coefficients: contiguous blocks, as the vector is in but not of the same sizes, or as
        they come, which is one redistribution less: `frequencies` tells which ones these are.
    norm : {'backward', 'ortho', 'forward', 'none'}, optional
        Scaling, as in `scipy.fft`; ``"none"``: of neither direction, as in FFTW.
    **options
        How transforms are done: `exchange`, `local`, `threads`, ... as in `Plan`.

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
        """From the vector to its coefficients. Collective.

        Parameters
        ----------
        x : array
            This rank's part: `size` numbers, contiguous. On a device it is an array of that; one of
            the host is copied.
        out : array, optional
            `spectrum_size` numbers. By default a new array, of CuPy where `x` is, else of NumPy.

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
        """From the coefficients to the vector: as `forward`, but `x` has `spectrum_size` numbers,
        and `out` has `size`. Collective."""
        return self._run(False, x, out)

    @property
    def begin(self) -> int:
        """Number of the first element of the vector that this rank has."""
        return self._vector.box.lower[0]

    @property
    def size(self) -> int:
        """Elements of the vector that this rank has, from `begin` on."""
        return self._vector.shape[0]

    @property
    def spectrum_size(self) -> int:
        """Coefficients that this rank has."""
        return self._spectrum.shape[0]

    @property
    def frequencies(self) -> NDArray[np.int64]:
        """Numbers of the coefficients that this rank has, from 0 to below the length."""
        return np.array(self._core.frequencies(), np.int64)

    def _run(self, forward: bool, x: Any, out: Any) -> Any:
        if out is None:
            out = new_result(self._spectrum if forward else self._vector, x)
        self._core.run(forward, x, out)
        return out
