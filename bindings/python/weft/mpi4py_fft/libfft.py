"""Transforms of arrays of one process, with arrays of their own."""

from __future__ import annotations

import functools
import inspect
import math
from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import DTypeLike

import weft
from weft.mpi4py_fft import fftw
from weft.mpi4py_fft.axes import groups_of
from weft.mpi4py_fft.kinds import Transforms, check_padding, kept_modes


class Direction:
    """A function that fills one array from another.

    Attributes
    ----------
    input_array, output_array : array
        The arrays of this object.
    """

    def __init__(self, run: Callable[..., None], input_array: Any, output_array: Any) -> None:
        self._run = run
        self.input_array = input_array
        self.output_array = output_array

    def __call__(self, input_array: Any = None, output_array: Any = None, **options: Any) -> Any:
        """Transforms an array.

        Parameters
        ----------
        input_array : array, optional
            Copied to that of this object, which is transformed.
        output_array : array, optional
            To which the result is copied.
        **options
            ``normalize`` tells whether the result is divided by the number of points, by default
            forward and not backward; others are those of the function that does the work.

        Returns
        -------
        array
            `output_array`, that of this object by default.
        """
        if input_array is not None:
            self.input_array[...] = input_array
        self._run(**options)
        if output_array is None:
            return self.output_array
        output_array[...] = self.output_array
        return output_array


class FFT:
    """A transform of arrays of one process along some axes.

    Parameters
    ----------
    shape : int or sequence of int
        In physical space, padding included.
    axes : int or sequence of int, optional
        All axes by default; the last one is the halved one of real numbers.
    dtype : dtype, optional
        In physical space: single, double or extended precision, real or complex.
    padding : False, number or sequence of numbers, optional
        By how much physical space has more points than there are modes along the only axis.
    backend : str, optional
        With ``"scipy"`` the spectrum of real numbers is not halved. Otherwise it tells how
        functions in `transforms` are called.
    transforms : dict, optional
        For groups of axes a pair of functions, forward and backward.
    **kw
        Of functions of FFTW: ``threads``, ``planner_effort``.

    Attributes
    ----------
    forward, backward : Direction
        To spectral and to physical space; they share their arrays.

    Raises
    ------
    ValueError
        If arguments do not fit together.
    """

    def __init__(self, shape: int | Sequence[int], axes: Any = None, dtype: DTypeLike = float,
                 padding: Any = False, backend: str = "fftw", transforms: Transforms | None = None,
                 module: ModuleType = np, **kw: Any) -> None:
        self.shape = [int(n) for n in (shape if np.ndim(shape) else (shape,))]
        (group,) = groups_of((range(len(self.shape)) if axes is None
                              else axes if np.ndim(axes) else (axes,),), len(self.shape))
        self.axes = list(group)
        self.dtype = np.dtype(dtype)
        if self.dtype.char not in "fdgFDG":
            raise ValueError(f"no transform of numbers of type {self.dtype}")
        self.backend = backend
        self.padding = padding
        self.padding_factor = 1.0 if padding is False else float(
            padding[group[-1]] if np.ndim(padding) else padding)
        self.real_transform = self.dtype.kind == "f" and backend != "scipy"
        physical = module.zeros(self.shape, self.dtype)
        pair = (transforms or {}).get(group)
        if pair is None and self.real_transform:
            pair = fftw.rfftn, fftw.irfftn
        elif pair is None:
            is_complex = self.dtype.kind == "c"
            pair = (fftw.fftn, fftw.ifftn) if is_complex else (weft.fft.fftn, weft.fft.ifftn)
        self.fwd, self.bck, self.M = _planned(pair, physical, group, backend, kw)
        spectral = self.fwd.output_array
        modes = kept_modes(self.shape[group[-1]], self.padding_factor)
        if modes is not None:
            check_padding(group, self.padding_factor, "r2c" if self.real_transform else "c2c")
            lengths = list(spectral.shape)
            lengths[group[-1]] = modes // 2 + 1 if self.real_transform else modes
            spectral = module.zeros(lengths, spectral.dtype)
        self._modes = modes
        self.forward = Direction(self._forward, physical, spectral)
        self.backward = Direction(self._backward, spectral, physical)

    def _forward(self, normalize: bool = True, **options: Any) -> None:
        self.fwd(**options)
        result = self.forward.output_array
        if self._modes is not None:
            _truncate(self.fwd.output_array, result, self.axes[-1], self.real_transform)
        if normalize:
            result *= self.M

    def _backward(self, normalize: bool = False, **options: Any) -> None:
        if self._modes is not None:
            _extend(self.backward.input_array, self.bck.input_array, self.axes[-1],
                    self.real_transform)
        self.bck(**options)
        result = self.backward.output_array
        if normalize:
            result *= self.M


