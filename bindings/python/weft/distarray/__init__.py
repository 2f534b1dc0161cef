"""Global arrays spread over ranks: `DistArray` and its files."""

from weft.distarray.array import DistArray
from weft.distarray.hdf5 import load_hdf5, save_hdf5
from weft.distarray.npy import load

__all__ = ["DistArray", "load", "load_hdf5", "save_hdf5"]
