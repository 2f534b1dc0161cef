"""NumPy's basic indexing of arrays that are spread over ranks, without any communication."""

from __future__ import annotations

import operator
from dataclasses import dataclass
from typing import Any

import numpy

Shape = tuple[int, ...]
Slices = tuple[slice, ...]


@dataclass(frozen=True)
class Selection:
    """The points of an array that a key names: a range along each axis.

    `outcome` has an entry for each axis of the result: the axis of the array that it comes from, or
    None where `numpy.newaxis` puts one. Axes with an integer are in `ranges` only, with one point.
    """

    shape: Shape
    ranges: tuple[range, ...]
    outcome: tuple[int | None, ...]

    @classmethod
    def of(cls, key: Any, shape: Shape) -> Selection:
        """Raises IndexError where NumPy does, and for lists and arrays of indices."""
        entries = list(key) if isinstance(key, tuple) else [key]
        for entry in entries:
            _check_entry(entry)
        used = sum(entry is not None and entry is not Ellipsis for entry in entries)
        if used > len(shape):
            raise IndexError(f"{used} indices for an array of {len(shape)} axes")
        ellipses = [at for at, entry in enumerate(entries) if entry is Ellipsis]
        if len(ellipses) > 1:
            raise IndexError("an index can have one ellipsis ('...') only")
        at = ellipses[0] if ellipses else len(entries)
        entries[at : at + 1] = [slice(None)] * (len(shape) - used)

        ranges: list[range] = []
        outcome: list[int | None] = []
        for entry in entries:
            axis = len(ranges)
            if entry is None:
                outcome.append(None)
            elif isinstance(entry, slice):
                ranges.append(range(shape[axis])[entry])
                outcome.append(axis)
            else:
                ranges.append(_single(operator.index(entry), axis, shape[axis]))
        return cls(shape, tuple(ranges), tuple(outcome))

    @property
    def extents(self) -> Shape:
        """Lengths with an entry for each axis of the array."""
        return tuple(len(points) for points in self.ranges)

    @property
    def result_shape(self) -> Shape:
        return tuple(1 if axis is None else len(self.ranges[axis]) for axis in self.outcome)

    @property
    def is_whole(self) -> bool:
        """Whether it is the array as it is."""
        return self.outcome == tuple(range(len(self.shape))) and all(
            points == range(length) for points, length in zip(self.ranges, self.shape)
        )

    def part(self, lower: Shape, upper: Shape) -> tuple[Slices, Slices] | None:
        """What lies in a box: where in an array of `extents`, and where from the box's corner."""
        mine: list[slice] = []
        local: list[slice] = []
        for points, begin, end in zip(self.ranges, lower, upper):
            first, last = _within(points, begin, end)
            if first >= last:
                return None
            mine.append(slice(first, last))
            local.append(_from_corner(points[first:last], begin))
        return tuple(mine), tuple(local)

    def to_result(self, array: numpy.ndarray) -> Any:
        """Turns an array of `extents` into one of the result's shape; a number if it has none."""
        kept = {axis for axis in self.outcome if axis is not None}
        array = array[tuple(slice(None) if axis in kept else 0 for axis in range(array.ndim))]
        return array[tuple(None if axis is None else slice(None) for axis in self.outcome)][()]

    def from_value(self, value: numpy.ndarray) -> numpy.ndarray:
        """Broadcasts what is assigned to this selection to an array of `extents`."""
        while value.ndim > len(self.outcome) and value.shape[0] == 1:
            value = value[0]
        try:
            value = numpy.broadcast_to(value, self.result_shape)
        except ValueError:
            raise ValueError(
                f"a value of shape {value.shape} cannot be assigned to points of shape "
                f"{self.result_shape}"
            ) from None
        value = value[tuple(0 if axis is None else slice(None) for axis in self.outcome)]
        return value.reshape(self.extents)


def _check_entry(entry: Any) -> None:
    is_boolean = isinstance(entry, (bool, numpy.bool_))
    basic = entry is None or entry is Ellipsis or isinstance(entry, slice)
    if not is_boolean and (basic or hasattr(entry, "__index__") and numpy.ndim(entry) == 0):
        return
    raise IndexError(
        f"an index of type {type(entry).__name__} is not supported: integers, slices, '...' and "
        "numpy.newaxis are; for others gather the array"
    )


def _single(index: int, axis: int, length: int) -> range:
    if not -length <= index < length:
        raise IndexError(f"index {index} is out of bounds for axis {axis} of {length} points")
    return range(length)[index % length : index % length + 1]


def _within(points: range, begin: int, end: int) -> tuple[int, int]:
    """Which entries of `points` are in [begin, end): they are neighbors."""
    step = points.step
    low, high = (begin, end) if step > 0 else (end - 1, begin - 1)
    first = -((points.start - low) // step)
    last = -((points.start - high) // step)
    return max(first, 0), min(last, len(points))


def _from_corner(points: range, corner: int) -> slice:
    stop = points.stop - corner
    return slice(points.start - corner, None if stop < 0 else stop, points.step)
