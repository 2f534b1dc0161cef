"""Plans between two geometries, kept for the next time."""

from __future__ import annotations

from typing import Any

import numpy

from weft._plan import Plan
from weft.distarray.device import current_device
from weft.distarray.geometry import Geometry


def planned(
    physical: Geometry, spectral: Geometry, dtype: numpy.dtype, device: str, **problem: Any
) -> Plan:
    """A plan whose two sides are these, from the cache where there is one. Collective.

    Parameters
    ----------
    physical, spectral
        Input and output of `forward`.
    dtype
        Of the numbers in physical space.
    problem
        Further arguments of `weft.Plan`; `shape` where it is not that of `physical`.

    Raises
    ------
    weft.Error
        On every rank, where the plan cannot be made.
    """
    shape = problem.pop("shape", physical.shape)
    context = physical.context

    def make() -> Plan:
        return Plan(shape, dtype, context.comm, input=physical.layout, output=spectral.layout,
                    device=device, device_number=current_device(device), **problem)

    key = (physical.number, spectral.number, shape, dtype.str, device, *sorted(problem.items()))
    return context.plans.get(key, make)
