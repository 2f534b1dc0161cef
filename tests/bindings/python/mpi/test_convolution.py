"""Convolution and correlation against sums, and against SciPy."""

from typing import Any

import numpy as np
import pytest
import scipy.signal
from memory_of_device import OnDevice
from mpi4py import MPI
from random_problem import pick, random_layout

import weft


def random_array(random: np.random.Generator, shape: tuple[int, ...], dtype: str) -> np.ndarray:
    values = random.standard_normal((*shape, 2)) @ np.array([1, 1j])
    return (values if dtype[0] == "c" else values.real).astype(dtype)


def local(whole: np.ndarray, side: weft.LocalArray) -> np.ndarray:
    part = side.empty()
    part[...] = whole[side.box.slices]
    return part


def circular(a: np.ndarray, b: np.ndarray, correlates: bool) -> np.ndarray:
    """By the definition, in extended precision."""
    result = np.zeros(a.shape, np.clongdouble)
    axes = tuple(range(a.ndim))
    for j in np.ndindex(b.shape):
        # c[k] = sum over j of b[j] a[k - j], or of b[j] conj(a[j - k])
        if correlates:
            turned = np.flip(a.conj(), axes)
            result += b[j] * np.roll(turned, [n + 1 for n in j], axes)
        else:
            result += b[j] * np.roll(a, j, axes)
    return result


@pytest.mark.parametrize("turn", range(16))
def test_random(comm: MPI.Intracomm, turn: int) -> None:
    random = np.random.default_rng([turn, comm.size])
    dtype = ("f4", "f8", "c8", "c16")[turn % 4]
    mode = ("circular", "linear")[turn // 4 % 2]
    axes = int(random.integers(1, 4))
    shape = tuple(int(n) for n in random.integers(1, (30, 12, 7)[axes - 1], axes))
    most = shape if mode == "circular" else (9,) * axes
    second = None if turn % 3 == 0 else tuple(int(random.integers(1, n + 1)) for n in most)
    a, b = (random_array(random, of, dtype) for of in (shape, second or shape))
    out_shape = shape if mode == "circular" else tuple(
        m + n - 1 for m, n in zip(a.shape, b.shape))
    layouts = [pick(random, ("slab:0", weft.slab_split(axes - 1), weft.brick().with_order(
        tuple(range(axes))[::-1]))), random_layout(random, out_shape, comm.size, comm.rank)]
    with weft.Convolution(shape, dtype, comm, second=second, mode=mode, input=layouts[0],
                          output=layouts[1], threads=1,
                          device=("host", "emulated")[turn // 8 % 2]) as convolution:
        x, y = local(a, convolution.first), local(b, convolution.second)
        for correlates in (False, True):
            wide_a, wide_b = (v.astype(np.clongdouble) for v in (a, b))
            if mode == "circular":
                exact = circular(wide_a, wide_b, correlates)
            elif correlates:
                exact = scipy.signal.correlate(b.astype("c16"), a.astype("c16"), "full", "direct")
            else:
                exact = scipy.signal.convolve(a.astype("c16"), b.astype("c16"), "full", "direct")
            out = convolution.result.empty()
            out[...] = np.nan
            run = convolution.correlate if correlates else convolution.convolve
            assert run(x, y, out) is out
            assert exact.shape == out_shape
            error = comm.allreduce(float(np.sum(abs(
                out - exact[convolution.result.box.slices]) ** 2)))
            bound = 1e-5 if dtype in ("f4", "c8") else 1e-13
            scale = float(np.linalg.norm(a) * np.linalg.norm(b))
            assert error ** 0.5 <= bound * scale * np.prod(shape) ** 0.5
            np.testing.assert_array_equal(out, run(x, y))


def test_errors(comm: MPI.Intracomm) -> None:
    def fails(text: str, call: Any) -> None:
        with pytest.raises(weft.Error) as caught:
            call()
        assert text in str(caught.value), caught.value
        assert len(set(comm.allgather(str(caught.value)))) == 1

    fails("longer than the period", lambda: weft.Convolution((4, 4), comm=comm, second=(5, 1)))
    fails("the axes are not as many", lambda: weft.Convolution((4, 4), comm=comm, second=(4,)))
    fails("mode 'round'", lambda: weft.Convolution((4, 4), comm=comm, mode="round"))
    fails("option 'pigeons' is unknown", lambda: weft.Convolution((4, 4), comm=comm, pigeons=1))
    fails("int32 is not supported", lambda: weft.Convolution((4, 4), "i4", comm))
    with weft.Convolution((6, 5), comm=comm, second=(2, 2), mode="linear") as convolution:
        a, b = convolution.first.zeros(), convolution.second.zeros()
        last = comm.rank == comm.size - 1
        fails("first array is of float32",
              lambda: convolution.convolve(a.astype("f4") if last else a, b))
        fails("second array has shape", lambda: convolution.correlate(
            a, b[..., :1] if comm.rank == 0 else b))
        fails("result array is no array", lambda: convolution.convolve(a, b, 7))
    for device in ("host", "emulated"):
        with weft.Convolution((6, 5), comm=comm, device=device) as convolution:
            a, b = convolution.first.zeros(), convolution.second.zeros()
            fails(f"second array is not memory of the convolution's device '{device}'",
                  lambda: convolution.convolve(a, OnDevice(b)))
            fails(f"result array is not memory of the convolution's device '{device}'",
                  lambda: convolution.convolve(a, b, OnDevice(convolution.result.zeros())))
    convolution.destroy()
    fails("destroyed", lambda: convolution.convolve(a, b))
