"""Arguments of plans, as the extension module takes them."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence
from typing import Any, SupportsFloat, SupportsIndex

import numpy as np
from numpy.typing import DTypeLike

from weft import _core
from weft._collective import check_names
from weft._layout import Layout
from weft._plan_options import PlanOptions

#: Name of weft's precision, and whether numbers are complex.
_NUMBERS = {
    "float32": ("f32", "real"),
    "float64": ("f64", "real"),
    "complex64": ("f32", "complex"),
    "complex128": ("f64", "complex"),
}


#: Of arguments, by the type of an option.
_TYPES = {"text": "str", "yes or no": "bool", "integer": "int", "integers": "sequence of int",
          "number": "float"}


def options_documentation() -> str:
    """The options of plans as a section of a docstring."""
    lines = []
    for name, sentence, values, default, type in _core.options():
        lines.append(f"{name} : {_TYPES[type]}, optional")
        text = f"{sentence}. Default: {default}. Values: {values}."
        lines += textwrap.wrap(text.replace("`weft list`", "``weft list``"), 92,
                               initial_indent="    ", subsequent_indent="    ")
    return textwrap.indent("\n".join(lines), "    ")


def options_text(made: type, options: PlanOptions) -> str:
    """Options of what is made as text, which the library reads."""
    check_names(made, options, [name for name, *_ in _core.options()])
    pairs = []
    for name, value in options.items():
        if value is None:
            continue
        pairs.append(f"{name}={_option_text(name, value)}")
        if "," in pairs[-1]:  # it would begin another option
            raise ValueError(f"{name} {value!r}: must have no comma")
    return ", ".join(pairs)


def _option_text(name: str, value: Any) -> str:
    if hasattr(value, "tolist"):  # numbers and arrays of NumPy and its like
        value = value.tolist()
    if value is None or (name == "tolerance" and value == 0):
        return "auto"
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Iterable):
        return "x".join(str(_core.integer(number, f"{name}[{axis}]"))
                        for axis, number in enumerate(value))
    if isinstance(value, SupportsIndex):
        return str(_core.integer(value, name))
    if isinstance(value, SupportsFloat):
        return repr(float(value))
    raise TypeError(f"{name} {value!r}: must be a str, a number, a bool or a sequence of integers")


def numbers_of(values: Iterable[int] | int) -> tuple[int, ...]:
    """A number for each axis; a single one is that of the only axis. Whether they are integers is
    the extension module's to see."""
    return tuple(values) if isinstance(values, Iterable) else (values,)


def number_type(dtype: DTypeLike) -> tuple[str, str]:
    """weft's precision, and whether numbers are real or complex."""
    number = np.dtype(dtype)
    if number.name not in _NUMBERS or not number.isnative:
        raise TypeError(f"dtype {number} is not supported; known: {', '.join(_NUMBERS)}")
    return _NUMBERS[number.name]


def optional_numbers(values: Iterable[int] | int | None) -> tuple[int, ...] | None:
    """The same where there are any."""
    return None if values is None else numbers_of(values)


def _kinds(kinds: str | Sequence[str], axes: int) -> str:
    if isinstance(kinds, str):
        return kinds
    if not isinstance(kinds, Iterable):
        raise TypeError(f"kinds {kinds!r}: must be a str, or one for each axis")
    names = list(kinds)
    if len(names) != axes:
        raise ValueError(f"{len(names)} kinds are given, but the shape has {axes} axes")
    return ",".join(str(name) for name in names)


def checked_layout(layout: object, name: str) -> object:
    """A layout or its text, or None. Raises TypeError for anything else."""
    if layout is None or isinstance(layout, (str, Layout)):
        return layout
    raise TypeError(f"{name} layout must be a str or a weft.Layout, not {layout!r}")


def plain_request(shape: Sequence[int] | int, dtype: DTypeLike, kinds: str | Sequence[str],
                  input: object, output: object) -> dict[str, Any]:
    """Brings what a caller gives into plain types. Raises what is wrong with it."""
    lengths = numbers_of(shape)
    precision, numbers = number_type(dtype)
    if input is None:
        raise TypeError("the input layout must be given")
    return {"shape": lengths, "kinds": _kinds(kinds, len(lengths)), "precision": precision,
            "numbers": numbers, "input": checked_layout(input, "input"),
            "output": checked_layout(output, "output")}
