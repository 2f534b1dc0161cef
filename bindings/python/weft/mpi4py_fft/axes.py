"""The arguments of a `PFFT` that tell which axes it transforms, and how long they are."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

#: Axes that are transformed together.
Group = tuple[int, ...]


def groups_of(axes: Any, count: int) -> list[Group]:
    """The groups that the argument `axes` tells; all axes one by one by default.

    Raises
    ------
    ValueError
        If an axis does not exist, or occurs twice.
    """
    entries = range(count) if axes is None else axes if isinstance(axes, Iterable) else (axes,)
    groups = [tuple(map(operator.index, entry)) if isinstance(entry, Iterable)
              else (operator.index(entry),) for entry in entries]
    every = [axis for group in groups for axis in group]
    if not every or not all(groups) or not all(-count <= axis < count for axis in every):
        raise ValueError(f"axes {axes!r} of an array of {count} axes")
    if len({axis % count for axis in every}) != len(every):
        raise ValueError(f"axes {axes!r}: an axis must not be transformed twice")
    return [tuple(axis % count for axis in group) for group in groups]


def collapsed(groups: Sequence[Group], sizes: Sequence[int]) -> list[Group]:
    """The groups, with those joined whose axes are whole on each process.

    Parameters
    ----------
    sizes
        Number of processes along each axis.
    """
    whole: Group = ()
    divided: list[Group] = []
    for group in groups:
        if all(sizes[axis] == 1 for axis in group):
            whole += group
        else:
            divided.append(group)
    return [*divided, whole]


def padded_shape(shape: Sequence[int], groups: Sequence[Group], padding: Any) -> list[int]:
    """The lengths in physical space. The factors in `padding` become those between the lengths."""
    lengths = [operator.index(n) for n in shape]
    if len(padding) != len(lengths):
        raise ValueError(f"{len(padding)} factors of padding for {len(lengths)} axes")
    for group in groups:
        axis = group[0]
        if len(group) == 1 and padding[axis] > 1 + 1e-6:
            lengths[axis] = int(np.floor(shape[axis] * padding[axis]))
            padding[axis] = lengths[axis] / shape[axis]
    return lengths
