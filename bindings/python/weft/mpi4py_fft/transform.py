"""A transform in one direction, with arrays of its own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from weft.mpi4py_fft.pencil import Pencil


class Transform:
    """Transforms of groups of axes, one after another, with a redistribution between any two.

    Parameters
    ----------
    xfftn : sequence of callables
        The transforms, each with an `input_array` and an `output_array`.
    transfer : sequence of callables
        ``transfer(source, target)`` moves the result of one to the array of the next.
    pencil : pair of Pencil
        How arrays are divided before and after it.

    Raises
    ------
    ValueError
        If there are not as many as that needs.
    """

    def __init__(self, xfftn: Sequence[Any], transfer: Sequence[Any],
                 pencil: Sequence[Pencil]) -> None:
        if len(xfftn) != len(transfer) + 1 or len(pencil) != 2:
            raise ValueError(f"{len(xfftn)} transforms, {len(transfer)} transfers and "
                             f"{len(pencil)} pencils")
        self._xfftn = tuple(xfftn)
        self._transfer = tuple(transfer)
        self._pencil = tuple(pencil)

    @property
    def input_array(self) -> Any:
        """The array that is transformed where none is given."""
        return self._xfftn[0].input_array

    @property
    def output_array(self) -> Any:
        """The array of the result where none is given."""
        return self._xfftn[-1].output_array

    @property
    def input_pencil(self) -> Pencil:
        """How the input is divided."""
        return self._pencil[0]

    @property
    def output_pencil(self) -> Pencil:
        """How the result is divided."""
        return self._pencil[1]

    def __call__(self, input_array: Any = None, output_array: Any = None, **kw: Any) -> Any:
        """Transforms an array. Collective.

        Parameters
        ----------
        input_array : array, optional
            This process's part; left as it is. By default `input_array` of this object.
        output_array : array, optional
            For the result; by default `output_array` of this object, which the next call
            overwrites.
        **kw
            Of the transforms; ``normalize`` tells whether the result is divided by the number of
            points, which by default is so forward and not backward.

        Returns
        -------
        array
            `output_array`.
        """
        if input_array is not None:
            self.input_array[...] = input_array
        self._xfftn[0](**kw)
        for transfer, before, after in zip(self._transfer, self._xfftn, self._xfftn[1:]):
            transfer(before.output_array, after.input_array)
            after(**kw)
        if output_array is None:
            return self.output_array
        output_array[...] = self.output_array
        return output_array
