"""Wavenumbers and Calculus against derivatives that are known."""

from typing import Any

import numpy as np
import pytest
from mpi4py import MPI
from random_problem import random_layout

import weft

LENGTHS = (2 * np.pi, 3.0, 5.0)


def local(whole: np.ndarray, plan: weft.Plan) -> np.ndarray:
    part = plan.input.empty()
    part[...] = whole[plan.input.box.slices]
    return part


def phases(shape: tuple[int, ...]) -> list[np.ndarray]:
    """2 pi x / length of all points of each axis, to broadcast."""
    return list(np.ix_(*(2 * np.pi * weft.grid_points("c2c", n) for n in shape)))


def near(comm: MPI.Intracomm, computed: np.ndarray, exact: np.ndarray, bound: float) -> None:
    squares = comm.allreduce(np.array([np.sum(abs(computed - exact) ** 2),
                                       np.sum(abs(exact) ** 2)]))
    assert squares[0] ** 0.5 <= bound * max(squares[1] ** 0.5, 1e-300), squares


@pytest.mark.parametrize("dtype", ["f4", "f8", "c8", "c16"])
def test_derivatives(comm: MPI.Intracomm, dtype: str) -> None:
    shape = (12, 9, 10)
    random = np.random.default_rng([comm.size, ord(dtype[0]), int(dtype[1:])])
    kinds = "c2c" if dtype[0] == "c" else ("c2c", "r2c", "c2c")
    layout = random_layout(random, shape, comm.size, comm.rank)
    bound = 2e-5 if dtype in ("f4", "c8") else 1e-12
    x, y, z = phases(shape)
    kx, ky, kz = (2 * np.pi / length for length in LENGTHS)
    shift = 1j if dtype[0] == "c" else 0
    u = np.cos(2 * x - y) * np.sin(3 * z) + shift * np.cos(x + z) + 0 * y
    ux = -2 * kx * np.sin(2 * x - y) * np.sin(3 * z) - shift * kx * np.sin(x + z)
    uy = ky * np.sin(2 * x - y) * np.sin(3 * z)
    uz = 3 * kz * np.cos(2 * x - y) * np.cos(3 * z) - shift * kz * np.sin(x + z)
    laplace = -((2 * kx) ** 2 + ky ** 2 + (3 * kz) ** 2) * np.cos(2 * x - y) * np.sin(
        3 * z) - shift * (kx ** 2 + kz ** 2) * np.cos(x + z)
    with weft.Plan(shape, dtype, comm, kinds=kinds, input=layout, output="pencil:1") as plan:
        calculus = weft.Calculus(plan, LENGTHS)
        part = local(u, plan)
        before = part.copy()
        gradient = calculus.gradient(part)
        np.testing.assert_array_equal(part, before)
        for computed, exact in zip(gradient, (ux, uy, uz)):
            assert computed.dtype == plan.input.dtype
            near(comm, computed, exact[plan.input.box.slices], bound)
        near(comm, calculus.laplacian(part), laplace[plan.input.box.slices], bound)
        near(comm, calculus.inverse_laplacian(local(laplace, plan)), u[plan.input.box.slices],
             bound)
        fields = [local(factor * u, plan) for factor in (1, 2, -1)]
        near(comm, calculus.divergence(fields), (ux + 2 * uy - uz)[plan.input.box.slices], bound)
        exact_curl = (-uy - 2 * uz, uz + ux, 2 * ux - uy)
        outs = calculus.curl(fields, fields)  # in place
        assert outs[0] is fields[0]
        for computed, exact in zip(fields, exact_curl):
            near(comm, computed, exact[plan.input.box.slices], bound)
        out = plan.input.empty()
        assert calculus.filter(part, lambda k: np.where(k > 1e-6, 2 / np.maximum(k, 1e-6) ** 2, 0),
                               out) is out
        near(comm, out, -2 * np.asarray(calculus.inverse_laplacian(part)), bound)
        doubled = calculus.apply(part, lambda values, block: 2 * values)
        near(comm, doubled, 2 * u[plan.input.box.slices], bound)


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
        u = local(np.random.default_rng(5).standard_normal(shape), plan)
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
    u = np.random.default_rng(7).standard_normal((3, *shape))
    with weft.Plan(shape, np.float64, comm, kinds="r2c", output="slab:1") as host, \
            weft.Plan(shape, np.float64, comm, kinds="r2c", output="slab:1",
                      device="emulated") as device:
        expected, calculus = weft.Calculus(host, LENGTHS), weft.Calculus(device, LENGTHS)
        fields = [local(part, host) for part in u]
        near(comm, calculus.laplacian(fields[0]), expected.laplacian(fields[0]), 1e-13)
        near(comm, calculus.inverse_laplacian(fields[0]), expected.inverse_laplacian(fields[0]),
             1e-13)
        near(comm, calculus.divergence(fields), expected.divergence(fields), 1e-13)
        for computed, exact in zip([*calculus.gradient(fields[0]), *calculus.curl(fields)],
                                   [*expected.gradient(fields[0]), *expected.curl(fields)]):
            near(comm, computed, exact, 1e-13)
        uh = host.forward(fields[0])
        near(comm, device.backward(uh, on_input=calculus.waves.derivative(1)),
             expected.gradient(fields[0])[1], 1e-13)
        for plan, operator, text in [
                (device, expected.waves.laplacian(), "one of the host"),
                (device, calculus.waves.filter(np.cos), "one of the host"),
                (host, calculus.waves.laplacian(), "made for a plan on a device")]:
            with pytest.raises(weft.Error, match=text):
                plan.forward(fields[0], on_output=operator)


