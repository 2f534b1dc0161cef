"""The charts of a report, as inline SVG that stays readable on paper and with another font.

Text stays text, so that charts are small, sharp and searchable.
"""

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator

from . import formatting
from .analysis import Contest, Overall
from .cells import Limits
from .chart import (
    COLORS,
    FLOOR,
    INK,
    LINES,
    MARKERS,
    SOFT,
    WIDTH,
    Palette,
    logarithmic,
    plain_number,
    rank_axis,
    size_label,
)
from .communication import Breakdown, ExchangeRow
from .scaling import GridMap, Scaling, relative_times
from .statistics import Estimate


def error_bars(estimate: Estimate, scale: float = 1.0) -> np.ndarray:
    """Lengths of the interval to both sides. The median may lie outside, by a rounding error."""
    below, above = estimate.value - estimate.low, estimate.high - estimate.value
    return np.maximum([[below], [above]], 0) * scale


def dots(
    palette: Palette,
    rows: Sequence[tuple[str, str, Estimate]],
    x_label: str,
    title: str,
    description: str,
    scale: float = 1.0,
) -> str:
    """Values with intervals, one row (library, label, value) below the other, the first on top."""
    with palette.chart(0.95 + 0.26 * len(rows)) as chart:
        axes = chart.axes
        for row, (library, _, estimate) in enumerate(rows):
            look = palette.looks[library]
            axes.errorbar(
                estimate.value * scale,
                row,
                xerr=error_bars(estimate, scale),
                color=look.color,
                marker=look.marker,
                markersize=6,
                capsize=3,
                linestyle="none",
            )
        axes.set_yticks(range(len(rows)), [label for _, label, _ in rows])
        axes.set_ylim(len(rows) - 0.5, -0.5)
        axes.set_xscale("log")
        logarithmic(axes.xaxis)
        axes.set_xlabel(x_label)
        axes.set_title(title)
        axes.grid(True)
        return chart.svg(description)


def contest_chart(palette: Palette, contest: Contest) -> str:
    rows = []
    for standing in contest.standings:
        sample = standing.cell.sample("pair")
        label = formatting.marked(standing.library, sample.noisy)
        rows.append((standing.library, label, sample.estimate))
    described = ", ".join(f"{name} {formatting.milliseconds(e.value)} ms" for name, _, e in rows)
    title = f"{contest.case.workload()}\n{contest.case.resources()}"
    described = f"{contest.case.title()}: {described}"
    return dots(palette, rows, "forward + backward, ms", title, described, 1e3)


def overall_chart(palette: Palette, result: Overall) -> str:
    rows = [(s.library, s.library, s.mean_ratio) for s in result.standings]
    described = ", ".join(f"{name} {formatting.ratio(e.value)}" for name, _, e in rows)
    title = f"Time relative to the fastest, {formatting.count(len(result.shared), 'case')}"
    return dots(palette, rows, "geometric mean of the ratio", title, f"{title}: {described}")


def scaling_chart(palette: Palette, scaling: Scaling, ideal_label: str) -> str:
    with palette.chart(3.2) as chart:
        axes = chart.axes
        ranks = [ranks for ranks, _ in scaling.ideal]
        for library, points in scaling.series.items():
            look = palette.looks[library]
            axes.errorbar(
                [point.ranks for point in points],
                [point.time.value * 1e3 for point in points],
                yerr=np.hstack([error_bars(point.time, 1e3) for point in points]),
                color=look.color,
                marker=look.marker,
                linestyle=look.line,
                markersize=5,
                linewidth=1.3,
                label=library,
            )
        for line, label, style in (
            (scaling.ideal, ideal_label, {"linestyle": (0, (1, 3)), "color": SOFT}),
            (scaling.floor, "floor of the machine", {"linewidth": 3, "color": FLOOR}),
        ):
            if line:
                x, seconds = zip(*line)
                axes.plot(x, np.array(seconds) * 1e3, label=label, zorder=1, **style)
        axes.set_yscale("log")
        rank_axis(axes, ranks)
        logarithmic(axes.yaxis)
        if scaling.oversubscribed_from:
            axes.axvspan(
                scaling.oversubscribed_from / 1.2,
                max(ranks) * 1.2,
                color="#eef1f4",
                zorder=0,
                label="more ranks than cores",
            )
        axes.set_ylabel("forward + backward, ms")
        axes.set_title(scaling.title)
        axes.grid(True)
        chart.legend()
        ends = described_ends(scaling)
        return chart.svg(f"Time of forward and backward over ranks, {scaling.title}: {ends}")


