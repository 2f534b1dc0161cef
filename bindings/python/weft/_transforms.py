"""The transforms of a plan: of one field, of many, and those that are started and waited for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from weft import _core
from weft._callbacks import MaybeCallback, called, failures_of
from weft._collective import Collective
from weft._local_array import LocalArray, new_result


class Transforms(Collective[_core.Plan]):
    """What a `Plan` does. All of it is collective."""

    _input: LocalArray
    _output: LocalArray

    def forward(self, x: Any, out: Any = None, *, on_input: MaybeCallback = None,
                on_output: MaybeCallback = None) -> Any:
        """Transforms to spectral space. Collective.

        Parameters
        ----------
        x : array
            An array as described by `input`.
        out : array, optional
            An array as described by `output`; may share the memory of `x`. By default a new array,
            of CuPy where `x` is, else of NumPy.
        on_input, on_output : callable or operator, optional
            Callbacks for the numbers that are read, and for those that are written:
            ``callback(values, block)`` with a block of numbers, as an array that may be changed in
            place and is there during the call only, and the `Block` that tells their global
            indices; what it returns, unless that is None, is assigned to them. It is called for
            each number once (`on_input`: again where messages are sent once more), in any order,
            and with Python's lock, also by other threads; it must not call plans, nor what waits
            for other ranks. The input itself stays as it is. Or operators of `Wavenumbers`, which
            run without Python. All ranks must give callbacks for the same sides. Plans on devices
            take operators only, but for those of `Wavenumbers.filter`.

        Returns
        -------
        array
            `out`.

        Raises
        ------
        weft.Error
            If an array of any rank does not fit, or the plan has been destroyed. Or if a callback
            raised anything on any rank: after the transform, on all ranks, with its text; where
            that happened, the exception itself is the cause of the error.
        """
        return self._run(True, x, out, on_input, on_output)

    def backward(self, x: Any, out: Any = None, *, on_input: MaybeCallback = None,
                 on_output: MaybeCallback = None) -> Any:
        """Transforms to physical space: as `forward`, but `x` is as described by `output`, and
        `out` by `input` does. Collective."""
        return self._run(False, x, out, on_input, on_output)

    def forward_many(self, xs: Sequence[Any], outs: Sequence[Any] | None = None, *,
                     on_input: MaybeCallback = None, on_output: MaybeCallback = None) -> list[Any]:
        """Transforms several fields to spectral space, `fields_in_flight` at a time. Collective.

        Parameters
        ----------
        xs : sequence of arrays
            Arrays as described by `input`. Their number must be the same on all ranks.
        outs : sequence of arrays, optional
            As many arrays, as described by `output`; new arrays by default, as in `forward`. One
            may be in the memory of its own input, but not of another one.
        on_input, on_output : callable or operator, optional
            As in `forward`, for the numbers of all fields: ``block.fields`` tells which one they
            are of, counted on from field to field, and with a batch within a field.

        Returns
        -------
        list of arrays
            `outs`.
        """
        return self._run_many(True, xs, outs, on_input, on_output)

    def backward_many(self, xs: Sequence[Any], outs: Sequence[Any] | None = None, *,
                      on_input: MaybeCallback = None, on_output: MaybeCallback = None) -> list[Any]:
        """Transforms several fields to physical space: as `forward_many`, but each of `xs` is as
        `output` tells, and each of `outs` as `input` does. Collective."""
        return self._run_many(False, xs, outs, on_input, on_output)

    def start_forward(self, x: Any, out: Any = None) -> Any:
        """Begins a transform to spectral space, for callers who have other work to do meanwhile.

        Collective, as `wait` is. It returns once the first messages have set out. The arrays must
        be left alone until `wait` has returned, or `test` has returned true; the plan keeps them
        alive. Until then other transforms, and traces, are refused on every rank, whatever the
        exchange.

        Parameters
        ----------
        x, out : array
            As in `forward`.

        Returns
        -------
        array
            `out`, which is complete only when the transform has ended.
        """
        return self._start(True, x, out)

    def start_backward(self, x: Any, out: Any = None) -> Any:
        """Begins a transform to physical space, with arrays as in `backward`; otherwise as
        `start_forward`."""
        return self._start(False, x, out)

    def test(self) -> bool:
        """Goes on with what has arrived of a transform that was started, without waiting.

        Returns
        -------
        bool
            Whether the transform has ended. It stays true until the next one begins.

        Raises
        ------
        weft.Error
            Where none was started.
        """
        return self._core.test()

    def wait(self) -> None:
        """Ends a transform that was started. Raises `weft.Error` where none was."""
        self._core.wait()

    def _sides(self, forward: bool) -> tuple[LocalArray, LocalArray]:
        return (self._input, self._output) if forward else (self._output, self._input)

    def _run(self, forward: bool, x: Any, out: Any, on_input: MaybeCallback,
             on_output: MaybeCallback) -> Any:
        if out is None:
            out = new_result(self._sides(forward)[1], x)
        self._call(self._core.run, forward, x, out, on_input, on_output)
        return out

    def _call(self, run: Callable[..., None], forward: bool, x: Any, out: Any,
              on_input: MaybeCallback, on_output: MaybeCallback) -> None:
        """Runs one field, or many, with callbacks."""
        if on_input is None and on_output is None:
            run(forward, x, out)
            return
        source, sink = self._sides(forward)
        callers = called(on_input, source), called(on_output, sink)
        with failures_of(*callers):
            run(forward, x, out, *callers)

    def _start(self, forward: bool, x: Any, out: Any) -> Any:
        if out is None:
            out = new_result(self._sides(forward)[1], x)
        self._core.start(forward, x, out)
        return out

    def _run_many(self, forward: bool, xs: Sequence[Any], outs: Sequence[Any] | None,
                  on_input: MaybeCallback, on_output: MaybeCallback) -> list[Any]:
        sources = _fields(xs)
        if outs is None:
            sinks = [new_result(self._sides(forward)[1], source) for source in sources]
        else:
            sinks = _fields(outs)
        self._call(self._core.run_many, forward, sources, sinks, on_input, on_output)
        return sinks


def _fields(arrays: Any) -> list[Any]:
    """A list of fields; of something that cannot be one, one field that the plan refuses."""
    try:
        return list(arrays)
    except Exception:  # noqa: BLE001 - it is an error of all ranks
        return [None]
