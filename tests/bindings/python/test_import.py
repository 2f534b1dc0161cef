"""What `import weft` says where it cannot work."""

import os
import subprocess
import sys

BUILT_FOR_MPICH = """
import sys, types
sys.modules["weft._build"] = types.SimpleNamespace(MPI_FAMILIES=("MPICH",), VERSION="0")
"""


def failure(code, **changes):
    """The last words of a program that must fail to import weft."""
    environment = {n: v for n, v in os.environ.items() if n != "MPI4PY_MPIABI"} | changes
    run = subprocess.run([sys.executable, "-c", f"{code}\nimport weft"], env=environment,
                         capture_output=True, text=True, timeout=60)
    assert run.returncode == 1
    return run.stderr[run.stderr.rindex("ImportError: "):]


def test_without_an_mpi_library():
    words = failure("", MPI4PY_LIBMPI="/nowhere/libmpi.so")
    assert "mpi4py does not load: " in words and "/nowhere/libmpi.so" in words
    assert "Install an MPI library" in words


def test_with_another_mpi_library():
    words = failure(BUILT_FOR_MPICH, MPI4PY_MPIABI="openmpi")
    assert "mpi4py uses Open MPI v" in words and "weft was built with MPICH" in words