def _truncate(whole: Any, kept: Any, axis: int, is_half: bool) -> None:
    """The low modes; those of the two highest frequencies of an even number are added up."""
    n = kept.shape[axis]
    before = (slice(None),) * axis
    if is_half:
        kept[...] = whole[(*before, slice(0, n))]
        return
    kept[(*before, slice(0, n // 2 + 1))] = whole[(*before, slice(0, n // 2 + 1))]
    if n > 1:
        kept[(*before, slice(n // 2 + 1, None))] = 0
        kept[(*before, slice(-(n // 2), None))] += whole[(*before, slice(-(n // 2), None))]


def _extend(kept: Any, whole: Any, axis: int, is_half: bool) -> None:
    """The other way: half of the highest mode of an even number for either frequency."""
    n = kept.shape[axis]
    before = (slice(None),) * axis
    whole[...] = 0
    if is_half:
        whole[(*before, slice(0, n))] = kept
        return
    whole[(*before, slice(0, n // 2 + 1))] = kept[(*before, slice(0, n // 2 + 1))]
    if n > 1:
        whole[(*before, slice(-(n // 2), None))] = kept[(*before, slice(-(n // 2), None))]
    if n % 2 == 0:
        for highest in (n // 2, -(n // 2)):
            whole[(*before, highest)] *= 0.5


class _Called:
    """A function of arrays, as an object with an input and an output array."""

    def __init__(self, function: Callable[..., Any], input_array: Any, output_array: Any,
                 factor: float, options: dict[str, Any]) -> None:
        self._function, self._factor, self._options = function, factor, options
        self.input_array, self.output_array = input_array, output_array

    def __call__(self, **options: Any) -> Any:
        result = self._function(self.input_array, **{**self._options, **options})
        if result.dtype.kind == "c" and self.output_array.dtype.kind == "f":
            result = result.real
        self.output_array[...] = result
        if self._factor != 1:
            self.output_array *= self._factor
        return self.output_array


def _planned(pair: tuple[Callable[..., Any], Callable[..., Any]], x: Any, axes: Sequence[int],
             backend: str, options: dict[str, Any]) -> tuple[Any, Any, float]:
    """Both directions, and one over the number of points; they share their arrays."""
    forward, backward = pair
    lengths = [x.shape[axis] for axis in axes]
    if _is_planner(forward):
        effort = options.get("planner_effort", "FFTW_MEASURE")
        given = dict(s=lengths, axes=axes, threads=options.get("threads", 1))
        first = forward(x, flags=(fftw.flag_dict[effort],), **given)
        second = backward(first.output_array, flags=(fftw.flag_dict[effort],), output_array=x,
                          **given)
        x[...] = 0
        return first, second, first.get_normalization()
    points = math.prod(lengths)
    if backend == "pyfftw":
        first = forward(x, s=lengths, axes=axes)
        second = backward(first.output_array, s=lengths, axes=axes)
        second.update_arrays(first.output_array, x)
        return first, functools.partial(second, normalise_idft=False), 1 / points
    is_fftpack = (getattr(forward, "__module__", None) or "").startswith("scipy.fftpack")
    given = {"shape" if is_fftpack else "s": lengths, "axes": axes}
    result = forward(x, **given)
    if result.dtype.kind == "c":
        result = result.astype(x.dtype.char.upper())
    return (_Called(forward, x, result, 1, given), _Called(backward, result, x, points, given),
            1 / points)


def _is_planner(function: Callable[..., Any]) -> bool:
    """Whether it plans a transform, as those of `mpi4py_fft.fftw` do, rather than does it."""
    return "flags" in inspect.signature(function).parameters and "output_array" in (
        inspect.signature(function).parameters)
