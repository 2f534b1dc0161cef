"""Draws times over the number of GPUs from what `weft bench --json` and adapters have printed.

Each record is a line of JSON with library, shape, kind, precision, in, out, ranks, forward_seconds
and backward_seconds; the harness's own have these too. Of each library, shape and number of GPUs
the fastest record counts, whatever its settings.
"""

import json
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from . import formatting, quoting
from .chart import COLORS, LINES, MARKERS, SOFT, STYLE, logarithmic, rank_axis
from .picture import FORMATS
from .records import expanded
from .report import ReportError

Shape = tuple[int, ...]
#: Seconds of forward and backward, by library, shape and number of GPUs.
Times = dict[str, dict[Shape, dict[int, float]]]


@dataclass(frozen=True)
class Wanted:
    """Which records count."""

    kind: str = "c2c"
    precision: str = "f64"
    before: str = "slab:0"
    after: str = "slab:1"

    def has(self, record: dict[str, Any]) -> bool:
        asked = (self.kind, self.precision, self.before, self.after)
        told = tuple(record.get(name) for name in ("kind", "precision", "in", "out"))
        usual = record.get("batch", 1) == 1 and not record.get("in_place")
        sound = record.get("status", "ok") == "ok" and record.get("tolerance") is None
        return told == asked and usual and sound and record.get("device") not in (None, "host")


def load(paths: Iterable[Path]) -> list[dict[str, Any]]:
    records = []
    for path in paths:
        lines = []
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
            try:
                record = json.loads(line)
            except json.JSONDecodeError as error:
                raise ReportError(f"{path}:{number}: {error}") from error
            if not isinstance(record, dict):
                raise ReportError(f"{path}:{number}: not a record")
            lines.append(quoting.printable_values(record))
        records += expanded(lines, path)
    return records


def times_of(records: Iterable[dict[str, Any]], wanted: Wanted) -> Times:
    times: Times = defaultdict(lambda: defaultdict(dict))
    for record in records:
        if not wanted.has(record):
            continue
        seconds = record["forward_seconds"]["median"] + record["backward_seconds"]["median"]
        by_gpus = times[record["library"]][tuple(record["shape"])]
        by_gpus[record["ranks"]] = min(seconds, by_gpus.get(record["ranks"], seconds))
    return times


def equally_loaded(by_shape: dict[Shape, dict[int, float]]) -> dict[int, dict[int, float]]:
    """Times by points per GPU and number of GPUs, where there are several numbers."""
    result: dict[int, dict[int, float]] = defaultdict(dict)
    for shape, by_gpus in by_shape.items():
        points = int(np.prod(shape, dtype=np.int64))
        for gpus, seconds in by_gpus.items():
            if points % gpus == 0:
                known = result[points // gpus].get(gpus, seconds)
                result[points // gpus][gpus] = min(seconds, known)
    return {points: by_gpus for points, by_gpus in sorted(result.items()) if len(by_gpus) > 1}


def line(axes: Axes, number: int, by_ranks: dict[int, float], label: str) -> None:
    """The times of one series, in milliseconds, in the looks of its number."""
    ranks = sorted(by_ranks)
    axes.plot(ranks, [by_ranks[n] * 1e3 for n in ranks], color=COLORS[number % len(COLORS)],
              marker=MARKERS[number % len(MARKERS)], linestyle=LINES[number % len(LINES)],
              markersize=5, label=label)


def ideal(axes: Axes, by_ranks: dict[int, float], ranks: Iterable[int], label: str | None) -> None:
    """Times in proportion to the number of ranks, from the smallest that was measured on."""
    ranks, least = sorted(ranks), min(by_ranks)
    axes.plot(ranks, [by_ranks[least] * least / n * 1e3 for n in ranks], color=SOFT,
              linestyle=(0, (1, 3)), label=label)


def finish(axes: Axes, ranks: Iterable[int], title: str, places: str, times: str) -> None:
    """Both axes are logarithmic: of `places` so many, and of times in milliseconds."""
    ranks = sorted(ranks)
    axes.set_yscale("log")
    rank_axis(axes, ranks)
    axes.set_xlabel(places)
    axes.set_xlim(ranks[0] / 1.2, ranks[-1] * 1.2)
    logarithmic(axes.yaxis)
    axes.set_ylabel(times)
    axes.set_title(title)
    axes.grid(True)
    axes.legend(loc="best")


def _finish(axes: Axes, gpus: set[int], title: str) -> None:
    finish(axes, gpus, title, "GPUs", "forward + backward, ms")


def _strong(axes: Axes, times: Times, shape: Shape) -> None:
    gpus = {n for by_shape in times.values() for n in by_shape.get(shape, {})}
    for number, (library, by_shape) in enumerate(times.items()):
        if shape in by_shape:
            line(axes, number, by_shape[shape], library)
    # Of the first library.
    first = next(by_shape[shape] for by_shape in times.values() if shape in by_shape)
    ideal(axes, first, gpus, "ideal")
    _finish(axes, gpus, f"strong scaling, {formatting.shape(shape)}")


def _weak(axes: Axes, times: Times) -> None:
    number = len(times)  # other looks than those of libraries
    all_gpus: set[int] = set()
    level = None
    for library, by_shape in times.items():
        for points, by_gpus in equally_loaded(by_shape).items():
            root = round(points ** (1 / 3))
            is_cube = root**3 == points
            load_text = formatting.shape((root,) * 3) if is_cube else f"{points / 1e6:.3g} million"
            line(axes, number, by_gpus, f"{library}, {load_text} points per GPU")
            least = min(by_gpus)
            (level,) = axes.plot([least, max(by_gpus)], [by_gpus[least] * 1e3] * 2, color=SOFT,
                                 linestyle=(0, (1, 3)))
            all_gpus |= set(by_gpus)
            number += 1
    if level is None:
        axes.set_axis_off()
        return
    level.set_label("ideal")  # once, and after the libraries
    _finish(axes, all_gpus, "weak scaling")


def draw(records: Sequence[dict[str, Any]], path: Path, wanted: Wanted = Wanted()) -> None:
    """A panel for each shape measured on several numbers of GPUs, and one for equal loads."""
    if path.suffix not in FORMATS:
        raise ReportError(f"{path}: a picture is one of {', '.join(FORMATS)}")
    times = times_of(records, wanted)
    # weft first, as its times set the ideal line.
    times = dict(sorted(times.items(), key=lambda item: (not item[0].startswith("weft"), item[0])))
    shapes = sorted({shape for by_shape in times.values() for shape, by_gpus in by_shape.items()
                     if len(by_gpus) > 1}, key=lambda shape: (np.prod(shape), shape))
    if not shapes:
        raise ReportError("no shape was measured on several numbers of GPUs")
    panels = len(shapes) + 1
    columns = min(2, panels)
    with matplotlib.rc_context({**STYLE, "svg.hashsalt": "gpu-scaling"}):
        figure = Figure(figsize=(4.2 * columns, 2.9 * -(-panels // columns)), layout="constrained")
        all_axes = figure.subplots(-(-panels // columns), columns, squeeze=False).ravel()
        for axes, shape in zip(all_axes, shapes):
            _strong(axes, times, shape)
        _weak(all_axes[len(shapes)], times)
        for axes in all_axes[panels:]:
            axes.set_axis_off()
        nothing = {"Date": None} if path.suffix == ".svg" else None
        figure.savefig(path, dpi=160, metadata=nothing, facecolor="white")
