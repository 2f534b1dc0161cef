"""The interface of mpi4py-fft 2.0.6, by weft's plans.

Programs written for it run with ``from weft import mpi4py_fft`` in the place of ``import
mpi4py_fft``; with `install`; or, as they are, by ``python -m weft.mpi4py_fft program.py``.

Files, `HDF5File` and `NCFile`, are those of mpi4py-fft, which has to be installed for them.
"""

from weft.mpi4py_fft import fftw
from weft.mpi4py_fft.distarray import DistArray, Function, newDistArray
from weft.mpi4py_fft.fftw import fftlib
from weft.mpi4py_fft.installation import genuine, install
from weft.mpi4py_fft.mpifft import PFFT

#: The version whose interface this is.
__version__ = "2.0.6"

__all__ = ["PFFT", "DistArray", "Function", "fftlib", "fftw", "install", "newDistArray"]


def __getattr__(name: str) -> object:
    """What has to do with files, from mpi4py-fft."""
    if name not in ("HDF5File", "NCFile", "generate_xdmf", "io"):
        raise AttributeError(f"module 'weft.mpi4py_fft' has no attribute {name!r}")
    original = genuine()
    if original is None:
        raise ImportError(f"{name} is that of mpi4py-fft, which is not installed")
    return getattr(original, name)