def described_ends(scaling: Scaling) -> str:
    return "; ".join(
        f"{library} from {formatting.milliseconds(points[0].time.value)} ms at {points[0].ranks} "
        f"to {formatting.milliseconds(points[-1].time.value)} ms at {points[-1].ranks} ranks"
        for library, points in scaling.series.items()
    )


def grid_chart(palette: Palette, grid_map: GridMap) -> str:
    """Shades tell the time relative to the library's best grid; the numbers are milliseconds."""
    rows, columns = len(grid_map.libraries), len(grid_map.grids)
    with palette.chart(1.2 + 0.34 * rows, max(WIDTH, 2.2 + 0.62 * columns)) as chart:
        axes = chart.axes
        relative = np.array([relative_times(row) for row in grid_map.seconds])
        highest = max(1.5, float(np.nanmax(relative)))
        axes.set_facecolor("#ffffff")
        image = axes.pcolormesh(relative, cmap="cividis_r", vmin=1, vmax=highest, edgecolor="white")
        for row, seconds in enumerate(grid_map.seconds):
            for column, value in enumerate(seconds):
                dark = value is not None and relative[row, column] > (1 + highest) / 2
                axes.text(
                    column + 0.5,
                    row + 0.5,
                    formatting.milliseconds(value),
                    ha="center",
                    va="center",
                    fontsize=8,
                    color="white" if dark else INK,
                    weight="bold" if relative[row, column] == 1 else "normal",
                )
        axes.set_xticks(np.arange(columns) + 0.5, grid_map.grids)
        axes.set_yticks(np.arange(rows) + 0.5, grid_map.libraries)
        axes.set_ylim(rows, 0)
        axes.tick_params(length=0)
        axes.spines[:].set_visible(False)
        axes.set_xlabel("process grid")
        axes.set_title(grid_map.title)
        bar = chart.figure.colorbar(image, ax=axes, pad=0.02, format=FuncFormatter(plain_number))
        bar.set_label("× best grid of the library")
        best = "; ".join(
            f"{library} is fastest on {grid_map.grids[int(np.nanargmin(values))]}"
            for library, values in zip(grid_map.libraries, relative)
        )
        return chart.svg(f"Time of forward and backward by process grid, {grid_map.title}: {best}")


def breakdown_chart(palette: Palette, breakdown: Breakdown) -> str:
    with palette.chart(1.1 + 0.3 * len(breakdown.rows)) as chart:
        axes = chart.axes
        rows = np.arange(len(breakdown.rows))
        transform = np.array([steps.transform * 1e3 for _, steps in breakdown.rows])
        exchange = np.array([steps.exchange * 1e3 for _, steps in breakdown.rows])
        edges = {"edgecolor": INK, "linewidth": 0.6, "height": 0.65}
        axes.barh(
            rows, transform, color=COLORS[0], label="transforms and memory passes", **edges
        )
        axes.barh(
            rows,
            exchange,
            left=transform,
            color="#f5cf80",
            hatch="////",
            label="exchanges",
            **edges,
        )
        names = [standing.library for standing, _ in breakdown.rows]
        axes.set_yticks(rows, names)
        axes.set_ylim(len(rows) - 0.5, -0.5)
        axes.set_xlabel("forward + backward, ms (slowest rank)")
        axes.set_title(f"{breakdown.contest.case.workload()}\n{breakdown.contest.case.resources()}")
        axes.grid(True, axis="x")
        chart.legend()
        shares = ", ".join(
            f"{standing.library} {100 * steps.exchange / steps.total:.0f}%"
            for standing, steps in breakdown.rows
        )
        title = breakdown.contest.case.title()
        return chart.svg(f"Part of the time in exchanges, {title}: {shares}")


