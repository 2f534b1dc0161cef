"""What weft raises."""

from __future__ import annotations

import enum


class ErrorCode(str, enum.Enum):
    """What an error is about, so that programs can tell what they may do. Each equals its name:
    ``error.code == "memory"``."""

    argument = "argument"  #: an argument makes no sense, or the call does not at this time
    unsupported = "unsupported"  #: this build of the library, or this machine, cannot do it
    memory = "memory"  #: there is not enough memory
    mpi = "mpi"  #: a call of MPI failed
    device = "device"  #: a call of a device's libraries failed
    file = "file"  #: a file cannot be read or written
    callback = "callback"  #: a function of the caller failed

    __str__ = str.__str__


class Error(RuntimeError):
    """Every failure of the library. Calls that are collective raise it on every rank, with the same
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
