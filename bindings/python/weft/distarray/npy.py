"""NumPy files (.npy) that all ranks write and read together, through MPI-IO."""

from __future__ import annotations

import io
import os
from typing import TYPE_CHECKING

import numpy
from mpi4py import MPI

from weft._layout import Layout, slab_split
from weft.distarray import parallel_file
from weft.distarray.collective import context_of
from weft.distarray.creation import DEFAULT_LAYOUT
from weft.distarray.device import array_module, to_host
from weft.distarray.geometry import Geometry, Shape, described, dtype_of, layout_of, resolve
from weft.distarray.replacement import replacement_file

if TYPE_CHECKING:
    from weft.distarray.array import DistArray


def save(array: DistArray, path: str | os.PathLike[str]) -> None:
    """Collective. Writes an array in C order. See `DistArray.save`."""
    context = array._context
    path = context.collectively(f"save({path!r}) of {array._text}", lambda: os.fspath(path))
    rows = resolve(context, array.shape, slab_split(0))
    data = to_host(array._memory_in(rows)).view(numpy.uint8)
    header = _header(array.shape, array.dtype)
    begin = len(header) + _first_byte(rows, array.dtype, axis=0)

    def write_header(temporary: str) -> None:
        with open(temporary, "r+b") as file:
            file.write(header)

    with replacement_file(context, path) as temporary:
        context.on_root(f"header of '{path}'", 0, lambda: write_header(temporary))
        parallel_file.write(context, temporary, begin, data, shown=path)


def load(path: str | os.PathLike[str], layout: Layout | str = DEFAULT_LAYOUT,
         comm: MPI.Intracomm | None = None, *, device: str = "host") -> DistArray:
    """Reads a NumPy file (.npy) into a `DistArray`. Collective.

    Parameters
    ----------
    path
        A file in C or Fortran order, of any dtype of fixed size and either byte order.
    layout, comm, device
        Those of the result, as for `DistArray`.

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
    as_file = slab_split(axes[-1]).with_order(axes[::-1]) if is_fortran else slab_split(0)
    geometry = resolve(context, shape, as_file)
    memory = numpy.empty(geometry.size, dtype)
    begin += _first_byte(geometry, dtype, axes[-1] if is_fortran else 0)
    parallel_file.read(context, name, begin, memory.view(numpy.uint8))
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
    except Exception as error:  # noqa: BLE001 - parsing a bad file raises many
        raise ValueError(f"'{path}' cannot be read as a NumPy file: {error}") from None
    if not isinstance(mapped, numpy.memmap):
        raise ValueError(f"'{path}' is not a NumPy file of one array (.npy)")
    dtype_of(mapped.dtype)
    if mapped.size == 0 or mapped.ndim == 0:
        raise ValueError(f"'{path}' has an array of shape {mapped.shape}, which has no points")
    expected, actual = mapped.offset + mapped.nbytes, os.path.getsize(path)
    if actual != expected:
        raise ValueError(f"'{path}' has {actual} bytes, its header needs {expected}")
    is_fortran = mapped.flags.f_contiguous and not mapped.flags.c_contiguous
    return mapped.shape, mapped.dtype, is_fortran, mapped.offset


def _first_byte(geometry: Geometry, dtype: numpy.dtype, axis: int) -> int:
    """Where the part of this rank begins, of an array whose slowest axis is this one."""
    others = [n for other, n in enumerate(geometry.shape) if other != axis]
    return geometry.box.lower[axis] * int(numpy.prod(others, dtype=object)) * dtype.itemsize
