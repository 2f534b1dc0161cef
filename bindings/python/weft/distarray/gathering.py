"""Parts of a global array from all ranks to one or all of them, and back."""

from __future__ import annotations

import numpy
from mpi4py import MPI

from weft.distarray.collective import Context
from weft.distarray.geometry import Geometry
from weft.distarray.indexing import Selection

#: Bytes that one MPI call moves, of all ranks together: MPI counts with 31 bits.
LARGEST_MESSAGE = 1 << 30


def gather_selection(geometry: Geometry, selection: Selection, local: numpy.ndarray,
                     root: int | None = None,
                     largest_message: int = LARGEST_MESSAGE) -> numpy.ndarray | None:
    """Collective. The selected points, in a NumPy array of `selection.extents`.

    Parameters
    ----------
    local
        What this rank owns.
    root
        The rank that gets them, while others get None; None: all ranks.
    """
    parts = [selection.part(box.lower, box.upper) for box in geometry.boxes]
    mine = parts[geometry.context.rank]
    sent = local[mine[1]] if mine else local[(slice(0, 0),) * local.ndim]
    shapes = [tuple(s.stop - s.start for s in part[0]) if part else (0,) for part in parts]
    sizes = [int(numpy.prod(shape, dtype=numpy.int64)) * local.itemsize for shape in shapes]
    arrived = _gather_bytes(geometry.context, _bytes_of(sent), sizes, root, largest_message)
    if arrived is None:
        return None
    result = numpy.empty(selection.extents, local.dtype)
    for part, shape, data in zip(parts, shapes, arrived):
        if part:
            result[part[0]] = data.view(local.dtype).reshape(shape)
    return result


def scatter(geometry: Geometry, array: numpy.ndarray | None, dtype: numpy.dtype, root: int,
            largest_message: int = LARGEST_MESSAGE) -> numpy.ndarray:
    """Collective. What this rank owns of an array that `root` has, in C order."""
    context = geometry.context
    whole: list[numpy.ndarray] = []
    if context.rank == root:
        assert array is not None
        whole = [_bytes_of(array[box.slices]) for box in geometry.boxes]
    sizes = [
        int(numpy.prod(box.extents, dtype=numpy.int64)) * dtype.itemsize for box in geometry.boxes
    ]
    mine = numpy.empty(sizes[context.rank], numpy.uint8)
    chunk = max(1, largest_message // context.size)
    for begin in range(0, max(sizes), chunk):
        counts, places = _counts(sizes, begin, chunk)
        sent = None
        if context.rank == root:
            data = numpy.concatenate([part[begin : begin + chunk] for part in whole])
            sent = [data, counts, places, MPI.BYTE]
        context.comm.Scatterv(sent, [mine[begin : begin + chunk], MPI.BYTE], root)
    return mine.view(dtype).reshape(geometry.local_shape)


def _gather_bytes(
    context: Context, mine: numpy.ndarray, sizes: list[int], root: int | None, largest_message: int
) -> list[numpy.ndarray] | None:
    """Bytes of every rank, whose numbers all ranks know, in rounds of bounded size."""
    receives = root is None or context.rank == root
    arrived = [numpy.empty(size, numpy.uint8) for size in sizes] if receives else None
    chunk = max(1, largest_message // context.size)
    for begin in range(0, max(sizes), chunk):
        counts, places = _counts(sizes, begin, chunk)
        sent = [mine[begin : begin + chunk], MPI.BYTE]
        buffer = numpy.empty(sum(counts) if receives else 0, numpy.uint8)
        received = [buffer, counts, places, MPI.BYTE]
        if root is None:
            context.comm.Allgatherv(sent, received)
        else:
            context.comm.Gatherv(sent, received if receives else None, root)
        for part, count, place in zip(arrived or [], counts, places):
            part[begin : begin + count] = buffer[place : place + count]
    return arrived


def _counts(sizes: list[int], begin: int, chunk: int) -> tuple[list[int], list[int]]:
    """How many bytes of each rank go in a round, and where they lie."""
    counts = [min(max(size - begin, 0), chunk) for size in sizes]
    return counts, [0, *numpy.cumsum(counts[:-1]).tolist()]


def _bytes_of(array: numpy.ndarray) -> numpy.ndarray:
    return numpy.ascontiguousarray(array).reshape(-1).view(numpy.uint8)
