"""Draws what exchanges reach alone, over the number of ranks, from records of
`bench/exchanges-alone`: a panel for each machine, a line for each exchange."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import matplotlib
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from . import formatting
from .chart import GRID_LINE, INK, SOFT, STYLE, Look, Palette, logarithmic, rank_axis
from .lookup import LookupFailed, Row, Rows
from .picture import FORMATS

#: Calls of MPI that exchanges are held against.
CALLS = {"MPI_Alltoall": Look(INK, "", "-"), "MPI_Alltoallv": Look(SOFT, "", "--")}


def looks(exchanges: Sequence[str]) -> dict[str, Look]:
    others = [name for name in exchanges if name not in CALLS]
    return {**Palette(others).looks, **CALLS}


def panel(axes: Axes, rows: Rows, machine: str, look_of: dict[str, Look]) -> None:
    for exchange in rows.all_of("exchange"):
        line = sorted(rows.where(exchange=exchange), key=lambda row: row.ranks)
        look = look_of[exchange]
        axes.plot([row.ranks for row in line], [row.bandwidth / 1e9 for row in line],
                  color=look.color, linestyle=look.line, linewidth=1.2, marker=look.marker,
                  markersize=5, markevery=[], label=exchange)
        for hollow in (False, True):
            points = [row for row in line if row.oversubscribed == hollow]
            axes.plot([row.ranks for row in points], [row.bandwidth / 1e9 for row in points],
                      color=look.color, marker=look.marker, linestyle="", markersize=5,
                      markerfacecolor="white" if hollow else look.color)
    axes.set_yscale("log")
    rank_axis(axes, rows.all_of("ranks"))
    logarithmic(axes.yaxis)
    axes.set_ylabel("node bandwidth, GB/s")
    axes.set_title(machine)
    axes.grid(True, color=GRID_LINE)


def draw(rows: Rows, path: Path) -> None:
    if path.suffix not in FORMATS:
        raise LookupFailed(f"{path}: a picture is one of {', '.join(FORMATS)}")
    machines, look_of = rows.all_of("machine"), looks(rows.all_of("exchange"))
    with matplotlib.rc_context({**STYLE, "svg.hashsalt": "exchange-scaling"}):
        figure = Figure(figsize=(7.4, 3.6 * len(machines)), layout="constrained")
        for axes, machine in zip(figure.subplots(len(machines), squeeze=False)[:, 0], machines):
            panel(axes, rows.where(machine=machine), machine, look_of)
            axes.legend(loc="center left", bbox_to_anchor=(1.01, 0.5))
        nothing = {"Date": None} if path.suffix == ".svg" else None
        figure.savefig(path, dpi=160, metadata=nothing, facecolor="white")


def table(rows: Rows) -> str:
    """In Markdown: a line for each exchange, GB/s and the ratio to MPI_Alltoall by ranks."""
    ranks = sorted(rows.all_of("ranks"))
    crowded = {row.ranks for row in rows if row.oversubscribed}
    heads = [f"{number} ranks{', oversubscribed' if number in crowded else ''}"
             for number in ranks]
    lines = ["| | " + " | ".join(heads) + " |", "|---|" + "---|" * len(ranks)]
    for exchange in rows.all_of("exchange"):
        cells = [cell(list(rows.where(exchange=exchange, ranks=number))) for number in ranks]
        lines.append(f"| `{exchange}` | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def cell(found: list[Row]) -> str:
    if not found:
        return ""
    row = found[0]
    if len(found) > 1:
        raise LookupFailed(f"{row.exchange} on {row.ranks} ranks was recorded more than once")
    return f"{formatting.three_digits(row.bandwidth / 1e9)} ({formatting.ratio(row.over_alltoall)})"
