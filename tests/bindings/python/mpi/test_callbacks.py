"""Callbacks of transforms, in Python and of the library."""

import threading
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from helpers import fails, near, part_of, random_array
from mpi4py import MPI
from random_problem import backward, forward, pick, random_problem

import weft

SHAPE = (12, 10, 9)


def do_nothing(values: np.ndarray, block: weft.Block) -> None:
    pass


class Placed:
    """Multiplies each number by one of its place and field, and counts how often it saw it. Fields
    are those of a batch, of each of `many` calls in one."""

    def __init__(self, shape: tuple[int, ...], batch: int, side: weft.LocalArray,
                 many: int = 1) -> None:
        points = np.arange(np.prod(shape)).reshape(shape) + 1.0
        self.factors = np.multiply.outer(np.arange(many * batch) + 1, points)  # fields first
        self.side = side
        self.batch = batch
        self.seen = np.zeros((many, *side.shape), int)
        self.lock = threading.Lock()

    def __call__(self, values: np.ndarray, block: weft.Block) -> None:
        with self.lock:
            self.seen[block.fields.start // self.batch][block.here] += 1
        factors = self.factors[(slice(block.fields.start, block.fields.stop), *block.box.slices)]
        axis = self.side.field_axis
        factors = factors[0] if axis is None else np.moveaxis(factors, 0, axis)
        assert factors.shape == values.shape
        indices = np.broadcast_arrays(*block.index, values)[:-1]
        assert all(np.array_equal(index.shape, values.shape) for index in indices)
        values *= factors


@pytest.mark.parametrize("turn", range(60))
def test_random_problems(comm: MPI.Intracomm, turn: int) -> None:
    """One field, or several at a time; forward, or backward."""
    random = np.random.default_rng([turn, comm.size, 2])
    problem = random_problem(random, comm.size, comm.rank)
    many = int(random.integers(1, 6)) if turn % 2 else 1
    is_forward = bool(random.integers(2))
    with problem.plan(comm, fields_in_flight=pick(random, (1, 2, 3)),
                      tile_bytes=pick(random, (0, 4096))) as plan:
        shapes = [problem.points, problem.modes()]
        sides = [plan.input, plan.output]
        if not is_forward:
            shapes.reverse()
            sides.reverse()
        reader, writer = (Placed(shape, problem.batch, side, many)
                          for shape, side in zip(shapes, sides))
        u = random_array(random, (many * problem.batch, *shapes[0]), sides[0].dtype)
        if not is_forward and problem.half_axis is not None:
            # Coefficients of real fields, also once they have been multiplied by their places.
            wanted = reader.factors * u
            u = (forward(np.real(backward(wanted.astype(np.clongdouble), problem)), problem)
                 / reader.factors).astype(sides[0].dtype)
        fields = [slice(k * problem.batch, (k + 1) * problem.batch) for k in range(many)]
        parts = [part_of(u[some], sides[0]) for some in fields]
        before = [part.copy() for part in parts]
        outs = [sides[1].empty() for _ in fields]
        for out in outs:
            out[...] = np.nan
        if turn % 2:
            run = plan.forward_many if is_forward else plan.backward_many
            assert run(parts, outs, on_input=reader, on_output=writer)[0] is outs[0]
        else:
            (plan.forward if is_forward else plan.backward)(parts[0], outs[0], on_input=reader,
                                                            on_output=writer)
        if not problem.options["overwrite_input"]:
            np.testing.assert_array_equal(parts, before)
        assert (reader.seen == 1).all() and (writer.seen == 1).all()
        wide = np.clongdouble if sides[0].dtype.kind == "c" else np.longdouble
        transform = forward if is_forward else backward
        exact = transform((reader.factors * u).astype(wide), problem) * writer.factors
        if sides[1].dtype.kind != "c":
            exact = exact.real
        is_single = sides[1].dtype.name in ("float32", "complex64")
        for out, some in zip(outs, fields):
            near(comm, out, part_of(exact[some], sides[1]), 1e-5 if is_single else 1e-14)


def test_a_result_is_assigned(comm: MPI.Intracomm) -> None:
    with weft.Plan(SHAPE, np.float64, comm, kinds="r2c", output="pencil:1") as plan:
        u = plan.input.zeros() + 1
        out = plan.forward(u, on_input=lambda values, block: 2 * values,
                           on_output=lambda values, block: values + 1j * block.index[1])
        exact = np.fft.rfftn(np.full(SHAPE, 2.0)) + 1j * np.arange(10)[:, None]
        np.testing.assert_allclose(out, exact[plan.output.box.slices], atol=1e-12)
        back = plan.backward(out, on_input=lambda values, block: None,
                             on_output=lambda values, block: block.index[0])
        np.testing.assert_array_equal(
            back, np.broadcast_to(np.arange(12)[:, None, None], SHAPE)[plan.input.box.slices])


def runs(plan: weft.Plan) -> list[tuple[Callable[..., Any], Any]]:
    """Transforms of one field and of many, with what they take."""
    return [(plan.forward, plan.input.zeros()),
            (plan.forward_many, [plan.input.zeros() for _ in range(3)])]


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("side", ["on_input", "on_output"])
def test_an_exception_is_one_of_all_ranks(comm: MPI.Intracomm, side: str, threads: int) -> None:
    culprit = comm.size - 1

    def fail(values: np.ndarray, block: weft.Block) -> None:
        if comm.rank == culprit:
            raise LookupError("no such number")

    with weft.Plan((24, 10, 9), comm=comm, output="slab:1", threads=threads,
                   tile_bytes=4096) as plan:
        for run, given in runs(plan):
            error = fails(comm, "LookupError: no such number", lambda: run(given, **{side: fail}))
            assert comm.size == 1 or f"rank {culprit}" in str(error)
            assert isinstance(error.__cause__, LookupError) == (comm.rank == culprit)
        u = plan.input.zeros()
        np.testing.assert_array_equal(plan.forward(u), plan.output.zeros())  # it is still usable


def test_exceptions_of_every_kind(comm: MPI.Intracomm) -> None:
    class Odd(BaseException):
        pass

    def fail(values: np.ndarray, block: weft.Block) -> None:
        raise Odd()

    with weft.Plan(SHAPE, comm=comm) as plan:
        u = plan.input.zeros()
        assert str(fails(comm, "Odd", lambda: plan.forward(u, on_output=fail))).endswith("Odd")
        wrong: Any = lambda values: None  # noqa: E731
        fails(comm, "TypeError", lambda: plan.forward(u, on_output=wrong))
        fails(comm, "broadcast", lambda: plan.forward(
            u, on_output=lambda values, block: np.zeros((7, 7, 7, 7))))


def test_what_is_no_callback(comm: MPI.Intracomm) -> None:
    last = comm.rank == comm.size - 1
    with weft.Plan(SHAPE, comm=comm) as plan, weft.Plan((8, 6), comm=comm) as other:
        waves = weft.Wavenumbers(plan, (1, 1, 1))
        for run, given in [*runs(plan), (plan.forward_many, [])]:
            fails(comm, "on_input is not callable: 'int'",
                  lambda: run(given, on_input=7 if last else do_nothing))
            fails(comm, "on_input: laplacian() is for coefficients",
                  lambda: run(given, on_input=waves.laplacian()))
            if comm.size > 1:
                fails(comm, "only some ranks",
                      lambda: run(given, on_output=do_nothing if comm.rank == 0 else None))
        fails(comm, "derivative(0) is that of another plan",
              lambda: other.backward(other.output.zeros(), on_input=waves.derivative(0)))
        fails(comm, "has shape",
              lambda: plan.forward(plan.input.zeros()[..., :-1], on_input=do_nothing))
        assert plan.forward_many([], on_input=do_nothing) == []
    with weft.Plan(SHAPE, comm=comm, device="emulated") as plan:
        for run, given in runs(plan):
            fails(comm, "", lambda: run(given, on_input=do_nothing))


def test_callbacks_cannot_call_plans(comm: MPI.Intracomm) -> None:
    with weft.Plan(SHAPE, comm=comm) as plan:
        u = plan.input.zeros()
        calls: list[Callable[[], Any]] = [
            lambda: plan.forward(u), lambda: weft.Plan((4, 4), comm=MPI.COMM_SELF), plan.destroy,
            plan.describe]
        for call in calls:
            fails(comm, "a callback cannot make, use or destroy plans",
                  lambda: plan.forward(u, on_input=lambda values, block: call()))
        # What is collected meanwhile is destroyed later.
        dropped = [weft.Plan((4, 4), comm=MPI.COMM_SELF)]
        plan.forward(u, on_input=lambda values, block: dropped.clear())
        assert not dropped
    before = weft._core.living_plans()
    with weft.Plan((4, 4), comm=comm):
        assert weft._core.living_plans() == before  # one more, and one less


def test_python_runs_beside_a_transform(comm: MPI.Intracomm) -> None:
    """Python's lock is free while callbacks wait for nothing but it."""
    turns = 0
    ended = threading.Event()

    def count() -> None:
        nonlocal turns
        while not ended.is_set():
            turns += 1
            time.sleep(0.0005)

    thread = threading.Thread(target=count)
    thread.start()
    with weft.Plan((32, 32, 32), comm=comm, output="slab:1", threads=2) as plan:
        u = plan.input.zeros()
        for _ in range(5):
            plan.forward(u, on_input=do_nothing)
    ended.set()
    thread.join()
    assert turns > 0
