"""What the libraries can do, as bench/adapters/features.toml says of their adapters."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from . import formatting
from .study import tomllib
from .table import Table, Value

FILE = "bench/adapters/features.toml"
DECOMPOSITIONS = ("slab", "pencil", "brick")
KINDS = ("c2c", "r2c", "r2r", "mixed")


class FeatureError(ValueError):
    """Features that are not those of an adapter."""


@dataclass(frozen=True)
class Features:
    """Of one library."""

    name: str
    kinds: list[str]
    precisions: list[str]
    axes: str
    layouts: list[str]
    in_place: list[str]
    batches: bool = False
    grid: bool = False
    device: str = "host"
    shared_memory: bool = False
    exchanges: tuple[str, ...] = ()
    overlap: tuple[str, ...] = ()


def load(root: Path) -> list[Features]:
    found = []
    for name, told in tomllib.loads((root / FILE).read_text("utf-8")).items():
        lists = {"layouts": [], "in_place": []}
        try:
            one = Features(name, **{**lists, **told})
        except TypeError as error:
            raise FeatureError(f"{FILE}: [{name}]: {error}") from error
        for what, values, known in (("kinds", one.kinds, KINDS), ("in_place", one.in_place, KINDS),
                                    ("precisions", one.precisions, ("f32", "f64")),
                                    ("layouts", one.layouts, DECOMPOSITIONS)):
            if not set(values) <= set(known):
                raise FeatureError(f"{FILE}: [{name}]: {what} {values}; known: {known}")
        found.append(one)
    return found


def _words(values: object) -> Value:
    if isinstance(values, bool):
        return Value("yes" if values else formatting.ABSENT)
    assert isinstance(values, (list, tuple))
    return Value(", ".join(values) or formatting.ABSENT)


def table(root: Path) -> Table:
    rows = []
    for one in load(root):
        layouts = Value("whole array, threads") if one.shared_memory else _words(one.layouts)
        rows.append([
            Value(one.name), Value(one.device), _words(one.kinds), _words(one.precisions),
            Value(one.axes), layouts, _words(one.grid), _words(one.in_place),
            _words(one.batches), _words(one.exchanges), _words(one.overlap)])
    columns = ["library", "memory", "kinds", "precisions", "axes", "layouts", "process grid",
               "in place", "batches", "exchanges", "overlap"]
    return Table("features", columns, rows, left=len(columns))
