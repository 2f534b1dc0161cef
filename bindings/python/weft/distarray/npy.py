"""NumPy files (.npy) that all ranks write and read together, through MPI-IO."""

from __future__ import annotations

import io
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy
from mpi4py import MPI

from weft._layout import Layout, slab
from weft.distarray.collective import Context, context_of
from weft.distarray.creation import DEFAULT_LAYOUT
from weft.distarray.device import array_module, to_host
from weft.distarray.geometry import (
    Geometry,
    Shape,
    described,
    dtype_of,
    layout_of,
    resolve,
)
from weft.distarray.replacement import replacement_file

if TYPE_CHECKING:
    from weft.distarray.array import DistArray

#: Bytes that a rank reads or writes at a time: MPI counts with 31 bits, and failures end a round.
CHUNK = 1 << 26


def save(array: DistArray, path: str | os.PathLike[str]) -> None:
    """Collective. Writes an array in C order. See `DistArray.save`."""
    context = array._context
    path = context.collectively(f"save({path!r}) of {array._text}", lambda: os.fspath(path))
    rows = resolve(context, array.shape, slab(0))
    data = to_host(array._memory_in(rows)).view(numpy.uint8)
    header = _header(array.shape, array.dtype)
    begin = len(header) + _first_byte(rows, array.dtype, axis=0)

    def write_header(temporary: str) -> None:
        with open(temporary, "r+b") as file:
            file.write(header)

    with replacement_file(context, path) as temporary:
        context.on_root(f"header of '{path}'", 0, lambda: write_header(temporary))
        _in_rounds(context, path, temporary, MPI.MODE_WRONLY, begin, data)


def load(
    path: str | os.PathLike[str],
    layout: Layout | str = DEFAULT_LAYOUT,
    comm: MPI.Intracomm | None = None,
    *,
    device: str = "host",
) -> DistArray:
    """Reads a NumPy file (.npy) into a `DistArray`. Collective.

    Parameters
    ----------
    path
        A file in C or Fortran order, of any dtype of fixed size and either byte order.
    layout, comm, device
        Of the result, as of `DistArray`.

    Returns
    -------
    DistArray
        In the byte order of this machine.

    Raises
    ------
    OSError, ValueError
        On every rank: where the file is missing, no NumPy file, or not as long as it says.
    """
    from weft.distarray.array import DistArray

    context = context_of(comm)

    def check() -> tuple[str, Layout]:
        array_module(device)
        return os.fspath(path), layout_of(layout)

    name, chosen = context.collectively(f"load({path!r}, layout={described(layout)})", check)
    shape, dtype, is_fortran, begin = context.on_root(
        f"reading '{name}'", 0, lambda: _read_header(name)
    )
    target = resolve(context, shape, chosen)
    axes = tuple(range(len(shape)))
    as_file = slab(axes[-1]).with_order(axes[::-1]) if is_fortran else slab(0)
    geometry = resolve(context, shape, as_file)
    memory = numpy.empty(geometry.size, dtype)
    begin += _first_byte(geometry, dtype, axes[-1] if is_fortran else 0)
    _in_rounds(context, name, name, MPI.MODE_RDONLY, begin, memory.view(numpy.uint8))
    memory = memory.astype(dtype.newbyteorder("="), copy=False)
    array = DistArray._of(geometry, array_module(device).asarray(memory), device)
    return DistArray._of(target, array._memory_in(target), device)


def _header(shape: Shape, dtype: numpy.dtype) -> bytes:
    text = io.BytesIO()
    description = numpy.lib.format.dtype_to_descr(dtype)
    fields = {"descr": description, "fortran_order": False, "shape": shape}
    numpy.lib.format.write_array_header_1_0(text, fields)
    return text.getvalue()


def _read_header(path: str) -> tuple[Shape, numpy.dtype, bool, int]:
    """What NumPy makes of a file: shape, dtype, whether in Fortran order, where data begin."""
    try:
        mapped = numpy.load(path, mmap_mode="r")
    except OSError:
        raise
    except Exception as error:
        raise ValueError(f"'{path}' cannot be read as a NumPy file: {error}") from None
    if not isinstance(mapped, numpy.memmap):
        raise ValueError(f"'{path}' is no NumPy file of one array (.npy)")
    dtype_of(mapped.dtype)
    if mapped.size == 0 or mapped.ndim == 0:
        raise ValueError(f"'{path}' has an array of shape {mapped.shape}, which has no points")
    expected, actual = mapped.offset + mapped.nbytes, os.path.getsize(path)
    if actual != expected:
        raise ValueError(f"'{path}' has {actual} bytes, its header tells of {expected}")
    is_fortran = mapped.flags.f_contiguous and not mapped.flags.c_contiguous
    return mapped.shape, mapped.dtype, is_fortran, mapped.offset


def _first_byte(geometry: Geometry, dtype: numpy.dtype, axis: int) -> int:
    """Where the part of this rank begins, of an array whose slowest axis is this one."""
    others = [n for other, n in enumerate(geometry.shape) if other != axis]
    return geometry.box.lower[axis] * int(numpy.prod(others, dtype=object)) * dtype.itemsize


def _in_rounds(
    context: Context,
    shown: str,
    path: str,
    mode: int,
    begin: int,
    data: numpy.ndarray,
    chunk: int = CHUNK,
) -> None:
    """Collective. Writes or reads the bytes of every rank. Messages call the file as `shown`.

    Each rank opens the file on its own: its part is contiguous, and an MPI library that fails in a
    collective operation on one rank leaves the others waiting.
    """
    rounds = context.comm.allreduce(-(-data.size // chunk), MPI.MAX)
    writes = mode != MPI.MODE_RDONLY
    what = "write" if writes else "read"
    with _opened(context, shown, path, mode, data.size > 0) as file:

        def transfer(at: int) -> None:
            part = data[at : at + chunk]
            if part.size == 0:
                return
            status = MPI.Status()
            try:
                run = file.Write_at if writes else file.Read_at
                run(begin + at, [part, MPI.BYTE], status)
            except MPI.Exception as error:
                raise OSError(f"cannot {what} '{shown}': {error.Get_error_string()}") from None
            done = status.Get_count(MPI.BYTE)
            if done != part.size:
                raise OSError(
                    f"cannot {what} '{shown}': {done} of {part.size} bytes at {begin + at}"
                )

        for at in range(rounds):
            context.collectively(f"{what} '{shown}'", lambda: transfer(at * chunk))
        if writes:
            context.collectively(f"flush '{shown}'", lambda: file.Sync() if data.size else None)


@contextmanager
def _opened(context: Context, shown: str, path: str, mode: int, is_needed: bool) -> Iterator[Any]:
    """Collective. The file, opened by each rank that needs it."""

    def open_it() -> MPI.File | None:
        if not is_needed:
            return None
        try:
            return MPI.File.Open(MPI.COMM_SELF, _mpi_name(path), mode)
        except MPI.Exception as error:
            raise OSError(f"cannot open '{shown}': {error.Get_error_string()}") from None

    file = None
    try:
        file = context.collectively(f"open '{shown}'", open_it)
        yield file
    finally:
        if file is not None:
            file.Close()


def _mpi_name(path: str) -> str:
    """The name by which MPI finds a file: ROMIO, the MPI-IO of MPICH and its kin, takes what stands
    before a colon for a type of file system."""
    if ":" not in path or MPI.get_vendor()[0] == "Open MPI":
        return path
    return f"ufs:{path}"
