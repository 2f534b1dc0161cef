"""Random problems of all kinds, compared with SciPy in extended precision on every rank."""

import os
from typing import Any

import numpy as np
import pytest
from helpers import near, part_of, random_array
from mpi4py import MPI
from random_problem import Problem, backward, forward, random_problem

import weft

SEED = int(os.environ.get("WEFT_TEST_SEED", "20261122"))
PROBLEMS = int(os.environ.get("WEFT_TEST_PROBLEMS", "25"))
HALO = 7.0  # in halos and gaps, where nothing may be written


def filled(side: weft.LocalArray, values: Any) -> tuple[np.ndarray, np.ndarray]:
    """An array of a layout, and the memory around it."""
    memory = np.full(side.allocation_size, HALO, side.dtype)
    array = side.over(memory)
    array[...] = values
    return array, memory


def check(comm: MPI.Intracomm, transform: Any, source: tuple[weft.LocalArray, np.ndarray],
          sink: tuple[weft.LocalArray, np.ndarray], problem: Problem) -> None:
    """One transform from what `source` describes to `sink`, each with its whole array."""
    x, x_memory = filled(source[0], part_of(source[1], source[0]))
    out, out_memory = filled(sink[0], np.nan)
    given = x_memory.copy()
    assert transform(x, out) is out
    points = max(2, int(np.prod(problem.shape)))
    near(comm, out, part_of(sink[1], sink[0]), 10 * np.finfo(problem.dtype).eps * np.log2(points))
    if not problem.options["overwrite_input"]:
        assert np.array_equal(x_memory, given), str(problem)
    out[...] = HALO
    assert np.all(out_memory == HALO), str(problem)


@pytest.mark.parametrize("number", range(PROBLEMS))
def test_random(comm: MPI.Intracomm, number: int) -> None:
    random = np.random.default_rng([SEED, comm.size, number])
    problem = random_problem(random, comm.size, comm.rank)
    u = random_array(random, (problem.batch, *problem.points), problem.dtype)
    exact = forward(u.astype(np.clongdouble if problem.dtype.kind == "c" else np.longdouble),
                    problem)
    half_type = np.result_type(problem.dtype, np.complex64)
    spectrum = exact.astype(half_type if exact.dtype.kind == "c" else problem.dtype)
    back = backward(spectrum.astype(exact.dtype), problem)
    with problem.plan(comm) as plan:
        assert plan.output.dtype == spectrum.dtype
        check(comm, plan.forward, (plan.input, u), (plan.output, exact), problem)
        check(comm, plan.backward, (plan.output, spectrum), (plan.input, back), problem)
