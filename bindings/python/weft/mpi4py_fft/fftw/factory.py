"""Planned transforms of arrays of one process, by `weft.fft`."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from types import ModuleType
from typing import Any

import numpy as np
from mpi4py import MPI
from numpy.typing import DTypeLike

import weft
from weft._modules import module_of
from weft._wisdom import export_fftw_wisdom, import_fftw_wisdom
from weft.mpi4py_fft.fftw.utilities import C2C_FORWARD, C2R, FFTW_MEASURE, R2C

#: Functions of one axis, and types, by the numbers of real-to-real kinds.
_R2R = {3: ("dct", 1), 4: ("dct", 3), 5: ("dct", 2), 6: ("dct", 4),
        7: ("dst", 1), 8: ("dst", 3), 9: ("dst", 2), 10: ("dst", 4)}


class FFT:
    """A transform between two arrays.

    Parameters
    ----------
    input_array, output_array : array
        Of NumPy or CuPy; those that are used where a call gives none.
    axes : sequence of int, optional
    kind : int or sequence of int, optional
        ``C2C_FORWARD``, ``C2C_BACKWARD``, ``R2C`` or ``C2R``, or for each axis one of
        ``FFTW_REDFT00`` to ``FFTW_RODFT11``.
    threads : int, optional
    flags : int or sequence of int, optional
        Taken, but not needed: inputs are always preserved.
    normalization : float, optional
        By what ``normalize=True`` multiplies the result.

    Raises
    ------
    ValueError
        If it is of another kind.
    """

    def __init__(self, input_array: Any, output_array: Any, axes: Sequence[int] = (-1,),
                 kind: Any = C2C_FORWARD, threads: int = 1,
                 flags: int | Sequence[int] = (FFTW_MEASURE,), normalization: float = 1.0) -> None:
        del flags
        self.input_array, self.output_array = input_array, output_array
        self._axes = tuple(int(axis) for axis in axes)
        is_real = input_array.dtype.kind == output_array.dtype.kind == "f"
        kinds = [int(each) for each in np.ravel(kind)]
        self._kinds = kinds * len(self._axes) if is_real and len(kinds) == 1 else kinds
        if is_real and (len(self._kinds) != len(self._axes) or not set(self._kinds) <= set(_R2R)):
            raise ValueError(f"kinds {kinds} of real numbers for {len(self._axes)} axes: "
                             "FFTW_REDFT00 to FFTW_RODFT11 are there")
        self._is_r2r = is_real
        self._threads = threads
        self._factor = normalization

    def destroy(self) -> None:
        """Plans belong to `weft.fft`: `weft.clear_plans` frees them."""

    def update_arrays(self, input_array: Any, output_array: Any) -> None:
        """Takes other arrays of the same shapes from now on."""
        self.input_array, self.output_array = input_array, output_array

    def get_normalization(self) -> float:
        """By what ``normalize=True`` multiplies the result."""
        return self._factor

    def __call__(self, input_array: Any = None, output_array: Any = None, implicit: bool = True,
                 normalize: bool = False, **_: Any) -> Any:
        """Transforms an array.

        Parameters
        ----------
        input_array, output_array : array, optional
            By default the planned ones.
        implicit : bool, optional
            If false, a given input is copied to the planned one first, and the result from the
            planned output.
        normalize : bool, optional
            Whether to scale the result.

        Returns
        -------
        array
            `output_array`.
        """
        if not implicit and input_array is not None:
            self.input_array[...] = input_array
            input_array = None
        x = self.input_array if input_array is None else input_array
        out = self.output_array if output_array is None or not implicit else output_array
        out[...] = self._result(x)
        if normalize:
            out *= self._factor
        if out is self.output_array and output_array is not None:
            output_array[...] = out
            return output_array
        return out

    def _result(self, x: Any) -> Any:
        if self._is_r2r:
            for kind, axis in zip(self._kinds, self._axes):
                name, type = _R2R[kind]
                x = getattr(weft.fft, name)(x, type, axis=axis, workers=self._threads)
            return x
        options: dict[str, Any] = dict(axes=self._axes, workers=self._threads)
        if self._kinds[0] == R2C:
            return weft.fft.rfftn(x, **options)
        if self._kinds[0] == C2R:
            lengths = [self.output_array.shape[axis] for axis in self._axes]
            return weft.fft.irfftn(x, lengths, norm="forward", **options)
        function, norm = ((weft.fft.fftn, "backward") if self._kinds[0] == C2C_FORWARD else
                          (weft.fft.ifftn, "forward"))
        return function(x, norm=norm, **options)


def get_planned_FFT(input_array: Any, output_array: Any, axes: Sequence[int] = (-1,),
                    kind: Any = C2C_FORWARD, threads: int = 1,
                    flags: int | Sequence[int] = (FFTW_MEASURE,),
                    normalization: float = 1.0) -> FFT:
    """An `FFT`, with the same parameters."""
    return FFT(input_array, output_array, axes, kind, threads, flags, normalization)


def new_array(like: Any, shape: Sequence[int], dtype: DTypeLike) -> Any:
    """A new array, of CuPy where the other one is."""
    return module_of(like).empty(tuple(shape), dtype)


def get_fftw_lib(dtype: DTypeLike) -> ModuleType | None:
    """The module with the `FFT` of a precision: this one."""
    return sys.modules[__name__] if np.dtype(dtype).char in "fdgFDG" else None


#: Modules with an `FFT`, by precision.
fftlib = dict.fromkeys("FDG", sys.modules[__name__])

_WISDOM = {"F": np.float32, "D": np.float64}


def export_wisdom(filename: str) -> None:
    """Writes what FFTW has learned below weft, to a file of this process for either precision."""
    for letter, dtype in _WISDOM.items():
        export_fftw_wisdom(f"{letter}{MPI.COMM_WORLD.rank}_{filename}", dtype)


def import_wisdom(filename: str) -> None:
    """Reads what `export_wisdom` wrote in a job of as many processes. Raises `weft.Error` where
    that is missing."""
    for letter, dtype in _WISDOM.items():
        import_fftw_wisdom(f"{letter}{MPI.COMM_WORLD.rank}_{filename}", dtype)


def forget_wisdom() -> None:
    """Does nothing: what FFTW has learned is of use to all plans of the process."""


def set_timelimit(limit: float) -> None:
    """Does nothing: weft's own rigor bounds the time for planning."""


def cleanup() -> None:
    """Does nothing: `weft.clear_plans` frees the plans of `weft.fft`."""
