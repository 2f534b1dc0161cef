#!/usr/bin/env python3
"""Plots the dissipation over time from histories of `navier_stokes --history FILE`.

    apps/navier_stokes/plot_dissipation.py history.txt picture.svg --reference reference.txt

A reference is a table of time, energy, -dE/dt and further columns, such as that of the Taylor-Green
vortex at Re = 1600 of the workshop on high-order methods.
"""

import argparse

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

# Colors that color-blind readers can tell apart (Okabe and Ito); lines differ in style as well.
GRAY = "#999999"
STYLES = (("#0072b2", "-"), ("#d55e00", "--"), ("#009e73", "-."), ("#cc79a7", ":"))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("history", nargs="+", help="FILE or LABEL=FILE")
    parser.add_argument("picture", help="SVG file")
    parser.add_argument("--reference", help="table to compare with")
    arguments = parser.parse_args()

    matplotlib.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "weft", "font.size": 9,
                                "axes.spines.top": False, "axes.spines.right": False})
    figure, axes = plt.subplots(figsize=(5.2, 3.4), layout="constrained")
    end = 0.0
    for given, (color, style) in zip(arguments.history, STYLES, strict=False):
        name, _, file = given.rpartition("=")
        time, _, slope, enstrophy = np.loadtxt(file, unpack=True)
        end = max(end, time[-1])
        axes.plot(time, slope, style, color=color, zorder=2, label=f"{name or file}: -dE/dt")
        axes.plot(time[::10], enstrophy[::10], ".", color=color, markersize=3, zorder=3,
                  label=f"{name or file}: 2 nu Z")
    if arguments.reference:
        time, _, slope = np.loadtxt(arguments.reference, usecols=(0, 1, 2), unpack=True)
        axes.plot(time[time <= end], slope[time <= end], color=GRAY, linewidth=5, alpha=0.5,
                  zorder=1, label="reference")
    axes.set_xlabel("time")
    axes.set_ylabel("dissipation")
    axes.grid(True, color="#d0d7de", linewidth=0.6)
    axes.legend(frameon=False, fontsize=8, loc="upper left")
    figure.savefig(arguments.picture, metadata={"Date": None}, facecolor="white")


if __name__ == "__main__":
    main()
