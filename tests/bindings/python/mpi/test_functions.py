"""Functions on the way of a transform, in Python and of the library."""

import threading
import time
from typing import Any

import numpy as np
import pytest
from mpi4py import MPI
from random_problem import backward, forward, pick, random_problem

import weft

SHAPE = (12, 10, 9)


def same_error(comm: MPI.Intracomm, call: Any) -> weft.Error:
    with pytest.raises(weft.Error) as caught:
        call()
    assert len(set(comm.allgather(str(caught.value)))) == 1
    return caught.value


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


def local(whole: np.ndarray, side: weft.LocalArray) -> np.ndarray:
    """This rank's part of an array with the batch first."""
    part = whole[(slice(None), *side.box.slices)]
    return part[0] if side.field_axis is None else np.moveaxis(part, 0, side.field_axis)


@pytest.mark.parametrize("turn", range(30))
def test_random_problems(comm: MPI.Intracomm, turn: int) -> None:
    random = np.random.default_rng([turn, comm.size])
    problem = random_problem(random, comm.size, comm.rank)
    tile_bytes = pick(random, (0, 4096))
    with weft.Plan(problem.shape, problem.dtype, comm, kinds=problem.kinds, norm=problem.norm,
                   orthogonalize=problem.orthogonalize, batch=problem.batch,
                   **{**problem.options, "tile_bytes": tile_bytes}) as plan:
        reader = Placed(problem.points, problem.batch, plan.input)
        writer = Placed(problem.modes(), problem.batch, plan.output)
        u = random.standard_normal((problem.batch, *problem.points, 2)) @ np.array([1, 1j])
        u = (u if problem.dtype.kind == "c" else u.real).astype(problem.dtype)
        part = plan.input.empty()
        part[...] = local(u, plan.input)
        before = part.copy()
        out = plan.output.empty()
        out[...] = np.nan
        plan.forward(part, out, on_input=reader, on_output=writer)
        if not problem.options["overwrite_input"]:
            np.testing.assert_array_equal(part, before)
        assert (reader.seen == 1).all() and (writer.seen == 1).all()
        wide = np.clongdouble if problem.dtype.kind == "c" else np.longdouble
        exact = local(forward((reader.factors * u).astype(wide), problem) * writer.factors,
                      plan.output)
        squares = comm.allreduce(np.array([np.sum(abs(out - exact) ** 2), np.sum(abs(exact) ** 2)],
                                          float))
        is_single = plan.output.dtype.name in ("float32", "complex64")
        assert squares[0] ** 0.5 <= (3e-6 if is_single else 3e-15) * squares[1] ** 0.5, problem


@pytest.mark.parametrize("turn", range(30))
def test_random_problems_with_many_fields(comm: MPI.Intracomm, turn: int) -> None:
    random = np.random.default_rng([turn, comm.size, 2])
    problem = random_problem(random, comm.size, comm.rank)
    many = int(random.integers(1, 6))
    is_forward = bool(random.integers(2))
    with weft.Plan(problem.shape, problem.dtype, comm, kinds=problem.kinds, norm=problem.norm,
                   orthogonalize=problem.orthogonalize, batch=problem.batch,
                   fields_in_flight=pick(random, (1, 2, 3)),
                   **{**problem.options, "tile_bytes": pick(random, (0, 4096))}) as plan:
        shapes = [problem.points, problem.modes()]
        sides = [plan.input, plan.output]
        if not is_forward:
            shapes.reverse()
            sides.reverse()
        reader, writer = (Placed(shape, problem.batch, side, many)
                          for shape, side in zip(shapes, sides))
        u = random.standard_normal((many * problem.batch, *shapes[0], 2)) @ np.array([1, 1j])
        u = (u if sides[0].dtype.kind == "c" else u.real).astype(sides[0].dtype)
        if not is_forward and problem.half_axis is not None:
            # Coefficients of real fields, also once they have been multiplied by their places.
            wanted = reader.factors * u
            u = (forward(np.real(backward(wanted.astype(np.clongdouble), problem)), problem)
                 / reader.factors).astype(sides[0].dtype)
        parts = [sides[0].empty() for _ in range(many)]
        outs = [sides[1].empty() for _ in range(many)]
        fields = [slice(k * problem.batch, (k + 1) * problem.batch) for k in range(many)]
        for part, out, some in zip(parts, outs, fields):
            part[...] = local(u[some], sides[0])
            out[...] = np.nan
        run = plan.forward_many if is_forward else plan.backward_many
        assert run(parts, outs, on_input=reader, on_output=writer)[0] is outs[0]
        assert (reader.seen == 1).all() and (writer.seen == 1).all()
        wide = np.clongdouble if sides[0].dtype.kind == "c" else np.longdouble
        transform = forward if is_forward else backward
        exact = transform((reader.factors * u).astype(wide), problem) * writer.factors
        if sides[1].dtype.kind != "c":
            exact = exact.real
        for out, some in zip(outs, fields):
            expected = local(exact[some], sides[1])
            squares = comm.allreduce(np.array([np.sum(abs(out - expected) ** 2),
                                               np.sum(abs(expected) ** 2)], float))
            is_single = sides[1].dtype.name in ("float32", "complex64")
            assert squares[0] ** 0.5 <= (1e-5 if is_single else 1e-14) * squares[1] ** 0.5, problem


