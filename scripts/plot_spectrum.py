"""Plots the energy spectrum of a transformed real field with the prescribed one and k^(-5/3)."""

import argparse
import json

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
from turbulence_field import Array, model_spectrum, wavenumbers

# Colors that color-blind readers can tell apart (Okabe and Ito); lines differ in style as well.
BLUE, VERMILION, GRAY = "#0072B2", "#D55E00", "#555555"


def energy_spectrum(transform: np.ndarray) -> tuple[Array, Array, float]:
    """Energy in each shell of wavenumbers k - 1/2 to k + 1/2, for k = 1 ... n/2, and that of all
    modes.

    E(k) is the mean over the shell times its area, which is smoother than the sum over few modes.
    """
    n = transform.shape[0]
    full, half = wavenumbers(n)
    weight = np.where((half == 0) | (half == n / 2), 1, 2)  # the other half of the spectrum
    energy, modes, energy_of_all = np.zeros(n), np.zeros(n), 0.0
    for plane, k0 in zip(transform, full):
        k = np.sqrt(k0**2 + full[:, None] ** 2 + half**2)
        shell = np.rint(k).astype(int).ravel()
        weights = np.broadcast_to(weight, plane.shape).ravel()
        density = 0.5 * np.abs(plane.ravel() / n**3) ** 2
        energy_of_all += float(np.sum(weights * density))
        energy += np.bincount(shell, weights * density, minlength=n)[:n]
        modes += np.bincount(shell, weights, minlength=n)[:n]
    k = np.arange(1, n // 2 + 1)
    return k.astype(float), energy[k] / modes[k] * 4 * np.pi * k**2, energy_of_all


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("transform", help="NumPy file with the half spectrum of a cubic field")
    parser.add_argument("picture", help="PNG file")
    parser.add_argument("--field", help="NumPy file with the field, for Parseval's identity")
    parser.add_argument("--json", help="file for the energies of the field and of its modes")
    given = parser.parse_args()

    transform = np.load(given.transform, mmap_mode="r")
    n = transform.shape[0]
    k, energy, energy_of_all = energy_spectrum(transform)
    fine = np.geomspace(1, n / 2, 200)
    scale = energy.sum() / model_spectrum(k, n).sum()

    plt.rcParams.update({"font.size": 12, "axes.spines.top": False, "axes.spines.right": False})
    figure, axes = plt.subplots(figsize=(7.2, 4.6), layout="constrained")
    axes.loglog(fine, scale * model_spectrum(fine, n), "-", color=GRAY, linewidth=5, alpha=0.35,
                label="prescribed")
    axes.loglog(k, energy, "o", color=BLUE, markersize=3.5, label="computed by weft")
    inertial = k[(k >= 4) & (k <= n / 7)]
    middle = len(inertial) // 2
    above = 1.5 * energy[int(inertial[middle]) - 1]
    guide = inertial ** (-5 / 3) * above / inertial[middle] ** (-5 / 3)
    axes.loglog(inertial, guide, "--", color=VERMILION, linewidth=2)
    axes.annotate("$k^{-5/3}$", (inertial[middle], guide[middle]), xytext=(6, 6),
                  textcoords="offset points", color=VERMILION, fontsize=15)
    axes.set_xlabel("wavenumber $k$")
    axes.set_ylabel("energy spectrum $E(k)$")
    axes.set_xticks([1, 2, 5, 10, 20, 50, 100], labels=["1", "2", "5", "10", "20", "50", "100"])
    axes.grid(True, which="major", color="#dddddd", linewidth=0.8)
    axes.legend(frameon=False, loc="lower left")
    figure.savefig(given.picture, dpi=160)
    print(f"{given.picture}: energy spectrum in {len(k)} shells")
    if given.field:
        energy_of_field = 0.5 * float(np.mean(np.square(np.load(given.field, mmap_mode="r"))))
        energies = {"field": energy_of_field, "modes": energy_of_all, "spectrum": energy.sum()}
        print(f"energy <u^2>/2 of the field {energy_of_field:.12f}, of all modes "
              f"{energy_of_all:.12f}, sum of the shells {energy.sum():.4f}")
        if given.json:
            with open(given.json, "w", encoding="utf-8") as file:
                json.dump(energies, file)


if __name__ == "__main__":
    main()
