"""Wavenumbers of the coefficients of a plan, and operators made of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from weft import _core
from weft._plan import Plan, Reals


class Wavenumbers:
    """Angular wavenumbers of the coefficients of a plan, for a box of given lengths.

    They are available as arrays for this rank's coefficients, which broadcast against the result of
    `Plan.forward` (for batches, against one field), and as callbacks that run without Python:
    ``plan.backward(uh, ux, on_input=waves.derivative(0))``. Nothing is collective. The plan may be
    destroyed afterwards.

    Parameters
    ----------
    plan : Plan
    lengths : sequence of float
        Of the box, one for each axis.

    Raises
    ------
    weft.Error
        If the lengths are not positive, or not as many as axes.
    """

    def __init__(self, plan: Plan, lengths: Iterable[float]) -> None:
        self._core = _core.Wavenumbers(plan._core, [float(length) for length in lengths])
        self._box = plan.output.box

    def k(self, axis: int) -> Reals:
        """Wavenumbers of this rank's coefficients along an axis: an array of float64 with one entry
        along the other axes, so that it broadcasts."""
        return self._numbers(axis, of_derivative=False)

    def derivative_k(self, axis: int) -> Reals:
        """Factors of first derivatives: the same as `k`, but zero for the Nyquist mode. See
        `derivative_wavenumbers`."""
        return self._numbers(axis, of_derivative=True)

    def _numbers(self, axis: int, *, of_derivative: bool) -> Reals:
        lower, upper = self._box
        numbers = np.array(self._core.numbers(axis, of_derivative))[lower[axis]:upper[axis]]
        return numbers.reshape([-1 if other == axis else 1 for other in range(len(lower))])

    def k_squared(self) -> Reals:
        """Squares of the lengths of the wave vectors of this rank's coefficients: an array of
        float64 with the shape of this rank's box."""
        total = np.zeros(self._box.extents)
        for axis in range(len(self._box.lower)):
            total += self.k(axis) ** 2
        return total

    def derivative(self, axis: int) -> _core.Operator:
        """The derivative along an axis.

        Parameters
        ----------
        axis : int
            It must have a Fourier transform.

        Returns
        -------
        operator
            For ``on_input`` of `Plan.backward` or ``on_output`` of `Plan.forward`.

        Raises
        ------
        weft.Error
            If the axis has another kind, or is none.
        """
        return self._core.derivative(axis)

    def laplacian(self) -> _core.Operator:
        """The sum of the second derivatives, as an operator."""
        return self._core.laplacian()

    def inverse_laplacian(self) -> _core.Operator:
        """What solves the Poisson equation laplacian u = f, as an operator. The constant part,
        which f must not have, becomes zero."""
        return self._core.inverse_laplacian()

    def filter(self, response: Callable[[Reals], Any]) -> _core.Operator:
        """Multiplies coefficients by a function of the length of their wave vectors. For plans on
        the host.

        Parameters
        ----------
        response : callable
            Called once, with an array of these lengths of all coefficients of this rank (which may
            be none); returns a factor for each, or one for all.

        Returns
        -------
        operator
        """
        lengths = np.sqrt(self.k_squared())
        factors = np.asarray(response(lengths))
        if not np.can_cast(factors.dtype, np.float64, "same_kind"):
            raise TypeError(f"the response must be real, not {factors.dtype}")
        whole = np.broadcast_to(factors, lengths.shape).astype(np.float64)
        return self._core.factors(np.ascontiguousarray(whole))
