"""Runs the functions check_*(comm) of a module, given by name, on all ranks; prints a line of JSON
for each of them. A check that hangs ends the job."""

import faulthandler
import importlib
import json
import sys
import traceback
from pathlib import Path

from mpi4py import MPI

# Random layouts are those of the tests of plans.
sys.path.append(str(Path(__file__).parents[1] / "mpi"))

LIMIT = 120  # seconds for each check: a machine that has other work to do takes many times as long


def failure(check, comm):
    try:
        check(comm)
        return ""
    except Exception:  # noqa: BLE001 - any failure is reported by all ranks
        return f"on rank {comm.rank}: {traceback.format_exc()}"


def main():
    comm = MPI.COMM_WORLD
    module = importlib.import_module(sys.argv[1])
    for name, check in list(vars(module).items()):  # warnings make an entry while checks run
        if not name.startswith("check_"):
            continue
        faulthandler.dump_traceback_later(LIMIT, exit=True)
        failures = comm.allgather(failure(check, comm))
        if comm.rank == 0:
            print("result", json.dumps([name, "\n".join(filter(None, failures))]), flush=True)
    faulthandler.cancel_dump_traceback_later()


if __name__ == "__main__":
    main()
