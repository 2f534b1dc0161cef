"""weft.fft against SciPy: results in extended precision, and what is refused."""

import multiprocessing
import subprocess
import sys
import threading
from typing import Any

import numpy as np
import pytest
import scipy.fft

import weft
import weft.fft
from weft.fft._pool import PlanPool, pool

FOURIER = ("fftn", "ifftn", "rfftn", "irfftn", "hfftn", "ihfftn")
COSINE = ("dctn", "idctn", "dstn", "idstn")
TYPES = (np.float16, np.float32, np.float64, np.longdouble, np.complex64, np.complex128,
         np.clongdouble, np.int32, np.bool_, ">f8", ">c8")


def random_array(random: np.random.Generator, name: str) -> np.ndarray:
    """Of any type, shape and place in memory that the function takes."""
    axes = int(random.integers(1, 5)) if random.random() < 0.9 else int(random.integers(5, 10))
    largest = 12 if axes < 5 else 4
    shape = tuple(random.integers(1, largest, axes))
    dtype = np.dtype(TYPES[random.integers(len(TYPES))])
    if name in ("rfftn", "ihfftn") and dtype.kind == "c":
        dtype = np.dtype(np.float64)
    x = 10 * random.standard_normal(shape)
    if dtype.kind == "c":
        x = x + 10j * random.standard_normal(shape)
    x = x.astype(dtype)
    if random.random() < 0.3:
        x = x.T
    if random.random() < 0.3:
        x = x[::-1]
    if random.random() < 0.2:
        x = np.repeat(x, 2, axis=-1)[..., ::2]
    if random.random() < 0.1:
        x = np.broadcast_to(x[:1], x.shape)
    return x


def random_arguments(random: np.random.Generator, name: str, x: np.ndarray) -> dict[str, Any]:
    count = int(random.integers(1, x.ndim + 1))
    axes = [int(axis) for axis in random.permutation(x.ndim)[:count]]
    arguments: dict[str, Any] = {
        "axes": axes if random.random() < 0.8 else None,
        "norm": (None, "backward", "ortho", "forward")[random.integers(4)],
    }
    if arguments["axes"] is None:
        count = x.ndim
    if random.random() < 0.5:
        arguments["s"] = [int(n) for n in random.integers(1, 9 if x.ndim < 5 else 4, count)]
    if name in COSINE:
        arguments["type"] = int(random.integers(1, 5))
        # Of complex numbers SciPy does not look at the argument.
        if x.dtype.kind != "c":
            arguments["orthogonalize"] = (None, True, False)[random.integers(3)]
    return arguments


def extended(x: np.ndarray) -> np.ndarray:
    return x.astype(np.clongdouble if x.dtype.kind == "c" else np.longdouble)


@pytest.mark.parametrize("seed", range(25))
@pytest.mark.parametrize("name", FOURIER + COSINE)
def test_random(name: str, seed: int) -> None:
    random = np.random.default_rng([seed, *name.encode()])
    for _ in range(10):
        x = random_array(random, name)
        arguments = random_arguments(random, name, x)
        try:
            expected_type = getattr(scipy.fft, name)(x, **arguments)
        except Exception:  # noqa: BLE001 - what SciPy refuses, weft does too
            with pytest.raises((ValueError, TypeError)):
                getattr(weft.fft, name)(x, **arguments)
            continue
        exact = getattr(scipy.fft, name)(extended(x), **arguments)
        before = x.copy()
        got = getattr(weft.fft, name)(x, workers=int(random.integers(1, 3)), **arguments)
        assert got.dtype == expected_type.dtype and got.shape == exact.shape
        bound = 10 * np.finfo(got.dtype).eps * max(1.0, np.log2(max(exact.size, 2)))
        error = np.linalg.norm((got - exact).astype(np.complex128).ravel())
        assert error <= bound * np.linalg.norm(exact.astype(np.complex128).ravel()) + 1e-300, (
            name, x.shape, x.dtype, arguments)
        assert np.array_equal(x, before)
        if x.flags.writeable:
            again = getattr(weft.fft, name)(x, overwrite_x=True, **arguments)
            assert np.array_equal(again, got)


