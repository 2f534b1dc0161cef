"""Arguments of plans, brought into the plain types that the extension module takes."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from weft._layout import Layout

#: Name of weft's precision, and whether numbers are complex.
_NUMBERS = {
    "float32": ("f32", "real"),
    "float64": ("f64", "real"),
    "complex64": ("f32", "complex"),
    "complex128": ("f64", "complex"),
}


def _optional_numbers(values: Iterable[int] | None) -> tuple[int, ...] | None:
    return None if values is None else tuple(operator.index(value) for value in values)


def _kinds(kinds: str | Sequence[str], axes: int) -> str:
    if isinstance(kinds, str):
        return kinds
    names = list(kinds)
    if len(names) != axes:
        raise ValueError(f"{len(names)} kinds are given, but the shape has {axes} axes")
    return ",".join(str(name) for name in names)


def _layout(layout: object, name: str) -> object:
    if layout is None or isinstance(layout, (str, Layout)):
        return layout
    raise TypeError(f"{name} layout must be a str or a weft.Layout, not {layout!r}")


def plain_request(shape: Sequence[int] | int, dtype: DTypeLike, kinds: str | Sequence[str],
                  input: object, output: object, options: dict[str, Any]) -> dict[str, Any]:
    """Brings what a caller gives into plain types. Raises what is wrong with it."""
    if isinstance(shape, Iterable):
        lengths = tuple(operator.index(length) for length in shape)
    else:
        lengths = (operator.index(shape),)
    number = np.dtype(dtype)
    if number.name not in _NUMBERS or not number.isnative:
        raise TypeError(f"dtype {number} is not supported; known: {', '.join(_NUMBERS)}")
    precision, numbers = _NUMBERS[number.name]
    request = dict(options)
    for name in ("points", "keep", "grid"):
        request[name] = _optional_numbers(request[name])
    if input is None:
        raise TypeError("the input layout must be given")
    request.update(shape=lengths, kinds=_kinds(kinds, len(lengths)), precision=precision,
                   numbers=numbers, input=_layout(input, "input"),
                   output=_layout(output, "output"))
    return request
