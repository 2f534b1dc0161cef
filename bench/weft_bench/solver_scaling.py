"""Draws seconds per step of a solver over the number of ranks, from rows of stored records.

A row has machine, shape, form, ranks and step_seconds. Of each form the fastest row counts,
whatever its batch.
"""

from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

import matplotlib
from matplotlib.figure import Figure

from . import gpu_scaling
from .chart import STYLE
from .lookup import LookupFailed, Row

#: Seconds by form and number of ranks.
Times = dict[str, dict[int, float]]


def panels_of(rows: Iterable[Row]) -> dict[str, Times]:
    """By title: machines and shapes that were measured with several numbers of ranks."""
    found: dict[str, Times] = defaultdict(lambda: defaultdict(dict))
    for row in rows:
        by_ranks = found[f"{row.shape}\n{row.machine}"][row.form]
        seconds = row.step_seconds["median"]
        by_ranks[row.ranks] = min(seconds, by_ranks.get(row.ranks, seconds))
    return {title: times for title, times in found.items()
            if any(len(by_ranks) > 1 for by_ranks in times.values())}


def draw(rows: Iterable[Row], path: Path) -> None:
    """A panel for each machine and shape, with an ideal line for each form."""
    panels = panels_of(rows)
    if not panels:
        raise LookupFailed("no shape was measured on several numbers of ranks")
    lines = -(-len(panels) // 2)
    with matplotlib.rc_context({**STYLE, "svg.hashsalt": "solver-scaling"}):
        figure = Figure(figsize=(8.4, 3 * lines), layout="constrained")
        all_axes = figure.subplots(lines, 2, squeeze=False).ravel()
        for axes, (title, times) in zip(all_axes, panels.items()):
            ranks = {n for by_ranks in times.values() for n in by_ranks}
            for number, (form, by_ranks) in enumerate(times.items()):
                gpu_scaling.line(axes, number, by_ranks, form)
            for number, by_ranks in enumerate(times.values()):
                gpu_scaling.ideal(axes, by_ranks, ranks, None if number else "ideal")
            gpu_scaling.finish(axes, ranks, title, "ranks", "step, ms")
        for axes in all_axes[len(panels):]:
            axes.set_axis_off()
        figure.savefig(path, metadata={"Date": None}, facecolor="white")
