"""Which box of an array each rank owns, and how the elements of this rank lie in its memory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy
from numpy.typing import DTypeLike

from weft import _core
from weft._layout import Layout, parse_layout
from weft._local_array import Box
from weft.distarray.collective import Context
from weft.distarray.device import array_module

Shape = tuple[int, ...]

MAX_AXES = 6


@dataclass(frozen=True, eq=False)
class Geometry:
    """A layout, resolved for a shape and the ranks of a communicator.

    `number` is the same on all ranks and stands for all of it, the memory of all ranks included.
    """

    context: Context
    shape: Shape
    layout: Layout
    boxes: tuple[Box, ...]  # of all ranks
    strides: Shape  # of this rank, in elements
    offset: int  # of the first owned element
    size: int  # elements to allocate, halo included
    number: int

    @property
    def box(self) -> Box:
        return self.boxes[self.context.rank]

    @property
    def local_shape(self) -> Shape:
        return self.box.extents

    def empty(self, dtype: numpy.dtype, device: str) -> Any:
        """New memory of this rank, flat."""
        return array_module(device).empty(self.size, dtype)

    def view(self, memory: Any, device: str) -> Any:
        """What this rank owns in its memory, with the axes in the order of the global array."""
        strides = tuple(stride * memory.itemsize for stride in self.strides)
        as_strided = array_module(device).lib.stride_tricks.as_strided
        return as_strided(memory[self.offset :], self.local_shape, strides)

    def flat(self, local: Any, device: str) -> Any | None:
        """The memory behind an array of this rank's box, where it lies exactly as planned."""
        extents = self.local_shape
        planned = all(
            length == 1 or stride == step * local.itemsize
            for length, stride, step in zip(extents, local.strides, self.strides)
        )
        if not planned or self.size == 0 or self.size != local.size:
            return None
        as_strided = array_module(device).lib.stride_tricks.as_strided
        return as_strided(local, (self.size,), (local.itemsize,))

    def has_boxes_of(self, other: Geometry) -> bool:
        """Whether every rank owns the same points; they may lie in another order in memory."""
        return self is other or (self.shape == other.shape and self.boxes == other.boxes)

    def __str__(self) -> str:
        return self._text

    @cached_property
    def _text(self) -> str:
        return f"{layout_text(self.layout)} of {'x'.join(map(str, self.shape))}"


def layout_text(layout: Layout) -> str:
    """A layout in words, the same on all ranks: "pencil:2, order (2, 1, 0)"."""
    text = "box" if layout.form == "own_box" else layout.form
    if layout.form in ("slab", "pencil"):
        text += f":{layout.axis}"
    elif layout.form == "grid":
        text += ":" + "x".join(map(str, layout.parts))
    elif layout.form == "boxes":
        text += " " + " ".join(
            "x".join(f"[{begin},{end})" for begin, end in zip(lower, upper))
            for lower, upper in layout.boxes
        )
    text += "" if layout.split == "balanced" else f", split {layout.split}"
    text += f", order {layout.order}" if layout.order else ""
    if any(layout.halo_lower) or any(layout.halo_upper):
        text += f", halo {layout.halo_lower} {layout.halo_upper}"
    return text + (", strides" if layout.strides else "") + (", padded" * layout.r2c_padding)


def layout_of(given: Layout | str) -> Layout:
    """A layout, or one from text. Raises TypeError for anything else."""
    if isinstance(given, Layout):
        return given
    if isinstance(given, str):
        return parse_layout(given)
    raise TypeError(f"a layout is a weft.Layout or text, not {type(given).__name__}")


def described(layout: Any) -> str:
    """A layout as a caller gave it, for messages and to compare what ranks call."""
    return layout_text(layout) if isinstance(layout, Layout) else repr(layout)


def dtype_of(given: DTypeLike) -> numpy.dtype:
    dtype = numpy.dtype(given)
    if dtype.hasobject or dtype.itemsize == 0:
        raise TypeError(f"elements of dtype {dtype} cannot be spread over ranks")
    return dtype


def resolve(context: Context, shape: Shape, layout: Layout) -> Geometry:
    """Collective.

    Raises
    ------
    ValueError, weft.Error
        On every rank, where the shape has no points, or the layout does not fit.
    """
    if not 1 <= len(shape) <= MAX_AXES or min(shape) < 1:
        raise ValueError(f"shape {shape}: 1 to {MAX_AXES} axes of at least one point are supported")
    if layout.form == "own_box":
        layout = with_boxes(layout, context.comm.allgather(layout.own))

    def make() -> Geometry:
        return _resolved(context, shape, layout)

    # Strides of this rank do not tell whether those of the others are known, too.
    return make() if layout.strides else context.geometries.get((shape, layout), make)


def _resolved(context: Context, shape: Shape, layout: Layout) -> Geometry:
    corners, strides, offset, size = context.collectively(
        f"{layout_text(layout)} of {shape}",
        lambda: _core.resolve_layout(layout, shape, context.size, context.rank),
    )
    boxes = tuple(Box(lower, upper) for lower, upper in corners)
    zeros = (0,) * len(shape)
    order = layout.order or tuple(range(len(shape)))
    planned: Any = (order, layout.halo_lower or zeros, layout.halo_upper or zeros)
    if layout.strides:
        planned = tuple(context.comm.allgather(strides))
    number = context.number_of((boxes, planned))
    return Geometry(context, shape, layout, boxes, strides, offset, size, number)


def with_boxes(layout: Layout, boxes: Sequence[Box]) -> Layout:
    """Boxes listed, with order and halo of another layout."""
    return replace(layout, form="boxes", boxes=tuple(boxes), own=None, axis=0, parts=())


def resized(geometry: Geometry, shape: Shape) -> Layout:
    """The layout for an array of another shape that comes closest: rules stay as they are. Listed
    boxes are cut, and those at the upper end of an axis grow with it."""
    layout = geometry.layout
    if shape == geometry.shape:
        return layout
    layout = replace(layout, strides=(), r2c_padding=False)
    if layout.form != "boxes":
        return layout
    return with_boxes(layout, [_resized_box(box, geometry.shape, shape) for box in geometry.boxes])


def _resized_box(box: Box, old: Shape, new: Shape) -> Box:
    lower = tuple(min(begin, length) for begin, length in zip(box.lower, new))
    upper = tuple(
        length if end == before else min(end, length)
        for end, before, length in zip(box.upper, old, new)
    )
    is_empty = any(begin >= end for begin, end in zip(box.lower, box.upper))
    return Box(lower, lower) if is_empty else Box(lower, upper)


def cropped(geometry: Geometry, shape: Shape) -> Layout:
    """The layout in which every rank keeps what it owns of the first points along each axis."""
    lower_part = [
        Box(tuple(min(begin, length) for begin, length in zip(box.lower, shape)),
            tuple(min(end, length) for end, length in zip(box.upper, shape)))
        for box in geometry.boxes
    ]
    return with_boxes(replace(geometry.layout, strides=()), lower_part)
