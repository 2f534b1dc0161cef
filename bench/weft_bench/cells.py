"""Cells: all blocks of one library with one choice of settings in one case, on one machine."""

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from . import formatting, quoting, summary
from .records import Record, RecordError, start_of
from .statistics import Sample, sample

#: What a block may end with, the gravest first: a cell is what its gravest block is.
STATUSES = (
    "wrong",
    "crashed",
    "hung",
    "out_of_memory",
    "leaks",
    "failed",
    "unsupported",
    "ok",
)
LIMITS_LIBRARY = "machine"
REQUIRED = ("library", "status", "machine")
REQUIRED_OF_CASES = ("shape", "kind", "precision", "ranks")
#: What fields are, unless null.
TYPES = {
    "library": str,
    "status": str,
    "kind": (str, list),
    "precision": str,
    "ranks": int,
    "shape": list,
    "machine": dict,
    "settings": dict,
    "forward_seconds": dict,
    "backward_seconds": dict,
    "memory": dict,
    "mpi_seconds": dict,
    "energy": dict,
    "stages": list,
}


@dataclass(frozen=True, order=True)
class Case:
    """What all libraries are asked to do."""

    shape: tuple[int, ...]
    kind: str
    precision: str
    ranks: int
    threads: int
    ranks_per_node: int  # 0: all on one node
    batch: int
    in_place: bool
    layout_in: str
    layout_out: str
    grid: str
    launcher: str  # with build, binding and environment (records.start_of)

    @classmethod
    def of(cls, record: Record) -> "Case":
        kind = record["kind"]
        return cls(
            shape=tuple(record["shape"]),
            kind=kind if isinstance(kind, str) else ",".join(kind),
            precision=record["precision"],
            ranks=record["ranks"],
            threads=record.get("threads") or 1,
            ranks_per_node=record.get("ranks_per_node") or 0,
            batch=record.get("batch") or 1,
            in_place=bool(record.get("in_place")),
            layout_in=record.get("in") or "any",
            layout_out=record.get("out") or "any",
            grid=record.get("grid") or "auto",
            launcher=start_of(record),
        )

    def but(self, **changes: Any) -> "Case":
        return replace(self, **changes)

    @property
    def points(self) -> int:
        return int(np.prod([float(length) for length in self.shape])) * self.batch

    @property
    def has_real_input(self) -> bool:
        return "c2c" not in self.kind.split(",") or "r2c" in self.kind.split(",")

    @property
    def operations(self) -> float:
        """5 N log2 N for each field, half of it for real input."""
        length = self.points / self.batch
        return self.points * 5 * np.log2(max(length, 2)) * (0.5 if self.has_real_input else 1)

    @property
    def array_bytes(self) -> tuple[float, float]:
        """Bytes of input and output over all ranks."""
        real = 4 if self.precision in ("f32", "fp32", "float", "single") else 8
        if not self.has_real_input:
            return self.points * 2.0 * real, self.points * 2.0 * real
        if "r2c" not in self.kind.split(","):
            return self.points * 1.0 * real, self.points * 1.0 * real
        half = (self.shape[-1] // 2 + 1) / self.shape[-1]
        return self.points * 1.0 * real, self.points * half * 2.0 * real

    def workload(self) -> str:
        """The transform itself, without the ranks that share it."""
        parts = [f"{formatting.shape(self.shape)} {self.kind} {self.precision}"]
        if self.batch != 1:
            parts.append(f"{self.batch} fields")
        if self.in_place:
            parts.append("in place")
        if (self.layout_in, self.layout_out) != ("any", "any"):
            parts.append(f"{self.layout_in} to {self.layout_out}")
        return ", ".join(parts)

    def resources(self) -> str:
        """The ranks that share the transform, and how they are arranged."""
        text = formatting.count(self.ranks, "rank")
        if self.threads != 1:
            text += f" × {self.threads} threads"
        if self.ranks_per_node:
            text += f", {self.ranks_per_node} per node"
        if self.grid != "auto":
            text += f", {self.grid} grid"
        return f"{text}, {self.launcher}" if self.launcher else text

    def title(self) -> str:
        return f"{self.workload()}, {self.resources()}"


@dataclass(frozen=True, order=True)
class Variant:
    """A library as it was set up."""

    library: str  # with its device, unless that is the host
    settings: tuple[tuple[str, str], ...]

    @classmethod
    def of(cls, record: Record) -> "Variant":
        settings = record.get("settings") or {}
        pairs = tuple(sorted((name, str(value)) for name, value in settings.items()))
        return cls(library_label(record), pairs)

    def title(self) -> str:
        chosen = formatting.settings(self.settings)
        return f"{self.library} ({chosen})" if chosen else self.library


@dataclass
class Cell:
    """All blocks of one variant in one case."""

    case: Case
    variant: Variant
    records: list[Record]
    side: str = ""  # tells apart the two files of a comparison, whose draws must be independent
    samples: dict[str, Sample | None] = field(default_factory=dict)
    notable: tuple[tuple[str, str], ...] = ()  # the settings that differ within the library

    @property
    def library(self) -> str:
        return self.variant.library

    @cached_property
    def status(self) -> str:
        return min((record["status"] for record in self.records), key=gravity)

    @property
    def ok(self) -> bool:
        """Whether every block was right, so that the cell may be ranked."""
        return self.status == "ok" and self.sample("pair") is not None

    @property
    def explanation(self) -> str:
        """The status in words, with the reason and how many blocks it befell."""
        grave = [record for record in self.records if record["status"] == self.status]
        reasons = Counter(record.get("reason") or "" for record in grave)
        text = self.status.replace("_", " ")
        if len(grave) < len(self.records):
            text += f" in {len(grave)} of {len(self.records)} blocks"
        return "; ".join([text, *(reason for reason, _ in reasons.most_common(2) if reason)])

    def sample(self, direction: str) -> Sample | None:
        """The times of "forward", "backward" or "pair", None where no block got that far."""
        if direction not in self.samples:
            times = (times_of(record, direction) for record in self.records)
            blocks = [block for block in times if len(block)]
            key = (self.side, self.case, self.variant, direction)
            pooled = self.pooled(direction)
            self.samples[direction] = sample(blocks, *key, pooled=pooled) if blocks else None
        return self.samples[direction]

    def pooled(self, direction: str) -> list[float] | None:
        """Five numbers of all repetitions, if the cell is what one compacted line tells."""
        found = [record.get("pooled") or {} for record in self.records]
        if all(one == found[0] for one in found) and found[0].get("blocks") == len(found):
            return found[0].get(direction)
        return None

    @property
    def gflops(self) -> float | None:
        forward = self.sample("forward")
        return self.case.operations / forward.median / 1e9 if forward else None

    def values(self, *path: str) -> list[float]:
        """A figure of all blocks that have it, such as values("memory", "peak")."""
        found = []
        for record in self.records:
            value: Any = record
            for name in path:
                value = value.get(name) if isinstance(value, dict) else None
            if isinstance(value, (int, float)) and np.isfinite(value):
                found.append(float(value))
        return found

    def middle(self, *path: str) -> float | None:
        values = self.values(*path)
        return float(np.median(values)) if values else None

    def largest(self, *path: str) -> float | None:
        return max(self.values(*path), default=None)

    @property
    def stages(self) -> list[Record]:
        """The steps of the first block that tells them; blocks differ little in them."""
        return next((r["stages"] for r in self.records if r.get("stages")), [])

    @property
    def commands(self) -> list[str]:
        found = (record.get("command") or "" for record in self.records)
        return list(dict.fromkeys(command for command in found if command))


@dataclass(frozen=True)
class Limits:
    """What the machine can do with a number of ranks, measured without any FFT library."""

    launcher: str
    ranks: int
    memory_bytes_per_second: float | None
    fft_flops: float | None
    pair_bandwidth: tuple[tuple[float, float], ...]  # (bytes, seconds)
    alltoall: tuple[tuple[float, float], ...]  # (bytes sent by each rank, seconds)

    @classmethod
    def of(cls, record: Record) -> "Limits":
        limits = record.get("limits") or {}

        def curve(name: str) -> tuple[tuple[float, float], ...]:
            points = limits.get(name) or []
            return tuple(sorted((p["bytes"], p["seconds"]) for p in points if p["seconds"]))

        return cls(
            launcher=start_of(record),
            ranks=record.get("ranks") or 1,
            memory_bytes_per_second=limits.get("memory_bytes_per_second"),
            fft_flops=limits.get("fft_flops"),
            pair_bandwidth=curve("pair_bandwidth"),
            alltoall=curve("alltoall"),
        )


def curve_seconds(curve: Sequence[tuple[float, float]], size: float) -> float | None:
    """The time for a size, interpolated in logarithms; by the last bandwidth beyond the ends."""
    if not curve or size <= 0:
        return None
    sizes, seconds = np.array(curve).T
    if size > sizes[-1]:
        return float(seconds[-1] * size / sizes[-1])
    return float(np.exp(np.interp(np.log(size), np.log(sizes), np.log(seconds))))


@dataclass
class Machine:
    """All that was measured on one machine."""

    description: Record
    records: list[Record]
    cells: list[Cell]
    limits: dict[tuple[str, int], Limits]  # by launcher and number of ranks

    @property
    def name(self) -> str:
        host = self.description.get("hostname") or "unknown machine"
        cpu = self.description.get("cpu")
        return f"{host} ({cpu})" if cpu else host

    @cached_property
    def libraries(self) -> list[str]:
        return sorted({cell.library for cell in self.cells}, key=library_order)

    def distinct(self, name: str) -> list[str]:
        """The different values of a field, in order of appearance."""
        return list(dict.fromkeys(str(r[name]) for r in self.records if r.get(name)))


def gravity(status: str) -> int:
    """Smaller is graver; a status of a later format counts as a failure."""
    return STATUSES.index(status) if status in STATUSES else STATUSES.index("failed")


def library_order(library: str) -> tuple[bool, str]:
    """weft first, then by name: the order of colors and columns."""
    return not library.startswith("weft"), library


def library_label(record: Record) -> str:
    device = record.get("device") or "host"
    return record["library"] if device == "host" else f"{record['library']} on {device}"


def times_of(record: Record, direction: str) -> np.ndarray:
    """Of "forward" or "backward", or of a "pair" of both, by which libraries rank."""
    told = record.get(f"{direction}_seconds") or {}
    if "count" in told:  # compacted
        return summary.repetitions(told["count"], [told[name] for name in summary.NAMES])
    if direction == "pair":
        both = times_of(record, "forward"), times_of(record, "backward")
        shared = min(map(len, both))
        return both[0][:shared] + both[1][:shared]
    times = told.get("all") or []
    found = np.array([time for time in times if time is not None], dtype=float)
    return found[np.isfinite(found) & (found > 0)]


def check_record(record: Record, number: int) -> None:
    """Stops at a record that cannot be placed, rather than leave it out unseen."""
    required = REQUIRED
    if record.get("library") != LIMITS_LIBRARY:
        required += REQUIRED_OF_CASES
    missing = [name for name in required if name not in record]
    missing += [name for name in required if name != "machine" and record.get(name, 0) is None]
    if missing:
        raise RecordError(f"record {number} has no {formatting.listing(missing)}")
    for name, kind in TYPES.items():
        if record.get(name) is not None and not isinstance(record[name], kind):
            raise RecordError(f"record {number}: {name} is {record[name]!r}")
    shape = record.get("shape") or []
    if not all(isinstance(length, int) and length > 0 for length in shape):
        raise RecordError(f"record {number}: shape is {shape!r}")


def machine_id(record: Record) -> str | None:
    """None for a block that died before anything was known of its machine."""
    machine = record.get("machine")
    if not machine:
        return None
    return str(machine.get("id") or json.dumps(machine, sort_keys=True))


def group_cells(records: Iterable[Record], side: str = "") -> list[Cell]:
    groups: dict[tuple[Case, Variant], list[Record]] = {}
    for record in records:
        if record["library"] != LIMITS_LIBRARY:
            groups.setdefault((Case.of(record), Variant.of(record)), []).append(record)
    return [Cell(case, variant, blocks, side) for (case, variant), blocks in sorted(groups.items())]


def split_by_machine(records: Sequence[Record], side: str = "") -> list[Machine]:
    """Records never mix between machines.

    A block that died early does not know its machine. Blocks are appended as they end, so it ran
    where the block before it ran, or the next one if it is the first.

    From here on records are there to be read by people: their texts are printable.
    """
    records = quoting.printable_values(list(records))
    groups: dict[str, list[Record]] = {}
    for number, record in enumerate(records, 1):
        check_record(record, number)
    known = [machine_id(record) for record in records]
    current = next((machine for machine in known if machine), "")
    for record, machine in zip(records, known):
        current = machine or current
        groups.setdefault(current, []).append(record)
    return [make_machine(group, side) for group in groups.values()]


def note_settings(cells: Sequence[Cell]) -> None:
    """Marks the settings that tell the variants of a library apart; the others would be noise."""
    values: dict[tuple[str, str], set[str]] = {}
    for cell in cells:
        for name, value in cell.variant.settings:
            values.setdefault((cell.library, name), set()).add(value)
    for cell in cells:
        pairs = cell.variant.settings
        cell.notable = tuple(pair for pair in pairs if len(values[cell.library, pair[0]]) > 1)


def make_machine(records: list[Record], side: str) -> Machine:
    cells = group_cells(records, side)
    note_settings(cells)
    found = [Limits.of(r) for r in records if r["library"] == LIMITS_LIBRARY and r.get("limits")]
    return Machine(
        description=next((r["machine"] for r in records if r.get("machine")), {}),
        records=records,
        cells=cells,
        limits={(limits.launcher, limits.ranks): limits for limits in found},
    )
