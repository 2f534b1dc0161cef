"""What FFTW has learnt about transforms of a length, kept in files."""

from __future__ import annotations

import os

from numpy.typing import DTypeLike

from weft import _core
from weft._request import number_type


def import_fftw_wisdom(path: str | os.PathLike[str], dtype: DTypeLike) -> None:
    """Adds what FFTW learnt in earlier runs to its planner, for all plans made afterwards with a
    rigor above ``"estimate"``. Local to the calling process.

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
    """Writes what FFTW has learnt so far.

    Parameters
    ----------
    path : str or path
    dtype : dtype
        Of single or double precision.

    Raises
    ------
    weft.Error
        If the file cannot be written.
    """
    _core.export_fftw_wisdom(os.fspath(path), number_type(dtype)[0])
