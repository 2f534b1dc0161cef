"""Timelines: what every rank does when."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
from mpi4py import MPI
from numpy.typing import NDArray

from weft import _core
from weft._errors import Error


class Trace:
    """What all ranks did between `Plan.start_trace` and `Plan.stop_trace`.

    Only rank 0 knows the spans, and the seconds that follow from them: elsewhere there are none.

    Attributes
    ----------
    ranks : int
        That took part.
    uncertainty : float
        Times of different ranks, and of the host and the device of a rank, may be off by so many
        seconds when the trace starts; clocks drift apart by some microseconds in a second.
    exchange_seconds : float
        In which exchanges are under way, in any way (lanes send, own, wait and messages); sum over
        ranks.
    hidden_seconds : float
        Of these, in which a pass of the same rank is at work too.
    spans : numpy.ndarray
        Of all ranks, with the fields

        * `rank`: whose,
        * `place`: among the fields in flight, from 0,
        * `lane`: what did it: ``"run"`` (a whole transform of a field, in which the others lie, but
          for the host's), ``"compute"``, ``"send"``, ``"own"``, ``"wait"``, ``"messages"`` or
          ``"host"``,
        * `name`: of the step, as in `Plan.timings`, or the direction,
        * `detail`: of several spans of a step, which; may be empty,
        * `direction`: ``"forward"`` or ``"backward"``,
        * `run`: calls of the plan since the start of the trace,
        * `field`: of `Plan.forward_many` and `Plan.backward_many`, otherwise 0,
        * `chunk`: of a step that is cut into chunks, otherwise 0,
        * `begin`, `end`: in seconds since the start of the trace.

    Examples
    --------
    >>> import weft
    >>> with weft.Plan((24, 20, 16), output="slab:1", chunks=2) as plan:
    ...     plan.start_trace()
    ...     uh = plan.forward(plan.input.zeros())
    ...     trace = plan.stop_trace()
    >>> passes = trace.spans[trace.spans["lane"] == "compute"]
    >>> seconds = (passes["end"] - passes["begin"]).sum()
    >>> trace.write("timeline.json")
    """

    def __init__(self, core: _core.Trace, comm: MPI.Intracomm) -> None:
        self._core = core
        self._comm = comm
        self.ranks: int = core.ranks
        self.uncertainty: float = core.uncertainty
        self.exchange_seconds, self.hidden_seconds = core.exchanges()
        self.spans: NDArray[Any] = _spans(core.rows())

    def __repr__(self) -> str:
        return f"<weft.Trace of {self.ranks} ranks, {len(self.spans)} spans>"

    def write(self, path: str | os.PathLike[str]) -> None:
        """Writes a file for ui.perfetto.dev or chrome://tracing: a process for each rank, a thread
        for each lane. Collective over the communicator that the plan was made on; rank 0 writes.

        Parameters
        ----------
        path : str or path

        Raises
        ------
        weft.Error
            If the file cannot be written; on all ranks.
        """
        if MPI.Is_finalized():
            raise Error("MPI is finalized: ranks cannot agree on a file any more")
        name, refusal = "", ""
        try:
            name = os.fsdecode(path)
        except TypeError as error:
            refusal = f"the path: {error}"
        self._core.write(self._comm.py2f(), name, refusal)


def _spans(rows: list[tuple[Any, ...]]) -> NDArray[Any]:
    # Rows are in the order of the fields; texts are as wide as the longest one.
    widest = [max((len(row[column]) for row in rows), default=1) or 1 for column in (3, 4)]
    return np.array(rows, [
        ("rank", "i4"), ("place", "i4"), ("lane", "U8"), ("name", f"U{widest[0]}"),
        ("detail", f"U{widest[1]}"), ("direction", "U8"), ("run", "i8"), ("field", "i8"),
        ("chunk", "i8"), ("begin", "f8"), ("end", "f8")])
