"""Studies: what is to be measured, from TOML files to a list of cases and entries."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from . import axes

try:
    import tomllib
except ModuleNotFoundError:  # Python 3.10
    import tomli as tomllib

MEASURE_DEFAULTS: dict[str, Any] = {
    "rounds": 3,
    "seconds": 1.0,
    "least": 3,
    "most": 200,
    "energy": True,
    "timeout": 300.0,
}
SETTINGS_WORDS = ("default", "all", "best")


class StudyError(Exception):
    """A study file that cannot be used, with what is wrong in it."""


@dataclass(frozen=True)
class Case:
    """One problem, the same for every library: its shape, and a value of each of AXES."""

    shape: tuple[int, ...]
    kind: str
    precision: str
    batch: int
    in_place: bool
    in_layout: str
    out_layout: str
    grid: str
    ranks: int
    threads: int
    ranks_per_node: int | None
    environment: tuple[tuple[str, str], ...]
    binding: str
    build: str

    def fields(self) -> dict[str, Any]:
        """As records hold it."""
        values = {name: getattr(self, axes.MEMBERS.get(name, name)) for name in axes.AXES}
        return {"shape": list(self.shape), **values, "environment": dict(self.environment)}

    def title(self) -> str:
        words = ["x".join(map(str, self.shape)), self.kind, self.precision]
        if self.batch > 1:
            words.append(f"{self.batch} fields")
        if self.in_place:
            words.append("in place")
        if (self.in_layout, self.out_layout) != ("any", "any"):
            words.append(f"{self.in_layout} to {self.out_layout}")
        if self.grid != "auto":
            words.append(f"grid {self.grid}")
        threads = f" x {self.threads} threads" if self.threads > 1 else ""
        ranks = f"{self.ranks} rank{'s' * (self.ranks > 1)}{threads}"
        return ", ".join([" ".join(words), ranks, *axes.start_words(self.fields())])


@dataclass(frozen=True)
class Choice:
    """A library in a study, with the settings it gets: "default", "all" combinations, "best" (all
    in the first round, the fastest afterwards), or values by name."""

    library: str
    settings: str | dict[str, list[str]] = "default"


@dataclass
class Study:
    name: str
    title: str
    cases: list[Case]
    libraries: list[Choice] | None  # None: every library there is
    measure: dict[str, Any] = field(default_factory=lambda: dict(MEASURE_DEFAULTS))
    limits: bool = False


def grids_of(ranks: int) -> list[str]:
    """All p x q of that many ranks."""
    return [f"{p}x{ranks // p}" for p in range(1, ranks + 1) if ranks % p == 0]


def grown(shape: list[int], ranks: int) -> list[int]:
    """The shape of one rank made larger for more ranks: prime factors, largest first, multiply the
    axis that is shortest at that moment."""
    factors, rest, divisor = [], ranks, 2
    while rest > 1:
        while rest % divisor == 0:
            factors.append(divisor)
            rest //= divisor
        divisor += 1
    result = list(shape)
    for factor in sorted(factors, reverse=True):
        axis = result.index(min(result))
        result[axis] *= factor
    return result


def _shapes(table: dict[str, Any], where: str) -> tuple[list[list[int]], bool]:
    if ("shape" in table) == ("shape_per_rank" in table):
        raise StudyError(f"{where}: one of shape and shape_per_rank is needed")
    per_rank = "shape_per_rank" in table
    shapes = table["shape_per_rank" if per_rank else "shape"]
    if not isinstance(shapes, list) or not shapes:
        raise StudyError(f"{where}: shape {shapes!r} is not a list of lengths")
    shapes = shapes if isinstance(shapes[0], list) else [shapes]
    for shape in shapes:
        good = isinstance(shape, list) and 1 <= len(shape) <= 6
        if not good or not all(type(n) is int and n > 0 for n in shape):
            raise StudyError(f"{where}: shape {shape!r} is not a list of 1 to 6 positive lengths")
    return shapes, per_rank


def expand(table: dict[str, Any], where: str) -> list[Case]:
    """All combinations of the values of one [[cases]] table."""
    unknown = set(table) - set(axes.AXES) - {"shape", "shape_per_rank"}
    if unknown:
        raise StudyError(f"{where}: unknown {sorted(unknown)}; known: shape, shape_per_rank, "
                         + ", ".join(axes.AXES))
    shapes, per_rank = _shapes(table, where)
    try:
        values = {name: axis.values(name, table) for name, axis in axes.AXES.items()}
    except axes.BadValue as error:
        raise StudyError(f"{where}: {error}") from error
    cases = []
    for shape, *rest in itertools.product(shapes, *values.values()):
        chosen = dict(zip(values, rest))
        grid, ranks = chosen.pop("grid"), chosen["ranks"]
        members = {axes.MEMBERS.get(name, name): value for name, value in chosen.items()}
        for one_grid in grids_of(ranks) if grid == "all" else [grid]:
            cases.append(Case(shape=tuple(grown(shape, ranks) if per_rank else shape),
                              grid=one_grid, **members))
    return cases


def _choice(entry: Any, where: str) -> Choice:
    if isinstance(entry, str):
        return Choice(entry)
    if not isinstance(entry, dict) or "name" not in entry:
        raise StudyError(f"{where}: a library is a name, or a table with a name")
    settings = entry.get("settings", "default")
    if isinstance(settings, dict):
        settings = {name: [str(v) for v in axes.as_list(value)] for name, value in settings.items()}
    elif settings not in SETTINGS_WORDS:
        raise StudyError(f"{where}: settings {settings!r} is unknown; known: {SETTINGS_WORDS}, "
                         "or a table of values")
    return Choice(entry["name"], settings)


def _name(name: Any) -> str:
    """It names the file of records, and jobs of batch systems."""
    good = isinstance(name, str) and name.isprintable() and name.strip(".") and "/" not in name
    if not good:
        raise StudyError(f"name {name!r} cannot name a file: it has to be printable, without '/'")
    return name


def parse(tables: dict[str, Any], name: str) -> Study:
    name = _name(tables.get("name", name))
    unknown = set(tables) - {"name", "title", "limits", "measure", "cases", "libraries"}
    if unknown:
        raise StudyError(f"unknown {sorted(unknown)}")
    measure = MEASURE_DEFAULTS | tables.get("measure", {})
    unknown = set(measure) - set(MEASURE_DEFAULTS)
    if unknown:
        raise StudyError(f"[measure]: unknown {sorted(unknown)}; known: "
                         + ", ".join(MEASURE_DEFAULTS))
    if not tables.get("cases"):
        raise StudyError("no [[cases]]")
    cases: list[Case] = []
    for number, table in enumerate(tables["cases"], 1):
        cases += expand(table, f"[[cases]] {number}")
    libraries = tables.get("libraries", "all")
    choices = None
    if libraries != "all":
        choices = [_choice(entry, f"libraries, entry {number}")
                   for number, entry in enumerate(libraries, 1)]
    return Study(name, tables.get("title", name), list(dict.fromkeys(cases)),
                 choices, measure, tables.get("limits", False))


def load(path: Path) -> Study:
    try:
        tables = tomllib.loads(path.read_text())
        return parse(tables, path.stem)
    except (OSError, tomllib.TOMLDecodeError, StudyError) as error:
        raise StudyError(f"{path}: {error}") from error
