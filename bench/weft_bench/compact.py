"""Compacts records: one line for each library, choice of settings and case, without repetitions.

A line has what its blocks share, and `blocks` with what differs, among it five numbers of the times
(summary.py) of forward, backward and both. `pooled` has the five numbers of all repetitions of all
blocks, so that medians stay what they were. Errors and growth of memory are the largest of the
blocks, the time to plan and other memory medians, the time of jobs is their mean; steps, command
and date are those of the first block. The first line holds the machines, to which the others refer
by number.

A brief file leaves out what only long reports show (briefly).

Lines without a format, as `weft bench --json` and the drivers of the harness print them, are joined
where all but what was measured is equal. Lines without times stay as they are.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from . import summary, whole_file
from .axes import AXES
from .cells import LIMITS_LIBRARY, Cell, Machine, split_by_machine, times_of
from .records import (
    COMPACT,
    DIRECTIONS,
    FORMAT,
    MEASURED_FIELDS,
    Record,
    RecordError,
    lines_of,
    start_of,
)

#: Significant digits: of medians that are reported, of what intervals are made of, and of errors.
POOLED_DIGITS, BLOCK_DIGITS, ERROR_DIGITS = 6, 4, 3
LARGEST = ("forward_error", "whole_error", "unwritten", "roundtrip_error")
#: What no report shows.
DROPPED = ("forward_error_max", "parseval_error", "roundtrip_error_max", "gflops")
#: Of lines without a format, what two of the same case may differ in.
VARYING = {*MEASURED_FIELDS, "bytes_sent", "workspace_bytes", "shared_bytes", "compression",
           "hidden_exchange_share", "repeat", "checked", "round", "status", "reason"}


def write(source: Path, target: Path, brief: bool = False) -> int:
    """Writes the compacted file, whole or not at all, and returns the number of its lines."""
    if target.exists() and target.samefile(source):
        raise RecordError(f"{target} holds the whole records, which compacted ones cannot replace")
    lines = compact(read(source))
    if brief:
        lines = [briefly(line) for line in lines]
    whole_file.write(
        target, "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines))
    return len(lines)


def read(path: Path) -> list[Record]:
    """All lines. Unlike a report, what replaces a file must not leave out its end."""
    text = path.read_text("utf-8")
    if not text.strip():
        raise RecordError(f"{path}: no records")
    if not text.endswith("\n"):
        raise RecordError(f"{path}: the last line is cut off; `run` completes it")
    found = []
    for number, record in enumerate(lines_of(text, path, (None, FORMAT)), 1):
        if "blocks" in record:
            raise RecordError(f"{path}:{number}: compacted already")
        found.append(record)
    if len({record.get("format") for record in found}) > 1:
        raise RecordError(f"{path}: some lines have a format and some have none")
    return found


#: Where the time and the memory went.
LONG = ("stages", "memory", "layout", "mpi_seconds")
#: What goes without saying.
USUAL = {name: AXES[name].default for name in ("batch", "environment", "binding", "build")}
USUAL |= {"oversubscribed": False, "reason": "", "promised_error": 0, "unwritten": 0}


def briefly(line: Record) -> Record:
    """The line without steps, memory, layouts, energy that was not measured, what is null and what
    is as always; its command without the settings, which the line has by themselves."""
    kept = {name: value for name, value in line.items()
            if name not in LONG and value is not None and USUAL.get(name) != value}
    energy = kept.get("energy") or {}
    if not any((energy.get(part) or {}).get("joules_per_pair") for part in ("host", "device")):
        kept.pop("energy", None)
    if "command" in kept:
        kept["command"] = re.sub(r" --set [^ ]+", "", kept["command"])
    return kept


def compact(records: Sequence[Record]) -> list[Record]:
    if records[0].get("format") is None:
        return [line for group in alike(records) for line in plain_lines(group)]
    machines: list[Record] = []
    lines: list[Record] = []
    for machine in split_by_machine(records):
        lines += limits_lines(machine, machines)
        lines += [cell_line(cell, machine, machines) for cell in machine.cells]
    return [{"format": COMPACT, "quantiles": list(summary.NAMES), "machines": machines}, *lines]


def number_of(description: Record, machines: list[Record]) -> int:
    """Its place among the machines, where it is put unless it is there."""
    if description not in machines:
        machines.append(description)
    return machines.index(description)


def limits_lines(machine: Machine, machines: list[Record]) -> list[Record]:
    """Of ceilings that were measured several times the last, which is the one that reports use."""
    last = {}
    for record in machine.records:
        if record["library"] == LIMITS_LIBRARY:
            known = record.get("machine") or machine.description
            line = {**record, "format": COMPACT, "machine": number_of(known, machines)}
            last[start_of(record), record.get("ranks"), bool(record.get("limits"))] = line
    return [summary.rounded(line, BLOCK_DIGITS) for line in last.values()]


def cell_line(cell: Cell, machine: Machine, machines: list[Record]) -> Record:
    known = [record.get("machine") or machine.description for record in cell.records]
    places = [{"machine": number_of(description, machines)} for description in known]
    records = [{**record, **place} for record, place in zip(cell.records, places)]
    return {"format": COMPACT, **line_of(records)}


def alike(records: Iterable[Record]) -> Iterable[list[Record]]:
    groups: dict[str, list[Record]] = {}
    for record in records:
        case = {name: value for name, value in record.items() if name not in VARYING}
        groups.setdefault(json.dumps(case, sort_keys=True), []).append(record)
    return groups.values()


def plain_lines(records: list[Record]) -> list[Record]:
    if any(f"{direction}_seconds" in record for record in records for direction in DIRECTIONS):
        return [line_of(records)]
    return records


def line_of(records: Sequence[Record]) -> Record:
    """One line of the blocks of a cell."""
    blocks = [block_of(record) for record in records]
    shared = {
        name: value
        for name, value in blocks[0].items()
        if all(name in block and block[name] == value for block in blocks)
    }
    own = [{name: value for name, value in block.items() if name not in shared or name in PER_BLOCK}
           for block in blocks]
    shared = {name: value for name, value in shared.items() if name not in PER_BLOCK}
    return {**shared, **over_blocks(records), **pooled(records), "blocks": own}


#: What belongs to a block even where all blocks agree.
PER_BLOCK = ("round", "count", *DIRECTIONS, "pair")
OF_FIRST = ("study", "stages", "command", "started")
OVER_BLOCKS = (*LARGEST, *OF_FIRST, "plan_seconds", "wall_seconds", "memory")


def block_of(record: Record) -> Record:
    """What is kept of each block, with times as five numbers."""
    elsewhere = {"format", *DROPPED, *OVER_BLOCKS}
    kept = {name: value for name, value in record.items() if name not in elsewhere}
    counts = set()
    for direction in (*DIRECTIONS, "pair"):
        times = times_of(record, direction)
        if len(times):
            kept.pop(f"{direction}_seconds", None)
            kept[direction] = summary.rounded(summary.of(times), BLOCK_DIGITS)
            counts.add(len(times))
    if counts:
        kept["count"] = max(counts)
    return summary.rounded(kept, POOLED_DIGITS)


def over_blocks(records: Sequence[Record]) -> Record:
    """Figures of which reports show one for all blocks."""
    found: dict[str, Any] = {}
    for name in LARGEST:
        values = [record[name] for record in records if record.get(name) is not None]
        if values:
            found[name] = summary.rounded(max(values), ERROR_DIGITS)
    for name, typical in (("plan_seconds", np.median), ("wall_seconds", np.mean)):
        values = [record[name] for record in records if record.get(name) is not None]
        if values:
            found[name] = summary.rounded(float(typical(values)), BLOCK_DIGITS)
    memory = [record["memory"] for record in records if record.get("memory")]
    if memory:
        found["memory"] = {name: middle(name, memory) for name in memory[0]}
    for name in OF_FIRST:
        value = next((record[name] for record in records if record.get(name)), None)
        if value is not None:
            found[name] = summary.rounded(value, BLOCK_DIGITS)
    return found


def middle(name: str, memory: Sequence[Record]) -> float | None:
    values = [one[name] for one in memory if one.get(name) is not None]
    if not values:
        return None
    return max(values) if name == "growth_per_pair" else float(np.median(values))


def pooled(records: Sequence[Record]) -> Record:
    """Five numbers of all repetitions, where single repetitions are known."""
    found: Record = {}
    for direction in (*DIRECTIONS, "pair"):
        times = [block for block in (times_of(r, direction) for r in records) if len(block)]
        if times:
            five = summary.of(np.concatenate(times))
            found[direction] = summary.rounded(five, POOLED_DIGITS)
    return {"pooled": found} if found else {}
