"""Functions of numpy.fft of a DistArray, against those of the gathered array."""

from typing import Any

import numpy as np
import pytest
from mpi4py import MPI

import weft

SHAPE = (6, 8, 5)
ONE_AXIS = ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft")
SEVERAL = ("fft2", "ifft2", "rfft2", "irfft2", "fftn", "ifftn", "rfftn", "irfftn")
CALLS: list[tuple[str, dict[str, Any]]] = [
    *((name, arguments) for name in ONE_AXIS
      for arguments in ({}, {"n": 7, "axis": 0, "norm": "ortho"}, {"n": 4, "norm": "forward"})),
    *((name, arguments) for name in SEVERAL
      for arguments in ({}, {"s": (4, 9), "axes": (0, 1), "norm": "ortho"})),
    *((name, {"axes": axes}) for name in ("fftshift", "ifftshift")
      for axes in (None, 0, (-1, 1), ())),
]


@pytest.mark.parametrize("layout", ["slab:0", "pencil:2"])
@pytest.mark.parametrize("name, arguments", CALLS)
def test_function(comm: MPI.Intracomm, name: str, arguments: dict[str, Any], layout: str) -> None:
    x = np.random.default_rng(4).standard_normal(SHAPE)
    if name not in ("rfft", "ihfft", "rfft2", "rfftn"):
        x = x + 1j * x[::-1]
    function = getattr(np.fft, name)
    got = function(weft.DistArray.from_global(x, layout, comm), **arguments)
    assert isinstance(got, weft.DistArray)
    expected = function(x, **arguments)
    assert got.dtype == expected.dtype and got.layout == weft.parse_layout(layout)
    np.testing.assert_allclose(got.allgather(), expected, atol=1e-13)


def test_positional_arguments_and_one_axis(comm: MPI.Intracomm) -> None:
    x = np.arange(7.0)
    a = weft.DistArray.from_global(x, "slab:0", comm)
    np.testing.assert_allclose(np.fft.fft(a, 9, 0, "ortho").allgather(),
                               np.fft.fft(x, 9, 0, "ortho"), atol=1e-14)
    for function in (np.fft.fftshift, np.fft.ifftshift):
        np.testing.assert_array_equal(function(a).allgather(), function(x))
    single = np.fft.rfft(a.astype("f4"))
    assert single.dtype == np.complex64


def test_what_is_not_supported(comm: MPI.Intracomm) -> None:
    a = weft.DistArray.zeros(SHAPE, comm=comm)
    for error, text, call in [
            (TypeError, r"numpy.concatenate of a DistArray is not supported; these .* fft.fftn, .* "
                        r"linalg.norm, .* sum", lambda: np.concatenate([a, a])),
            (ValueError, "axes exceeds dim", lambda: np.fft.fftshift(a, 3)),
            (ValueError, "axes exceeds dim", lambda: np.fft.fft(a, axis=3)),
            (ValueError, "norm value 'orthogonal'", lambda: np.fft.fft(a, norm="orthogonal")),
            (TypeError, "needs real numbers", lambda: np.fft.rfft(1j * a))]:
        with pytest.raises(error, match=text):
            call()
    if np.lib.NumpyVersion(np.__version__) >= "2.0.0":
        for x, out in ((a, a), (np.zeros(SHAPE), a), (a, np.zeros(SHAPE))):
            with pytest.raises(TypeError, match="out= of numpy.fft is not supported"):
                np.fft.fftn(x, out=out)
