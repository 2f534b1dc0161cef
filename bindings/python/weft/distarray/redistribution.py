"""Elements of any type to another layout, by plans that transform nothing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy

from weft.distarray.device import array_module
from weft.distarray.geometry import Geometry
from weft.distarray.plans import planned

#: Numbers that plans move, by their size. They are moved bit by bit, whatever they stand for.
CARRIERS: dict[int, numpy.dtype] = {
    4: numpy.dtype(numpy.float32),
    8: numpy.dtype(numpy.float64),
    16: numpy.dtype(numpy.complex128),
}


def redistribute(source: Geometry, target: Geometry, memory: Any, device: str) -> Any:
    """Collective. New memory in the layout `target` with the elements of `memory`, its halo
    undefined.

    Elements of 4, 8 and 16 bytes are moved as they are. Others go in several runs, 16, 8 or 4 bytes
    of each at a time; what remains, and types of 1 or 2 bytes, is widened to 4 on the way.
    """
    carrier = CARRIERS.get(memory.itemsize)
    result = target.empty(memory.dtype, device)
    if carrier is not None:
        _move(source, target, memory.view(carrier), result.view(carrier), device)
        return result
    itemsize = memory.itemsize
    module = array_module(device)
    parts = memory.view(module.uint8).reshape(source.size, itemsize)
    arrived = result.view(module.uint8).reshape(target.size, itemsize)
    for begin, width in words(itemsize):
        carrier = CARRIERS[max(width, 4)]
        sent = module.zeros((source.size, carrier.itemsize), module.uint8)
        sent[:, :width] = parts[:, begin : begin + width]
        received = target.empty(carrier, device)
        _move(source, target, sent.reshape(-1).view(carrier), received, device)
        received_bytes = received.view(module.uint8).reshape(target.size, carrier.itemsize)
        arrived[:, begin : begin + width] = received_bytes[:, :width]
    return result


def words(itemsize: int) -> Iterator[tuple[int, int]]:
    """Where each part of an element begins, and its number of bytes."""
    begin = 0
    while begin < itemsize:
        rest = itemsize - begin
        width = next((size for size in (16, 8, 4) if size <= rest), rest)
        yield begin, width
        begin += width


def _move(source: Geometry, target: Geometry, memory: Any, result: Any, device: str) -> None:
    plan = planned(source, target, memory.dtype, device, kinds="none")
    plan.forward(source.view(memory, device), target.view(result, device))
