"""MPI jobs of the tests: WEFT_PYTHON is a Python that has weft, by default the one of the tests,
WEFT_MPIRUN the MPI launcher with its flags."""

import os
import shlex
import subprocess
import sys

#: For all checks of a file, which take seconds; many times as long on a machine that is busy.
TIMEOUT = 300


def run_on_ranks(ranks, *arguments, folder):
    launcher = shlex.split(os.environ.get("WEFT_MPIRUN", "mpirun"))
    python = os.environ.get("WEFT_PYTHON", sys.executable)
    return subprocess.run([*launcher, "-n", str(ranks), python, *map(str, arguments)], cwd=folder,
                          stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=TIMEOUT)
