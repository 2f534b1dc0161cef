"""How programs end whose arrays and plans are still there: nobody waits."""

import pytest
from jobs import run_on_ranks

USE = """
import sys
import numpy as np
from mpi4py import MPI
import weft
comm = MPI.COMM_WORLD
a = weft.DistArray.ones((6, 8), layout="slab:0")
b = a.rfftn(layout="slab:1").irfftn(s=(6, 8))
part = comm.Split(comm.rank % 2)
c = weft.DistArray.ones((6, 8), comm=part).fftn(s=(7, 8))
"""


@pytest.mark.parametrize(
    "end, status",
    [
        ("", 0),
        ("sys.exit(3)", 3),
        ("MPI.Finalize()", 0),
        ("part.Free(); MPI.Finalize()", 0),
        ("del a, b, c; MPI.Finalize()", 0),
        ("raise SystemExit", 0),
        ("raise KeyError('on all ranks')", 1),
    ],
)
def test_programs_end(tmp_path, end, status):
    (tmp_path / "program.py").write_text(USE + end)
    done = run_on_ranks(3, "program.py", folder=tmp_path)
    assert done.returncode == status, done.stderr
    assert "Traceback" not in done.stderr or "on all ranks" in done.stderr


def test_exception_on_one_rank_ends_the_job(tmp_path):
    (tmp_path / "program.py").write_text(USE + "if comm.rank == 1: raise KeyError('here')\na.sum()")
    done = run_on_ranks(3, "-m", "mpi4py", "program.py", folder=tmp_path)
    assert done.returncode != 0 and "KeyError: 'here'" in done.stderr
