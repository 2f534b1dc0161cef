"""Lets programs that import mpi4py_fft have weft's modules."""

from __future__ import annotations

import functools
import importlib
import sys
from types import ModuleType

#: Modules that are weft's, whatever is installed.
_REPLACED = ("distarray", "libfft", "mpifft", "pencil")
#: What is weft's only where mpi4py-fft is not installed.
_STAND_INS = ("fftw", "fftw.factory", "fftw.utilities", "fftw.xfftn")
_NAMES = ("DistArray", "Function", "PFFT", "__version__", "newDistArray")


@functools.cache
def genuine() -> ModuleType | None:
    """The package mpi4py_fft itself; None where it is not installed, or does not load."""
    try:
        return importlib.import_module("mpi4py_fft")
    except ImportError:
        return None


def install() -> None:
    """Makes ``import mpi4py_fft`` find weft's modules from now on, in this process.

    To be called before mpi4py_fft is imported: whoever has taken something from it keeps that.
    Where mpi4py-fft is installed its own `fftw` and `io` stay, as they have to do with this
    process alone and with files; elsewhere weft's `fftw` is there, and no `io`.
    """
    original = genuine()
    package = ModuleType("mpi4py_fft", "weft.mpi4py_fft in the place of mpi4py-fft.")
    package.__path__ = []  # all its modules are known
    modules = {name: importlib.import_module(f"weft.mpi4py_fft.{name}")
               for name in (*_REPLACED, *(_STAND_INS if original is None else ()))}
    ours = importlib.import_module("weft.mpi4py_fft")
    for name in _NAMES:
        setattr(package, name, getattr(ours, name))
    if original is not None:
        modules.update(fftw=original.fftw, io=original.io)
        for name in ("HDF5File", "NCFile", "generate_xdmf"):
            setattr(package, name, getattr(original, name))
    for name, module in modules.items():
        sys.modules[f"mpi4py_fft.{name}"] = module
        if "." not in name:
            setattr(package, name, module)
    package.fftlib = modules["fftw"].fftlib  # type: ignore[attr-defined]
    sys.modules["mpi4py_fft"] = package
