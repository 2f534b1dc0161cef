"""Global arrays spread over ranks: `DistArray`, its files, and the plans it keeps."""

from weft.distarray.array import DistArray
from weft.distarray.collective import release_plans, set_plan_limit
from weft.distarray.hdf5 import load_hdf5, save_hdf5
from weft.distarray.npy import load

__all__ = ["DistArray", "load", "load_hdf5", "release_plans", "save_hdf5", "set_plan_limit"]
