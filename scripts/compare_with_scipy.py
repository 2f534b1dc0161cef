"""Compares a transform of real data with scipy.fft.rfftn, coefficient by coefficient, and a few
coefficients of both with sums in extended precision.

Exits with an error where the relative L2 error is above 5 eps log2 N.
"""

import argparse
import json
import os
import sys

import numpy as np
import scipy
import scipy.fft

SAMPLES = 16


def phases(length: int, wavenumbers: np.ndarray) -> np.ndarray:
    """exp(-2 pi i j k / length) for all j (rows) and the given k (columns), extended precision."""
    turns = np.arange(length)[:, None] * wavenumbers % length
    angles = 8 * np.arctan(np.longdouble(1)) * turns / length
    return np.cos(angles) - 1j * np.sin(angles)


def exact_coefficients(field: np.ndarray, places: np.ndarray) -> np.ndarray:
    """The sums that define the coefficients at these places (columns), in extended precision."""
    first, second, third = (phases(n, k) for n, k in zip(field.shape, places))
    found = np.zeros(places.shape[1], np.clongdouble)
    for plane, factor in zip(field, first):
        plane = plane.astype(np.longdouble)
        lines = plane @ third.real + 1j * (plane @ third.imag)
        found += factor * np.sum(lines * second, axis=0)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("field", help="NumPy file with real data")
    parser.add_argument("transform", help="NumPy file with what is to be compared")
    parser.add_argument("--json", help="file for the figures")
    given = parser.parse_args()

    field = np.load(given.field)
    transform = np.load(given.transform, mmap_mode="r")
    exact = scipy.fft.rfftn(field, workers=os.cpu_count())
    if transform.shape != exact.shape or transform.dtype != exact.dtype:
        sys.exit(
            f"error: {given.transform} holds {transform.shape} of {transform.dtype}, "
            f"not {exact.shape} of {exact.dtype}"
        )
    squared = norm = largest = 0.0
    for computed_plane, exact_plane in zip(transform, exact):  # planes, to need little memory
        difference = np.abs(computed_plane - exact_plane)
        squared += float(np.sum(difference**2))
        norm += float(np.sum(np.abs(exact_plane) ** 2))
        largest = max(largest, float(np.max(difference)))

    places = np.random.default_rng(1).integers(0, np.array(exact.shape)[:, None], (3, SAMPLES))
    sums = exact_coefficients(field, places)
    rms = (norm / exact.size) ** 0.5
    sampled = {
        name: float(np.mean(np.abs(found[tuple(places)] - sums) ** 2)) ** 0.5 / rms
        for name, found in (("weft", transform), ("scipy", exact))
    }

    bound = 5 * float(np.finfo(field.dtype).eps) * float(np.log2(field.size))
    figures = {
        "reference": f"scipy.fft.rfftn of SciPy {scipy.__version__}",
        "shape": field.shape,
        "dtype": str(field.dtype),
        "coefficients": exact.size,
        "relative_l2": (squared / norm) ** 0.5,
        "samples": SAMPLES,
        "sampled_error": sampled,
        "largest": largest,
        "largest_relative": largest / float(np.max(np.abs(exact))),
        "bound": bound,
    }
    if given.json:
        with open(given.json, "w", encoding="utf-8") as file:
            json.dump(figures, file, indent=1)
    print(f"all {exact.size:,} coefficients against {figures['reference']}:")
    print(f"  relative L2 error     {figures['relative_l2']:.2e}")
    print(f"  largest difference    {largest:.2e}, "
          f"{figures['largest_relative']:.2e} of the largest coefficient")
    print(f"  bound (5 eps log2 N)  {bound:.2e} on the relative L2 error")
    print(f"  from the exact sums   {sampled['weft']:.2e} weft, {sampled['scipy']:.2e} SciPy "
          f"({SAMPLES} random coefficients)")
    if not figures["relative_l2"] <= bound:
        sys.exit("error: the transform is incorrect")


if __name__ == "__main__":
    main()
