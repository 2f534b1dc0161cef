"""Writes one velocity component of a turbulence-like field as a NumPy file.

The modes have random phases, and amplitudes such that the energy spectrum has its peak at the large
scales, falls as k^(-5/3) below them, and is cut off at the scale of dissipation.
"""

import argparse
import os

import numpy as np
import numpy.typing as npt
import scipy.fft

LARGE_SCALE = 1.5  # wavenumber; the energy peaks a little above it

Array = npt.NDArray[np.float64]


def model_spectrum(k: Array, n: int) -> Array:
    """Energy at wavenumber k in a box of n points a side, up to a factor (von Karman's form)."""
    ratio = k / LARGE_SCALE
    cut_off = np.exp(-((k / (0.2 * n)) ** 2))  # k is n / 2 at most
    return ratio**4 / (1 + ratio**2) ** (17 / 6) * cut_off


def wavenumbers(n: int) -> tuple[Array, Array]:
    """Signed ones of a full axis, and those of the halved axis."""
    return np.fft.fftfreq(n, 1 / n), np.fft.rfftfreq(n, 1 / n)


def turbulence_field(n: int, seed: int) -> Array:
    """A field of n^3 points with mean 0 and mean square 1."""
    # The transform of real noise has all symmetries of that of a real field; only its phases stay.
    noise = np.random.default_rng(seed).standard_normal((n, n, n))
    modes = scipy.fft.rfftn(noise, workers=os.cpu_count(), overwrite_x=True)
    full, half = wavenumbers(n)
    for i, k0 in enumerate(full):
        k = np.sqrt(k0**2 + full[:, None] ** 2 + half**2)
        with np.errstate(divide="ignore", invalid="ignore"):
            amplitude = np.sqrt(model_spectrum(k, n)) / k
            modes[i] *= np.where(k > 0, amplitude / np.abs(modes[i]), 0)
    field = scipy.fft.irfftn(modes, (n, n, n), workers=os.cpu_count(), overwrite_x=True)
    return field / np.sqrt(np.mean(field**2))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file")
    parser.add_argument("--points", type=int, default=256, help="along each of the three axes")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    field = turbulence_field(given.points, given.seed)
    np.save(given.file, field)
    print(
        f"{given.file}: {given.points}^3 points of {field.dtype}, {field.nbytes / 2**20:.0f} MiB, "
        f"values {field.min():.2f} to {field.max():.2f}, root mean square 1, seed {given.seed}"
    )


if __name__ == "__main__":
    main()