@pytest.mark.parametrize("n", [1, 2, 97, 1024, 8191])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_one_axis(n: int, dtype: type) -> None:
    random = np.random.default_rng(n)
    x = random.standard_normal(n).astype(dtype)
    z = x + 1j * random.standard_normal(n).astype(dtype)
    for name, given in (("fft", z), ("ifft", z), ("rfft", x), ("hfft", z), ("ihfft", x),
                        ("dct", x), ("idct", x), ("dst", z), ("idst", x)):
        if name == "hfft" and n == 1:
            continue  # no length by default
        got = getattr(weft.fft, name)(given)
        exact = getattr(scipy.fft, name)(extended(given))
        bound = 10 * np.finfo(dtype).eps * np.log2(max(n, 2))
        assert np.linalg.norm(got - exact) <= bound * np.linalg.norm(exact), name
        assert got.dtype.itemsize in (x.itemsize, z.itemsize)


def test_two_axes_and_defaults() -> None:
    x = np.random.default_rng(2).standard_normal((3, 8, 6))
    for name in ("fft2", "ifft2", "rfft2", "irfft2", "hfft2", "ihfft2"):
        np.testing.assert_allclose(getattr(weft.fft, name)(x), getattr(scipy.fft, name)(x),
                                   atol=1e-12)
        np.testing.assert_allclose(getattr(weft.fft, name)(x, (4, 9), (2, 0), "ortho"),
                                   getattr(scipy.fft, name)(x, (4, 9), (2, 0), "ortho"),
                                   atol=1e-12)
    assert weft.fft.fftn(x, axes=()) is x
    assert weft.fft.fft([[1, 2], [3, 4]]).tolist() == [[3, -1], [7, -1]]
    assert weft.fft.fft(np.empty((0, 4))).shape == (0, 4)


@pytest.mark.parametrize("dtype", [np.float64, np.longdouble])
def test_without_scaling(dtype: type) -> None:
    x = np.random.default_rng(6).standard_normal((6, 10)).astype(dtype)
    scaled = {"ifft": 10, "ifftn": 60, "ihfftn": 60, "irfftn": 6 * 18, "idctn": 240, "idstn": 240}
    for name in ("fft", "ifft", *FOURIER, *COSINE):
        np.testing.assert_allclose(getattr(weft.fft, name)(x, norm="none"),
                                   scaled.get(name, 1) * getattr(scipy.fft, name)(x),
                                   atol=1e-12)


@pytest.mark.parametrize("call, error, text", [
    (lambda f: f.fft([]), ValueError, "invalid number of data points"),
    (lambda f: f.fft([1, 2], 0), ValueError, "invalid number of data points"),
    (lambda f: f.fft([1, 2], axis=3), IndexError, None),
    (lambda f: f.fft(3.0), IndexError, None),
    (lambda f: f.fft([1, 2], n=1.5), TypeError, None),
    (lambda f: f.rfft([1j]), TypeError, "x must be a real sequence"),
    (lambda f: f.irfft([1]), ValueError, "nvalid number of data points"),
    (lambda f: f.fftn(np.ones((2, 2)), s=(2, 2, 2)), ValueError, "more axes than are present"),
    (lambda f: f.fftn(np.ones((2, 2)), s=(2,), axes=(0, 1)), ValueError, "of the same length"),
    (lambda f: f.fftn(np.ones((2, 2)), axes=(0, 0)), ValueError, "must be unique"),
    (lambda f: f.fftn(np.ones((2, 2)), axes=(0, 2)), ValueError, "exceeds dimensionality"),
    (lambda f: f.fftn(np.ones((2, 2)), axes="ab"), ValueError, "integers"),
    (lambda f: f.rfftn(np.ones((2, 2)), axes=()), ValueError, "at least 1 axis"),
    (lambda f: f.fft([1, 2], norm="orto"), ValueError, "'orto'"),
    (lambda f: f.fft([1, 2], workers=0), ValueError, "workers must not be zero"),
    (lambda f: f.fft([1, 2], workers=-1000000), ValueError, "workers value out of range"),
    (lambda f: f.fft([1, 2], workers=1.5), TypeError, None),
    (lambda f: f.fft([1, 2], plan=1), NotImplementedError, "precomputed plan"),
    (lambda f: f.dct([1, 2], type=5), Exception, None),
    (lambda f: f.dct([1, 2], type="2"), Exception, None),
    (lambda f: f.dct([1, 2], type=2**70), Exception, None),
    (lambda f: f.dct([1], type=1), Exception, None),
])
def test_what_is_refused(call: Any, error: type[Exception], text: str | None) -> None:
    for module in (scipy.fft, weft.fft):
        with pytest.raises(error, match=text):
            call(module)


