"""Tables of times for pages: a line for each case, a column for each choice of rows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from . import formatting
from .lookup import FILTERS, LookupFailed, Row, Rows

#: What a column or a side of a ratio takes: of the rows with these values the fastest.
Choice = Mapping[str, Any]


def times(
    rows: Rows,
    down: Mapping[str, str],
    across: Mapping[str, Choice],
    ratios: Mapping[str, tuple[Choice, Choice]] | None = None,
    each: bool = False,
) -> str:
    """Milliseconds of the fastest right row of each choice, in Markdown.

    `down` maps headings to the fields, separated by spaces, that tell the cases apart; `ratios`
    maps headings to what is divided by what. With `each`, forward and backward stand apart.
    """
    found = [line for case in cases(rows, " ".join(down.values()).split())
             if (line := one_line(case, down, across, ratios or {}, each))]
    if not found:
        raise LookupFailed(f"{rows}: no line of the table has a time")
    headings = [*down, *across, *(ratios or {})]
    return "\n".join(map(in_columns, [headings, ["---"] * len(headings), *found]))


def cases(rows: Rows, fields: list[str]) -> Iterable[Rows]:
    """Rows with equal values of these fields together, in the order of their first lines."""
    known: dict[tuple[str, ...], Rows] = {}
    for row in rows:
        values = {name: row.get(name) for name in fields}
        known.setdefault(tuple(map(str, values.values())), rows.where(**values))
    return known.values()


def one_line(case: Rows, down: Mapping[str, str], across: Mapping[str, Choice],
             ratios: Mapping[str, tuple[Choice, Choice]], each: bool) -> list[str]:
    """The cells of a case; none, if no column has a time."""
    chosen = [case.fastest(**choice) for choice in across.values()]
    if not any(chosen):
        return []
    first = next(iter(case))
    names = [" ".join(str(first.get(field)) for field in fields.split())
             for fields in down.values()]
    quotients = [ratio(case.fastest(**above), case.fastest(**below))
                 for above, below in ratios.values()]
    return [*names, *(cell(row, each) for row in chosen), *quotients]


def cell(row: Row | None, each: bool) -> str:
    if row is None:
        return ""
    if each:
        return " / ".join(formatting.milliseconds(time) for time in (row.forward, row.backward))
    return formatting.milliseconds(row.pair)


def ratio(above: Row | None, below: Row | None) -> str:
    return FILTERS["ratio"](above.pair / below.pair) if above and below else ""


def in_columns(cells: Iterable[str]) -> str:
    return "| " + " | ".join(cells) + " |"
