"""A part of a distributed array, brought together on one process."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from weft.distarray.device import to_host
from weft.mpi4py_fft.pencil import spanning

if TYPE_CHECKING:
    from weft.mpi4py_fft.distributed import Distributed


class _Selection:
    """What an index takes of one axis: global points, and those of them that are here."""

    def __init__(self, entry: int | slice, length: int, here: slice) -> None:
        self.is_number = not isinstance(entry, slice)
        if self.is_number:
            number = operator.index(entry)
            if not -length <= number < length:
                raise IndexError(f"index {number} of an axis of {length} points")
            points = np.array([number % length])
        else:
            points = np.arange(*entry.indices(length))
        self.count = len(points)
        #: Where what is here goes in the result, and where it is in the local array.
        self.targets = np.flatnonzero((points >= here.start) & (points < here.stop))
        self.sources = points[self.targets] - here.start


def global_part(array: Distributed, index: Sequence[int | slice]) -> np.ndarray | None:
    """The part of the global array that an index tells, on the first of its processes; None on the
    others. Collective."""
    shape = array.global_shape
    if len(index) != len(shape):
        raise IndexError(f"{len(index)} indices for {len(shape)} axes")
    axes = [_Selection(*each) for each in zip(index, shape, array.local_slice())]
    mine = to_host(array.v)[np.ix_(*(axis.sources for axis in axes))]
    comm = spanning(array.subcomm)
    try:
        if comm.rank != 0:
            comm.send(([axis.targets for axis in axes], mine), 0)
            return None
        whole = np.empty([axis.count for axis in axes], array.dtype)
        whole[np.ix_(*(axis.targets for axis in axes))] = mine
        for rank in range(1, comm.size):
            targets, part = comm.recv(source=rank)
            whole[np.ix_(*targets)] = part
    finally:
        comm.Free()
    kept = [axis.count for axis in axes if not axis.is_number]
    return whole.reshape(kept)
