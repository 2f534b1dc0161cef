"""Long transforms against NumPy."""

import numpy as np
import pytest
from helpers import OnDevice, fails, random_array
from mpi4py import MPI

import weft

LENGTHS = [1, 13, 60, 1001]


@pytest.mark.parametrize("device", ["host", "emulated"])
@pytest.mark.parametrize("dtype", ["c8", "c16"])
@pytest.mark.parametrize("order", ["natural", "transposed"])
@pytest.mark.parametrize("length", LENGTHS)
def test_lengths(comm: MPI.Intracomm, length: int, order: str, dtype: str, device: str) -> None:
    norm = ("backward", "ortho", "forward", "none")[LENGTHS.index(length)]
    u = random_array(np.random.default_rng(length), (length,), dtype)
    exact = np.fft.fft(u.astype("c16"), norm=norm if norm != "none" else "backward")
    bound = 3e-6 if dtype == "c8" else 1e-14
    with weft.LongTransform(length, dtype, comm, order=order, norm=norm, threads=1,
                            device=device) as transform:
        assert comm.allreduce(transform.size) == comm.allreduce(transform.spectrum_size) == length
        part = u[transform.begin:transform.begin + transform.size].copy()
        out = np.full(transform.spectrum_size, np.nan, dtype)
        assert transform.forward(part, out) is out
        frequencies = transform.frequencies
        assert sorted(np.concatenate(comm.allgather(frequencies))) == list(range(length))
        if order == "natural" and frequencies.size > 0:
            assert (np.diff(frequencies) == 1).all()
        assert np.linalg.norm(out - exact[frequencies]) <= bound * np.linalg.norm(exact)
        back = transform.backward(out) / (length if norm == "none" else 1)
        assert np.linalg.norm(back - part) <= bound * np.linalg.norm(u)


def test_errors(comm: MPI.Intracomm) -> None:
    last = comm.rank == comm.size - 1
    fails(comm, "must be positive", lambda: weft.LongTransform(0, comm=comm))
    fails(comm, "complex numbers, not float64", lambda: weft.LongTransform(10, "f8", comm))
    fails(comm, "order 'upside down' is unknown",
          lambda: weft.LongTransform(10, comm=comm, order="upside down"))
    if comm.size > 1:
        fails(comm, "length", lambda: weft.LongTransform(10 + comm.rank % 2, comm=comm))
    for device in ("host", "emulated"):
        with weft.LongTransform(60, comm=comm, device=device) as transform:
            x = np.zeros(transform.size, complex)
            frozen = np.zeros(transform.spectrum_size, complex)
            frozen.flags.writeable = False
            fails(comm, "has shape",
                  lambda: transform.forward(np.zeros(61, complex) if last else x))
            fails(comm, "read-only", lambda: transform.forward(x, frozen))
            fails(comm, f"input array is not memory of the long transform's device '{device}'",
                  lambda: transform.forward(OnDevice(x)))
    fails(comm, "destroyed", lambda: transform.forward(x))
