"""What others have published, beside our own records of the same work.

The figures are in two files of bench/results: times of whole transforms, which `weft predict` reads
too, and what else was published, each in its unit. A third says where they are from. A ratio is
made only of the same work, which is shape, kind, precision and direction, on as many cores or GPUs.
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from . import lookup

TIMES = "2026-11-25-published-scaling.csv"
OTHERS = "2026-11-25-published-figures.csv"
SOURCES = "2026-11-25-published-sources.json"
#: Of quantities, by how they begin: the direction that they are the time of.
DIRECTIONS = {
    "forward+backward": "pair", "mean of forward and backward": "mean", "forward": "forward",
}
EXACT = {"codec": (None, "none", "auto"), "tolerance": (None, "none", 0, 0.0),
         "promised_error": (None, 0, 0.0), "batch": (None, 1), "fields": (None, 1)}


class PublishedError(ValueError):
    """Published figures that cannot be read."""


@dataclass(frozen=True)
class Work:
    """What a time is the time of; of other figures some of it may be unknown and empty."""

    shape: str
    kind: str
    precision: str
    direction: str  # forward, pair (forward and backward), mean (half of that), or not told

    @property
    def known(self) -> bool:
        return all((self.shape, self.kind, self.precision, self.direction))


@dataclass(frozen=True)
class Figure:
    """One number. Its work is done by so many `ranks`, which are GPUs where `gpus` says so."""

    source: str
    where: str
    library: str
    machine: str
    nodes: int | None
    ranks: int | None
    gpus: int | None
    work: Work
    quantity: str
    value: float
    unit: str
    method: str = ""
    trust: str = ""
    note: str = ""

    @property
    def units(self) -> int | None:
        """GPUs, or where there are none cores."""
        return self.gpus or self.ranks

    @property
    def experiment(self) -> tuple[str, bool, Work, str]:
        """What the libraries and numbers of ranks of one study have in common."""
        return self.machine, self.gpus is not None, self.work, self.quantity


def short(shape: str) -> str:
    """1024x1024x1024 as 1024^3, which is how rows of records have it."""
    lengths = shape.split("x")
    return f"{lengths[0]}^{len(lengths)}" if len(set(lengths)) == 1 < len(lengths) else shape


def _number(row: dict[str, str], name: str) -> int | None:
    return int(row[name]) if row.get(name) else None


def _source(text: str, sources: dict[str, Any]) -> tuple[str, str]:
    """The key of a source, and where in it."""
    for key, source in sources.items():
        begin = source.get("begins")
        if text == key or (begin and text.startswith(begin)):
            return key, text.removeprefix(begin or key).strip()
    raise PublishedError(f"source {text!r} is not in {SOURCES}")


def _figure(row: dict[str, str], known: dict[str, Any]) -> Figure:
    source, within = _source(row["source"], known["sources"])
    ranks, nodes = _number(row, "ranks"), _number(row, "nodes")
    gpus = _number(row, "gpus")
    if "gpus" not in row and (row["machine"], row["ranks_per_node"]) in map(
            tuple, known["gpu_machines"]):
        gpus = ranks
    quantity = row["quantity"]
    told = (name for begin, name in DIRECTIONS.items() if quantity.startswith(begin))
    direction = row.get("direction") or (next(told, "") if "gpus" not in row else "")
    work = Work(short(row["shape"]), row.get("kind") or row.get("transform") or "",
                row["precision"], direction)
    return Figure(
        source, row.get("where") or within or "text", row["library"], row["machine"], nodes, ranks,
        gpus, work, quantity, float(row.get("value") or row.get("seconds") or "nan"),
        row.get("unit") or "s", row["method"], row["trust"], row["note"])


def sources(results: Path) -> dict[str, Any]:
    return json.loads((results / SOURCES).read_text("utf-8"))


def load(results: Path) -> list[Figure]:
    known = sources(results)
    found = []
    for name in (TIMES, OTHERS):
        with (results / name).open(encoding="utf-8", newline="") as file:
            for number, row in enumerate(csv.DictReader(file), 2):
                try:
                    found.append(_figure(row, known))
                except (KeyError, ValueError) as error:
                    raise PublishedError(f"{results / name}:{number}: {error}") from error
    return found


def _kind(kind: Any) -> str:
    """The one kind that all axes have; r2c of the last axis is r2c."""
    names = kind if isinstance(kind, list) else str(kind).split(",")
    first = set(names[:-1]) | {names[-1]}
    if first == {"c2c", "r2c"} and names.count("r2c") == 1 and names[-1] == "r2c":
        return "r2c"
    return first.pop() if len(first) == 1 else ",".join(names)


def _machine(row: lookup.Row, gpus: bool) -> str:
    """Without the number of GPUs, which is another column."""
    machine = row.get("machine")
    if row.get("accelerators"):
        return re.sub(r"^\d+ ", "", str(row.get("accelerators")))
    if not isinstance(machine, dict):
        return str(machine)
    if gpus and machine.get("accelerators"):
        return f"{machine['accelerators'][0]} of one host"
    return f"{machine.get('cores')} cores of one host, {machine.get('cpu')}"


def _own(row: lookup.Row, file: str) -> Iterable[Figure]:
    if not all(row.get(name) for name in ("library", "shape", "kind", "precision", "ranks")):
        return
    exact = all(row.get(name) in values for name, values in EXACT.items())
    if not row.ok or not exact or row.get("oversubscribed") or row.get("forward") is None:
        return
    gpus = row.get("ranks") if (row.get("device") or "host") not in ("host", "cpu") else None
    times = {"forward": row.get("forward"), "pair": row.get("pair")}
    times["mean"] = None if times["pair"] is None else times["pair"] / 2
    for direction, seconds in times.items():
        if seconds is not None:
            work = Work(row.get("shape"), _kind(row.get("kind")), row.get("precision"), direction)
            yield Figure(f"bench/results/{file}", "", row.get("library").split("-cuda")[0],
                         _machine(row, gpus is not None), 1,
                         row.get("ranks") * (row.get("threads") or 1), gpus, work, direction,
                         seconds, "s", f"{row.get('in') or 'any'} to {row.get('out') or 'any'}")


def own(results: Path) -> list[Figure]:
    """Times of exact transforms in our records, of one array at a time on one machine."""
    found = []
    for path in sorted(results.glob("*.jsonl")):
        for row in lookup.rows_of(path):
            if " hosts," not in str(row.get("launcher")):  # of a network on one machine
                found += _own(row, path.name)
    return found


def fastest(figures: Iterable[Figure]) -> list[Figure]:
    """Of the times of each library in an experiment, for each number of ranks the shortest."""
    best: dict[Any, Figure] = {}
    for one in figures:
        if one.unit == "s" and one.ranks is not None:
            key = (one.experiment, one.library, one.nodes, one.ranks)
            if key not in best or one.value < best[key].value:
                best[key] = one
    return list(best.values())


@dataclass(frozen=True)
class Comparison:
    """A published time, our fastest of the same work, and their ratio where they can have one."""

    published: Figure
    ours: Figure | None

    @property
    def same_machine(self) -> bool:
        return self.ours is not None and self.ours.machine == self.published.machine

    @property
    def ratio(self) -> float | None:
        """Ours over theirs: of as many cores or GPUs."""
        if self.ours is None or self.ours.units != self.published.units:
            return None
        return self.ours.value / self.published.value


def compare(figures: Iterable[Figure], ours: Iterable[Figure]) -> list[Comparison]:
    """Each published time beside ours of the same work, on as many cores or GPUs or else on the
    most that we have."""
    weft = [one for one in ours if one.library == "weft"]
    found = []
    for one in fastest(figures):
        same = [o for o in weft if one.work.known and o.work == one.work
                and (o.gpus is None) == (one.gpus is None)]
        best = min(same, key=lambda o: (o.units != one.units, -(o.units or 0), o.value),
                   default=None)
        found.append(Comparison(one, best))
    return found


@dataclass(frozen=True)
class Scaling:
    """One library in one experiment, at every number of ranks."""

    library: str
    points: tuple[Figure, ...]  # by ranks
    one_node: float | None  # the fastest time of all libraries on one node

    def efficiency(self, last: Figure) -> float:
        """As usual: the speedup over the fewest ranks, by the ratio of ranks."""
        first = self.points[0]
        return first.value * (first.ranks or 1) / (last.value * (last.ranks or 1))

    def efficiency_of_all(self, last: Figure) -> float | None:
        """As the FFT benchmark report has it: the time of the fastest of all libraries on one node
        over N times the time on N nodes."""
        if self.one_node is None or not last.nodes:
            return None
        return self.one_node / (last.nodes * last.value)

    @property
    def limit(self) -> Figure:
        """Scales up to here: with more ranks no time is shorter than this."""
        return min(self.points, key=lambda one: one.value)

    @property
    def limit_seen(self) -> bool:
        return self.limit is not self.points[-1]


def scaling(figures: Iterable[Figure]) -> list[Scaling]:
    """Of experiments of whole transforms on two or more numbers of ranks."""
    studies: dict[Any, dict[str, list[Figure]]] = {}
    for one in fastest(figures):
        if one.work.known:
            studies.setdefault(one.experiment, {}).setdefault(one.library, []).append(one)
    found = []
    for libraries in studies.values():
        every = [one for points in libraries.values() for one in points]
        several_nodes = max(one.nodes or 1 for one in every) > 1
        alone = [one.value for one in every if one.nodes == 1] if several_nodes else []
        for library, points in libraries.items():
            ordered = tuple(sorted(points, key=lambda one: one.ranks or 0))
            if len({one.ranks for one in ordered}) > 1:
                found.append(Scaling(library, ordered, min(alone, default=None)))
    return found
