"""PFFT, the transform of mpi4py-fft's interface, against SciPy's transforms of whole arrays."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
import pytest
import scipy.fft
from helpers import fails, near, random_array
from mpi4py import MPI

import weft
from weft.mpi4py_fft import PFFT, DistArray, fftw, newDistArray
from weft.mpi4py_fft.pencil import Subcomm

BOUND = {"f": 4e-6, "d": 2e-14, "g": 2e-14}
DTYPES = "fdFD"


def whole(fft: PFFT, seed: int = 1) -> np.ndarray:
    return random_array(np.random.default_rng(seed), fft.global_shape(False), fft.dtype(False))


def spectrum_of(u: np.ndarray, groups: Sequence[Sequence[int]],
                r2r: dict[tuple[int, ...], tuple[str, int]]) -> np.ndarray:
    """The exact transform, divided by the number of points."""
    u = u.astype("G" if u.dtype.kind == "c" else "g")
    for group in reversed(groups):
        if tuple(group) in r2r:
            name, type = r2r[tuple(group)]
            u = getattr(scipy.fft, name)(u, type, axes=group, norm="forward")
        else:
            function = scipy.fft.rfftn if u.dtype.kind == "f" else scipy.fft.fftn
            u = function(u, axes=group, norm="forward")
    return u


def check(fft: PFFT, exact: np.ndarray, u: np.ndarray) -> None:
    """Forward against the exact spectrum, and backward."""
    bound = BOUND[fft.dtype(False).char.lower()]
    here, there = fft.local_slice(False), fft.local_slice(True)
    assert exact.shape == fft.global_shape(True)
    assert fft.shape(True) == exact[there].shape and fft.shape(False) == u[here].shape
    v, vh = newDistArray(fft, False), newDistArray(fft)
    assert vh.dtype == fft.dtype(True)
    v[...] = u[here]
    assert fft.forward(v, vh) is vh
    near(MPI.COMM_WORLD, vh, exact[there], bound)
    assert (v == u[here]).all()  # the input is left alone
    w = newDistArray(fft, False)
    assert fft.backward(vh, w) is w
    near(MPI.COMM_WORLD, w, u[here], bound)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize(("shape", "axes"), [
    ((7, 10), None), ((6, 9), (1, 0)), ((6, 9), (-1, 0)), ((8, 5), 1), ((8, 5), (-2,)),
    ((9, 5, 8), None), ((9, 5, 8), (0, 2, 1)), ((9, 5, 8), (2, 1, 0)), ((9, 5, 8), ((0,), (1, 2))),
    ((9, 5, 8), ((0, 1), (2,))), ((4, 7, 6), (1, 2)), ((5, 1, 11), (0, 1, 2)), ((2, 3, 2), None),
    ((5, 6, 7, 4), None), ((5, 6, 7, 4), ((0,), (3,), (1, 2))), ((3, 2, 3, 4, 5), (4, 0, 2)),
])
def test_fourier(comm: MPI.Intracomm, shape: tuple[int, ...], axes: Any, dtype: str) -> None:
    fft = PFFT(comm, shape, axes, dtype)
    u = whole(fft)
    assert fft.global_shape() == shape and fft.dimensions == len(shape)
    first, last = fft.axes[-1][-1], fft.axes[0][-1]
    assert fft.forward.input_pencil.substart[first] == 0 == fft.backward.input_pencil.substart[last]
    check(fft, spectrum_of(u, fft.axes, {}), u)
    fft.destroy()


@pytest.mark.parametrize("collapse", [False, True])
@pytest.mark.parametrize("how", [
    dict(), dict(slab=True), dict(slab=0), dict(grid=(-1,)), dict(grid=(1, -1)), dict(grid=[0, 0]),
    dict(axes=(1, 2, 0), grid=(1, 0, 0)), dict(axes=((0,), (2,), (1,)), slab=-1),
])
def test_divisions(comm: MPI.Intracomm, how: dict[str, Any], collapse: bool) -> None:
    fft = PFFT(comm, (7, 6, 9), dtype=float, collapse=collapse, **how)
    u = whole(fft)
    check(fft, spectrum_of(u, fft.axes, {}), u)
    if collapse and comm.size == 1:
        assert len(fft.axes) == 1
    sizes = [each.size for each in fft.subcomm]
    assert np.prod(sizes) == comm.size
    if how.get("slab") is True:
        assert sizes == [comm.size, 1, 1]
    fft.destroy()


def test_the_parts_are_balanced_after_each_swap(comm: MPI.Intracomm) -> None:
    """Larger parts first; the output has the communicators that the swaps leave there."""
    fft = PFFT(comm, (7, 11, 12), axes=(0, 1, 2), grid=(1, -1))
    p, r = comm.size, fft.subcomm[1].rank
    begins = [sum(len(range(q, n, p)) for q in range(r)) for n in (11, 7)]
    lengths = [len(range(r, n, p)) for n in (11, 7)]
    assert fft.pencil[0].substart == (0, begins[0], 0)
    assert fft.pencil[0].subshape == (7, lengths[0], 12)
    # Axis 1 takes its turn after axis 2, and then axis 0: the division goes to 2, and stays there.
    last = [sum(len(range(q, 7, p)) for q in range(r)), len(range(r, 7, p))]
    assert fft.pencil[1].substart == (0, 0, last[0])
    assert fft.pencil[1].subshape == (7, 11, last[1])
    fft.destroy()


@pytest.mark.parametrize("dtype", "fd")
@pytest.mark.parametrize(("name", "type"), [(n, t) for n in ("dctn", "dstn") for t in (1, 2, 3, 4)])
def test_cosines_and_sines(comm: MPI.Intracomm, name: str, type: int, dtype: str) -> None:
    pair = (partial(getattr(fftw, name), type=type), partial(getattr(fftw, "i" + name), type=type))
    fft = PFFT(comm, (6, 7, 9), ((0,), (1, 2)), dtype, transforms={(1, 2): pair})
    assert fft._whole is not None
    u = whole(fft)
    check(fft, spectrum_of(u, fft.axes, {(1, 2): (name, type)}), u)
    fft.destroy()


def test_kinds_of_several_groups(comm: MPI.Intracomm) -> None:
    """All real; and inverses are transforms too: idct2 is dct3."""
    pairs = {(1,): (fftw.dctn, fftw.idctn), (0, 2): (fftw.idstn, fftw.dstn)}
    fft = PFFT(comm, (6, 7, 5), ((1,), (0, 2)), transforms=pairs)
    assert fft._whole is not None and fft.dtype(True).char == "d"
    u = whole(fft)
    check(fft, spectrum_of(u, fft.axes, {(1,): ("dctn", 2), (0, 2): ("dstn", 3)}), u)
    fft.destroy()


def truncation(n: int, points: int, is_half: bool) -> np.ndarray:
    """A matrix from the modes of an axis to the low ones; rows are what is kept."""
    kept = n // 2 + 1 if is_half else n
    matrix = np.zeros((kept, points // 2 + 1 if is_half else points))
    for k in range(kept):
        if is_half:
            matrix[k, k] = 1
        else:
            matrix[k, k if 2 * k <= n else k - n] = 1
            if 2 * k == n:
                matrix[k, -k] = 1
    return matrix


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize(("shape", "axes", "padding"), [
    ((6, 8), None, 1.5), ((5, 7), None, 1.5), ((6, 9), (1, 0), [2.0, 1.4]), ((6, 9), 0, [1.5, 1]),
    ((6, 5, 8), None, [1.5, 1.5, 1.5]), ((4, 6, 10), (2, 0, 1), [1.25, 1.0, 2.0]),
    ((2, 4, 3), ((0,), (2,)), [1.5, 3, 1.6]),
])
def test_padding(comm: MPI.Intracomm, shape: tuple[int, ...], axes: Any, padding: Any,
                 dtype: str) -> None:
    given = list(padding) if isinstance(padding, list) else padding
    fft = PFFT(comm, shape, axes, dtype, padding=given)
    points = fft.global_shape(False)
    factors = padding if isinstance(padding, list) else [padding] * len(shape)
    every = [axis for group in fft.axes for axis in group]
    assert points == tuple(int(n * f) if axis in every else n
                           for axis, (n, f) in enumerate(zip(shape, factors)))
    if isinstance(padding, list):
        assert all(given[axis] == points[axis] / shape[axis] for axis in every)
    u = whole(fft)
    exact = spectrum_of(u, fft.axes, {})
    matrices = {axis: truncation(shape[axis], points[axis],
                                 dtype in "fd" and axis == every[-1]) for axis in every}
    for axis, matrix in matrices.items():
        exact = np.moveaxis(np.tensordot(matrix, exact, (1, axis)), 0, axis)
    bound = BOUND[dtype.lower()]
    here, there = fft.local_slice(False), fft.local_slice(True)
    uh = fft.forward(u[here])
    near(comm, uh, exact[there], bound)
    # Backward gives the opposites of the highest mode half of it each: low modes stay.
    back = exact
    for axis, matrix in matrices.items():
        spread = matrix.T / matrix.sum(1)
        back = np.moveaxis(np.tensordot(spread, back, (1, axis)), 0, axis)
    for axis in every:
        if dtype in "fd" and axis == every[-1]:
            continue
        back = scipy.fft.ifft(back, axis=axis, norm="forward")
    if dtype in "fd":
        back = scipy.fft.irfft(back, points[every[-1]], every[-1], norm="forward")
    near(comm, fft.backward(uh), back[here], bound)
    near(comm, fft.forward(fft.backward(uh.copy())), exact[there], bound)
    fft.destroy()


def test_scaling_and_arrays_of_the_transform(comm: MPI.Intracomm) -> None:
    fft = PFFT(comm, (7, 8, 6))
    u = whole(fft)[fft.local_slice(False)]
    exact = spectrum_of(whole(fft), fft.axes, {})[fft.local_slice()]
    forward, backward = fft.forward, fft.backward
    assert forward.input_array is backward.output_array
    assert forward.output_array is backward.input_array
    assert forward(u) is forward.output_array
    near(comm, forward.output_array, exact, 2e-14)
    forward.input_array[...] = 2 * u
    assert forward() is forward.output_array
    near(comm, forward.output_array, 2 * exact, 2e-14)
    near(comm, forward(u, normalize=False), exact * (7 * 8 * 6), 2e-14)
    near(comm, backward(normalize=True), u, 2e-14)
    near(comm, backward(exact), u, 2e-14)
    fft.destroy()


def test_arrays_of_other_types_and_orders(comm: MPI.Intracomm) -> None:
    fft = PFFT(comm, (6, 7, 5), dtype="d")
    u = whole(fft)[fft.local_slice(False)]
    exact = spectrum_of(whole(fft), fft.axes, {})[fft.local_slice()]
    near(comm, fft.forward(np.asfortranarray(u)), exact, 2e-14)
    near(comm, fft.forward(u.astype("f")), exact, 2e-6)
    near(comm, fft.forward(u.tolist()) if u.size else fft.forward(u), exact, 2e-14)
    out = np.empty((*fft.shape(), 2), "F")[..., 0]
    assert fft.forward(u, out) is out
    near(comm, out, exact, 2e-6)
    wide = np.zeros((*fft.shape(False), 2))[..., 1]
    near(comm, fft.backward(exact.astype("D"), wide), u, 2e-14)
    last = comm.rank == comm.size - 1
    fails(comm, "has shape", lambda: fft.forward(np.zeros(3) if last else u))
    near(comm, fft.forward(u), exact, 2e-14)  # it is still of use
    fft.destroy()


def test_vectors_and_new_arrays(comm: MPI.Intracomm) -> None:
    fft = PFFT(comm, (6, 5, 7), dtype="f")
    u = newDistArray(fft, False, rank=1, val=2)
    uh = newDistArray(fft, rank=1)
    assert u.shape == (3, *fft.shape(False)) and uh.dtype == np.complex64 and (u == 2).all()
    for component in range(3):
        u[component] *= component
        uh[component] = fft.forward(u[component], uh[component])
    if uh.size and all(part.start == 0 for part in fft.local_slice()):
        assert np.allclose(uh[(slice(None), 0, 0, 0)], [0, 2, 4], atol=1e-5)  # the means
    plain = newDistArray(fft, view=True)
    assert type(plain) is np.ndarray and isinstance(plain.base, DistArray)
    fft.destroy()


def test_arrays_begin_cache_lines(comm: MPI.Intracomm) -> None:
    fft = PFFT(comm, (6, 5, 7))
    with weft.Plan((6, 5, 7), float, comm, kinds="r2c") as plan:
        made = [fft.forward.input_array, fft.forward.output_array, plan.input.zeros(),
                plan.output.empty()]
        made += [newDistArray(fft, side) for side in (True, False) for _ in range(5)]
        assert all(array.ctypes.data % 64 == 0 for array in made if array.size)
        assert not any(array.any() for array in made[:3])
    fft.destroy()


def test_of_an_array(comm: MPI.Intracomm) -> None:
    for alignment in range(3):
        a = DistArray((6, 8, 7), dtype="F", alignment=alignment)
        fft = PFFT(comm, darray=a)
        assert fft.axes[-1] == (alignment,) and fft.dtype() == a.dtype
        assert fft.pencil[0].subshape == a.shape
        u = whole(fft)
        check(fft, spectrum_of(u, fft.axes, {}), u)
        fft.destroy()
    vector = DistArray((2, 6, 8), rank=1)
    fft = PFFT(comm, darray=vector[0])
    assert fft.forward(vector[1]).shape == fft.shape()
    fft.destroy()


def test_subcomm(comm: MPI.Intracomm) -> None:
    cart = comm.Create_cart(MPI.Compute_dims(comm.size, [0, 0, 1]))
    for subcomm in (Subcomm(comm, [0, 0, 1]), Subcomm(cart)):
        fft = PFFT(subcomm, (5, 6, 7))
        assert fft.subcomm is subcomm
        u = whole(fft)
        check(fft, spectrum_of(u, fft.axes, {}), u)
        fft.destroy()
    cart.Free()


def test_part_of_the_processes(comm: MPI.Intracomm) -> None:
    part = comm.Split(comm.rank % 2, -comm.rank)  # in the other order, too
    fft = PFFT(part, (5, 4, 6))
    u = whole(fft)
    uh = fft.forward(u[fft.local_slice(False)])
    near(part, uh, spectrum_of(u, fft.axes, {})[fft.local_slice()], 2e-14)
    fft.destroy()
    part.Free()


@pytest.mark.parametrize("padding", [False, [1.5, 1.5, 1.0]])
@pytest.mark.parametrize("dtype", "dDgG")
def test_steps(comm: MPI.Intracomm, dtype: str, padding: Any) -> None:
    """What goes step by step: numbers of extended precision, by SciPy; and the steps themselves."""
    fft = PFFT(comm, (6, 5, 7), dtype=dtype, padding=padding)
    assert (fft._whole is None) == (dtype in "gG")
    assert len(fft.xfftn) == len(fft.transfer) + 1 == len(fft.axes)
    u = whole(fft)[fft.local_slice(False)]
    assert fft.dtype(True).char == dtype.upper()
    fft.xfftn[0].forward.input_array[...] = u
    for step, after in zip(fft.xfftn, [*fft.transfer, None]):
        result = step.forward()
        if after is not None:
            after.forward(result, fft.xfftn[fft.xfftn.index(step) + 1].forward.input_array)
    uh = fft.forward(u)
    near(comm, uh, result, 2e-14)
    if padding is False:
        near(comm, fft.backward(uh), u, 2e-14)
    fft.destroy()


@pytest.mark.parametrize(("backend", "forward", "backward"), [
    ("numpy", np.fft.fftn, np.fft.ifftn),
    ("numpy", lambda x, s, axes: 2 * np.fft.fftn(x, s, axes),
     lambda x, s, axes: np.fft.ifftn(x, s, axes) / 2),
])
def test_functions_of_the_caller(comm: MPI.Intracomm, backend: str, forward: Any,
                                 backward: Any) -> None:
    fft = PFFT(comm, (6, 5, 4), ((0,), (1, 2)), "D", backend=backend,
               transforms={(1, 2): (forward, backward)})
    is_known = forward is np.fft.fftn
    assert (fft._whole is not None) == is_known
    u = whole(fft)
    check(fft, spectrum_of(u, fft.axes, {}) * (1 if is_known else 2), u)
    fft.destroy()


def test_options(comm: MPI.Intracomm) -> None:
    for options in (dict(planner_effort="FFTW_ESTIMATE", threads=1, overwrite_input=True),
                    dict(device="emulated"), dict(exchange="alltoallv", backend="pyfftw")):
        fft = PFFT(comm, (6, 5, 7), **options)
        u = whole(fft)
        check(fft, spectrum_of(u, fft.axes, {}), u)
        fft.destroy()
    fft = PFFT(comm, (16, 16, 16), tolerance=1e-4)
    near(comm, fft.forward(whole(fft)[fft.local_slice(False)]),
         spectrum_of(whole(fft), fft.axes, {})[fft.local_slice()], 1e-4)
    fft.destroy()
    fails(comm, "Plan: argument 'chunk'", lambda: PFFT(comm, (4, 4), chunk=2),
          or_text="chunk")


@pytest.mark.parametrize(("wrong", "text"), [
    (dict(shape=(4, 5), axes=(0, 0)), "twice"), (dict(shape=(4, 5), axes=2), "axes 2"),
    (dict(shape=(4, 5), axes=()), "axes"), (dict(shape=(4, 5), dtype="i4"), "int32"),
    (dict(shape=(4, 0)), "shape"), (dict(shape=(4, 5), padding=[1.5]), "padding"),
    (dict(shape=(4, 5, 6), axes=((0,), (1, 2)), padding=[1, 1, 1.5]), "one axis at a time"),
    (dict(shape=(4, 5), backend="fftpack"), "backend"), (dict(), "darray"),
    (dict(shape=(4, 5), planner_effort="FFTW_LAZY"), "FFTW_LAZY"),
    (dict(shape=(4, 5), slab=3), "slab"), (dict(shape=(4, 5), grid=(1, 1, 1)), "grid"),
])
def test_bad_arguments(comm: MPI.Intracomm, wrong: dict[str, Any], text: str) -> None:
    with pytest.raises(ValueError, match=text):
        PFFT(comm, **wrong)
