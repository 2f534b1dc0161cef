"""Spectral transforms of arrays that are spread over the ranks of an MPI job.

`Plan` transforms NumPy arrays, or arrays of devices through DLPack, in any decomposition; `Halo`,
`Convolution`, `LongTransform`, `Calculus` and `Wavenumbers` complement it. `DistArray` is a global
array. `weft.fft` has SciPy's functions for arrays of one process, and `weft.scipy_backend`
registers them as a `scipy.fft` backend. `weft.mpi4py_fft` has the interface of mpi4py-fft.

Importing the package imports `mpi4py.MPI`, which initializes MPI.
"""

import importlib
from typing import TYPE_CHECKING

from weft._mpi import load_core as _load_core

_load_core()

from weft._axes import (  # noqa: E402
    derivative_wavenumbers,
    good_length,
    grid_points,
    rounding_error_bound,
    wavenumbers,
)
from weft._build import VERSION as __version__  # noqa: E402
from weft._calculus import Calculus  # noqa: E402
from weft._callbacks import Block  # noqa: E402
from weft._convolution import Convolution  # noqa: E402
from weft._errors import Error, ErrorCode  # noqa: E402
from weft._halo import Halo  # noqa: E402
from weft._kept_plans import clear_plans, set_plan_limit  # noqa: E402
from weft._layout import (  # noqa: E402
    Layout,
    box,
    boxes,
    brick,
    grid,
    parse_layout,
    pencil_along,
    slab_split,
)
from weft._local_array import Box, LocalArray  # noqa: E402
from weft._long_transform import LongTransform  # noqa: E402
from weft._plan import Plan  # noqa: E402
from weft._plan_info import PlanChoice, PlanInfo, PlanTrial  # noqa: E402
from weft._report import (  # noqa: E402
    RedistributionReport,
    Report,
    SampledError,
    StageTiming,
)
from weft._tables import (  # noqa: E402
    Choice,
    Option,
    list_codecs,
    list_devices,
    list_exchanges,
    list_kinds,
    list_local_transforms,
    list_options,
)
from weft._trace import Trace  # noqa: E402
from weft._wavenumbers import Wavenumbers  # noqa: E402
from weft._wisdom import (  # noqa: E402
    WisdomRecord,
    export_fftw_wisdom,
    forget_wisdom,
    import_fftw_wisdom,
    merge_wisdom,
    read_wisdom,
)
from weft.distarray import DistArray, load, load_hdf5, save_hdf5  # noqa: E402

if TYPE_CHECKING:
    from weft import fft
    from weft._scipy_backend import scipy_backend


def __getattr__(name: str) -> object:
    """Imports what needs SciPy when it is first asked for."""
    if name == "fft":
        return importlib.import_module("weft.fft")
    if name == "scipy_backend":
        return importlib.import_module("weft._scipy_backend").scipy_backend
    raise AttributeError(f"module 'weft' has no attribute {name!r}")


__all__ = [
    "Block", "Box", "Calculus", "Choice", "Convolution", "DistArray", "Error", "ErrorCode", "Halo",
    "Layout", "LocalArray", "LongTransform", "Option", "Plan", "PlanChoice", "PlanInfo",
    "PlanTrial", "RedistributionReport", "Report", "SampledError", "StageTiming", "Trace",
    "Wavenumbers", "WisdomRecord", "__version__", "box", "boxes", "brick", "clear_plans",
    "derivative_wavenumbers", "export_fftw_wisdom", "fft", "forget_wisdom", "good_length", "grid",
    "grid_points", "import_fftw_wisdom", "list_codecs", "list_devices", "list_exchanges",
    "list_kinds", "list_local_transforms", "list_options", "load", "load_hdf5", "merge_wisdom",
    "parse_layout", "pencil_along", "read_wisdom", "rounding_error_bound", "save_hdf5",
    "scipy_backend", "set_plan_limit", "slab_split", "wavenumbers",
]
