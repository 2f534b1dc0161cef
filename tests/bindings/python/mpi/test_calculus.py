"""Wavenumbers and Calculus against what NumPy makes of its own transforms."""

from typing import Any

import numpy as np
import pytest
from helpers import fails, local, near, random_array
from mpi4py import MPI
from random_problem import random_layout

import weft

LENGTHS = (2 * np.pi, 3.0, 5.0)


@pytest.mark.parametrize("dtype", ["f4", "f8", "c8", "c16"])
def test_operators(comm: MPI.Intracomm, dtype: str) -> None:
    shape = (9, 11, 7)  # no Nyquist modes
    random = np.random.default_rng([comm.size, ord(dtype[0]), int(dtype[1:])])
    kinds = "c2c" if dtype[0] == "c" else ("c2c", "r2c", "c2c")
    layout = random_layout(random, shape, comm.size, comm.rank)
    bound = 2e-5 if dtype in ("f4", "c8") else 1e-12
    k = np.ix_(*(2 * np.pi * np.fft.fftfreq(n, length / n) for n, length in zip(shape, LENGTHS)))
    square = k[0] ** 2 + k[1] ** 2 + k[2] ** 2
    square_or_1 = np.where(square == 0, 1, square)
    fields = [random_array(random, shape, dtype) for _ in range(3)]

    with weft.Plan(shape, dtype, comm, kinds=kinds, input=layout, output="pencil:1") as plan:
        calculus = weft.Calculus(plan, LENGTHS)

        def exact(u: np.ndarray, factor: Any) -> np.ndarray:
            """The part of this rank; coefficients are multiplied by the factor."""
            result = np.fft.ifftn(factor * np.fft.fftn(u.astype("c16")))
            return (result if dtype[0] == "c" else result.real)[plan.input.box.slices]

        d = [[exact(u, 1j * along) for along in k] for u in fields]
        parts = [local(u, plan.input) for u in fields]
        u, before = parts[0], parts[0].copy()
        for computed, expected in zip(calculus.gradient(u), d[0]):
            assert computed.dtype == plan.input.dtype
            near(comm, computed, expected, bound)
        near(comm, calculus.divergence(parts), d[0][0] + d[1][1] + d[2][2], bound)
        near(comm, calculus.laplacian(u), exact(fields[0], -square), bound)
        near(comm, calculus.inverse_laplacian(u),
             exact(fields[0], np.where(square == 0, 0, -1 / square_or_1)), bound)
        out = plan.input.empty()
        assert calculus.filter(u, lambda length: np.cos(length), out) is out
        near(comm, out, exact(fields[0], np.cos(np.sqrt(square))), bound)
        near(comm, calculus.apply(u, lambda values, block: 2 * values), 2 * u, bound)
        np.testing.assert_array_equal(u, before)
        outs = calculus.curl(parts, parts)  # in place
        assert outs[0] is parts[0]
        for computed, (a, b) in zip(outs, ((1, 2), (2, 0), (0, 1))):
            near(comm, computed, d[b][a] - d[a][b], bound)


@pytest.mark.parametrize("dtype", ["f4", "f8", "c8", "c16"])
@pytest.mark.parametrize("norm", ["backward", "ortho", "forward", "none"])
def test_shell_spectrum(comm: MPI.Intracomm, dtype: str, norm: str) -> None:
    shape = (9, 8, 6)
    random = np.random.default_rng([comm.size, ord(dtype[0]), int(dtype[1:])])
    fields = [random_array(random, shape, dtype) for _ in range(3)]
    k = np.ix_(*(2 * np.pi * np.fft.fftfreq(n, length / n) for n, length in zip(shape, LENGTHS)))
    length = np.sqrt(k[0] ** 2 + k[1] ** 2 + k[2] ** 2)
    with weft.Plan(shape, dtype, comm, kinds="c2c" if dtype[0] == "c" else "r2c", norm=norm,
                   input=random_layout(random, shape, comm.size, comm.rank),
                   output="pencil:1") as plan:
        spectra = [plan.forward(local(u, plan.input)) for u in fields]
        for given, width in ((spectra, None), (tuple(spectra[:2]), 0.7), (spectra[0], 3)):
            many = list(given) if isinstance(given, (list, tuple)) else [given]
            shells, energy = plan.shell_spectrum(given, LENGTHS, width)
            used = 2 * np.pi / max(LENGTHS) if width is None else width
            squares = sum(abs(np.fft.fftn(u, norm="forward")) ** 2 for u in fields[:len(many)])
            expected = np.bincount(np.rint(length / used).astype(int).ravel(),
                                   (squares / 2).ravel(), len(energy))
            np.testing.assert_allclose(shells, used * np.arange(len(energy)), rtol=1e-14)
            bound = 1e-5 if dtype in ("f4", "c8") else 1e-12
            np.testing.assert_allclose(energy, expected, atol=bound)
            mean = sum(np.mean(abs(u.astype("c16")) ** 2) for u in fields[:len(many)])
            np.testing.assert_allclose(energy.sum(), mean / 2, rtol=1e-5)
        fails(comm, "no field", lambda: plan.shell_spectrum([], LENGTHS))
        fails(comm, "2 lengths of the box", lambda: plan.shell_spectrum(spectra, LENGTHS[:2]))
        fails(comm, "could not convert", lambda: plan.shell_spectrum(
            spectra, LENGTHS, "wide" if comm.rank == comm.size - 1 else 1.0))  # type: ignore
        fails(comm, "spectral array", lambda: plan.shell_spectrum(None, LENGTHS))