def accuracy_chart(
    palette: Palette, points: Sequence[tuple[str, float, float, bool]], title: str
) -> str:
    """Points are (library, time over the fastest, error over the bound, whether right)."""
    with palette.chart(3.4) as chart:
        axes = chart.axes
        for library, look in palette.looks.items():
            own = [point for point in points if point[0] == library]
            if not own:
                continue
            wrong = sum(not right for *_, right in own)
            label = f"{library} ({wrong} incorrect)" if wrong else library
            axes.scatter(
                [time for _, time, _, _ in own],
                [error for _, _, error, _ in own],
                color=look.color,
                marker=look.marker,
                s=26,
                alpha=0.8,
                label=label,
            )
        axes.set_xscale("log")
        axes.set_yscale("log")
        axes.axhline(1, color=INK, linewidth=1.2)
        place = {"xycoords": ("axes fraction", "data"), "textcoords": "offset points"}
        axes.annotate("bound", (1, 1), (-2, 3), ha="right", **place)
        logarithmic(axes.xaxis)
        logarithmic(axes.yaxis)
        axes.set_xlabel("time relative to the fastest correct library")
        axes.set_ylabel("forward error relative to the bound")
        axes.set_title(title)
        axes.grid(True)
        chart.legend()
        return chart.svg(f"Accuracy against time, {title}: {len(points)} results")


def exchange_chart(
    palette: Palette, rows: Sequence[ExchangeRow], limits: Limits | None, title: str
) -> str:
    """Rate of exchanges over the bytes that each rank sends, below the curve of MPI_Alltoall."""
    with palette.chart(3.2) as chart:
        axes = chart.axes
        algorithms = sorted({row.algorithm for row in rows})
        for number, algorithm in enumerate(algorithms):
            own = sorted((r.bytes_per_rank, r.rate / 1e9) for r in rows if r.algorithm == algorithm)
            axes.plot(
                *zip(*own),
                color=COLORS[number % len(COLORS)],
                marker=MARKERS[number % len(MARKERS)],
                linestyle=LINES[number % len(LINES)],
                label=algorithm,
            )
        if limits and limits.alltoall:
            sizes, seconds = np.array(limits.alltoall).T
            rates = sizes / seconds / 1e9
            axes.plot(sizes, rates, color=FLOOR, linewidth=3, zorder=1, label="MPI_Alltoall alone")
        memory = next((row.memory_rate for row in rows if row.memory_rate), None)
        if memory:
            axes.axhline(memory / 1e9, color=SOFT, linestyle=(0, (1, 2)), label="memory copy")
        rate_axes(axes, "bytes sent by each rank in one exchange", title)
        axes.set_ylabel("GB/s sent by each rank")
        chart.legend()
        return chart.svg(f"Rate of exchanges by size, {title}: {', '.join(algorithms)}")


def pair_chart(palette: Palette, limits: Sequence[Limits]) -> str:
    with palette.chart(3.0) as chart:
        axes = chart.axes
        for number, item in enumerate(limits):
            sizes, seconds = np.array(item.pair_bandwidth).T
            axes.plot(
                sizes,
                sizes / seconds / 1e9,
                color=COLORS[number % len(COLORS)],
                marker=MARKERS[number % len(MARKERS)],
                linestyle=LINES[number % len(LINES)],
                markersize=4,
                label=f"{item.launcher} {formatting.count(item.ranks, 'rank')}".strip(),
            )
        rate_axes(axes, "bytes of the message", "One message between two ranks")
        axes.set_ylabel("GB/s, one way")
        chart.legend()
        return chart.svg("Bandwidth of one message between two ranks over its size")


def rate_axes(axes: Axes, x_label: str, title: str) -> None:
    axes.set_xscale("log", base=2)
    axes.set_yscale("log")
    axes.xaxis.set_major_formatter(FuncFormatter(size_label))
    axes.xaxis.set_major_locator(LogLocator(2, numticks=6))
    axes.xaxis.set_minor_locator(NullLocator())
    logarithmic(axes.yaxis)
    axes.set_xlabel(x_label)
    axes.set_title(title)
    axes.grid(True)
