"""What all charts share: style, the looks of libraries, compact SVG, and logarithmic axes.

Libraries differ by color (Okabe and Ito), by marker and by line style; each keeps all three
throughout a report, so that the charts can be read in black and white.
"""

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from io import StringIO

import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter, NullLocator

from . import formatting, quoting

WIDTH = 4.6  # inches: two charts side by side on a desktop, one that can be read on a phone
COLORS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#000000", "#56b4e9", "#e69f00")
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "<", ">", "p", "h", "*")
LINES = ("-", "--", "-.", ":", (0, (5, 1, 1, 1, 1, 1)))
INK, SOFT, GRID_LINE, FLOOR = "#1b1f24", "#57606a", "#d0d7de", "#b0b7bf"

STYLE = {
    "svg.fonttype": "none",
    "text.parse_math": False,  # names may contain dollar signs
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans", "Verdana", "Arial", "sans-serif"],
    "font.size": 9,
    "axes.titlesize": 9,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": SOFT,
    "axes.labelcolor": INK,
    "axes.axisbelow": True,
    "grid.color": GRID_LINE,
    "grid.linewidth": 0.6,
    "text.color": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "legend.frameon": False,
    "legend.fontsize": 8,
    "hatch.linewidth": 0.8,
}


@dataclass(frozen=True)
class Look:
    color: str
    marker: str
    line: str | tuple


class Palette:
    """Gives each library its looks, and each chart names of its own for the parts of its SVG."""

    def __init__(self, libraries: Sequence[str]) -> None:
        self.looks = {
            library: Look(
                COLORS[i % len(COLORS)], MARKERS[i % len(MARKERS)], LINES[i % len(LINES)]
            )
            for i, library in enumerate(libraries)
        }
        self.charts = 0

    @contextmanager
    def chart(self, height: float, width: float = WIDTH) -> Iterator["Chart"]:
        self.charts += 1
        with matplotlib.rc_context({**STYLE, "svg.hashsalt": f"chart{self.charts}"}):
            yield Chart(self, f"c{self.charts}-", height, width)


class Chart:
    """A figure with one set of axes, and its SVG."""

    def __init__(self, palette: Palette, prefix: str, height: float, width: float) -> None:
        self.palette, self.prefix = palette, prefix
        self.figure = Figure(figsize=(width, height), layout="constrained")
        self.axes: Axes = self.figure.add_subplot()

    def legend(self) -> None:
        """Below the axes, so that it never hides data; the figure grows by its rows."""
        _, labels = self.axes.get_legend_handles_labels()
        columns = 3 if max(map(len, labels), default=0) < 24 else 2
        rows = -(-len(labels) // columns)
        self.figure.set_figheight(self.figure.get_figheight() + 0.17 * rows)
        self.figure.legend(loc="outside lower left", ncols=columns)

    def svg(self, description: str) -> str:
        target = StringIO()
        nothing = dict.fromkeys(("Creator", "Date", "Format", "Type"))
        self.figure.savefig(target, format="svg", metadata=nothing, transparent=True)
        text = compacted(target.getvalue())
        text = re.sub(r'( id="|href="#|url\(#)', rf"\g<1>{self.prefix}", text)
        label = f'role="img" aria-label="{quoting.html(description)}"'
        return text.replace("<svg ", f"<svg {label} ", 1)


def compacted(text: str) -> str:
    """An SVG of half the size: without what the page has already, and names that nobody uses."""
    text = text[text.index("<svg") :]
    text = re.sub(r"<metadata>.*?</metadata>|<style.*?</style>", "", text, flags=re.DOTALL)
    used = set(re.findall(r'(?:href="#|url\(#)([^")]+)', text))
    text = re.sub(r' id="([^"]*)"', lambda m: m[0] if m[1] in used else "", text)
    text = re.sub(r"font-family: [^;]*; ", "", text)
    text = re.sub(r' transform="rotate\(-0 [^)]*\)"', "", text)
    text = re.sub(r"<[^>]*>", lambda tag: re.sub(r"(\d\.\d\d)\d+", r"\1", tag[0]), text)
    return re.sub(r"\s*\n\s*", "\n", text)


def numbered(text: str) -> str:
    """An SVG whose parts are named by their order. Matplotlib names them by the places where they
    lie, whose last digits may change from one run to the next."""
    names: dict[str, str] = {}
    return re.sub(r'( id="|href="#|url\(#)([^")]+)',
                  lambda m: m[1] + names.setdefault(m[2], f"p{len(names)}"), text)


def plain_number(value: float, _position: int | None = None) -> str:
    """Ticks without mathematical text: 0.01, 100, 1e-16."""
    return f"{value:g}"


def size_label(value: float, _position: int | None = None) -> str:
    return formatting.round_bytes(value)


def logarithmic(axis: matplotlib.axis.Axis, few_digits: bool = True) -> None:
    """A log axis with plain numbers; 2 and 5 get ticks too where the axis spans little."""
    low, high = axis.get_view_interval()
    span = np.log10(high / low) if low > 0 else 1
    axis.set_major_locator(LogLocator(10, subs=(1, 2, 5) if few_digits and span < 2.5 else (1,)))
    axis.set_major_formatter(FuncFormatter(plain_number))
    axis.set_minor_formatter(NullFormatter())


def rank_axis(axes: Axes, ranks: Sequence[int]) -> None:
    axes.set_xscale("log", base=2)
    axes.set_xticks(sorted(set(ranks)), [str(number) for number in sorted(set(ranks))])
    axes.xaxis.set_minor_locator(NullLocator())
    axes.set_xlabel("ranks")
