"""Plans of one process, kept for the next call that needs the same."""

from __future__ import annotations

import os
import threading
from collections import OrderedDict
from typing import NamedTuple

from mpi4py import MPI

from weft._kept_plans import limit_of_process
from weft._plan import Plan


class PlanKey(NamedTuple):
    """All that a plan of one process depends on."""

    shape: tuple[int, ...]
    dtype: str  #: in physical space
    kinds: tuple[str, ...]
    norm: str
    orthogonalize: bool | None
    threads: int
    device: str = "host"
    device_number: int = -1


def _make(key: PlanKey) -> Plan:
    # Without messages it does not matter which exchange it is, but not all make windows.
    exchange = "alltoallv" if key.device == "host" else "auto"
    return Plan(key.shape, key.dtype, MPI.COMM_SELF, kinds=key.kinds, norm=key.norm,
                orthogonalize=key.orthogonalize, threads=key.threads, exchange=exchange,
                device=key.device, device_number=key.device_number)


class PlanPool:
    """Keeps plans that nobody is using.

    A plan is taken out of the pool while it runs, so that threads never share one.

    Parameters
    ----------
    most_plans : int
        Of which the pool keeps those used last.
    most_bytes : int
        Of their workspaces together; the plan used last is always kept.
    """

    def __init__(self, most_plans: int, most_bytes: int) -> None:
        self.most_plans = most_plans
        self.most_bytes = most_bytes
        self.runs = 0  #: how many plans were taken
        self.is_usable = True  #: false in forked processes of jobs of several ranks
        self.most_threads = os.cpu_count() or 1
        self._idle: OrderedDict[PlanKey, list[tuple[Plan, int]]] = OrderedDict()
        self._count = 0
        self._bytes = 0
        self._lock = threading.Lock()
        self._making = threading.Lock()
        os.register_at_fork(after_in_child=self._forget)

    def __len__(self) -> int:
        return self._count

    def take(self, key: PlanKey) -> Plan:
        """Lends a plan; it must be given back by `put`, unless its transform failed."""
        with self._lock:
            self.runs += 1
            idle = self._idle.get(key)
            if idle is not None:
                plan, size = idle.pop()
                if not idle:
                    del self._idle[key]
                self._count -= 1
                self._bytes -= size
                return plan
        with self._making:
            return _make(key)

    def put(self, key: PlanKey, plan: Plan) -> None:
        """Takes back a plan, and frees those that have not been used for the longest time."""
        size = plan.info.workspace_bytes
        with self._lock:
            self._idle.setdefault(key, []).append((plan, size))
            self._idle.move_to_end(key)
            self._count += 1
            self._bytes += size
        self._shrink()

    def set_limit(self, most_plans: int) -> None:
        """Keeps at most so many plans from now on."""
        self.most_plans = most_plans
        self._shrink()

    def _shrink(self) -> None:
        superfluous = []
        with self._lock:
            while self._count > 1 and (self._count > self.most_plans
                                       or self._bytes > self.most_bytes):
                oldest = next(iter(self._idle))
                idle = self._idle[oldest]
                dropped, size = idle.pop(0)
                if not idle:
                    del self._idle[oldest]
                self._count -= 1
                self._bytes -= size
                superfluous.append(dropped)
        for dropped in superfluous:
            dropped.destroy()

    def clear(self) -> None:
        """Frees all plans that nobody is using."""
        with self._lock:
            plans = [plan for idle in self._idle.values() for plan, _ in idle]
            self._idle.clear()
            self._count = self._bytes = 0
        for plan in plans:
            plan.destroy()

    def _forget(self) -> None:
        """In a forked process the plans are its parent's, and locks may be held by its threads.

        MPI would take messages from its parent, if other ranks send any, and OpenMP would wait for
        threads that exist only there.
        """
        _left_to_the_parent.append(self._idle)
        self.is_usable = MPI.COMM_WORLD.size == 1
        self.most_threads = 1
        self._idle = OrderedDict()
        self._count = self._bytes = 0
        self._lock = threading.Lock()
        self._making = threading.Lock()


_left_to_the_parent: list[object] = []

#: Of all functions of `weft.fft`.
pool = PlanPool(most_plans=limit_of_process(64), most_bytes=1 << 29)
