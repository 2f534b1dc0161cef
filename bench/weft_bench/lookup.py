"""Looks up figures in stored records, for pages: a figure that no record has is an error.

A row is a compacted line, with medians over all its repetitions, or a line of another kind, or of
a table in CSV, as it is. Lines whose single repetitions were never known give a row for each of
their blocks.
"""

from __future__ import annotations

import csv
import json
import math
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from . import formatting
from .records import DIRECTIONS, Record

MEDIAN = 2  # of five numbers


class LookupFailed(ValueError):
    """A figure that records do not have, or have more than once."""


class Row:
    """One line; its fields and settings are attributes, as are forward, backward and pair: medians
    in seconds."""

    def __init__(self, fields: Record, medians: dict[str, float]) -> None:
        self.fields = {**(fields.get("settings") or {}), **fields, **medians}
        lengths = fields.get("shape")
        self.lengths: list[int] = lengths or []
        if lengths:
            same = len(set(lengths)) == 1 and len(lengths) > 1
            self.fields["shape"] = (
                f"{lengths[0]}^{len(lengths)}" if same else "x".join(map(str, lengths))
            )

    def __getattr__(self, name: str) -> Any:
        try:
            return self.fields[name]
        except KeyError:
            raise AttributeError(name) from None

    def get(self, name: str) -> Any:
        return self.fields.get(name)

    @property
    def gflops(self) -> float:
        """Of a forward transform: 5 N log2 N operations, half of them for real input."""
        points = math.prod(self.lengths)
        half = 1.0 if self.fields["kind"] == "c2c" else 0.5
        return half * 5 * points * math.log2(points) / self.forward / 1e9

    @property
    def ok(self) -> bool:
        """Whether all results were right."""
        endings = [self.fields.get("status") or "ok"]
        endings += [block.get("status") or "ok" for block in self.fields.get("blocks") or []]
        return set(endings) == {"ok"}


class Rows:
    """Rows of some files, and the choice of some of them."""

    def __init__(self, rows: Iterable[Row], names: str, asked: str = "") -> None:
        self.rows, self.names, self.asked = list(rows), names, asked

    def __iter__(self) -> Iterator[Row]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def where(self, **fields: Any) -> Rows:
        """The rows that have these values; `in_` stands for `in`, a list for any of its values."""
        wanted = {name.rstrip("_"): value for name, value in fields.items()}
        chosen = [row for row in self.rows
                  if all(fits(row.get(name), value) for name, value in wanted.items())]
        words = ", ".join(f"{name}={value!r}" for name, value in wanted.items())
        return Rows(chosen, self.names, ", ".join(filter(None, (self.asked, words))))

    def best(self, **fields: Any) -> Row:
        """The fastest that was right."""
        found = self.fastest(**fields)
        if found is None:
            raise LookupFailed(f"{self.where(**fields)}: no correct result with times")
        return found

    def fastest(self, **fields: Any) -> Row | None:
        """The same, or nothing: for cells of a table that may stay empty."""
        right = [row for row in self.where(**fields) if row.ok and row.get("pair") is not None]
        return min(right, key=lambda row: row.pair, default=None)

    def one(self, **fields: Any) -> Row:
        found = self.where(**fields)
        if len(found) != 1:
            raise LookupFailed(f"{found}: {formatting.count(len(found), 'line')} instead of one")
        return found.rows[0]

    def all_of(self, name: str, **fields: Any) -> list[Any]:
        """Different values of a field, in the order of lines."""
        values = [row.get(name) for row in self.where(**fields)]
        found = [value for number, value in enumerate(values)
                 if value is not None and value not in values[:number]]
        if not found:
            raise LookupFailed(f"{self.where(**fields)}: no {name}")
        return found

    def day(self) -> str:
        """When the first of them was measured."""
        days = [str(row.get("date") or row.get("started") or "")[:10] for row in self.rows]
        if not all(days) or not days:
            raise LookupFailed(f"{self}: a line has no date")
        return min(days)

    def __str__(self) -> str:
        return f"{self.names}: {self.asked or 'all lines'}"


def fits(value: Any, wanted: Any) -> bool:
    """Settings are texts, and numbers in pages may be written either way."""
    if isinstance(wanted, (list, tuple)):
        return any(fits(value, one) for one in wanted)
    return value == wanted or (value is not None and str(value) == str(wanted))


def load(folder: Path, names: Iterable[str]) -> Rows:
    names = list(names)
    rows = [row for name in names for row in rows_of(folder / name)]
    return Rows(rows, " and ".join(names))


def rows_of(path: Path) -> Iterator[Row]:
    yield from rows_of_table(path) if path.suffix == ".csv" else rows_of_lines(path)


def rows_of_table(path: Path) -> Iterator[Row]:
    """Lines with # before the header are comments."""
    lines = [line for line in path.read_text("utf-8").splitlines() if not line.startswith("#")]
    for row in csv.DictReader(lines):
        if None in row or None in row.values():
            raise LookupFailed(f"{path}: not as long as the header: {list(row.values())}")
        yield Row({name: number_in(text) for name, text in row.items() if text}, {})


def number_in(text: str) -> int | float | str:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return text


def rows_of_lines(path: Path) -> Iterator[Row]:
    machines: list[Record] = []
    for number, text in enumerate(path.read_text("utf-8").splitlines(), 1):
        try:
            line = json.loads(text)
            if "machines" in line:
                machines = line["machines"]
                continue
            if isinstance(line.get("machine"), int):
                line["machine"] = machines[line["machine"]]
            yield from rows_of_line(line)
        except (ValueError, KeyError, IndexError, TypeError) as error:
            raise LookupFailed(f"{path}:{number}: {error!r}") from error


def rows_of_line(line: Record) -> Iterator[Row]:
    if "pooled" in line:
        yield Row(line, {name: five[MEDIAN] for name, five in line["pooled"].items()})
        return
    for block in line.get("blocks") or [{}]:
        record = {name: value for name, value in {**line, **block}.items() if name != "blocks"}
        yield Row(record, medians_of(record))


def medians_of(record: Record) -> dict[str, float]:
    times = {name: record.get(f"{name}_seconds") for name in DIRECTIONS}
    found = {name: told["median"] for name, told in times.items() if told}
    if len(found) == len(DIRECTIONS):
        found["pair"] = sum(found.values())
    return found


#: What pages may do with numbers. Nothing stays nothing: an empty cell.
FILTERS: dict[str, Callable[..., str]] = {
    "ms": lambda seconds: "" if seconds is None else formatting.milliseconds(seconds),
    "ratio": lambda value: f"{value:.2f}" if value < 1 else f"{value:.2g}",
    "percent": formatting.percent,
    "error": formatting.scientific,
    "number": lambda value: f"{value:.3g}",
    "giga": lambda value: f"{value / 1e9:.0f}",
    "tera": lambda value: f"{value / 1e12:.1f}",
    "bytes": formatting.binary_bytes,
}
