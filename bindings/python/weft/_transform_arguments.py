"""Arguments that the transforms of `DistArray` and of `weft.fft` have in common with SciPy."""

from __future__ import annotations

import operator
from collections.abc import Iterable
from typing import Any

#: The norm of the same sum in the other direction.
OPPOSITE = {"backward": "forward", "ortho": "ortho", "forward": "backward"}


def norm_of(name: str, norm: str | None) -> str:
    """SciPy's name of a scaling: for "none" the one by which this function scales nothing."""
    if norm == "none":
        return "forward" if name.startswith("i") else "backward"
    if norm not in (None, *OPPOSITE):
        raise ValueError(f"Invalid norm value {norm!r}, should be 'backward', 'ortho', 'forward' "
                         "or 'none'")
    return norm or "backward"


def _integers(values: Any, name: str) -> list[int]:
    try:
        if not isinstance(values, Iterable):
            values = (values,)
        return [operator.index(value) for value in values]
    except TypeError as error:
        raise ValueError(f"{name} must be a scalar or iterable of integers") from error


def lengths_and_axes(shape: tuple[int, ...], s: Any, axes: Any) -> tuple[list[int], list[int]]:
    """The axes to be transformed, and the number of points along each of them."""
    count = len(shape)
    lengths = None if s is None else _integers(s, "shape")
    if axes is not None:
        chosen = _integers(axes, "axes")
        if any(not -count <= axis < count for axis in chosen):
            raise ValueError(f"axes exceeds dimensionality of input: {chosen} of {count} axes")
        chosen = [axis % count for axis in chosen]
        if len(set(chosen)) != len(chosen):
            raise ValueError(f"all axes must be unique, not {chosen}")
    elif lengths is not None and len(lengths) > count:
        raise ValueError("shape requires more axes than are present")
    else:
        chosen = list(range(0 if lengths is None else count - len(lengths), count))
    if lengths is None:
        lengths = [shape[axis] for axis in chosen]
    if len(lengths) != len(chosen):
        raise ValueError("when given, axes and shape arguments have to be of the same length")
    lengths = [shape[axis] if n == -1 else n for n, axis in zip(lengths, chosen)]
    if any(n < 1 for n in lengths):
        raise ValueError(f"invalid number of data points ({lengths}) specified")
    return lengths, chosen
