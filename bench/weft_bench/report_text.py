"""A report as Markdown, and all its cells as CSV."""

import csv
import io
import json
from collections.abc import Iterator, Sequence
from typing import Any

from . import analysis, energy
from .cells import Cell, Machine
from .quoting import csv_value, terminal
from .quoting import markdown as markdown_text
from .report_sections import Part
from .table import Table, Value

CSV_COLUMNS = (
    "machine",
    "hostname",
    "study",
    "library",
    "version",
    "settings",
    "shape",
    "kind",
    "precision",
    "batch",
    "in_place",
    "in",
    "out",
    "grid",
    "ranks",
    "threads",
    "ranks_per_node",
    "launcher",
    "oversubscribed",
    "status",
    "explanation",
    "place",
    "ratio_to_fastest",
    "ratio_low",
    "ratio_high",
    "ratio_resolved",
    "blocks",
    "repetitions",
    "pair_seconds",
    "pair_low",
    "pair_high",
    "pair_spread",
    "pair_shortest",
    "pair_longest",
    "noisy",
    "forward_seconds",
    "forward_low",
    "forward_high",
    "backward_seconds",
    "backward_low",
    "backward_high",
    "gflops",
    "forward_error",
    "roundtrip_error",
    "error_bound",
    "plan_seconds",
    "memory_before",
    "memory_peak",
    "memory_array",
    "host_joules_per_pair",
    "host_idle_joules_per_pair",
    "device_joules_per_pair",
    "device_idle_joules_per_pair",
    "command",
)


def markdown_value(value: Value) -> str:
    text = markdown_text(value.text)
    return f"{text} ({markdown_text(value.note)})" if value.note else text


def markdown_table(table: Table) -> str:
    lines = [
        [markdown_text(column) for column in table.columns],
        [":--" if i < table.left else "--:" for i in range(len(table.columns))],
        *([markdown_value(value) for value in row] for row in table.rows),
    ]
    text = "\n".join(f"| {' | '.join(line)} |" for line in lines)
    return f"{text}\n\n{markdown_text(table.caption)}" if table.caption else text


def markdown(parts: Sequence[Part], title: str, notices: Sequence[str]) -> str:
    blocks = [f"# {markdown_text(title)}", *map(markdown_text, notices)]
    for part in parts:
        blocks.append(f"## {markdown_text(part.machine.name)}")
        blocks.append("\n".join(f"- **{markdown_text(text)}**" for text in part.verdict))
        if part.cautions:
            blocks.append("\n".join(f"- {markdown_text(text)}" for text in part.cautions))
        for section in part.sections:
            tables = [table for table in section.tables if table.rows]
            if section.in_markdown and tables:
                blocks.append(f"### {section.title}")
                blocks += map(markdown_text, section.text)
                blocks += map(markdown_table, tables)
    return "\n\n".join(blocks) + "\n"


def plain_table(table: Table) -> str:
    rows = [table.columns, *([terminal(value.text) for value in row] for row in table.rows)]
    widths = [max(map(len, column)) for column in zip(*rows)]
    lines = []
    for row in rows:
        texts = [
            text.ljust(width) if i < table.left else text.rjust(width)
            for i, (text, width) in enumerate(zip(row, widths))
        ]
        lines.append("  ".join(texts).rstrip())
    return "\n".join(lines)


def csv_text(parts: Sequence[Part]) -> str:
    """One row for each cell, of all settings; numbers unrounded, empty where there is none."""
    target = io.StringIO()
    writer = csv.DictWriter(target, CSV_COLUMNS)
    writer.writeheader()
    for part in parts:
        for row in csv_rows(part.machine, part.contests):
            writer.writerow({name: csv_value(value) for name, value in row.items()})
    return target.getvalue()


def csv_rows(machine: Machine, contests: Sequence[analysis.Contest]) -> Iterator[dict[str, Any]]:
    for contest in contests:
        standings = {id(s.cell): s for s in contest.standings}
        for entry in contest.entries.values():
            for cell in entry.cells:
                standing = standings.get(id(cell))
                row = csv_row(machine, cell)
                if standing:
                    row["place"] = standing.place
                    ratio = standing.to_fastest
                    row["ratio_to_fastest"] = ratio.value
                    row["ratio_low"], row["ratio_high"] = ratio.low, ratio.high
                    row["ratio_resolved"] = ratio.decides
                yield row


def csv_row(machine: Machine, cell: Cell) -> dict[str, Any]:
    case, first = cell.case, cell.records[0]
    row: dict[str, Any] = {
        "machine": machine.description.get("id", ""),
        "hostname": machine.description.get("hostname", ""),
        "study": first.get("study"),
        "library": cell.library,
        "version": first.get("version"),
        "settings": json.dumps(dict(cell.variant.settings)),
        "shape": "x".join(map(str, case.shape)),
        "kind": case.kind,
        "precision": case.precision,
        "batch": case.batch,
        "in_place": case.in_place,
        "in": case.layout_in,
        "out": case.layout_out,
        "grid": case.grid,
        "ranks": case.ranks,
        "threads": case.threads,
        "ranks_per_node": case.ranks_per_node or "",
        "launcher": case.launcher,
        "oversubscribed": bool(first.get("oversubscribed")),
        "status": cell.status,
        "explanation": cell.explanation,
        "gflops": cell.gflops,
        "forward_error": cell.largest("forward_error"),
        "roundtrip_error": cell.largest("roundtrip_error"),
        "error_bound": cell.middle("error_bound"),
        "plan_seconds": cell.middle("plan_seconds"),
        "memory_before": cell.middle("memory", "before"),
        "memory_peak": cell.middle("memory", "peak"),
        "memory_array": cell.middle("memory", "array"),
        "command": next(iter(cell.commands), ""),
    }
    for direction in ("pair", "forward", "backward"):
        sample = cell.sample(direction)
        if sample:
            estimate = sample.estimate
            row[f"{direction}_seconds"] = sample.median
            row[f"{direction}_low"], row[f"{direction}_high"] = estimate.low, estimate.high
    for place in energy.PLACES:
        found = energy.of_cell(cell, place)
        if found:
            row[f"{place}_joules_per_pair"] = found.joules
            row[f"{place}_idle_joules_per_pair"] = found.idle
    pair = cell.sample("pair")
    if pair:
        row["blocks"], row["repetitions"] = pair.blocks, pair.repetitions
        row["pair_spread"] = pair.spread
        row["pair_shortest"], row["pair_longest"] = pair.shortest, pair.longest
        row["noisy"] = pair.noisy
    return row