def test_operators_for_many_fields(comm: MPI.Intracomm) -> None:
    """Derivatives along axis 0 without Python, on the host and on a device."""
    x = 2 * np.pi * np.arange(12) / 12
    for device in ("host", "emulated"):
        with weft.Plan(SHAPE, np.float64, comm, kinds="r2c", output="slab:1", device=device,
                       fields_in_flight=2) as plan:
            waves = weft.Wavenumbers(plan, (2 * np.pi, 1, 1))
            here = plan.input.box.slices[0]
            fields = []
            for k in range(4):
                fields.append(plan.input.empty())
                fields[-1][...] = np.sin(k * x)[here, None, None]
            spectra = plan.forward_many(fields)
            for k, out in enumerate(plan.backward_many(spectra, on_input=waves.derivative(0))):
                expected = np.broadcast_to((k * np.cos(k * x))[here, None, None], out.shape)
                np.testing.assert_allclose(out, expected, atol=1e-12)


def test_errors_of_many_fields(comm: MPI.Intracomm) -> None:
    good: Any = lambda values, block: None  # noqa: E731

    def fail(values: np.ndarray, block: weft.Block) -> None:
        if comm.rank == comm.size - 1 and block.fields.start == 1:
            raise LookupError("no such field")

    with weft.Plan(SHAPE, comm=comm, output="slab:1") as plan:
        fields = [plan.input.zeros() for _ in range(3)]
        error = same_error(comm, lambda: plan.forward_many(fields, on_output=fail))
        assert "LookupError: no such field" in str(error)
        assert isinstance(error.__cause__, LookupError) == (comm.rank == comm.size - 1)
        outs = [plan.output.zeros() + 7 for _ in range(3)]
        last = comm.rank == comm.size - 1
        for many in (fields, []):
            error = same_error(comm, lambda: plan.forward_many(
                many, outs[:len(many)], on_input=7 if last else good))
            assert "on_input is no function, but 'int'" in str(error)
        waves = weft.Wavenumbers(plan, (1, 1, 1))
        error = same_error(comm, lambda: plan.backward_many(outs, on_output=waves.laplacian()))
        assert "on_output: laplacian() is for coefficients" in str(error)
        if comm.size > 1:
            given: Any = good if comm.rank == 0 else None
            error = same_error(comm, lambda: plan.forward_many(fields, outs, on_output=given))
            assert "only some ranks gave functions" in str(error)
        assert all((out == 7).all() for out in outs)
        assert plan.forward_many([], on_input=good) == []
        assert (plan.forward_many(fields, outs, on_input=good)[2] == 0).all()
    with weft.Plan(SHAPE, comm=comm, device="emulated") as plan:
        same_error(comm, lambda: plan.forward_many([plan.input.zeros()], on_input=good))


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


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("side", ["on_input", "on_output"])
def test_an_exception_is_one_of_all_ranks(comm: MPI.Intracomm, side: str, threads: int) -> None:
    culprit = comm.size - 1

    def fail(values: np.ndarray, block: weft.Block) -> None:
        if comm.rank == culprit:
            raise LookupError("no such number")

    with weft.Plan((24, 10, 9), comm=comm, output="slab:1", threads=threads,
                   tile_bytes=4096) as plan:
        u = plan.input.zeros()
        error = same_error(comm, lambda: plan.forward(u, **{side: fail}))
        assert "LookupError: no such number" in str(error)
        assert comm.size == 1 or f"rank {culprit}" in str(error)
        if comm.rank == culprit:
            assert isinstance(error.__cause__, LookupError)
        else:
            assert error.__cause__ is None
        np.testing.assert_array_equal(plan.forward(u), plan.output.zeros())  # it is still usable


