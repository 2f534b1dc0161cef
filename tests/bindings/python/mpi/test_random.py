"""Random problems of all kinds, compared with SciPy in extended precision on every rank."""

import os
from typing import Any

import numpy as np
import pytest
from mpi4py import MPI
from random_problem import Problem, backward, forward, random_problem

import weft

SEED = int(os.environ.get("WEFT_TEST_SEED", "20261122"))
PROBLEMS = int(os.environ.get("WEFT_TEST_PROBLEMS", "25"))
HALO = 7.0  # in halos and gaps, where nothing may be written


def local_part(whole: np.ndarray, side: weft.LocalArray, problem: Problem) -> np.ndarray:
    """What a rank owns of an array with a leading axis for the batch."""
    part = whole[(slice(None), *side.box.slices)]
    if problem.batch == 1:
        return part[0]
    return np.moveaxis(part, 0, -1) if problem.options["interleaved"] else part


def filled(side: weft.LocalArray, values: Any) -> tuple[np.ndarray, np.ndarray]:
    """An array of a layout, and the memory around it."""
    memory = np.full(side.allocation_size, HALO, side.dtype)
    array = side.over(memory)
    array[...] = values
    return array, memory


def relative_error(comm: MPI.Intracomm, got: np.ndarray, exact: np.ndarray,
                   whole: np.ndarray) -> float:
    square = float((np.abs(got - exact) ** 2).sum())
    return (comm.allreduce(square) / max(float((np.abs(whole) ** 2).sum()), 1e-300)) ** 0.5


def check(comm: MPI.Intracomm, transform: Any, source: tuple[weft.LocalArray, np.ndarray],
          sink: tuple[weft.LocalArray, np.ndarray], problem: Problem) -> None:
    """One transform from what `source` describes to `sink`, each with its whole array."""
    x, x_memory = filled(source[0], local_part(source[1], source[0], problem))
    out, out_memory = filled(sink[0], np.nan)
    given = x_memory.copy()
    assert transform(x, out) is out
    exact = local_part(sink[1], sink[0], problem)
    points = max(2, int(np.prod(problem.shape)))
    bound = 10 * np.finfo(problem.dtype).eps * np.log2(points)
    assert relative_error(comm, out, exact, sink[1]) < bound, str(problem)
    if not problem.options["overwrite_input"]:
        assert np.array_equal(x_memory, given), str(problem)
    out[...] = HALO
    assert np.all(out_memory == HALO), str(problem)


@pytest.mark.parametrize("number", range(PROBLEMS))
def test_random(comm: MPI.Intracomm, number: int) -> None:
    random = np.random.default_rng([SEED, comm.size, number])
    problem = random_problem(random, comm.size, comm.rank)
    u = random.standard_normal((problem.batch, *problem.points))
    if problem.dtype.kind == "c":
        u = u + 1j * random.standard_normal(u.shape)
    u = u.astype(problem.dtype)
    exact = forward(u.astype(np.clongdouble if problem.dtype.kind == "c" else np.longdouble),
                    problem)
    half_type = np.result_type(problem.dtype, np.complex64)
    spectrum = exact.astype(half_type if exact.dtype.kind == "c" else problem.dtype)
    back = backward(spectrum.astype(exact.dtype), problem)
    with weft.Plan(problem.shape, problem.dtype, comm, kinds=problem.kinds, norm=problem.norm,
                   orthogonalize=problem.orthogonalize, batch=problem.batch,
                   **problem.options) as plan:
        assert plan.output.dtype == spectrum.dtype
        check(comm, plan.forward, (plan.input, u), (plan.output, exact), problem)
        check(comm, plan.backward, (plan.output, spectrum), (plan.input, back), problem)
