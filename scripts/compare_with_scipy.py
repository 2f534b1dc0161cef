"""Compares a transform of real data with scipy.fft.rfftn, coefficient by coefficient.

Exits with an error where the relative L2 error is above 5 eps log2 N.
"""

import argparse
import json
import os
import sys

import numpy as np
import scipy
import scipy.fft


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

    bound = 5 * float(np.finfo(field.dtype).eps) * float(np.log2(field.size))
    figures = {
        "reference": f"scipy.fft.rfftn of SciPy {scipy.__version__}",
        "shape": field.shape,
        "dtype": str(field.dtype),
        "coefficients": exact.size,
        "relative_l2": (squared / norm) ** 0.5,
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
    if not figures["relative_l2"] <= bound:
        sys.exit("error: the transform is wrong")


if __name__ == "__main__":
    main()
