"""Draws what `weft bench --timeline` has written: the lanes of every rank, one below the other."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import matplotlib
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch
from matplotlib.ticker import FuncFormatter

from . import formatting, quoting
from .chart import COLORS, GRID_LINE, INK, SOFT, STYLE, plain_number
from .picture import FORMATS
from .report import ReportError

#: From top to bottom. What the caller's thread of a device does, and whole runs, are left out.
LANES = ("compute", "send", "own", "wait", "messages")
#: Passes have a color for each step instead.
LANE_COLORS = {"send": COLORS[1], "own": COLORS[6], "wait": "#d0d7de", "messages": COLORS[3]}
PASS_COLORS = (COLORS[0], COLORS[2], COLORS[5])
ROW, WIDTH = 0.17, 9.0  # inches
#: Chunks are numbered in bars of this part of the width.
NUMBERED = 0.02


@dataclass(frozen=True)
class Span:
    """Times in milliseconds."""

    rank: int
    lane: str
    step: str
    detail: str
    direction: str
    run: int
    chunk: int
    begin: float
    end: float


@dataclass
class Timeline:
    spans: list[Span]
    hidden_share: float


def load(path: Path) -> Timeline:
    """Messages are told by two events, their begin and their end; all else by one."""
    try:
        content = quoting.printable_values(json.loads(path.read_text("utf-8")))
        open_messages: dict[int, dict] = {}
        spans = []
        for event in content["traceEvents"]:
            if event["ph"] == "b":
                open_messages[event["id"]] = event
            elif event["ph"] == "e":
                spans.append(_span(open_messages.pop(event["id"]), event["ts"]))
            elif event["ph"] == "X":
                spans.append(_span(event, event["ts"] + event["dur"]))
        return Timeline(spans, content["otherData"]["hidden_share"])
    except (ValueError, KeyError, TypeError) as error:
        raise ReportError(f"{path} is no timeline of `weft bench`: {error!r}") from error


def _span(event: dict, end: float) -> Span:
    told = event["args"]
    return Span(event["pid"], event["cat"], told["step"], told["detail"], told["direction"],
                told["run"], told["chunk"], event["ts"] / 1e3, end / 1e3)


def _levels(spans: Sequence[Span]) -> list[int]:
    """Where spans of a lane go that overlap: the first level that is free."""
    ends: list[float] = []
    levels = []
    for span in spans:
        free = next((i for i, end in enumerate(ends) if end <= span.begin), len(ends))
        ends[free:free + 1] = [span.end]
        levels.append(free)
    return levels


def _draw_lane(axes: Axes, row: int, spans: Sequence[Span], start: float, colors: dict[str, str],
               numbered: float) -> None:
    levels = _levels(spans)
    height = 0.8 / (max(levels) + 1)
    for span, level in zip(spans, levels):
        waits = span.detail.startswith("until")
        color = colors[span.step] if span.lane == "compute" else LANE_COLORS[span.lane]
        middle = row - 0.4 + (level + 0.5) * height
        axes.barh(middle, span.end - span.begin, height, span.begin - start,
                  color=LANE_COLORS["wait"] if waits else color, edgecolor="white", linewidth=0.3)
        if span.end - span.begin > numbered and level == 0 and height > 0.4:
            dark = span.lane == "compute"
            axes.text((span.begin + span.end) / 2 - start, middle, str(span.chunk), ha="center",
                      va="center", fontsize=6, color="white" if dark else INK)


def is_part(span: Span) -> bool:
    """Whether it is a part of a pass, which lies within that (option breakdown)."""
    return span.lane == "compute" and span.detail != ""


def draw(timeline: Timeline, path: Path, direction: str = "forward", title: str = "") -> None:
    """The last run of a direction. The format is that of the picture's name."""
    if path.suffix not in FORMATS:
        raise ReportError(f"{path}: a picture is one of {', '.join(FORMATS)}")
    runs = [span.run for span in timeline.spans if span.direction == direction]
    if not runs:
        raise ReportError(f"the timeline has no {direction} transform")
    spans = sorted((span for span in timeline.spans
                    if span.run == max(runs) and span.lane in LANES and not is_part(span)),
                   key=lambda span: span.begin)
    start, end = min(span.begin for span in spans), max(span.end for span in spans)
    ranks = sorted({span.rank for span in spans})
    lanes = [lane for lane in LANES if any(span.lane == lane for span in spans)]
    steps = list(dict.fromkeys(span.step for span in spans if span.lane == "compute"))
    colors = {step: PASS_COLORS[i % len(PASS_COLORS)] for i, step in enumerate(steps)}
    rows = len(ranks) * (len(lanes) + 0.6)
    with matplotlib.rc_context({**STYLE, "svg.hashsalt": "timeline"}):
        figure = Figure(figsize=(WIDTH, 1.1 + ROW * rows), layout="constrained")
        axes = figure.subplots()
        ticks = []
        for number, rank in enumerate(ranks):
            for line, lane in enumerate(lanes):
                row = number * (len(lanes) + 0.6) + line
                ticks.append((row, f"rank {rank}  {lane}" if line == 0 else lane))
                own = [span for span in spans if (span.rank, span.lane) == (rank, lane)]
                if own:
                    _draw_lane(axes, row, own, start, colors, NUMBERED * (end - start))
        axes.set_yticks(*zip(*ticks), fontsize=7)
        axes.tick_params(axis="y", length=0)
        axes.set_ylim(rows - 0.9, -0.7)
        axes.set_xlim(0, end - start)
        axes.xaxis.set_major_formatter(FuncFormatter(plain_number))
        axes.set_xlabel("ms")
        axes.grid(True, axis="x", color=GRID_LINE)
        axes.spines[["left"]].set_visible(False)
        hidden = f"{formatting.percent(timeline.hidden_share)} of the exchanges' time is hidden"
        axes.set_title(f"{title or direction}; {hidden}")
        handles = [Patch(color=color, label=step) for step, color in colors.items()]
        handles += [Patch(color=LANE_COLORS[lane], label=lane) for lane in lanes[1:]]
        figure.legend(handles=handles, loc="outside lower left", ncols=len(handles),
                      labelcolor=SOFT)
        nothing = {"Date": None} if path.suffix == ".svg" else None
        figure.savefig(path, dpi=160, metadata=nothing, facecolor="white")
