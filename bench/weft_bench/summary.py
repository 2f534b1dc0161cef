"""Repetitions as five numbers, and back: what compacted records keep of times.

Five numbers are the smallest, the quartiles and the largest, as numpy.quantile has them.
Repetitions that are made from them lie at even steps of the piecewise linear function through the
five, so that each quarter of them has the range that it had.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

NAMES = ("min", "lower_quartile", "median", "upper_quartile", "max")
PLACES = (0.0, 0.25, 0.5, 0.75, 1.0)


def of(times: np.ndarray) -> list[float]:
    return [float(value) for value in np.quantile(times, PLACES)]


def repetitions(count: int, five: Sequence[float]) -> np.ndarray:
    """As many times as were measured, with these five numbers."""
    if count == 1:
        return np.array([five[2]])
    return np.interp(np.linspace(0, 1, count), PLACES, five)


def rounded(value: Any, digits: int) -> Any:
    """The value with that many significant digits in every number that has a fraction."""
    if isinstance(value, float) and math.isfinite(value):
        return float(f"{value:.{digits}g}")
    if isinstance(value, dict):
        return {name: rounded(item, digits) for name, item in value.items()}
    if isinstance(value, list):
        return [rounded(item, digits) for item in value]
    return value
