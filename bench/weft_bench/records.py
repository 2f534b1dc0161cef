"""Records: one JSON object per line and block, or per cell where they have been compacted.

Their fields are described in docs/harness.md. Compacted records are read as if they were whole: a
record for each block, with five numbers in the place of single repetitions.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from . import axes, summary

Record = dict[str, Any]
FORMAT = 1
#: Of compacted records (compact.py).
COMPACT = 2
DIRECTIONS = ("forward", "backward")

MEASURED_FIELDS = (
    "plan_seconds", "forward_seconds", "backward_seconds", "mpi_seconds", "gflops", "forward_error",
    "forward_error_max", "whole_error", "parseval_error", "unwritten", "roundtrip_error",
    "roundtrip_error_max", "error_bound", "promised_error", "layout", "memory", "energy", "stages",
)


class RecordError(ValueError):
    """A file that does not hold records, or records that cannot be used."""


def load(path: Path) -> list[Record]:
    """All records. A last line that was cut off when a run was interrupted is left out."""
    text = path.read_text()
    complete = text[: text.rfind("\n") + 1]
    return expanded(list(lines_of(complete, path, (FORMAT, COMPACT))), path)


def lines_of(text: str, path: Path, formats: Sequence[int | None]) -> Iterator[Record]:
    """The lines of a file, each of one of these formats; None is that of lines without one."""
    known = " or ".join(str(one) for one in formats if one is not None)
    for number, line in enumerate(text.splitlines(), 1):
        try:
            record = json.loads(line)
        except json.JSONDecodeError as error:
            raise RecordError(f"{path}:{number}: {error}") from error
        if not isinstance(record, dict) or record.get("format") not in formats:
            raise RecordError(f"{path}:{number}: not a record of format {known}")
        yield record


def expanded(lines: Iterable[Record], path: Path) -> list[Record]:
    """The records of blocks that lines stand for; whole records are what they were."""
    try:
        return blocks_of(lines)
    except (KeyError, IndexError, TypeError, ValueError) as error:
        raise RecordError(f"{path}: a compacted record is damaged: {error!r}") from error


def blocks_of(lines: Iterable[Record]) -> list[Record]:
    records: list[Record] = []
    machines: list[Record] = []
    for line in lines:
        if "machines" in line:
            machines = line["machines"]
            continue
        for block in line.get("blocks", [{}]):
            record = {**line, **block}
            if record.pop("blocks", None) is not None:
                record = with_summaries(record, len(line["blocks"]))
            if record.get("format") == COMPACT:
                record.update(format=FORMAT, machine=machines[record["machine"]])
            records.append(record)
    return records


def with_summaries(record: Record, blocks: int) -> Record:
    """A block of a compacted line; `pooled` is what belongs to so many blocks together."""
    for direction in (*DIRECTIONS, "pair"):
        if direction in record:
            five = dict(zip(summary.NAMES, record.pop(direction), strict=True))
            record[f"{direction}_seconds"] = {"count": record["count"], **five}
    record.pop("count", None)
    if "pooled" in record:
        record["pooled"] = {**record["pooled"], "blocks": blocks}
    return record


def append(path: Path, record: Record) -> None:
    with path.open("a") as file:
        file.write(json.dumps(record) + "\n")


def drop_cut_off_line(path: Path) -> None:
    """Makes a file of an interrupted run ready for more records."""
    text = path.read_bytes()
    end = text.rfind(b"\n") + 1
    if end < len(text):
        with path.open("r+b") as file:
            file.truncate(end)


def block_key(record: Record) -> str:
    """Which block of a study this is. Records of before an axis was there have its default."""
    place = {name: record.get(name, axis.default) for name, axis in axes.AXES.items()}
    for name in ("shape", "study", "library", "settings", "launcher", "round"):
        place[name] = record.get(name)
    return json.dumps(place, sort_keys=True)


def start_of(record: Record) -> str:
    """How the ranks were started: the launcher, and what of build, binding and environment is not
    as always. What was started in two ways is never the same case."""
    return ", ".join(filter(None, [record.get("launcher"), *axes.start_words(record)]))
