"""What depends on how a process begins and ends: which MPI library it has, and when MPI ends."""

import os
import subprocess
import sys
from pathlib import Path

import pytest


def run(program: str, **variables: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True,
                          timeout=120, env=os.environ | variables)


def test_other_mpi_library(tmp_path: Path) -> None:
    """mpi4py with a library of another family: stands in for one that was built so."""
    package = tmp_path / "mpi4py"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "MPI.py").write_text("def Get_library_version(): return 'MPICH Version: 4.0.2'\n"
                                    "def get_vendor(): return 'MPICH', (4, 0, 2)\n")
    from weft import _build

    if "Open MPI" not in _build.MPI_FAMILIES:
        (package / "MPI.py").write_text("def Get_library_version(): return 'Open MPI v4.1.4'\n")
    program = """
import sys
try:
    import weft
except ImportError as error:
    assert 'weft._core' not in sys.modules
    print(error)
"""
    result = run(program, PYTHONPATH=str(tmp_path))
    assert result.returncode == 0, result.stderr
    assert "mpi4py uses" in result.stdout and "MPI4PY_LIBMPI" in result.stdout
    assert f"weft was built with {' and '.join(_build.MPI_FAMILIES)}" in result.stdout


def test_another_version_of_the_mpi_library() -> None:
    program = """
from mpi4py import MPI
family = MPI.Get_library_version().split(' v')[0]
MPI.Get_library_version = lambda: MPI.get_vendor()[0] + ' v99.1'
try:
    import weft
except ImportError as error:
    print(error)
"""
    result = run(program)
    assert result.returncode == 0, result.stderr
    assert "v99.1, but weft has loaded" in result.stdout


def test_mpi_ends_before_plans() -> None:
    program = """
import numpy as np, weft, weft.fft
from mpi4py import MPI
plan = weft.Plan((8, 8))
kept = weft.Plan((8, 8))
x = plan.input.zeros()
plan.start_trace()
trace = plan.stop_trace()
weft.fft.fft([1, 2])
MPI.Finalize()
for call in (lambda: plan.forward(x), plan.wait, plan.describe, lambda: weft.Plan((8, 8)),
             lambda: weft.fft.fft([1, 2]), plan.start_trace, lambda: trace.write("never")):
    try:
        call()
    except weft.Error as error:
        print(error)
plan.destroy()
del kept
"""
    result = run(program)
    assert result.returncode == 0, result.stderr
    assert result.stdout.count("MPI is finalized") == 7
    assert result.stderr == ""


def test_process_ends_before_plans() -> None:
    result = run("import weft\nplan = weft.Plan((8, 8))\nplan.start_forward(plan.input.zeros())")
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")


@pytest.mark.parametrize("level", ["serialized", "multiple"])
def test_threads_and_levels_of_mpi(level: str) -> None:
    """Threads that run plans, one of which is shared, and make and forget others."""
    program = f"""
import threading, mpi4py
mpi4py.rc.thread_level = {level!r}
import numpy as np, weft
from mpi4py import MPI
shared = weft.Plan((24, 20))
wrong = []
def work(number):
    x = np.random.default_rng(number).standard_normal((24, 20)) + 0j
    for repeat in range(100):
        own = weft.Plan((24, 20), comm=MPI.COMM_SELF) if repeat % 10 == 0 else shared
        if not abs(own.forward(x) - np.fft.fftn(x)).max() < 1e-11:
            wrong.append(repeat)
        shared.timings()
threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
print(MPI.Query_thread() == MPI.THREAD_{level.upper()}, wrong)
"""
    result = run(program, OMP_NUM_THREADS="1")
    assert (result.stdout.strip(), result.stderr) == ("True []", "")


@pytest.mark.parametrize("flags", [[], ["-X", "dev"]])
def test_no_warnings(flags: list[str]) -> None:
    program = "import weft.fft; weft.fft.fftn([[1.0, 2], [3, 4]]); print(weft.list_kinds()[0].name)"
    result = subprocess.run([sys.executable, "-W", "error", *flags, "-c", program],
                            capture_output=True, text=True, timeout=120)
    assert (result.returncode, result.stdout.strip(), result.stderr) == (0, "none", "")
