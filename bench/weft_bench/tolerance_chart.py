"""Draws errors and bytes over the number of points, for each precision or tolerance.

Rows are those of `bench/a-posteriori-tolerance`. The error in double precision is that of the grid:
a floor for all others.
"""

from pathlib import Path
from typing import Any

import matplotlib
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import NullLocator

from .chart import COLORS, FLOOR, LINES, MARKERS, STYLE, logarithmic
from .lookup import Rows

GRID, CHOSEN = "f64", "tolerance auto"


def draw(rows: Rows, path: Path) -> None:
    """For each problem a panel of errors, and below it one of the bytes that are sent."""
    problems = rows.all_of("problem")
    settings = [GRID, *(one for one in rows.all_of("setting") if one not in (GRID, CHOSEN)), CHOSEN]
    with matplotlib.rc_context({**STYLE, "svg.hashsalt": "tolerance"}):
        figure = Figure(figsize=(4.2 * len(problems), 5.2), layout="constrained")
        panels = figure.subplots(2, len(problems), squeeze=False, height_ratios=(3, 2))
        for (errors, sent), problem in zip(panels.T, problems):
            found = rows.where(problem=problem)
            grid = {row.points: row.bytes for row in found.where(setting=GRID)}
            for number, setting in enumerate(settings):
                of_setting = sorted(found.where(setting=setting), key=lambda row: row.points)
                points = [row.points for row in of_setting]
                look = _look(number, setting)
                errors.plot(points, [row.error_l2 for row in of_setting], **look)
                sent.plot(points, [100 * row.bytes / grid[row.points] for row in of_setting],
                          **look)
            errors.set_title(problem)
            errors.set_yscale("log")
            logarithmic(errors.yaxis)
            errors.set_ylabel("relative L2 error")
            sent.set_ylim(0)
            sent.set_ylabel("bytes sent, %")
            _points_axis(errors, list(grid))
            _points_axis(sent, list(grid))
        handles, labels = panels[0, 0].get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside lower center", ncols=-(-len(settings) // 2))
        figure.savefig(path, metadata={"Date": None}, facecolor="white")


def _look(number: int, setting: str) -> dict[str, Any]:
    if setting == GRID:
        return {"color": FLOOR, "linewidth": 5, "label": f"{GRID}: error of the grid"}
    look = {"color": COLORS[number % len(COLORS)], "marker": MARKERS[number % len(MARKERS)],
            "linestyle": LINES[number % len(LINES)], "linewidth": 1, "markersize": 4,
            "label": setting}
    if setting == CHOSEN:
        look |= {"color": COLORS[0], "fillstyle": "none", "markersize": 7}
    return look


def _points_axis(axes: Axes, sizes: list[int]) -> None:
    axes.set_xscale("log")
    # Where two sizes are close there is room for one label.
    shown = [size for number, size in enumerate(sizes)
             if number == 0 or size > 1.1 * sizes[number - 1]]
    axes.set_xticks(shown, [str(size) for size in shown])
    axes.xaxis.set_minor_locator(NullLocator())
    axes.set_xlabel("points along each axis")
    axes.grid(True)