def test_exceptions_of_every_kind(comm: MPI.Intracomm) -> None:
    class Odd(BaseException):
        pass

    def fail(values: np.ndarray, block: weft.Block) -> None:
        raise Odd()

    with weft.Plan(SHAPE, comm=comm) as plan:
        error = same_error(comm, lambda: plan.forward(plan.input.zeros(), on_output=fail))
        assert str(error).endswith("Odd")
        error = same_error(comm, lambda: plan.forward(plan.input.zeros(),
                                                      on_output=lambda values: None))
        assert "TypeError" in str(error)
        error = same_error(comm, lambda: plan.forward(
            plan.input.zeros(), on_output=lambda values, block: np.zeros((7, 7, 7, 7))))
        assert "ValueError" in str(error) and "broadcast" in str(error)


def test_what_is_no_function(comm: MPI.Intracomm) -> None:
    with weft.Plan(SHAPE, comm=comm) as plan, weft.Plan((8, 6), comm=comm) as other:
        waves = weft.Wavenumbers(plan, (1, 1, 1))
        u = plan.input.zeros()
        good: Any = lambda values, block: None  # noqa: E731
        error = same_error(comm, lambda: plan.forward(u, on_input=7 if comm.rank == 0 else good))
        assert "on_input is no function, but 'int'" in str(error)
        error = same_error(comm, lambda: plan.forward(u, on_input=waves.laplacian()))
        assert "on_input: laplacian() is for coefficients" in str(error)
        error = same_error(comm, lambda: other.backward(other.output.zeros(),
                                                        on_input=waves.derivative(0)))
        assert "derivative(0) is that of another plan" in str(error)
        if comm.size > 1:
            given: Any = good if comm.rank == 0 else None
            assert "only some ranks gave functions" in str(
                same_error(comm, lambda: plan.forward(u, on_output=given)))
        error = same_error(comm, lambda: plan.forward(u[..., :-1], on_input=good))
        assert "has shape" in str(error)
    with weft.Plan(SHAPE, comm=comm, device="emulated") as plan:
        same_error(comm, lambda: plan.forward(plan.input.zeros(), on_input=good))


def test_functions_cannot_call_plans(comm: MPI.Intracomm) -> None:
    with weft.Plan(SHAPE, comm=comm) as plan:
        u = plan.input.zeros()
        for call in (lambda: plan.forward(u), lambda: weft.Plan((4, 4), comm=MPI.COMM_SELF),
                     plan.destroy, plan.describe):
            def function(values: np.ndarray, block: weft.Block, call: Any = call) -> None:
                call()

            assert "a function on the way cannot" in str(
                same_error(comm, lambda: plan.forward(u, on_input=function)))
        # What is collected meanwhile is destroyed later.
        dropped = [weft.Plan((4, 4), comm=MPI.COMM_SELF)]
        plan.forward(u, on_input=lambda values, block: dropped.clear())
        assert not dropped
    before = weft._core.living_plans()
    with weft.Plan((4, 4), comm=comm):
        assert weft._core.living_plans() == before  # one more, and one less


def test_python_runs_beside_a_transform(comm: MPI.Intracomm) -> None:
    """Python's lock is free while functions wait for nothing but it."""
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
            plan.forward(u, on_input=lambda values, block: None)
    ended.set()
    thread.join()
    assert turns > 0
