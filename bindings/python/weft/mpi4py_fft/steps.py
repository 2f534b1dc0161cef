"""Transforms of groups of axes one after another, and what moves arrays between them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import numpy as np
from mpi4py import MPI

from weft.mpi4py_fft.axes import Group
from weft.mpi4py_fft.kinds import Transforms
from weft.mpi4py_fft.libfft import FFT
from weft.mpi4py_fft.pencil import Pencil, Transfer


@dataclass(frozen=True)
class Steps:
    """In the order of the way forward."""

    xfftn: list[FFT]
    transfer: list[Transfer]
    last: Pencil  #: in spectral space


def steps_of(subcomm: Sequence[MPI.Intracomm], groups: Sequence[Group], shape: Sequence[int],
             dtype: np.dtype, padding: Any, backend: str, transforms: Transforms | None,
             module: ModuleType, options: Mapping[str, Any]) -> Steps:
    """The steps of a transform; not collective.

    Parameters
    ----------
    subcomm, shape, dtype
        Of arrays in physical space.

    Raises
    ------
    ValueError
        If a group has axes that are not whole when its turn comes, or its transform refuses it.
    """
    xfftn: list[FFT] = []
    transfers: list[Transfer] = []
    pencil = Pencil(subcomm, shape, groups[-1][-1])
    for axes in reversed(groups):
        if xfftn:
            aligned = pencil.pencil(axes[-1])
            transfers.append(pencil.transfer(aligned, dtype))
            pencil = aligned
        if any(pencil.subcomm[axis].size > 1 for axis in axes):
            raise ValueError(f"axes {axes} are to be transformed together, but not all are whole")
        xfftn.append(FFT(pencil.subshape, axes, dtype, padding, backend, transforms, module=module,
                         **options))
        result = xfftn[-1].forward.output_array
        dtype = result.dtype
        lengths = list(pencil.shape)
        for axis in axes:
            lengths[axis] = result.shape[axis]
        pencil = Pencil(pencil.subcomm, lengths, pencil.axis)
    return Steps(xfftn, transfers, pencil)
