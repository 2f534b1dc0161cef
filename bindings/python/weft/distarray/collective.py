"""What distributed arrays share on one communicator, and errors that come on all of its ranks."""

from __future__ import annotations

import atexit
import hashlib
import itertools
import pickle
import sys
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any, TypeVar

import numpy
from mpi4py import MPI

T = TypeVar("T")

#: Plans kept on each communicator until others take their place. Each has a workspace of about the
#: size of an array.
DEFAULT_PLAN_LIMIT = 16
#: Layouts kept likewise; each knows the box of every rank.
GEOMETRY_LIMIT = 64


class BoundedCache:
    """Keeps the values used last.

    Ranks that look up the same keys in the same order drop the same values in the same order, which
    is what makes it fit for plans: their making and destroying is collective. Nothing is left to
    the garbage collector.
    """

    def __init__(self, limit: int, drop: Callable[[Any], None] = lambda value: None) -> None:
        self._values: OrderedDict[Hashable, Any] = OrderedDict()
        self._drop = drop
        self.limit = limit

    def __len__(self) -> int:
        return len(self._values)

    def get(self, key: Hashable, make: Callable[[], T]) -> T:
        """The value of this key, made where it is missing, in the place of the oldest one."""
        if key not in self._values:
            self.shrink(self.limit - 1)
            self._values[key] = make()
        self._values.move_to_end(key)
        value: T = self._values[key]
        return value

    def shrink(self, size: int) -> None:
        while len(self._values) > size:
            self._drop(self._values.popitem(last=False)[1])


class Context:
    """A communicator of its own, with the same ranks as the caller's, and what is cached for it.

    It is attached to the caller's communicator and lives as long: `MPI_Comm_free`, or the end of
    Python, destroys the plans, on all ranks in the order in which they were last used.
    """

    def __init__(self, users: MPI.Intracomm) -> None:
        self.users = users
        self.comm = users.Dup()
        self.rank: int = users.Get_rank()
        self.size: int = users.Get_size()
        self.plans = BoundedCache(DEFAULT_PLAN_LIMIT, lambda entry: entry.destroy())
        self.geometries = BoundedCache(GEOMETRY_LIMIT)
        self._numbers = BoundedCache(GEOMETRY_LIMIT)
        self._counter = itertools.count()

    def number_of(self, value: Hashable) -> int:
        """A number that stands for a value, of which all ranks have the same."""
        return self._numbers.get(value, lambda: next(self._counter))

    def close(self) -> None:
        self.plans.shrink(0)
        self.comm.Free()

    def collectively(self, call: str, work: Callable[[], T]) -> T:
        """Collective. Does what concerns this rank alone, and then lets all ranks agree.

        Parameters
        ----------
        call
            What is called, with its arguments; the same text on every rank.
        work
            Called on this rank; it must not communicate.

        Returns
        -------
        What `work` returned.

        Raises
        ------
        Exception
            On every rank, where `work` raises on any: that of the lowest rank.
        ValueError
            On every rank, where the ranks do not call the same.
        """
        if self.comm == MPI.COMM_NULL:
            raise RuntimeError(f"{call}: its communicator has been freed")
        result, error = None, None
        try:
            result = work()
        except Exception as raised:  # noqa: BLE001 - to be raised on all ranks
            error = raised
        digest = int.from_bytes(hashlib.blake2b(call.encode(), digest_size=8).digest(), "big") >> 1
        state = numpy.array([error is not None, digest, -digest], dtype=numpy.int64)
        self.comm.Allreduce(MPI.IN_PLACE, state, op=MPI.MAX)
        if state[0]:
            errors: list[Any] = self.comm.allgather(_portable(error))
            first = next(rank for rank, other in enumerate(errors) if other is not None)
            raise errors[first] if error is None or first != self.rank else error
        if state[1] != -state[2]:
            calls = self.comm.allgather(call)
            other = next(rank for rank, text in enumerate(calls) if text != calls[0])
            raise ValueError(
                f"ranks do not call the same: rank 0 {calls[0]}, rank {other} {calls[other]}"
            )
        return result  # type: ignore[return-value]

    def on_root(self, call: str, root: int, work: Callable[[], T]) -> T:
        """Collective. Does it on one rank; every rank gets the result, or the exception."""
        result = self.collectively(call, lambda: work() if self.rank == root else None)
        sent: T = self.comm.bcast(result, root)
        return sent


def _portable(error: Exception | None) -> Exception | None:
    """An exception that survives the way to other ranks."""
    try:
        pickle.loads(pickle.dumps(error))
        return error
    except Exception:  # noqa: BLE001 - pickle raises whatever the class does
        return RuntimeError(f"{type(error).__name__}: {error}")


_contexts: list[Context] = []


def _release(_comm: MPI.Comm, _keyval: int, context: Context) -> None:
    _contexts.remove(context)
    if not MPI.Is_finalized():
        context.close()


_keyval = MPI.Comm.Create_keyval(delete_fn=_release)


def known_context(comm: MPI.Intracomm) -> Context | None:
    """The context of a communicator that has one."""
    if not isinstance(comm, MPI.Intracomm) or comm == MPI.COMM_NULL:
        raise TypeError(f"comm must be an intracommunicator of mpi4py, not {comm!r}")
    known: Any = comm.Get_attr(_keyval)
    return known if isinstance(known, Context) else None


def context_of(comm: MPI.Intracomm | None) -> Context:
    """The context of a communicator, `MPI.COMM_WORLD` by default. Collective when it is new."""
    comm = MPI.COMM_WORLD if comm is None else comm
    context = known_context(comm)
    if context is None:
        context = Context(comm)
        comm.Set_attr(_keyval, context)
        _contexts.append(context)
    return context


@atexit.register
def _at_exit() -> None:
    """Communicators that are never freed, such as the world. After an exception on this rank the
    others need not come here too, and nobody may wait for them."""
    failed = getattr(sys, "last_value", None) is not None
    if failed or MPI.Is_finalized():
        return
    for context in list(_contexts):
        context.users.Delete_attr(_keyval)
