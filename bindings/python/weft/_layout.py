"""Layouts: which part of the global array each rank owns, and how it lies in memory."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from weft import _core

#: Lower and upper corner, half open.
BoxLike = tuple[tuple[int, ...], tuple[int, ...]]


def _numbers(values: Iterable[int]) -> tuple[int, ...]:
    return tuple(operator.index(value) for value in values)


def _corners(of: Any) -> BoxLike:
    """A box from an object with `lower` and `upper`, or from a pair."""
    if hasattr(of, "lower") and hasattr(of, "upper"):
        return _numbers(of.lower), _numbers(of.upper)
    lower, upper = of
    return _numbers(lower), _numbers(upper)


@dataclass(frozen=True)
class Layout:
    """Which box of the global array each rank owns, and how that lies in the rank's memory.

    Layouts are made by `slab_split`, `pencil_along`, `brick`, `grid`, `boxes`, `box` and
    `parse_layout`. Their methods return changed copies. They are values: equal layouts are
    interchangeable. A plan resolves them for its shape and number of ranks; an invalid layout is an
    error.

    Attributes
    ----------
    form : str
        ``"slab"``, ``"pencil"``, ``"brick"``, ``"grid"``, ``"boxes"`` or ``"own_box"``.
    axis : int
        The axis along which a slab is split, or a pencil is whole.
    parts : tuple of int
        Number of parts of each axis of a grid.
    boxes : tuple of pairs of tuples
        Lower and upper corner of the box of each rank.
    own : pair of tuples, or None
        The box of the calling rank.
    split : str
        ``"balanced"`` or ``"block"``.
    order : tuple of int
        Axes from the slowest to the fastest in memory; empty: 0, 1, 2, ...
    halo_lower, halo_upper : tuple of int
        Widths of the halo before and after the box, along each axis.
    strides : tuple of int
        Explicit strides, in elements.
    r2c_padding : bool
        Whether real lines are padded so that their half spectra fit.
    """

    form: str
    axis: int = 0
    parts: tuple[int, ...] = ()
    boxes: tuple[BoxLike, ...] = ()
    own: BoxLike | None = None
    split: str = "balanced"
    order: tuple[int, ...] = ()
    halo_lower: tuple[int, ...] = ()
    halo_upper: tuple[int, ...] = ()
    strides: tuple[int, ...] = ()
    r2c_padding: bool = False

    def with_order(self, axes: Iterable[int]) -> Layout:
        """Sets the order of axes in memory.

        Parameters
        ----------
        axes : iterable of int
            All axes, the slowest first; ``(2, 1, 0)`` is Fortran order of a 3-D array.
        """
        return replace(self, order=_numbers(axes))

    def with_split(self, rule: str) -> Layout:
        """Sets the rule by which axes are divided.

        Parameters
        ----------
        rule : {'balanced', 'block'}
            ``balanced``: parts differ by at most one point, larger ones first. ``block``: FFTW's
            rule, every part ``ceil(n / p)`` long, the last ones shorter or empty.
        """
        if rule not in ("balanced", "block"):
            raise ValueError(f"split {rule!r} is unknown; known: 'balanced', 'block'")
        return replace(self, split=rule)

    def with_halo(self, lower: Iterable[int], upper: Iterable[int]) -> Layout:
        """Leaves room for a halo around the box. Plans neither read nor write it.

        Parameters
        ----------
        lower, upper : iterable of int
            Widths before and after the box, in elements, one for each axis.
        """
        return replace(self, halo_lower=_numbers(lower), halo_upper=_numbers(upper))

    def with_strides(self, distances: Iterable[int]) -> Layout:
        """Sets explicit strides.

        Parameters
        ----------
        distances : iterable of int
            Strides in elements, one for each axis, and the distance between fields if there is a
            batch. They may differ between ranks.
        """
        return replace(self, strides=_numbers(distances))

    def padded_for_r2c(self) -> Layout:
        """Pads lines of real numbers so that their half spectra fit in the same memory.

        The halved axis, of ``n`` points, must be whole and the contiguous one; its lines become
        ``2 * (n // 2 + 1)`` elements long.
        """
        return replace(self, r2c_padding=True)


def slab_split(axis: int) -> Layout:
    """A layout in which one axis, `axis`, is split over all ranks."""
    return Layout("slab", axis=operator.index(axis))


def pencil_along(axis: int) -> Layout:
    """A layout in which one axis, `axis`, stays whole and the first two others are split over a
    near-square grid of ranks."""
    return Layout("pencil", axis=operator.index(axis))


def brick() -> Layout:
    """A layout in which the first three axes are split over a near-cubic grid of ranks."""
    return Layout("brick")


def grid(parts: Iterable[int]) -> Layout:
    """A layout in which each axis is split into a number of parts.

    Parameters
    ----------
    parts : iterable of int
        One number for each axis; their product is the number of ranks, which are numbered with the
        last axis varying fastest.
    """
    return Layout("grid", parts=_numbers(parts))


def boxes(one_per_rank: Sequence[object]) -> Layout:
    """A layout in which each rank has a box of a list; together they must tile the array.

    Parameters
    ----------
    one_per_rank : sequence of boxes
        For each rank a `Box`, or a pair of the lower and the upper corner (half open). Every rank
        gives the whole list.
    """
    return Layout("boxes", boxes=tuple(_corners(of) for of in one_per_rank))


def box(lower: object, upper: Iterable[int] | None = None) -> Layout:
    """A layout in which the calling rank has a box; those of all ranks must tile the array.

    Parameters
    ----------
    lower : Box, or iterable of int
        A box, or its first corner.
    upper : iterable of int, optional
        The other corner, half open.
    """
    return Layout("own_box", own=_corners(lower if upper is None else (lower, upper)))


def parse_layout(text: str) -> Layout:
    """A layout from text, as the command takes it.

    Parameters
    ----------
    text : str
        ``"slab:0"``, ``"pencil:2"``, ``"brick"`` or ``"grid:2x1x4"``, optionally followed by
        ``",order=210"`` and ``",split=block"``.

    Raises
    ------
    weft.Error
        If the text is none of these.
    """
    return Layout(**_core.layout_members(text))
