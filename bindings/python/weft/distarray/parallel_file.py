"""Bytes of a file that all ranks write or read together, through MPI-IO."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy
from mpi4py import MPI

from weft.distarray.collective import Context

#: Bytes that a rank reads or writes at a time: MPI counts with 31 bits, and failures end a round.
CHUNK = 1 << 26


class _File:
    """A file that this rank has open on its own.

    The part of a rank is contiguous, so collective buffering would only copy it once more; and an
    MPI library that fails in a collective operation on one rank leaves the others waiting.
    """

    def __init__(self, path: str, shown: str, mode: int) -> None:
        self._shown = shown
        self._file = self._run("open", lambda: MPI.File.Open(MPI.COMM_SELF, _mpi_name(path), mode))

    def transfer(self, what: str, begin: int, data: numpy.ndarray) -> None:
        status = MPI.Status()
        move = self._file.Write_at if what == "write" else self._file.Read_at
        self._run(what, lambda: move(begin, [data, MPI.BYTE], status))
        done = status.Get_count(MPI.BYTE)
        if done != data.size:
            raise OSError(f"cannot {what} '{self._shown}': {done} of {data.size} bytes at {begin}")

    def flush(self) -> None:
        self._run("flush", self._file.Sync)

    def close(self) -> None:
        self._run("close", self._file.Close)

    def _run(self, what: str, operation: Callable[[], Any]) -> Any:
        try:
            return operation()
        except MPI.Exception as error:
            text = error.Get_error_string()
            raise OSError(f"cannot {what} '{self._shown}': {text}") from None


def write(context: Context, path: str, begin: int, data: numpy.ndarray, shown: str) -> None:
    """Collective. Writes the bytes of every rank from `begin` on into a file that exists, and
    flushes them. Messages call the file `shown`. Raises OSError on every rank."""
    _transfer(context, "write", MPI.MODE_WRONLY, path, begin, data, shown)


def read(context: Context, path: str, begin: int, data: numpy.ndarray) -> None:
    """Collective. Reads the bytes of every rank. Raises OSError on every rank."""
    _transfer(context, "read", MPI.MODE_RDONLY, path, begin, data, path)


def _transfer(
    context: Context, what: str, mode: int, path: str, begin: int, data: numpy.ndarray, shown: str
) -> None:
    """In rounds, the same number of them on all ranks; an error on any of them ends the round."""
    rounds = context.comm.allreduce(-(-data.size // CHUNK), MPI.MAX)
    file = None

    def move(at: int) -> None:
        part = data[at : at + CHUNK]
        if file is not None and part.size > 0:
            file.transfer(what, begin + at, part)

    try:
        file = context.collectively(
            f"open '{shown}'", lambda: _File(path, shown, mode) if data.size > 0 else None
        )
        for turn in range(rounds):
            context.collectively(f"{what} '{shown}'", lambda: move(turn * CHUNK))
        if what == "write":
            context.collectively(f"flush '{shown}'", lambda: file.flush() if file else None)
    finally:
        if file is not None:
            file.close()


def _mpi_name(path: str) -> str:
    """The name by which MPI finds a file: ROMIO, the MPI-IO of MPICH and its kin, takes what stands
    before a colon for a type of file system."""
    if ":" not in path or MPI.get_vendor()[0] == "Open MPI":
        return path
    return f"ufs:{path}"
