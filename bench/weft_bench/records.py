"""Records: one JSON object per line and block. Their fields are described in docs/harness.md."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

Record = dict[str, Any]
FORMAT = 1

MEASURED_FIELDS = (
    "plan_seconds", "forward_seconds", "backward_seconds", "gflops", "forward_error",
    "forward_error_max", "whole_error", "parseval_error", "unwritten", "roundtrip_error",
    "roundtrip_error_max", "error_bound", "promised_error", "layout", "memory", "energy", "stages",
)
CASE_FIELDS = ("shape", "kind", "precision", "batch", "in_place", "in", "out", "grid", "ranks",
               "threads", "ranks_per_node")


class RecordError(ValueError):
    """A file that does not hold records, or records that cannot be used."""


def load(path: Path) -> list[Record]:
    """All records. A last line that was cut off when a run was interrupted is left out."""
    records = []
    text = path.read_text()
    complete = text[: text.rfind("\n") + 1]
    for number, line in enumerate(complete.splitlines(), 1):
        try:
            record = json.loads(line)
        except json.JSONDecodeError as error:
            raise RecordError(f"{path}:{number}: {error}") from error
        if not isinstance(record, dict) or record.get("format") != FORMAT:
            raise RecordError(f"{path}:{number}: not a record of format {FORMAT}")
        records.append(record)
    return records


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
    """Which block of a study this is."""
    fields = CASE_FIELDS + ("study", "library", "settings", "launcher", "round")
    return json.dumps({name: record.get(name) for name in fields}, sort_keys=True)
