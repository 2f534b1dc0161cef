"""Results of tuning, `weft limits` and FFTW, kept in files."""

from __future__ import annotations

import os
from typing import NamedTuple

from numpy.typing import DTypeLike

from weft import _core
from weft._request import number_type


class WisdomRecord(NamedTuple):
    """A remembered result for one kind of machine.

    Attributes
    ----------
    problem : str
        The transform and the options that were given; empty for limits of the machine.
    machine : str
        Processor or device, ranks, threads and MPI library.
    settings : str
        The options found to be best, such as ``"exchange=p2p, chunks=8"``; of limits, figures.
    seconds : float
        Of forward and backward with them; 0 for limits.
    default_seconds : float
        Of both with the defaults, measured beside them.
    date : str
        Of the measurement, ``"2026-11-25"``.
    """

    problem: str
    machine: str
    settings: str
    seconds: float
    default_seconds: float
    date: str


def read_wisdom(path: str | os.PathLike[str] | None = None) -> list[WisdomRecord]:
    """Reads a file of wisdom: a list of `WisdomRecord` in the order of its lines. The last of
    several equal ones counts.

    Parameters
    ----------
    path : str or path, optional
        Default: the environment variable ``WEFT_WISDOM``, or the file of this user.

    Raises
    ------
    weft.Error
        If the file cannot be read.
    """
    return [WisdomRecord(*record) for record in _core.read_wisdom(_text_of(path))]


def merge_wisdom(source: str | os.PathLike[str], target: str | os.PathLike[str] | None = None,
                 ) -> int:
    """Adds the records of one file to another, by default that of `read_wisdom`; returns how many
    there were. Not collective.

    Raises
    ------
    weft.Error
        If there are none, or a file cannot be read or written.
    """
    return _core.merge_wisdom(os.fspath(source), _text_of(target))


def forget_wisdom(text: str, path: str | os.PathLike[str] | None = None) -> int:
    """Removes the records of a file, by default that of `read_wisdom`, that have a text in their
    problem, machine or settings; returns how many. Not collective. Raises `weft.Error` if the file
    cannot be read or written."""
    return _core.forget_wisdom(text, _text_of(path))


def _text_of(path: str | os.PathLike[str] | None) -> str | None:
    return None if path is None else os.fspath(path)


def import_fftw_wisdom(path: str | os.PathLike[str], dtype: DTypeLike) -> None:
    """Imports FFTW's wisdom from a file, for all plans made afterwards with a rigor above
    ``"estimate"``. Local to the calling process.

    Parameters
    ----------
    path : str or path
    dtype : dtype
        Of single or double precision: each has a wisdom of its own.

    Raises
    ------
    weft.Error
        If the file cannot be read.
    """
    _core.import_fftw_wisdom(os.fspath(path), number_type(dtype)[0])


def export_fftw_wisdom(path: str | os.PathLike[str], dtype: DTypeLike) -> None:
    """Exports FFTW's wisdom to a file, for `import_fftw_wisdom`, with the same arguments; raises
    `weft.Error` if the file cannot be written."""
    _core.export_fftw_wisdom(os.fspath(path), number_type(dtype)[0])