def test_operators_of_a_batch(comm: MPI.Intracomm) -> None:
    shape = (8, 6)
    u = np.random.default_rng(2).standard_normal((3, *shape))
    with weft.Plan(shape, np.float64, comm, kinds="r2c", batch=3, output="slab:1") as plan:
        waves = weft.Wavenumbers(plan, (1.0, 2.0))
        part = plan.input.empty()
        part[...] = u[(slice(None), *plan.input.box.slices)]
        uh = plan.forward(part)
        damped = plan.forward(part, on_output=waves.filter(lambda k: np.exp(-k)))
        np.testing.assert_allclose(damped, uh * np.exp(-np.sqrt(waves.k_squared())), atol=1e-13)


def test_cosines_have_a_laplacian_but_no_derivative(comm: MPI.Intracomm) -> None:
    n = 12
    x, y = (weft.grid_points("dct2", n, length=length) for length in (1.0, 2.0))
    u = np.cos(3 * np.pi * x)[:, None] * np.cos(2 * np.pi * y / 2.0)
    with weft.Plan((n, n), np.float64, comm, kinds="dct2", output="slab:1") as plan:
        calculus = weft.Calculus(plan, (1.0, 2.0))
        exact = -((3 * np.pi) ** 2 + np.pi ** 2) * u
        near(comm, calculus.laplacian(local(u, plan)), exact[plan.input.box.slices], 1e-12)
        for call in (lambda: calculus.gradient(local(u, plan)), lambda: calculus.waves.derivative(
                0)):
            with pytest.raises(weft.Error, match="dct2"):
                call()


def test_errors(comm: MPI.Intracomm) -> None:
    def fails(text: str, call: Any) -> None:
        with pytest.raises(weft.Error) as caught:
            call()
        assert text in str(caught.value), caught.value
        assert len(set(comm.allgather(str(caught.value)))) == 1

    with weft.Plan((8, 6), np.float64, comm, kinds="r2c", output="slab:1") as plan:
        fails("3 lengths of the box are given", lambda: weft.Wavenumbers(plan, (1, 1, 1)))
        fails("3 lengths of the box are given", lambda: weft.Calculus(plan, (1, 1, 1)))
        fails("must be positive", lambda: weft.Calculus(plan, (1, -1)))
        calculus = weft.Calculus(plan, (1, 1))
        u = plan.input.zeros()
        wrong = u.astype(np.float32) if comm.rank == comm.size - 1 else u
        fails("float32", lambda: calculus.gradient(wrong))
        fails("float32", lambda: calculus.divergence([u, wrong]))
        fails("input 1 array", lambda: calculus.divergence([u, wrong]))
        fails("output 0 array", lambda: calculus.gradient(u, [wrong, u]))
        fails("3 output arrays, 2 are needed", lambda: calculus.gradient(u, [u, u, u]))
        fails("1 input arrays, 2 are needed", lambda: calculus.divergence([u]))
        fails("derivative along axis 2 of 2", lambda: calculus.curl([u, u, u]))
        fails("float32", lambda: calculus.laplacian(u, wrong))

        def response(k: np.ndarray) -> np.ndarray:
            if comm.rank == comm.size - 1:
                raise ZeroDivisionError("no k")
            return k

        fails("ZeroDivisionError: no k", lambda: calculus.filter(u, response))
        fails("must be real", lambda: calculus.filter(u, lambda k: 1j * k))
        with pytest.raises(weft.Error, match="wavenumbers along axis 5"):
            calculus.waves.derivative_k(5)
    fails("has been destroyed", lambda: calculus.laplacian(u))


