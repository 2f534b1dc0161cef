"""HDF5 files, by h5py: written by all ranks at once where its HDF5 has MPI, otherwise in turns."""

from __future__ import annotations

import importlib
import os
from collections.abc import Mapping
from types import ModuleType
from typing import TYPE_CHECKING, Any

import numpy
from mpi4py import MPI

from weft._layout import Layout
from weft.distarray.collective import Context, context_of
from weft.distarray.creation import DEFAULT_LAYOUT
from weft.distarray.device import array_module, to_host
from weft.distarray.geometry import Shape, described, dtype_of, layout_of, resolve
from weft.distarray.replacement import replacement_file

if TYPE_CHECKING:
    from weft.distarray.array import DistArray


def save_hdf5(path: str | os.PathLike[str], arrays: Mapping[str, DistArray]) -> None:
    """Writes arrays as datasets of a new HDF5 file. Collective.

    Parameters
    ----------
    path
        A file that is there already is replaced when the new one is complete.
    arrays
        At least one, by the names of their datasets, all on one communicator.

    Raises
    ------
    ImportError
        On every rank, if h5py is not installed.
    OSError, TypeError, ValueError
        On every rank; an existing file is then still there.

    Notes
    -----
    With an h5py whose HDF5 was built with MPI all ranks write at once, collectively; if HDF5 fails
    on one rank only, the others keep waiting. With any other h5py, such as that of PyPI, one rank
    after another opens the file and writes its part, which takes as long as if one rank wrote all
    of it.
    """
    context = _context_of(arrays)
    call = f"save_hdf5({path!r}) of {', '.join(map(repr, arrays))}"

    def check() -> tuple[ModuleType, str]:
        if any(array._context is not context for array in arrays.values()):
            raise ValueError("arrays of one file are to be on one communicator")
        return _h5py(), os.fspath(path)

    h5py, name = context.collectively(call, check)
    with replacement_file(context, name) as temporary:
        if h5py.get_config().mpi:
            with h5py.File(temporary, "w", driver="mpio", comm=context.comm) as file:
                for dataset_name, array in arrays.items():
                    dataset = file.create_dataset(dataset_name, array.shape, array.dtype)
                    _write(h5py, dataset, array, collectively=True)
            return
        context.on_root(call, 0, lambda: _create(h5py, temporary, arrays))

        def write_own() -> None:
            with h5py.File(temporary, "r+") as file:
                for dataset_name, array in arrays.items():
                    _write(h5py, file[dataset_name], array, collectively=False)

        for rank in range(context.size):
            context.collectively(
                f"turn {rank} of {call}", lambda: write_own() if rank == context.rank else None
            )


def load_hdf5(path: str | os.PathLike[str], name: str, layout: Layout | str = DEFAULT_LAYOUT,
              comm: MPI.Intracomm | None = None, *, device: str = "host") -> DistArray:
    """Reads a dataset of an HDF5 file into a `DistArray`. Collective; all ranks read at once.

    Parameters
    ----------
    path, name
        The file, and the name of the dataset in it.
    layout, comm, device
        Those of the result, as for `DistArray`.

    Raises
    ------
    ImportError
        On every rank, if h5py is not installed.
    OSError, KeyError, ValueError, TypeError
        On every rank: where the file is missing or damaged, has no such dataset, or one that has no
        points or elements of no fixed size.
    """
    from weft.distarray.array import DistArray

    context = context_of(comm)

    def check() -> tuple[ModuleType, str, Layout]:
        array_module(device)
        return _h5py(), os.fspath(path), layout_of(layout)

    call = f"load_hdf5({path!r}, {name!r}, layout={described(layout)})"
    h5py, file_name, chosen = context.collectively(call, check)
    shape, dtype = context.on_root(call, 0, lambda: _dataset_type(h5py, file_name, name))
    geometry = resolve(context, shape, chosen)
    local = numpy.empty(geometry.local_shape, dtype)

    def read() -> None:
        with h5py.File(file_name, "r") as file:
            if local.size:
                file[name].read_direct(local, geometry.box.slices)

    context.collectively(f"reading by {call}", read)
    return DistArray._from_values(geometry, array_module(device).asarray(local), dtype, device)


def _context_of(arrays: Mapping[str, DistArray]) -> Context:
    """Without an array there is nobody to agree with: then the error is that of this rank."""
    from weft.distarray.array import DistArray

    for name, array in arrays.items():
        if not isinstance(array, DistArray):
            raise TypeError(f"dataset {name!r} is to be a DistArray, not {type(array).__name__}")
    if not arrays:
        raise ValueError("at least one array is needed for an HDF5 file")
    return next(iter(arrays.values()))._context


def _h5py() -> ModuleType:
    try:
        return importlib.import_module("h5py")
    except ImportError as error:
        raise ImportError(f"HDF5 files need the package h5py: {error}") from None


def _create(h5py: ModuleType, path: str, arrays: Mapping[str, DistArray]) -> None:
    with h5py.File(path, "w") as file:
        for name, array in arrays.items():
            file.create_dataset(name, array.shape, array.dtype)


def _write(h5py: ModuleType, dataset: Any, array: DistArray, collectively: bool) -> None:
    """By h5py's lower interface: the upper one leaves out ranks that have nothing to write, for
    which the others would wait."""
    local = numpy.ascontiguousarray(to_host(array.local))
    in_memory = h5py.h5s.create_simple(local.shape)
    in_file = dataset.id.get_space()
    if local.size:
        in_file.select_hyperslab(array.box.lower, local.shape)
    else:
        in_memory.select_none()
        in_file.select_none()
    transfer = h5py.h5p.create(h5py.h5p.DATASET_XFER)
    if collectively:
        transfer.set_dxpl_mpio(h5py.h5fd.MPIO_COLLECTIVE)
    dataset.id.write(in_memory, in_file, local, dxpl=transfer)


def _dataset_type(h5py: ModuleType, path: str, name: str) -> tuple[Shape, numpy.dtype]:
    with h5py.File(path, "r") as file:
        if not isinstance(file.get(name), h5py.Dataset):
            raise KeyError(f"'{path}' has no dataset '{name}'; it has {', '.join(file)}")
        shape, dtype = file[name].shape, dtype_of(file[name].dtype)
    if not shape or 0 in shape:
        raise ValueError(f"dataset '{name}' of '{path}' has shape {shape}, which has no points")
    return shape, dtype.newbyteorder("=")
