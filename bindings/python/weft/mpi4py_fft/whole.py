"""Transforms of all axes by one plan."""

from __future__ import annotations

import math
from functools import cached_property
from types import ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np

from weft._layout import box
from weft._plan import Plan
from weft.mpi4py_fft.distributed import array_over
from weft.mpi4py_fft.kinds import Spectrum
from weft.mpi4py_fft.options import Options
from weft.mpi4py_fft.pencil import Pencil, spanning
from weft.mpi4py_fft.transform import Transform
from weft.mpi4py_fft.truncation import Folding

if TYPE_CHECKING:
    from weft.mpi4py_fft.mpifft import PFFT

#: What FFTW's factors of cosine and sine transforms of n points have more than 2 n.
_MORE_POINTS = {"dct1": -2, "dst1": 2}


def _points(kind: str, length: int) -> int:
    """By what forward and backward together multiply numbers along an axis."""
    if kind == "none":
        return 1
    return length if kind in ("c2c", "r2c") else max(2 * length + _MORE_POINTS.get(kind, 0), 1)


class Whole:
    """The plan, and the arrays that the transforms use where they are given none. Collective.

    Parameters
    ----------
    pencils : list of Pencil
        In physical and in spectral space.
    dtype : dtype
        In physical space.
    spectrum : Spectrum
    module : module
        `numpy` or `cupy`, whose arrays they are.
    options : dict
        Of the plan.
    """

    def __init__(self, pencils: list[Pencil], dtype: np.dtype, spectrum: Spectrum,
                 module: ModuleType, options: Options) -> None:
        self.pencils = pencils
        self.module = module
        self.dtypes = dtype, spectrum.dtype
        shape = pencils[0].shape
        self.points = math.prod(map(_points, spectrum.kinds, shape))
        # An odd number of modes has none without its opposite.
        modes = [n if kept is None else kept + (kept % 2 == 0)
                 for n, kept in zip(shape, spectrum.modes)]
        doubled = [kept if kept is not None and kept % 2 == 0 and kind == "c2c" else 0
                   for kept, kind in zip(spectrum.modes, spectrum.kinds)]
        physical, spectral = (
            (each.substart, [a + n for a, n in zip(each.substart, each.subshape)])
            for each in pencils)
        self.folding = Folding(*spectral, doubled) if any(doubled) else None
        comm = spanning(pencils[0].subcomm)
        try:
            self.plan = Plan(
                shape, dtype, comm, kinds=spectrum.kinds, input=box(*physical),
                output=box(*spectral) if self.folding is None else box(self.folding.box),
                norm="forward", modes=None if set(spectrum.modes) == {None} else modes, **options)
        finally:
            comm.Free()

    @cached_property
    def physical(self) -> Any:
        """This process's array in physical space."""
        return self._zeros(0)

    @cached_property
    def spectral(self) -> Any:
        """This process's array in spectral space."""
        return self._zeros(1)

    def _zeros(self, side: int) -> Any:
        made = array_over(self.module.ndarray, self.pencils[side].subshape, self.dtypes[side])
        made.fill(0)
        return made

    @cached_property
    def _unfolded(self) -> Any:
        return self.plan.output.empty(self.module)

    def forward(self, x: Any, out: Any) -> None:
        """Transforms, and divides by the number of points."""
        if self.folding is None:
            self.plan.forward(x, out)
        else:
            self.plan.forward(x, self._unfolded)
            self.folding.fold(self._unfolded, out)

    def backward(self, x: Any, out: Any) -> None:
        """Transforms without scaling."""
        if self.folding is None:
            self.plan.backward(x, out)
        elif np.shape(x) == self.pencils[1].subshape:
            self.folding.unfold(x, self._unfolded)
            self.plan.backward(self._unfolded, out)
        else:
            self.plan.backward(x, out)  # which refuses it on all processes


class WholeTransform(Transform):
    """One direction of a plan: see `Transform`.

    Arrays that lie in C order and are of the right type are transformed where they are; others go
    through `input_array` and `output_array`.
    """

    def __init__(self, fft: PFFT, whole: Whole, forward: bool) -> None:
        self._fft = fft
        self._whole = whole
        self._is_forward = forward
        self._pencil = tuple(whole.pencils if forward else whole.pencils[::-1])

    @property
    def _xfftn(self) -> tuple[Any, ...]:  # type: ignore[override]
        steps = self._fft.xfftn
        return tuple(each.forward for each in steps) if self._is_forward else tuple(
            each.backward for each in reversed(steps))

    @property
    def _transfer(self) -> tuple[Any, ...]:  # type: ignore[override]
        steps = self._fft.transfer
        return tuple(each.forward for each in steps) if self._is_forward else tuple(
            each.backward for each in reversed(steps))

    @property
    def input_array(self) -> Any:
        """The array that is transformed where none is given."""
        return self._whole.physical if self._is_forward else self._whole.spectral

    @property
    def output_array(self) -> Any:
        """The array of the result where none is given."""
        return self._whole.spectral if self._is_forward else self._whole.physical

    def __call__(self, input_array: Any = None, output_array: Any = None, *,
                 normalize: bool | None = None, **kw: Any) -> Any:
        """Transforms an array. Collective.

        Parameters
        ----------
        input_array, output_array : array, optional
            As of `Transform`. The array that is `output_array` of this object changes only if none
            is given here.
        normalize : bool, optional
            Whether the result is divided by the number of points: by default forward, not backward.
        **kw
            Taken for the sake of programs that give more to the library that did it before.

        Returns
        -------
        array
            `output_array`.

        Raises
        ------
        weft.Error
            On all processes, if an array of any does not fit.
        """
        x = self.input_array if input_array is None else self._given(input_array)
        is_direct = output_array is not None and self._fits(output_array, int(self._is_forward))
        out = output_array if is_direct else self.output_array
        if self._is_forward:
            self._whole.forward(x, out)
            if normalize is False:
                out *= self._whole.points
        else:
            self._whole.backward(x, out)
            if normalize:
                out /= self._whole.points
        if output_array is None or is_direct:
            return out
        output_array[...] = out
        return output_array

    def _fits(self, array: Any, side: int) -> bool:
        """Whether the plan can take it as it is."""
        return (isinstance(array, self._whole.module.ndarray)
                and array.dtype == self._whole.dtypes[side]
                and array.shape == self._whole.pencils[side].subshape
                and array.flags.c_contiguous)

    def _given(self, array: Any) -> Any:
        if self._fits(array, int(not self._is_forward)):
            return array
        try:
            self.input_array[...] = array
        except Exception:  # noqa: BLE001 - the plan refuses it on all processes
            return array
        return self.input_array
