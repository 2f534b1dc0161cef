#!/usr/bin/env python3
"""Plots errors over the number of points from records of `poisson --convergence ... --json FILE`.

    apps/poisson/plot_convergence.py records.jsonl docs/figures/poisson-convergence.svg
"""

import argparse
import json
from collections import defaultdict

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

# Colors that color-blind readers can tell apart (Okabe and Ito); markers differ as well.
COLORS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#000000", "#56b4e9", "#e69f00")
MARKERS = "os^DvPX"


def label(record: dict) -> str:
    way = record.get("kernel") or ("differences" if record["stencil"] == "2" else "spectral")
    return f"{record['boundary']}: {way}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("records", help="file of JSON objects, one a line")
    parser.add_argument("picture", help="SVG file")
    arguments = parser.parse_args()

    lines = defaultdict(list)
    with open(arguments.records, encoding="utf-8") as file:
        for record in map(json.loads, file):
            lines[label(record)].append((record["shape"][0], record["error_l2"]))

    matplotlib.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "weft", "font.size": 9,
                                "axes.spines.top": False, "axes.spines.right": False})
    figure, axes = plt.subplots(figsize=(5.2, 3.6), layout="constrained")
    for (name, points), color, marker in zip(lines.items(), COLORS, MARKERS, strict=False):
        axes.loglog(*zip(*sorted(points)), color=color, marker=marker, markersize=4, label=name)
    sizes = sorted({size for points in lines.values() for size, _ in points})
    axes.set_xticks(sizes, map(str, sizes), minor=False)
    axes.set_xticks([], minor=True)
    axes.set_xlabel("points along each axis")
    axes.set_ylabel("relative L2 error")
    axes.grid(True, color="#d0d7de", linewidth=0.6)
    axes.legend(frameon=False, fontsize=8, loc="center left", bbox_to_anchor=(1, 0.5))
    figure.savefig(arguments.picture, metadata={"Date": None}, facecolor="white")


if __name__ == "__main__":
    main()
