"""Callbacks: functions that a transform applies to the numbers it reads and writes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from weft import _core
from weft._errors import Error
from weft._local_array import Box, LocalArray


class Block:
    """The place of a block of numbers that a callback is called with.

    Attributes
    ----------
    box : Box
        Global indices of the numbers, along each axis of the array.
    """

    def __init__(self, side: LocalArray, shape: tuple[int, ...], lower: tuple[int, ...],
                 first_field: int) -> None:
        self._side = side
        self._shape = shape
        self._first_field = first_field
        axes = shape[1:] if side.field_axis == 0 else shape[:len(lower)]
        self.box = Box(lower, tuple(a + n for a, n in zip(lower, axes)))

    @property
    def fields(self) -> range:
        """Numbers of the fields, where a batch is transformed."""
        axis = self._side.field_axis
        count = 1 if axis is None else self._shape[axis]
        return range(self._first_field, self._first_field + count)

    @cached_property
    def index(self) -> tuple[NDArray[np.int64], ...]:
        """The global indices along each axis, as arrays that broadcast against the values:
        ``values *= k[block.index[0]]``."""
        axis = self._side.field_axis
        dimensions = len(self._shape)
        arrays = []
        for number, (begin, end) in enumerate(zip(*self.box)):
            shape = [1] * dimensions
            shape[number + (axis == 0)] = end - begin
            arrays.append(np.arange(begin, end).reshape(shape))
        return tuple(arrays)

    @cached_property
    def here(self) -> tuple[slice, ...]:
        """Where the numbers are in this rank's array, or in any other one of the same layout:
        ``other[block.here]`` has the shape of the values."""
        corner = self._side.box.lower
        slices = [slice(a - c, b - c) for a, b, c in zip(*self.box, corner)]
        axis = self._side.field_axis
        if axis is not None:
            # Of forward_many numbers of fields count on from field to field.
            first = self.fields.start % self._side.shape[axis]
            slices.insert(axis if axis == 0 else len(slices),
                          slice(first, first + len(self.fields)))
        return tuple(slices)


#: It changes the values in place, or returns what they become.
Callback: TypeAlias = Callable[[NDArray[Any], Block], Any]
#: What transforms take as `on_input` and `on_output`.
MaybeCallback: TypeAlias = "Callback | _core.Operator | None"


class Caller:
    """What the extension module calls in the place of a callback, and what it has raised."""

    def __init__(self, function: Callback, side: LocalArray) -> None:
        self._function = function
        self._side = side
        self.failure: BaseException | None = None

    def __call__(self, values: NDArray[Any], lower: tuple[int, ...],
                 first_field: int) -> str | None:
        """Returns what went wrong, in words, or None."""
        try:
            result = self._function(values, Block(self._side, values.shape, lower, first_field))
            if result is not None:
                values[...] = result
        except BaseException as error:  # noqa: BLE001 - to be raised on all ranks
            self.failure = error
            return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
        return None


def called(function: Any, side: LocalArray) -> Any:
    """What the extension module takes for a callback."""
    return Caller(function, side) if callable(function) else function


@contextmanager
def failures_of(*callbacks: Any) -> Iterator[None]:
    """Gives an error of the library the exception of a callback of this rank as its cause."""
    try:
        yield
    except Error as error:
        for callback in callbacks:
            failure = getattr(callback, "failure", callback)
            if isinstance(failure, BaseException):
                raise error from failure
        raise
