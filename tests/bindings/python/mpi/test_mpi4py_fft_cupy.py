"""mpi4py-fft's interface for arrays of CuPy, where there is a GPU."""

import numpy as np
import pytest
from mpi4py import MPI

from weft.mpi4py_fft import PFFT, newDistArray


@pytest.fixture(scope="module")
def cupy():
    module = pytest.importorskip("cupy", reason="CuPy is not here")
    if not module.is_available():
        pytest.skip("there is no GPU here")
    return module


@pytest.mark.parametrize("dtype", "fdFD")
@pytest.mark.parametrize("shape", [(12, 13, 14), (31, 9, 16), (16, 20)])
@pytest.mark.parametrize("turned", [False, True])
def test_transforms(cupy, comm: MPI.Intracomm, shape, dtype, turned) -> None:
    axes = tuple(range(len(shape)))[::-1 if turned else 1]
    rng = np.random.default_rng(5)
    field = rng.standard_normal(shape)
    if dtype in "FD":
        field = field + 1j * rng.standard_normal(shape)
    field = field.astype(dtype)
    fft = PFFT(comm, shape, axes=axes, dtype=dtype, backend="cupy")
    u = newDistArray(fft, False)
    u[...] = cupy.asarray(field[fft.local_slice(False)])
    u_hat = fft.forward(u)
    transform = np.fft.fftn if dtype in "FD" else np.fft.rfftn
    expected = transform(field.astype(complex if dtype in "FD" else float), axes=axes) / field.size
    tolerance = 1e-5 if dtype in "fF" else 1e-13
    np.testing.assert_allclose(cupy.asnumpy(u_hat), expected[fft.local_slice(True)],
                               atol=tolerance)
    np.testing.assert_allclose(cupy.asnumpy(fft.backward(u_hat)), field[fft.local_slice(False)],
                               atol=10 * tolerance)


def test_arrays(cupy, comm: MPI.Intracomm) -> None:
    field = np.random.default_rng(6).standard_normal((12, 13, 14))
    fft = PFFT(comm, field.shape, dtype="D", backend="cupy")
    u = newDistArray(fft, False)
    u[...] = cupy.asarray(field[fft.local_slice(False)])
    moved = u.redistribute(0)
    np.testing.assert_array_equal(cupy.asnumpy(moved), field[moved.local_slice()])
    np.testing.assert_array_equal(moved.get(), field[moved.local_slice()])
    part = u.get((slice(0, 5), 3, slice(None)))
    if comm.rank == 0:
        np.testing.assert_array_equal(cupy.asnumpy(part), field[0:5, 3, :])
