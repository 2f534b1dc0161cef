"""How many plans are kept for later calls: those of `DistArray` and of `weft.fft`."""

from __future__ import annotations

import operator
import sys
from typing import Any

from mpi4py import MPI

from weft.distarray.collective import context_of, known_context

#: That of `weft.fft`, where it is not imported yet.
_limit_of_process: int | None = None


def _pool() -> Any:
    """Plans of `weft.fft`; None before it is imported, which needs SciPy."""
    return getattr(sys.modules.get("weft.fft._pool"), "pool", None)


def limit_of_process(default: int) -> int:
    """How many plans `weft.fft` keeps."""
    return default if _limit_of_process is None else _limit_of_process


def set_plan_limit(limit: int, comm: MPI.Intracomm | None = None) -> None:
    """Sets how many plans are cached. Collective.

    `DistArray` caches the plans used last on each communicator, by default 16, and `weft.fft` those
    of this process, by default 64, with workspaces of up to 512 MiB.

    Parameters
    ----------
    limit
        At least 1.
    comm
        The communicator of the arrays. `MPI.COMM_SELF` means the plans of this process, including
        those of `weft.fft`. The default means these and the plans on `MPI.COMM_WORLD`.

    Raises
    ------
    ValueError
        On every rank, if the limit is below 1 or differs between ranks.
    """
    global _limit_of_process
    context = context_of(comm)

    def check() -> int:
        number = operator.index(limit)
        if number < 1:
            raise ValueError(f"limit of plans {limit}: at least 1 is needed")
        return number

    number = context.collectively(f"set_plan_limit({limit})", check)
    for each in (context, context_of(MPI.COMM_SELF)) if comm is None else (context,):
        each.plans.limit = number
        each.plans.shrink(number)
    if comm is None or comm == MPI.COMM_SELF:
        _limit_of_process = number
        if (pool := _pool()) is not None:
            pool.set_limit(number)


def clear_plans(comm: MPI.Intracomm | None = None) -> None:
    """Frees the cached plans and their memory. Collective if there were distributed arrays.

    Parameters
    ----------
    comm
        As for `set_plan_limit`.
    """
    for each in (MPI.COMM_WORLD, MPI.COMM_SELF) if comm is None else (comm,):
        if (context := known_context(each)) is not None:
            context.plans.shrink(0)
    if (comm is None or comm == MPI.COMM_SELF) and (pool := _pool()) is not None:
        pool.clear()
