"""Arguments of plans, as the extension module takes them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypedDict, TypeVar

import numpy as np
from mpi4py import MPI
from numpy.typing import DTypeLike

from weft import _core
from weft._layout import Layout

#: Name of weft's precision, and whether numbers are complex.
_NUMBERS = {
    "float32": ("f32", "real"),
    "float64": ("f64", "real"),
    "complex64": ("f32", "complex"),
    "complex128": ("f64", "complex"),
}


class PlanOptions(TypedDict, total=False):
    """How plans do their work: the arguments of `weft.Plan` of these names."""

    algorithm: str
    grid: Sequence[int] | None
    exchange: str
    local: str
    reorder: bool
    overwrite_input: bool
    rigor: str
    threads: int
    tile_bytes: int
    stream_bytes: int
    codec: str
    tolerance: float
    chunks: int
    receive_chunks: int
    fields_in_flight: int
    progress: str
    mpi_count_limit: int
    device: str
    device_number: int
    stream: int


_DEFAULTS: PlanOptions = {
    "algorithm": "auto", "grid": None, "exchange": "auto", "local": "auto", "reorder": False,
    "overwrite_input": False, "rigor": "estimate", "threads": 0, "tile_bytes": 0,
    "stream_bytes": -1, "codec": "auto", "tolerance": 0.0, "chunks": 0, "receive_chunks": 0,
    "fields_in_flight": 1, "progress": "polling", "mpi_count_limit": 2147483647, "device": "host",
    "device_number": -1, "stream": 0,
}

Core = TypeVar("Core")


def make_collectively(core: Callable[[int, dict[str, Any], str], Core], comm: MPI.Comm,
                      read: Callable[[], dict[str, Any]]) -> Core:
    """Makes an object of the extension module. Collective; an exception of `read` on any rank is an
    error on all of them."""
    if not isinstance(comm, MPI.Comm):
        raise TypeError(f"comm must be a communicator of mpi4py, not {comm!r}")
    if MPI.Is_finalized():
        raise _core.Error("MPI is finalized: no plan can be made")
    request: dict[str, Any] = {}
    refusal = ""
    try:
        request = read()
    except Exception as error:  # noqa: BLE001 - it is raised on all ranks
        refusal = str(error) or type(error).__name__
    return core(comm.py2f(), request, refusal)


def plain_options(options: PlanOptions) -> dict[str, Any]:
    """All options of plans, by default where they are not given."""
    unknown = sorted(options.keys() - _DEFAULTS.keys())
    if unknown:
        raise TypeError(f"options {', '.join(unknown)} are unknown; known: {', '.join(_DEFAULTS)}")
    chosen: dict[str, Any] = {**_DEFAULTS, **options}
    chosen["grid"] = optional_numbers(chosen["grid"])
    return chosen


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
                  input: object, output: object, options: dict[str, Any]) -> dict[str, Any]:
    """Brings what a caller gives into plain types. Raises what is wrong with it."""
    lengths = numbers_of(shape)
    precision, numbers = number_type(dtype)
    request = dict(options)
    for name in ("points", "keep", "grid"):
        request[name] = optional_numbers(request[name])
    if input is None:
        raise TypeError("the input layout must be given")
    request.update(shape=lengths, kinds=_kinds(kinds, len(lengths)), precision=precision,
                   numbers=numbers, input=checked_layout(input, "input"),
                   output=checked_layout(output, "output"))
    return request
