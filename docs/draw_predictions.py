#!/usr/bin/env python3
"""Draws docs/figures/predictions.svg: what `weft predict` says of published runs, beside them.

Run it in the environment that scripts/install-dependencies has made, with the command weft on the
path. On Jean-Zay the figures of the machine are fitted to runs on up to 26 nodes and one on 103;
the others are predicted. On Summit nothing is fitted.
"""

import csv
import json
import subprocess
import sys
import tempfile
from pathlib import Path

import matplotlib
from matplotlib.axes import Axes
from matplotlib.figure import Figure

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "bench"))
from weft_bench.chart import COLORS, MARKERS, STYLE, logarithmic  # noqa: E402

RUNS = ROOT / "bench/results/2026-11-25-published-scaling.csv"
PICTURE = ROOT / "docs/figures/predictions.svg"
#: The run on 103 nodes that the fit sees: of the array in the middle.
ALSO = "r012"

#: Summit: link by link what its nodes are said to reach (dual EDR: 23.5 of 25 GB/s between two
#: nodes; 18 nodes at a switch; 5 GB/s of a node in MPI_Alltoall on 256 nodes, hence the taper).
#: Of the processors and GPUs the data sheets, less a fifth, and 5 microseconds for a message.
SUMMIT = {
    "network.bandwidth": 23.5e9, "network.island_nodes": 18, "network.taper": 5,
    "network.latency": 5e-6, "node.latency": 5e-6,
}
KINDS = {
    "Summit, 6 GPUs per node": {
        "memory_bandwidth": 7.2e11, "flops": 1e12, "node.bandwidth": 4e10, "ranks_per_node": 6},
    "Summit, 40 cores per node": {
        "memory_bandwidth": 6.8e9, "flops": 2e9, "node.bandwidth": 2e9, "ranks_per_node": 40},
}
Points = list[tuple[float, float, float, float]]  # nodes, seconds, and the interval


def weft(*arguments: str) -> dict:
    """What the command writes as JSON."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "predicted.json"
        subprocess.run(["weft", "predict", *arguments, "--json", str(file)], check=True,
                       stdout=subprocess.DEVNULL)
        return json.loads(file.read_text("utf-8"))


def published(group: str) -> dict[str, dict]:
    with RUNS.open(encoding="utf-8", newline="") as file:
        return {row["id"]: row for row in csv.DictReader(file)
                if group in row["machine"] + row["library"] + row["method"]}


def curve(axes: Axes, number: int, points: Points, label: str) -> None:
    color = COLORS[number]
    nodes, seconds, low, high = zip(*sorted(points), strict=True)
    axes.plot(nodes, [t * 1e3 for t in seconds], color=color, label=label)
    axes.fill_between(nodes, [t * 1e3 for t in low], [t * 1e3 for t in high], color=color,
                      alpha=0.2, linewidth=0)


def finish(axes: Axes, title: str, quantity: str) -> None:
    axes.set_xscale("log", base=2)
    axes.set_yscale("log")
    axes.xaxis.set_major_formatter("{x:g}")
    logarithmic(axes.yaxis)
    axes.set_xlabel("nodes")
    axes.set_ylabel(f"{quantity}, ms")
    axes.set_title(title)
    axes.grid(True)
    axes.legend(loc="best")


def jean_zay(axes: Axes) -> None:
    compared = weft("--validate", str(RUNS), "--fit-nodes-up-to", "26", "--fit-also", ALSO)
    group = next(one for one in compared["groups"] if "P3DFFT" in one["group"])
    shapes = {name: row["shape"] for name, row in published("P3DFFT").items()}
    ordered = sorted(set(shapes.values()), key=lambda text: int(text.split("x")[0]))
    for number, shape in enumerate(ordered):
        rows = [row for row in group["rows"] if shapes[row["row"]] == shape]
        curve(axes, number,
              [(row["nodes"], row["predicted"], row["low"], row["high"]) for row in rows], shape)
        for fitted in (True, False):
            some = [row for row in rows if row["fitted"] == fitted]
            axes.plot([row["nodes"] for row in some], [row["measured"] * 1e3 for row in some],
                      color=COLORS[number], marker=MARKERS[number], linestyle="", markersize=5,
                      markerfacecolor="none" if fitted else COLORS[number])
    finish(axes, "P3DFFT on Jean-Zay, r2c", "forward + backward")


def summit(axes: Axes) -> None:
    measured = {row["ranks_per_node"]: row for row in published("Summit").values()}
    for number, (name, figures) in enumerate(KINDS.items()):
        with tempfile.TemporaryDirectory() as folder:
            machine = Path(folder) / "machine.json"
            machine.write_text(json.dumps(SUMMIT | figures))
            found = weft("1024x1024x1024", "--machine", str(machine),
                         "--nodes", "16,32,64,...,1024")["predictions"]
        curve(axes, number,
              [(one["nodes"], one["seconds"], one["low"], one["high"]) for one in found], name)
        row = measured[str(figures["ranks_per_node"])]
        axes.plot([int(row["nodes"])], [float(row["seconds"]) * 1e3], color=COLORS[number],
                  marker=MARKERS[number], linestyle="", markersize=5)
    finish(axes, "best libraries on Summit, c2c, 1024x1024x1024", "forward")


def main() -> None:
    with matplotlib.rc_context({**STYLE, "svg.hashsalt": "predictions"}):
        figure = Figure(figsize=(10, 4), layout="constrained")
        left, right = figure.subplots(1, 2)
        jean_zay(left)
        summit(right)
        figure.savefig(PICTURE, format="svg", transparent=False,
                       metadata=dict.fromkeys(("Creator", "Date", "Format", "Type")))


if __name__ == "__main__":
    main()
