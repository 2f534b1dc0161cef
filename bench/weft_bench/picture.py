"""One picture of a file of records, for READMEs and slides: a panel of times for each case."""

from collections.abc import Sequence
from pathlib import Path

import matplotlib
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter

from . import formatting
from .analysis import Contest, contests_of, pair, pair_median
from .cells import Cell, split_by_machine
from .chart import COLORS, GRID_LINE, SOFT, STYLE, plain_number
from .records import Record
from .report import ReportError

FORMATS = (".svg", ".png", ".pdf")
ROW, WIDTH = 0.21, 5.2  # inches


def _rows(contest: Contest) -> list[tuple[str, Cell]]:
    """The best variant of each library; of a single library all its variants. The fastest first."""
    if len(contest.entries) > 1:
        return [(standing.library, standing.cell) for standing in contest.standings]
    [entry] = contest.entries.values()
    cells = sorted((cell for cell in entry.cells if cell.ok), key=pair_median)
    return [(_label(cell), cell) for cell in cells]


def _label(cell: Cell) -> str:
    """The settings that differ between variants, but for those that say nothing."""
    told = [(name, value) for name, value in cell.notable if value not in ("none", "auto", "0")]
    words = [f"{name} {value}" if value[:1].isdigit() else value for name, value in told]
    return ", ".join(words) or cell.library


def _panel(axes: Axes, contest: Contest, highlighted: str) -> None:
    rows = _rows(contest)
    for row, (_, cell) in enumerate(rows):
        estimate = pair(cell).estimate
        stands_out = cell.library == highlighted and len(contest.entries) > 1
        axes.barh(row, estimate.value * 1e3, 0.7, color=COLORS[1] if stands_out else COLORS[5])
        axes.plot([estimate.low * 1e3, estimate.high * 1e3], [row, row], color=SOFT, linewidth=1)
        axes.annotate(formatting.milliseconds(estimate.value),
                      (max(estimate.value, estimate.high) * 1e3, row),
                      xytext=(3, 0), textcoords="offset points", va="center", fontsize=7)
    axes.set_yticks(range(len(rows)), [label for label, _ in rows], fontsize=8)
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.set_xlim(left=0)
    axes.margins(x=0.15)
    axes.xaxis.set_major_formatter(FuncFormatter(plain_number))
    axes.grid(True, axis="x", color=GRID_LINE)
    axes.set_xlabel("forward + backward, ms")
    axes.set_title(f"{contest.case.workload()}\n{contest.case.resources()}")


def draw(records: Sequence[Record], path: Path, highlighted: str = "weft") -> None:
    """Writes the picture; its format is that of the file's name."""
    if path.suffix not in FORMATS:
        raise ReportError(f"{path}: a picture is one of {', '.join(FORMATS)}")
    contests = [contest for machine in split_by_machine(records)
                for contest in contests_of(machine) if contest.standings]
    if not contests:
        raise ReportError("the records have no correct result to draw")
    columns = min(2, len(contests))
    lines = [contests[i : i + columns] for i in range(0, len(contests), columns)]
    heights = [0.9 + ROW * max(len(_rows(contest)) for contest in line) for line in lines]
    with matplotlib.rc_context({**STYLE, "svg.hashsalt": "picture"}):
        figure = Figure(figsize=(WIDTH * columns, sum(heights)), layout="constrained")
        panels = figure.subplots(len(lines), columns, squeeze=False, height_ratios=heights)
        for line, line_panels in zip(lines, panels):
            for number, axes in enumerate(line_panels):
                if number < len(line):
                    _panel(axes, line[number], highlighted)
                else:
                    axes.set_axis_off()
        nothing = {"Date": None} if path.suffix == ".svg" else None
        figure.savefig(path, dpi=160, metadata=nothing, facecolor="white")
