"""Draws what weft spends the time of a pair of transforms on, over numbers of ranks: stacked shares
of records that were measured with `breakdown = "yes"` (docs/guide/choices.md).

Parts are means over the ranks. What is missing to a whole is time in which some ranks, or threads,
wait for the end of a pass on others; so the bars end below 100 %.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import matplotlib
from matplotlib.figure import Figure

from .chart import COLORS, INK, STYLE
from .lookup import LookupFailed, Row, Rows

#: In the order in which they are stacked. White: no number is computed or copied.
PARTS = {"transform": COLORS[0], "unpack": COLORS[1], "pack": COLORS[2], "decode": COLORS[3],
         "encode": COLORS[5], "callback": COLORS[6], "exchange": INK, "wait": "white"}


def shares(row: Row) -> dict[str, float]:
    """Of the time of a pair, by part; those that do not occur are left out."""
    stages = row.get("stages") or []
    if not any("parts" in stage for stage in stages):
        raise LookupFailed(f"the record of {row.get('shape')} on {row.get('ranks')} ranks "
                           "has no breakdown")
    seconds = {part: sum(stage.get("parts", {}).get(part, 0.0) for stage in stages)
               for part in PARTS}
    whole = max(row.pair, sum(seconds.values()))
    return {part: taken / whole for part, taken in seconds.items() if taken > 0}


def draw(rows: Rows, path: Path, panels: Mapping[str, Mapping[str, Any]]) -> None:
    """A panel for each choice of rows, a bar for each number of ranks."""
    with matplotlib.rc_context({**STYLE, "svg.hashsalt": "breakdown"}):
        figure = Figure(figsize=(3.4 * max(len(panels), 1.6), 3.2), layout="constrained")
        all_axes = figure.subplots(1, len(panels), squeeze=False, sharey=True)[0]
        seen: dict[str, Any] = {}
        for axes, (title, choice) in zip(all_axes, panels.items()):
            chosen = rows.where(**choice)
            ranks = sorted(chosen.all_of("ranks"))
            for place, count in enumerate(ranks):
                bottom = 0.0
                for part, share in shares(chosen.one(ranks=count)).items():
                    bar = axes.bar(place, 100 * share, bottom=bottom, width=0.7, edgecolor=INK,
                                   linewidth=0.5, color=PARTS[part])
                    bottom += 100 * share
                    seen.setdefault(part, bar)
            axes.set_xticks(range(len(ranks)), [str(count) for count in ranks])
            axes.set_xlabel("ranks")
            axes.set_title(title)
            axes.grid(True, axis="y")
        all_axes[0].set_ylim(0, 100)
        all_axes[0].set_ylabel("share of forward + backward, %")
        ordered = [part for part in PARTS if part in seen]
        figure.legend([seen[part] for part in ordered], ordered, loc="outside lower left",
                      ncols=4)
        figure.savefig(path, metadata={"Date": None}, facecolor="white")
