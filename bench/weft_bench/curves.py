"""Draws one figure of stored records over another, for pages: time over chunks, error over bits.

A line takes, for every value of x, the fastest right row of a choice, as a column of a table does
(page_table.py); rows without times are taken as they are. A level is a row drawn as a line across.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import matplotlib
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import NullLocator

from .chart import COLORS, LINES, MARKERS, SOFT, STYLE, logarithmic
from .lookup import LookupFailed, Row, Rows

Choice = Mapping[str, Any]
#: What may be drawn beside fields as they are: how, and the name of the axis.
MADE: dict[str, tuple[Callable[[Row], float], str]] = {
    "pair": (lambda row: row.pair * 1e3, "forward + backward, ms"),
    "gflops": (lambda row: row.gflops, "Gflop/s, forward"),
}


def number(value: Any) -> float | None:
    """The number that a value is or ends with: 8, "8", "bfp:16"."""
    found = re.search(r"\d+(\.\d+)?$", str(value))
    return float(found[0]) if found else None


def chosen(rows: Rows) -> Row | None:
    """The fastest that was right, or the only one where nothing was timed."""
    timed = [row for row in rows if row.get("pair") is not None]
    return rows.fastest() if timed or not len(rows) else rows.one()


def points(rows: Rows, x: str, y: str) -> list[tuple[float, float]]:
    measured = MADE.get(y, (lambda row: row.get(y), ""))[0]
    found = {}
    for value in rows.all_of(x) if len(rows) else []:
        place, row = number(value), chosen(rows.where(**{x: value}))
        height = measured(row) if row else None
        if place is not None and height is not None:
            found[place] = height
    return sorted(found.items())


def _panel(axes: Axes, rows: Rows, x: str, y: str, lines: Mapping[str, Choice],
           levels: Mapping[str, Choice]) -> None:
    places: set[float] = set()
    for place, (label, choice) in enumerate(lines.items()):
        line = points(rows.where(**choice), x, y)
        if not line:
            continue
        axes.plot(*zip(*line), color=COLORS[place % len(COLORS)], label=label, markersize=5,
                  marker=MARKERS[place % len(MARKERS)], linestyle=LINES[place % len(LINES)])
        places |= {at for at, _ in line}
    if not places:
        raise LookupFailed(f"{rows}: nothing to draw")
    for place, (label, choice) in enumerate(levels.items()):
        height = MADE.get(y, (lambda row: row.get(y), ""))[0](chosen(rows.where(**choice)))
        axes.axhline(height, color=SOFT, linestyle=LINES[(place + 1) % len(LINES)], label=label)
    few = len(places) <= 8
    if few and min(places) > 0:
        axes.set_xscale("log", base=2)
        axes.set_xticks(sorted(places), [f"{place:g}" for place in sorted(places)])
        axes.xaxis.set_minor_locator(NullLocator())
    axes.set_yscale("log")
    logarithmic(axes.yaxis)
    axes.grid(True)


def draw(rows: Rows, path: Path, x: str, y: str, lines: Mapping[str, Choice],
         panels: Mapping[str, Choice] | None = None, levels: Mapping[str, Choice] | None = None,
         labels: Mapping[str, str] | None = None) -> None:
    """A panel for each choice of `panels`, or one of all rows; `labels` name fields otherwise."""
    names = labels or {}
    titles: Sequence[tuple[str, Choice]] = list((panels or {"": {}}).items())
    with matplotlib.rc_context({**STYLE, "svg.hashsalt": "curves"}):
        figure = Figure(figsize=(3.4 * max(len(titles), 1.6), 3.4), layout="constrained")
        all_axes = figure.subplots(1, len(titles), squeeze=False, sharey=True)[0]
        for axes, (title, choice) in zip(all_axes, titles):
            _panel(axes, rows.where(**choice), x, y, lines, levels or {})
            axes.set_title(title)
            axes.set_xlabel(names.get(x, x))
        all_axes[0].set_ylabel(names.get(y) or MADE.get(y, (None, y))[1])
        handles = {}
        for axes in all_axes:
            for handle, name in zip(*axes.get_legend_handles_labels()):
                handles.setdefault(name, handle)
        figure.legend(handles.values(), handles.keys(), loc="outside lower left",
                      ncols=3 if len(titles) > 1 else 2)
        figure.savefig(path, metadata={"Date": None}, facecolor="white")