def test_waves_are_those_of_numpy(comm: MPI.Intracomm) -> None:
    shape = (8, 9, 10)
    with weft.Plan(shape, np.float64, comm, kinds="r2c", output="brick") as plan:
        waves = weft.Wavenumbers(plan, LENGTHS)
        own = plan.output.box.slices
        exact = [2 * np.pi * np.fft.fftfreq(n, length / n) for n, length in zip(shape, LENGTHS)]
        exact[2] = 2 * np.pi * np.fft.rfftfreq(10, 5.0 / 10)
        for axis in range(3):
            vector = waves.k(axis)
            assert vector.ndim == 3 and vector.size == plan.output.box.extents[axis]
            np.testing.assert_allclose(abs(vector.ravel()), abs(exact[axis][own[axis]]))
            first = exact[axis].copy()
            if shape[axis] % 2 == 0:
                first[shape[axis] // 2] = 0
            np.testing.assert_allclose(waves.derivative_k(axis).ravel(), first[own[axis]])
        total = sum(k ** 2 for k in np.ix_(*exact))
        np.testing.assert_allclose(waves.k_squared(), total[own])
        u = local(np.random.default_rng(5).standard_normal(shape), plan.input)
        uh = plan.forward(u)
        for operator, factor in [(waves.derivative(1), 1j * waves.derivative_k(1)),
                                 (waves.laplacian(), -waves.k_squared()),
                                 (waves.filter(np.cos), np.cos(np.sqrt(waves.k_squared())))]:
            np.testing.assert_allclose(plan.forward(u, on_output=operator), factor * uh,
                                       atol=1e-10)
            np.testing.assert_allclose(plan.backward(uh, on_input=operator),
                                       plan.backward(plan.output.over(
                                           np.ascontiguousarray(factor * uh))), atol=1e-10)
            assert "weft operator" in repr(operator)


def test_operators_on_a_device(comm: MPI.Intracomm) -> None:
    shape = (8, 9, 10)
    with weft.Plan(shape, np.float64, comm, kinds="r2c", output="slab:1") as host, \
            weft.Plan(shape, np.float64, comm, kinds="r2c", output="slab:1",
                      device="emulated") as device:
        expected, calculus = weft.Calculus(host, LENGTHS), weft.Calculus(device, LENGTHS)
        fields = [local(np.random.default_rng(seed).standard_normal(shape), host.input)
                  for seed in range(3)]
        near(comm, calculus.laplacian(fields[0]), expected.laplacian(fields[0]), 1e-13)
        near(comm, calculus.divergence(fields), expected.divergence(fields), 1e-13)
        for computed, exact in zip(calculus.curl(fields), expected.curl(fields)):
            near(comm, computed, exact, 1e-13)
        for plan, operator, text in [
                (device, expected.waves.laplacian(), "function of the host"),
                (device, calculus.waves.filter(np.cos), "function of the host"),
                (host, calculus.waves.laplacian(), "made for a plan on a device")]:
            fails(comm, text, lambda: plan.forward(fields[0], on_output=operator))


def test_operators_of_a_batch(comm: MPI.Intracomm) -> None:
    shape = (8, 6)
    u = np.random.default_rng(2).standard_normal((3, *shape))
    with weft.Plan(shape, np.float64, comm, kinds="r2c", batch=3, output="slab:1") as plan:
        waves = weft.Wavenumbers(plan, (1.0, 2.0))
        part = local(u, plan.input)
        uh = plan.forward(part)
        damped = plan.forward(part, on_output=waves.filter(lambda k: np.exp(-k)))
        np.testing.assert_allclose(damped, uh * np.exp(-np.sqrt(waves.k_squared())), atol=1e-13)


def test_cosines_have_a_laplacian_but_no_derivative(comm: MPI.Intracomm) -> None:
    n = 12
    x, y = (weft.grid_points("dct2", n, length=length) for length in (1.0, 2.0))
    u = np.cos(3 * np.pi * x)[:, None] * np.cos(2 * np.pi * y / 2.0)
    with weft.Plan((n, n), np.float64, comm, kinds="dct2", output="slab:1") as plan:
        calculus = weft.Calculus(plan, (1.0, 2.0))
        part = local(u, plan.input)
        near(comm, calculus.laplacian(part), -10 * np.pi ** 2 * part, 1e-12)
        fails(comm, "dct2", lambda: calculus.gradient(part))
        fails(comm, "dct2", lambda: calculus.waves.derivative(0))


def test_errors(comm: MPI.Intracomm) -> None:
    with weft.Plan((8, 6), np.float64, comm, kinds="r2c", output="slab:1") as plan:
        fails(comm, "3 lengths of the box are given", lambda: weft.Wavenumbers(plan, (1, 1, 1)))
        fails(comm, "3 lengths of the box are given", lambda: weft.Calculus(plan, (1, 1, 1)))
        fails(comm, "must be positive", lambda: weft.Calculus(plan, (1, -1)))
        calculus = weft.Calculus(plan, (1, 1))
        u = plan.input.zeros()
        wrong = u.astype(np.float32) if comm.rank == comm.size - 1 else u
        fails(comm, "float32", lambda: calculus.gradient(wrong))
        fails(comm, "float32", lambda: calculus.divergence([u, wrong]))
        fails(comm, "input 1 array", lambda: calculus.divergence([u, wrong]))
        fails(comm, "output 0 array", lambda: calculus.gradient(u, [wrong, u]))
        fails(comm, "3 output arrays, 2 are needed", lambda: calculus.gradient(u, [u, u, u]))
        fails(comm, "1 input arrays, 2 are needed", lambda: calculus.divergence([u]))
        fails(comm, "derivative along axis 2 of 2", lambda: calculus.curl([u, u, u]))
        fails(comm, "float32", lambda: calculus.laplacian(u, wrong))

        def response(k: np.ndarray) -> np.ndarray:
            if comm.rank == comm.size - 1:
                raise ZeroDivisionError("no k")
            return k

        fails(comm, "ZeroDivisionError: no k", lambda: calculus.filter(u, response))
        fails(comm, "must be real", lambda: calculus.filter(u, lambda k: 1j * k))
        with pytest.raises(weft.Error, match="wavenumbers along axis 5"):
            calculus.waves.derivative_k(5)
    fails(comm, "has been destroyed", lambda: calculus.laplacian(u))


def test_numbers_of_axes() -> None:
    np.testing.assert_array_equal(weft.wavenumbers("c2c", 5), [0, 1, 2, -2, -1])
    np.testing.assert_array_equal(weft.wavenumbers("r2c", 6), [0, 1, 2, 3])
    np.testing.assert_array_equal(weft.wavenumbers("dct4", 3, [[0, 2]]), [[0.5, 2.5]])
    np.testing.assert_allclose(weft.wavenumbers("dct2", 4, 3, length=2.0), 3 * np.pi / 2)
    np.testing.assert_allclose(weft.wavenumbers("c2c", 5, length=2.0),
                               np.pi * np.array([0, 1, 2, -2, -1]))
    np.testing.assert_allclose(weft.derivative_wavenumbers("c2c", 4, [[1], [2]], length=np.pi),
                               [[2], [0]])
    np.testing.assert_allclose(weft.derivative_wavenumbers("dct1", 3), [0, np.pi, 0])
    np.testing.assert_allclose(weft.grid_points("dct1", 5), [0, 0.25, 0.5, 0.75, 1])
    np.testing.assert_allclose(weft.grid_points("dst2", 2, length=4), [1, 3])
    np.testing.assert_array_equal(weft.grid_points("c2c", 8, np.array([2, 4])), [0.25, 0.5])
    assert [weft.good_length(n) for n in (1, 11, 121, 1025)] == [1, 12, 125, 1029]
    assert 0 < weft.rounding_error_bound("f8", 1 << 20) < weft.rounding_error_bound("c8", 1 << 20)
    for function in (weft.wavenumbers, weft.derivative_wavenumbers, weft.grid_points):
        with pytest.raises(weft.Error, match="kind"):
            function("c3c", 5)
    with pytest.raises(TypeError, match="integers"):
        weft.wavenumbers("c2c", 5, [0.5])
