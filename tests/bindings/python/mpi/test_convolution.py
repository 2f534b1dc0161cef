"""Convolution and correlation against SciPy and transforms of NumPy."""

import numpy as np
import pytest
import scipy.signal
from helpers import OnDevice, fails, local, near, random_array
from mpi4py import MPI
from random_problem import random_layout

import weft


@pytest.mark.parametrize("device", ["host", "emulated"])
@pytest.mark.parametrize("mode", ["circular", "linear"])
@pytest.mark.parametrize("dtype", ["f4", "f8", "c8", "c16"])
def test_results(comm: MPI.Intracomm, dtype: str, mode: str, device: str) -> None:
    random = np.random.default_rng([comm.size, ord(dtype[0]), int(dtype[1:])])
    axes = int(random.integers(1, 4))
    shape = tuple(int(n) for n in random.integers(1, (30, 12, 7)[axes - 1], axes))
    second = tuple(int(random.integers(1, n + 1)) for n in shape) if device == "host" else None
    a, b = (random_array(random, of, dtype) for of in (shape, second or shape))
    if mode == "linear":
        exact = [scipy.signal.convolve(a, b, "full", "direct"),
                 scipy.signal.correlate(b, a, "full", "direct")]
    else:
        ah, bh = np.fft.fftn(a), np.fft.fftn(b, shape, tuple(range(axes)))
        exact = [np.fft.ifftn(ah * bh), np.fft.ifftn(ah.conj() * bh)]
        exact = exact if dtype[0] == "c" else [each.real for each in exact]
    layouts = [random_layout(random, shape, comm.size, comm.rank)
               if second is None else "slab:0",
               random_layout(random, exact[0].shape, comm.size, comm.rank)]
    with weft.Convolution(shape, dtype, comm, second=second, mode=mode, input=layouts[0],
                          output=layouts[1], threads=1, device=device) as convolution:
        x, y = local(a, convolution.first), local(b, convolution.second)
        out = convolution.result.empty()
        for run, expected in zip((convolution.convolve, convolution.correlate), exact):
            assert run(x, y, out) is out
            near(comm, out, expected[convolution.result.box.slices],
                 1e-4 if dtype in ("f4", "c8") else 1e-12)
            np.testing.assert_array_equal(out, run(x, y))


def test_errors(comm: MPI.Intracomm) -> None:
    for text, arguments in [
            ("longer than the period", {"second": (5, 1)}),
            ("the axes are not as many", {"second": (4,)}),
            ("mode 'round'", {"mode": "round"}),
            ("input layout must be given", {"input": None}),
            ("int32 is not supported", {"dtype": "i4"})]:
        fails(comm, text, lambda: weft.Convolution((4, 4), comm=comm, **arguments))
    last = comm.rank == comm.size - 1
    for device in ("host", "emulated"):
        with weft.Convolution((comm.size + 3, 5), comm=comm, device=device) as convolution:
            a, b = convolution.first.zeros(), convolution.second.zeros()
            fails(comm, "second array has shape", lambda: convolution.correlate(
                a, b[..., :1] if last else b))
            fails(comm, f"second array is not memory of the convolution's device '{device}'",
                  lambda: convolution.convolve(a, OnDevice(b)))
    convolution.destroy()
    fails(comm, "destroyed", lambda: convolution.convolve(a, b))
