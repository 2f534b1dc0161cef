"""The rows of the table for mpi4py-fft in docs/guide/migrating.md: weft's side against NumPy, and
where mpi4py-fft is installed against that."""

from types import ModuleType
from typing import Any

import numpy as np
import pytest
from helpers import local, random_array
from mpi4py import MPI

import weft

try:
    import mpi4py_fft as theirs
except ImportError:
    theirs: ModuleType | None = None

SHAPE = (12, 10, 9)


def whole(dtype: type, shape: tuple[int, ...] = SHAPE) -> np.ndarray:
    return random_array(np.random.default_rng(5), shape, dtype)


def check(plan: weft.Plan, u: np.ndarray, exact: np.ndarray | None, normalize: bool,
          **options: Any) -> None:
    """Forward, against the exact coefficients and those of a PFFT with these options, which has the
    same boxes; and back."""
    mine = plan.forward(local(u, plan.input))
    if exact is not None:
        assert np.allclose(mine, exact[plan.output.box.slices], atol=1e-10)
    if theirs is None:
        return
    shape = plan.info.shape if "padding" not in options else plan.info.modes
    fft = theirs.PFFT(MPI.COMM_WORLD, shape, dtype=u.dtype, **options)
    v = theirs.newDistArray(fft, False)
    assert plan.input.shape == fft.shape(False) == v.shape
    assert plan.output.shape == fft.shape(True) == theirs.newDistArray(fft).shape
    assert plan.input.box.slices == tuple(fft.local_slice(False))
    assert plan.output.box.slices == tuple(fft.local_slice(True))
    v[...] = u[fft.local_slice(False)]
    assert np.allclose(mine, fft.forward(v, normalize=normalize), atol=1e-10)
    fft.destroy()


def test_scaling_and_fields(comm: MPI.Intracomm) -> None:
    shape = SHAPE
    plan = weft.Plan(shape, float, comm, kinds="r2c",
                     input="pencil:2", output="pencil:0", norm="forward")
    u, uh = plan.input.zeros(), plan.output.zeros()
    u[...] = local(whole(float), plan.input)
    plan.forward(u, uh)
    exact = np.fft.rfftn(whole(float)) / np.prod(SHAPE)
    assert np.allclose(uh, exact[plan.output.box.slices], atol=1e-13)
    plan.backward(uh, u)
    assert np.allclose(u, whole(float)[plan.input.box.slices], atol=1e-13)
    list_of_u, list_of_uh = [u, 2 * u], [plan.output.zeros(), plan.output.zeros()]
    plan.forward_many(list_of_u, list_of_uh)
    assert np.allclose(list_of_uh[1], 2 * uh, atol=1e-13)
    plan.destroy()


@pytest.mark.parametrize("normalize", [True, False])
def test_slabs(comm: MPI.Intracomm, normalize: bool) -> None:
    norm = dict(norm="forward") if normalize else dict(norm="none")
    exact = np.fft.fftn(whole(complex), norm="forward" if normalize else "backward")
    with weft.Plan(SHAPE, complex, comm, input="slab:0", output="slab:1", **norm) as plan:
        check(plan, whole(complex), exact, normalize, slab=True)


def test_grids(comm: MPI.Intracomm) -> None:
    p0, p1 = MPI.Compute_dims(comm.size, 2)
    grids = dict(input="grid:2x4x1", output="grid:1x2x4")
    if comm.size != 8:
        grids = dict(input=f"grid:{p0}x{p1}x1", output=f"grid:1x{p0}x{p1}")
    else:
        p0, p1 = 2, 4
    with weft.Plan(SHAPE, float, comm, kinds="r2c", norm="forward", **grids) as plan:
        check(plan, whole(float), np.fft.rfftn(whole(float), norm="forward"), True,
              grid=(p0, p1, 1))


def test_some_axes(comm: MPI.Intracomm) -> None:
    with weft.Plan(SHAPE, float, comm, kinds=("none", "c2c", "r2c"), rigor="measure",
                   local="fftw", norm="none") as plan:
        exact = np.fft.rfftn(whole(float), axes=(1, 2))
        mine = plan.forward(local(whole(float), plan.input))
        assert np.allclose(mine, exact[plan.output.box.slices], atol=1e-10)


def test_cosines(comm: MPI.Intracomm) -> None:
    x, n = whole(float), SHAPE[0]
    k, j = np.meshgrid(np.arange(n), np.arange(n), indexing="ij")
    exact = np.tensordot(2 * np.cos(np.pi * k * (j + 0.5) / n), x, 1)
    with weft.Plan(SHAPE, float, comm, kinds=("dct2", "none", "none"), norm="none") as plan:
        mine = plan.forward(local(x, plan.input))
        assert np.allclose(mine, exact[plan.output.box.slices], atol=1e-10)


def test_padding(comm: MPI.Intracomm) -> None:
    n = 9
    points = whole(complex, (3 * n // 2,) * 3)
    modes = np.fft.fftn(points, norm="forward")
    kept = [*range(5), *range(9, 13)]
    exact = modes[np.ix_(kept, kept, kept)]
    with weft.Plan((3 * n // 2,) * 3, complex, comm, modes=(n, n, n), norm="forward",
                   input="slab:0", output="slab:1") as plan:
        check(plan, points, exact, True, slab=True, padding=[1.5, 1.5, 1.5])


def test_global_arrays(comm: MPI.Intracomm) -> None:
    u = weft.DistArray.from_global(whole(float), layout="slab:0", comm=comm)
    assert np.array_equal(u.redistribute("pencil:0").allgather(), whole(float))
