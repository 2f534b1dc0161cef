#!/usr/bin/env python3
"""Plots how far runs of `navier_stokes` with a tolerance are from the same run without one.

    apps/navier_stokes/plot_deviation.py plain 1e-3=loose 1e-6=tight picture.svg

A run is the prefix of its files: PREFIX.txt (of --history) and PREFIX.jsonl (of --spectrum). On the
left the relative deviations of energy and enstrophy over time, on the right those of the spectrum's
shells at the end. Prints the largest of each.
"""

import argparse
import json

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

# Colors that color-blind readers can tell apart (Okabe and Ito); lines differ in style as well.
STYLES = (("#d55e00", "-"), ("#0072b2", "--"), ("#009e73", "-."), ("#cc79a7", ":"))
#: Of a curve.
POINTS = 200


def history(prefix: str) -> np.ndarray:
    """Columns: time, energy, -dE/dt, 2 nu times enstrophy."""
    return np.loadtxt(f"{prefix}.txt", unpack=True)


def last_spectrum(prefix: str) -> np.ndarray:
    with open(f"{prefix}.jsonl", encoding="utf-8") as lines:
        return np.array(json.loads(list(lines)[-1])["energies"])


def deviation(values: np.ndarray, reference: np.ndarray) -> np.ndarray:
    return np.abs(values - reference) / np.abs(reference)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("reference", help="PREFIX of the run without a tolerance")
    parser.add_argument("run", nargs="+", help="PREFIX or LABEL=PREFIX")
    parser.add_argument("picture", help="SVG file")
    arguments = parser.parse_args()

    matplotlib.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "weft", "font.size": 9,
                                "axes.spines.top": False, "axes.spines.right": False})
    figure, (left, right) = plt.subplots(1, 2, figsize=(7.6, 3.4), layout="constrained")
    plain, spectrum = history(arguments.reference), last_spectrum(arguments.reference)
    # Shells without energy but for rounding have none to deviate from.
    shells = np.flatnonzero(spectrum > 1e-24 * spectrum.sum())
    for given, (color, style) in zip(arguments.run, STYLES, strict=False):
        name, _, prefix = given.rpartition("=")
        run = history(prefix)
        if run.shape != plain.shape or not np.allclose(run[0], plain[0]):
            parser.error(f"{prefix}.txt and {arguments.reference}.txt have different times")
        energy, enstrophy = deviation(run[1], plain[1]), deviation(run[3], plain[3])
        shell = deviation(last_spectrum(prefix)[shells], spectrum[shells])
        times = slice(1, None, max(1, plain.shape[1] // POINTS))  # at first all are equal
        look = {"linestyle": style, "color": color, "nonpositive": "mask"}
        left.semilogy(plain[0][times], energy[times], **look)
        left.semilogy(plain[0][times], enstrophy[times], linewidth=0.7, alpha=0.5, **look)
        right.semilogy(shells, shell, label=name or prefix, **look)
        print(f"{name or prefix}: energy {energy.max():.2g}, enstrophy {enstrophy.max():.2g}, "
              f"shells {shell.max():.2g}, median {np.median(shell):.2g}")
    left.set_xlabel("time")
    left.set_ylabel("relative deviation")
    left.set_title("energy (thick) and enstrophy (thin)", fontsize=9)
    right.set_title("spectrum at the end", fontsize=9)
    right.set_xlabel("shell of wavenumbers")
    for axes in (left, right):
        axes.grid(True, color="#d0d7de", linewidth=0.6)
    # Below both: there is no corner without curves.
    figure.legend(title="tolerance", frameon=False, fontsize=8, loc="outside lower center", ncols=4)
    figure.savefig(arguments.picture, metadata={"Date": None}, facecolor="white")


if __name__ == "__main__":
    main()
