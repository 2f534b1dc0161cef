"""Operators of vector calculus."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from weft import _core
from weft._callbacks import MaybeCallback, called, failures_of
from weft._local_array import new_result
from weft._plan import Plan
from weft._wavenumbers import Reals, Wavenumbers


class Calculus:
    """Operators of vector calculus on fields in physical space, in the layout `Plan.input` of a
    plan whose kinds are Fourier transforms (for `laplacian`, `inverse_laplacian`, `filter` and
    `apply`: any).

    Each one transforms forward, applies the operator in a callback, and transforms backward,
    without additional memory passes. All are collective over the plan's communicator, and raise the
    same error on all ranks.

    Scalar fields are arrays; vector fields are sequences of arrays, one for each axis. Results are
    written to `out`, by default new arrays, and returned, vectors as a list. Outputs may be inputs,
    because everything is read before anything is written.

    Parameters
    ----------
    plan : Plan
        The plan is kept alive. Do not use it in two threads at a time.
    lengths : sequence of float
        Lengths of the box, one for each axis.

    Examples
    --------
    >>> import numpy as np, weft
    >>> with weft.Plan((16, 16), np.float64, kinds="r2c") as plan:
    ...     calculus = weft.Calculus(plan, (2 * np.pi, 2 * np.pi))
    ...     u = plan.input.zeros()
    ...     ux, uy = calculus.gradient(u)
    """

    def __init__(self, plan: Plan, lengths: Iterable[float]) -> None:
        self._plan = plan
        self._lengths = [float(length) for length in lengths]
        self._core = _core.Calculus(plan._core, self._lengths)
        self.waves = Wavenumbers(plan, self._lengths)  #: wavenumbers of the plan in this box

    def gradient(self, u: Any, out: Sequence[Any] | None = None) -> list[Any]:
        """The derivatives of a scalar along all axes, a vector."""
        results = self._results(u, out, len(self._lengths))
        self._core.gradient(u, results)
        return results

    def divergence(self, v: Sequence[Any], out: Any = None) -> Any:
        """The sum of the derivatives of the components of a vector along their axes, a scalar."""
        components = _listed(v)
        result = self._result(components[0] if components else None, out)
        self._core.divergence(components, result)
        return result

    def curl(self, v: Sequence[Any], out: Sequence[Any] | None = None) -> list[Any]:
        """The curl of a vector field with three components, along the first three axes."""
        components = _listed(v)
        results = self._results(components[0] if components else None, out, 3)
        self._core.curl(components, results)
        return results

    def laplacian(self, u: Any, out: Any = None) -> Any:
        """The sum of the second derivatives of a scalar, a scalar."""
        return self.apply(u, self.waves.laplacian(), out)

    def inverse_laplacian(self, f: Any, out: Any = None) -> Any:
        """Solves the Poisson equation laplacian u = f for a scalar u of mean zero. The mean of f
        must be zero."""
        return self.apply(f, self.waves.inverse_laplacian(), out)

    def filter(self, u: Any, response: Callable[[Reals], Any], out: Any = None) -> Any:
        """Multiplies every mode with a function of the length of its wave vector.

        Parameters
        ----------
        u, out : array
        response : callable
            As in `Wavenumbers.filter`. What it raises on any rank is an error on all.
        """
        try:
            operator: Any = self.waves.filter(response)
        except Exception as error:  # noqa: BLE001 - to be raised on all ranks
            operator = error
        return self.apply(u, operator, out)

    def apply(self, u: Any, function: MaybeCallback, out: Any = None) -> Any:
        """Applies any function to the coefficients.

        Parameters
        ----------
        u, out : array
        function : callable or operator
            As ``on_output`` of `Plan.forward`.
        """
        result = self._result(u, out)
        caller = called(function, self._plan.output)
        with failures_of(caller):
            self._core.apply(u, result, caller)
        return result

    def _result(self, like: Any, out: Any) -> Any:
        return new_result(self._plan.input, like) if out is None else out

    def _results(self, like: Any, out: Sequence[Any] | None, count: int) -> list[Any]:
        if out is not None:
            return _listed(out)
        return [self._result(like, None) for _ in range(count)]


def _listed(arrays: Any) -> list[Any]:
    """A list; of something that cannot be one, an empty one, which is refused on all ranks."""
    try:
        return list(arrays)
    except Exception:  # noqa: BLE001 - it is an error of all ranks
        return []