def test_dispatch_to_distributed_arrays() -> None:
    class Distributed:
        def __weft_transform__(self, name: str, **arguments: Any) -> Any:
            return name, arguments

    x = Distributed()
    assert weft.fft.rfftn(x, (4, 4), axes=(0, 1), workers=2) == (
        "rfftn", {"s": (4, 4), "axes": (0, 1), "norm": None, "overwrite_x": False, "workers": 2})
    assert weft.fft.ifft(x, 8, axis=1, norm="ortho") == (
        "ifftn", {"s": (8,), "axes": (1,), "norm": "ortho", "overwrite_x": False,
                  "workers": None})
    assert weft.fft.hfft2(x)[1]["axes"] == (-2, -1)
    assert weft.fft.dct(x, 3, orthogonalize=True) == (
        "dctn", {"type": 3, "s": None, "axes": (-1,), "norm": None, "overwrite_x": False,
                 "workers": None, "orthogonalize": True})


LARGE = (1031, 640)  # enough for several threads


def test_workers() -> None:
    x = np.random.default_rng(8).standard_normal(LARGE)
    for name in ("fftn", "rfftn", "dctn"):
        got = getattr(weft.fft, name)(x, workers=2)
        assert any(key.threads == min(2, pool.most_threads) for key in pool._idle)
        weft.clear_plans()
        assert np.array_equal(got, getattr(weft.fft, name)(x, workers=1))
        assert np.linalg.norm(got - getattr(scipy.fft, name)(x)) < 1e-14 * np.linalg.norm(got)
    with weft.fft.set_workers(2):
        weft.fft.fft(x)
        assert any(key.threads == min(2, pool.most_threads) for key in pool._idle)


def test_threads_do_not_share_plans() -> None:
    """Several threads transform arrays of equal shapes, which need equal plans."""
    random = np.random.default_rng(5)
    arrays = [random.standard_normal((40, 30)) for _ in range(6)]
    exact = [scipy.fft.rfftn(x) for x in arrays]
    wrong: list[float] = []

    def work(number: int) -> None:
        for repeat in range(60):
            which = (number + repeat) % len(arrays)
            error = abs(weft.fft.rfftn(arrays[which], workers=1 + repeat % 2) - exact[which]).max()
            if not error < 1e-11:
                wrong.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_pool_is_bounded() -> None:
    own = PlanPool(most_plans=3, most_bytes=1 << 40)
    weft.clear_plans()
    before = weft._core.living_plans()
    for n in (4, 5, 6, 7, 8):
        key = pool_key((n, n))
        plan = own.take(key)
        assert plan.info.shape == (n, n)
        own.put(key, plan)
    assert len(own) == 3 and weft._core.living_plans() == before + 3
    first, second = own.take(key), own.take(key)
    assert first is not second
    own.put(key, second)
    assert own.take(key) is second
    own.put(key, second)
    own.clear()
    assert len(own) == 0
    small = PlanPool(most_plans=10, most_bytes=0)
    for n in (64, 65, 66):
        plan = small.take(pool_key((n, n)))
        assert plan.info.workspace_bytes > 0
        small.put(pool_key((n, n)), plan)
        assert len(small) == 1 and small.take(pool_key((n, n))) is plan
        small.put(pool_key((n, n)), plan)
    small.clear()


def pool_key(shape: tuple[int, ...]) -> Any:
    from weft.fft._pool import PlanKey

    return PlanKey(shape, "complex128", ("c2c",) * len(shape), "backward", None, 1)


def transform_in_child(x: np.ndarray) -> tuple[np.ndarray, int]:
    before = pool.runs
    return weft.fft.fftn(x, workers=2), pool.runs - before


def test_forked_processes() -> None:
    x = np.random.default_rng(1).standard_normal(LARGE)
    weft.fft.fftn(x, workers=2)
    with multiprocessing.get_context("fork").Pool(2) as processes:
        for result, _ in processes.map(transform_in_child, [x] * 4):
            np.testing.assert_allclose(result, np.fft.fftn(x), atol=1e-9)


def test_backend_of_scipy() -> None:
    x = np.random.default_rng(4).standard_normal((6, 8))
    runs, calls = pool.runs, weft.scipy_backend.calls
    with scipy.fft.set_backend(weft.scipy_backend, only=True):
        spectrum = scipy.fft.rfft2(x)
        scipy.fft.fht(x, dln=2, mu=0.5)
    assert pool.runs == runs + 1 and weft.scipy_backend.calls == calls + 2
    np.testing.assert_allclose(spectrum, np.fft.rfft2(x), atol=1e-13)


def test_weft_needs_scipy_for_fft_only() -> None:
    program = "import sys, weft; assert 'scipy' not in sys.modules; weft.fft.fft([1, 2])"
    subprocess.run([sys.executable, "-c", program], check=True)
