"""What weft raises."""

from __future__ import annotations

import enum


class ErrorCode(str, enum.Enum):
    """The kind of an error, for programs that react to it. Each equals its name:
    ``error.code == "memory"``."""

    argument = "argument"  #: an argument is invalid, or the call is not allowed at this time
    unsupported = "unsupported"  #: this build of the library, or this machine, cannot do it
    memory = "memory"  #: there is not enough memory
    mpi = "mpi"  #: an MPI call failed
    device = "device"  #: a call to a device library failed
    file = "file"  #: a file cannot be read or written
    callback = "callback"  #: a callback failed

    __str__ = str.__str__


class Error(RuntimeError):
    """The exception of the library. Collective calls raise it on every rank, with the same
    text and the same code.

    Parameters
    ----------
    text : str
    code : ErrorCode or str, optional
        What it is about.
    """

    __module__ = "weft"

    code: ErrorCode  #: what it is about

    def __init__(self, text: str = "", code: ErrorCode | str = ErrorCode.argument) -> None:
        super().__init__(text)
        self.code = ErrorCode(code)
