"""The highest mode of truncated spectra of even length, which stands for two: n/2 and -n/2.

Plans keep an odd number of modes, one more than there are, with both of them; here they become one.
Forward adds them up; backward gives each of them half.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

from weft._local_array import Box


class Folding:
    """Between this process's part of the spectrum and that of the plan.

    Parameters
    ----------
    lower, upper : sequence of int
        Corners of the part of the spectrum.
    lengths : sequence of int
        Along each axis: the even number of modes where there is one more in the plan, or 0.
    """

    def __init__(self, lower: Sequence[int], upper: Sequence[int],
                 lengths: Sequence[int]) -> None:
        def moved(bound: int, length: int) -> int:
            return bound + (length > 0 and bound > length // 2)

        self.box = Box(tuple(map(moved, lower, lengths)), tuple(map(moved, upper, lengths)))
        #: Along each axis the place here of the mode that is two; None where it is not here.
        self._highest = [
            length // 2 - a if length and a <= length // 2 < b else None
            for a, b, length in zip(lower, upper, lengths)]
        pieces = [_pieces(place) for place in self._highest]
        #: As indices here and in the plan: what is alone, and what comes second.
        self._first = [_indices(chosen) for chosen in itertools.product(
            *(of_axis[:2] for of_axis in pieces))]
        self._second = [_indices(chosen) for chosen in itertools.product(*pieces)
                        if any(of_axis[2:] and piece is of_axis[2]
                               for piece, of_axis in zip(chosen, pieces))]

    def fold(self, planned: Any, spectrum: Any) -> None:
        """From the plan's array, after forward."""
        for here, there in self._first:
            spectrum[here] = planned[there]
        for here, there in self._second:
            spectrum[here] += planned[there]

    def unfold(self, spectrum: Any, planned: Any) -> None:
        """To the plan's array, before backward."""
        for here, there in self._first + self._second:
            planned[there] = spectrum[here]
        for axis, place in enumerate(self._highest):
            if place is not None:
                planned[(slice(None),) * axis + (slice(place, place + 2),)] *= 0.5


def _pieces(place: int | None) -> list[tuple[slice, slice]]:
    """Slices here and in the plan: up to the highest mode, after it, and its second half."""
    if place is None:
        return [(slice(None), slice(None))]
    return [(slice(0, place + 1), slice(0, place + 1)), (slice(place + 1, None),
                                                         slice(place + 2, None)),
            (slice(place, place + 1), slice(place + 1, place + 2))]


def _indices(chosen: Sequence[tuple[slice, slice]]) -> tuple[tuple[slice, ...],
                                                             tuple[slice, ...]]:
    return tuple(here for here, _ in chosen), tuple(there for _, there in chosen)