@pytest.mark.parametrize("kind", ["c2c", "r2c", "dct1", "dct2", "dct3", "dct4", "dst1", "dst2",
                                  "dst3", "dst4", "none"])
def test_derivatives_are_those_of_waves_but_for_the_nyquist_mode(kind: str) -> None:
    for n in range(2, 9):
        expected = weft.wavenumbers(kind, n, length=3.0)
        if kind in ("c2c", "r2c") and n % 2 == 0:
            expected[n // 2] = 0
        if kind in ("dct1", "dst2"):
            expected[-1] = 0
        np.testing.assert_allclose(weft.derivative_wavenumbers(kind, n, length=3.0), expected)
    modes = np.array([[0], [1]])
    np.testing.assert_allclose(weft.derivative_wavenumbers(kind, 8, modes),
                               weft.wavenumbers(kind, 8, modes, 1.0))


def test_the_smoothest_function_through_the_points_is_differentiated() -> None:
    """That through cos(8 x) cos(y) on 16 x 16 points has no derivative along x at any of them."""
    x = weft.grid_points("c2c", 16, length=2 * np.pi)
    u = np.cos(8 * x)[:, None] * np.cos(x) + np.sin(3 * x)[:, None]
    with weft.Plan((16, 16), np.float64, MPI.COMM_SELF, kinds="r2c") as plan:
        kx = weft.derivative_wavenumbers("c2c", 16, length=2 * np.pi)[:, None]
        ux = plan.backward(1j * kx * plan.forward(u))
        np.testing.assert_allclose(ux, 3 * np.cos(3 * x)[:, None] * np.ones(16), atol=1e-13)
        np.testing.assert_array_equal(kx, weft.Wavenumbers(plan, (2 * np.pi, 1)).derivative_k(0))


def test_numbers_of_axes() -> None:
    np.testing.assert_array_equal(weft.wavenumbers("c2c", 5), [0, 1, 2, -2, -1])
    np.testing.assert_array_equal(weft.wavenumbers("r2c", 6), [0, 1, 2, 3])
    np.testing.assert_array_equal(weft.wavenumbers("dst1", 3), [1, 2, 3])
    np.testing.assert_array_equal(weft.wavenumbers("dct4", 3, [[0, 2]]), [[0.5, 2.5]])
    np.testing.assert_allclose(weft.wavenumbers("dct2", 4, 3, length=2.0), 3 * np.pi / 2)
    np.testing.assert_allclose(weft.wavenumbers("c2c", 5, length=2.0),
                               np.pi * np.array([0, 1, 2, -2, -1]))
    np.testing.assert_allclose(weft.grid_points("dct1", 5), [0, 0.25, 0.5, 0.75, 1])
    np.testing.assert_allclose(weft.grid_points("dst2", 2, length=4), [1, 3])
    np.testing.assert_array_equal(weft.grid_points("c2c", 8, np.array([2, 4])), [0.25, 0.5])
    assert [weft.good_length(n) for n in (1, 11, 121, 1025)] == [1, 12, 125, 1029]
    assert 0 < weft.rounding_error_bound("f8", 1 << 20) < weft.rounding_error_bound("c8", 1 << 20)
    with pytest.raises(weft.Error, match="kind"):
        weft.wavenumbers("c3c", 5)
    with pytest.raises(weft.Error, match="kind"):
        weft.derivative_wavenumbers("c3c", 5)
    with pytest.raises(TypeError, match="integers"):
        weft.wavenumbers("c2c", 5, [0.5])
