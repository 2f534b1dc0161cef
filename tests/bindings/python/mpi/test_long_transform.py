"""Long transforms against NumPy."""

from typing import Any

import numpy as np
import pytest
from memory_of_device import OnDevice
from mpi4py import MPI

import weft

LENGTHS = [1, 2, 13, 60, 97, 1001, 4096]


@pytest.mark.parametrize("device", ["host", "emulated"])
@pytest.mark.parametrize("dtype", ["c8", "c16"])
@pytest.mark.parametrize("order", ["natural", "transposed"])
@pytest.mark.parametrize("length", LENGTHS)
def test_lengths(comm: MPI.Intracomm, length: int, order: str, dtype: str, device: str) -> None:
    norm = ("backward", "ortho", "forward", "none")[LENGTHS.index(length) % 4]
    random = np.random.default_rng(length)
    u = (random.standard_normal((length, 2)) @ np.array([1, 1j])).astype(dtype)
    exact = np.fft.fft(u.astype("c16"), norm=norm if norm != "none" else "backward")
    with weft.LongTransform(length, dtype, comm, order=order, norm=norm, threads=1,
                            device=device) as transform:
        assert comm.allreduce(transform.size) == comm.allreduce(transform.spectrum_size) == length
        part = u[transform.begin:transform.begin + transform.size].copy()
        before = part.copy()
        out = np.full(transform.spectrum_size, np.nan, dtype)
        assert transform.forward(part, out) is out
        np.testing.assert_array_equal(part, before)
        frequencies = transform.frequencies
        assert sorted(np.concatenate(comm.allgather(frequencies))) == list(range(length))
        if order == "natural" and frequencies.size > 0:
            assert (np.diff(frequencies) == 1).all()
        bound = (3e-6 if dtype == "c8" else 1e-14) * np.linalg.norm(exact)
        assert np.linalg.norm(out - exact[frequencies]) <= bound
        back = transform.backward(out) / (length if norm == "none" else 1)
        assert np.linalg.norm(back - part) <= (3e-6 if dtype == "c8" else 1e-14) * np.linalg.norm(
            u)


def test_errors(comm: MPI.Intracomm) -> None:
    def fails(text: str, call: Any) -> None:
        with pytest.raises(weft.Error) as caught:
            call()
        assert text in str(caught.value), caught.value
        assert len(set(comm.allgather(str(caught.value)))) == 1

    fails("must be positive", lambda: weft.LongTransform(0, comm=comm))
    fails("complex numbers, not float64", lambda: weft.LongTransform(10, "f8", comm))
    fails("option 'pigeons' is unknown", lambda: weft.LongTransform(10, comm=comm, pigeons=1))
    fails("order 'upside down' is unknown",
          lambda: weft.LongTransform(10, comm=comm, order="upside down"))
    fails("length 10.5: must be an integer",
          lambda: weft.LongTransform(10.5, comm=comm))  # type: ignore[arg-type]
    if comm.size > 1:
        fails("length", lambda: weft.LongTransform(10 + comm.rank % 2, comm=comm))
    with weft.LongTransform(60, comm=comm) as transform:
        x = np.zeros(transform.size, complex)
        last = comm.rank == comm.size - 1
        fails("has shape", lambda: transform.forward(np.zeros(61, complex) if last else x))
        fails("float64", lambda: transform.forward(x.real if last else x))
        fails("read-only", lambda: transform.forward(x, frozen(transform.spectrum_size)))
    fails("destroyed", lambda: transform.forward(x))
    for device in ("host", "emulated"):
        with weft.LongTransform(60, comm=comm, device=device) as transform:
            x = np.zeros(transform.size, complex)
            fails(f"input array is not memory of the long transform's device '{device}'",
                  lambda: transform.forward(OnDevice(x)))


def frozen(size: int) -> np.ndarray:
    array = np.zeros(size, complex)
    array.flags.writeable = False
    return array
