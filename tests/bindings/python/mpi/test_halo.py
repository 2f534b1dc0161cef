"""Halo exchange against the whole array, continued by NumPy."""

from typing import Any

import numpy as np
import pytest
from helpers import fails
from mpi4py import MPI
from random_problem import pick, random_boxes, random_layout

import weft

UNTOUCHED = -77.0


def integers(random: np.random.Generator, shape: tuple[int, ...], dtype: Any) -> np.ndarray:
    """Small ones, whose sums are exact."""
    values = random.integers(0, 50, (*shape, 2)) @ np.array([1, 1j])
    return (values if dtype.kind == "c" else values.real).astype(dtype)


def as_batch(x: np.ndarray, halo: weft.Halo) -> np.ndarray:
    """With the batch first."""
    axis = halo.array.field_axis
    return x[None] if axis is None else np.moveaxis(x, axis, 0)


def exchanged(halo: weft.Halo) -> tuple[slice, ...]:
    """Where in this rank's array the points are that it owns or that an exchange brings."""
    owned = [part for part in halo.owned if part != slice(None)]
    return (slice(None), *(slice(part.start - a, part.stop + b)
                           for part, a, b in zip(owned, halo.lower, halo.upper)))


@pytest.mark.parametrize("turn", range(24))
def test_random(comm: MPI.Intracomm, turn: int) -> None:
    random = np.random.default_rng([turn, comm.size])
    axes = int(random.integers(1, 5))
    shape = tuple(int(n) for n in random.integers(1, (40, 14, 9, 6)[axes - 1], axes))
    dtype = np.dtype(pick(random, ("f4", "f8", "c8", "c16")))
    periodic = tuple(bool(b) for b in random.integers(0, 2, axes))
    batch, interleaved = pick(random, (1, 1, 3)), bool(random.integers(2))
    room = random.integers(0, 4, (2, axes))
    options: dict[str, Any] = {}
    if random.random() < 0.25:
        boxes = random_boxes(random, (0,) * axes, shape, comm.size)
        lower, upper = boxes[comm.rank]
        strides, step = [0] * axes, batch if interleaved else 1
        for axis in random.permutation(axes).tolist():
            strides[axis] = step
            step *= upper[axis] - lower[axis] + int(room[:, axis].sum()) + 1
        fields = [] if batch == 1 else [1 if interleaved else step]
        layout = weft.box(lower, upper).with_strides([*strides, *fields])
        options = {"lower": room[0], "upper": room[1]}
    else:
        layout = random_layout(random, shape, comm.size, comm.rank)
        layout = weft.parse_layout(layout) if isinstance(layout, str) else layout
        layout = layout.with_halo(*room)
        if random.random() < 0.5:
            options = {"lower": random.integers(0, room[0] + 1),
                       "upper": random.integers(0, room[1] + 1)}
    whole = integers(random, (batch, *shape), dtype)
    with weft.Halo(shape, dtype, comm, layout=layout, periodic=periodic, batch=batch,
                   interleaved=interleaved, **options) as halo:
        x = halo.empty()
        assert x.shape == halo.shape and x.dtype == dtype
        x[...] = UNTOUCHED
        box = halo.array.box
        as_batch(x[halo.owned], halo)[...] = whole[(slice(None), *box.slices)]
        expected = as_batch(x, halo).copy()
        halo.exchange(x)
        weights = halo.zeros()
        if x.size > 0:
            padded = whole
            for axis, (a, b) in enumerate(zip(halo.lower, halo.upper), start=1):
                places = np.arange(-a, shape[axis - 1] + b)
                is_there = (places >= 0) & (places < shape[axis - 1]) | periodic[axis - 1]
                padded = np.where(is_there.reshape([-1] + [1] * (axes - axis)),
                                  padded.take(places, axis, mode="wrap"), UNTOUCHED)
            expected[exchanged(halo)] = padded[(slice(None), *(
                slice(begin, end + a + b)
                for begin, end, a, b in zip(*box, halo.lower, halo.upper)))]
            np.testing.assert_array_equal(as_batch(x, halo), expected)
            as_batch(weights, halo)[exchanged(halo)] = integers(
                random, as_batch(x, halo)[exchanged(halo)].shape, np.dtype(float))
        # One is the transpose of the other: (exchange x) . w = x . (accumulate w).
        x[x == UNTOUCHED] = 0
        before, sums = weights.copy(), [np.vdot(x, weights.astype("c16"))]
        halo.start_accumulate(weights)
        halo.wait()
        sums.append(np.vdot(x[halo.owned], weights[halo.owned].astype("c16")))
        first, second = comm.allreduce(np.array(sums))
        assert first == second
        weights[halo.owned] = before[halo.owned]  # all that has changed
        np.testing.assert_array_equal(weights, before)


def test_beside_a_plan(comm: MPI.Intracomm) -> None:
    shape = (9, 8, 7)
    layout = weft.slab_split(1).with_order((2, 0, 1)).with_halo((1, 0, 2), (2, 1, 0))
    whole = np.random.default_rng(3).standard_normal(shape)
    with weft.Halo(shape, np.float64, comm, layout=layout, periodic=True) as halo, weft.Plan(
            shape, np.float64, comm, kinds="r2c", input=layout, output="pencil:0") as plan:
        assert halo.lower == (1, 0, 2) and halo.upper == (2, 1, 0)
        assert halo.array.box == plan.input.box and halo.array.strides == plan.input.strides
        assert (halo.peers > 0) == (halo.bytes_sent > 0)
        x = halo.zeros()
        x[halo.owned] = whole[plan.input.box.slices]
        plan.backward(plan.forward(x[halo.owned]), x[halo.owned])
        halo.exchange(x)
        if x.size > 0:
            corner = whole[-1, halo.array.box.lower[1], -2]
            assert x[0, 0, 0] == pytest.approx(corner, abs=1e-14)


def test_while_the_caller_works(comm: MPI.Intracomm) -> None:
    layout = weft.slab_split(0).with_halo((1,), (1,))
    with weft.Halo(12, np.float64, comm, layout=layout, periodic=True) as halo:
        x = halo.zeros()
        x[halo.owned] = np.arange(12)[halo.array.box.slices]
        for call in (halo.test, halo.wait):
            fails(comm, "nothing was started", call)
        halo.start_exchange(x)
        while not halo.test():
            pass
        halo.wait()
        if x.size > 0:
            lower, upper = halo.array.box.lower[0], halo.array.box.upper[0]
            assert x[0] == (lower - 1) % 12 and x[-1] == upper % 12


def test_errors(comm: MPI.Intracomm) -> None:
    layout = weft.slab_split(0).with_halo((1, 0), (1, 0))
    strided = weft.boxes([((0, 0), (12, 10))] + [((0, 0), (0, 0))] * (comm.size - 1))
    for text, arguments in [
            ("has 3 axes", {"periodic": (True, False, True)}),
            ("are more than the halo", {"lower": (2, 0)}),
            ("float16 is not supported", {"dtype": "f2"}),
            ("must be a str or a weft.Layout", {"layout": 7}),
            ("pigeons", {"layout": "pigeons"}),
            ("batch 'cat': must be an integer", {"batch": "cat"}),
            ("widths must be given", {"layout": strided.with_strides((10, 1))})]:
        fails(comm, text, lambda: weft.Halo((12, 10), comm=comm,
                                                 **{"layout": layout, **arguments}))
    with weft.Halo((12, 10), comm=comm, layout=layout) as halo:
        x = halo.zeros()
        small = x[halo.owned]  # without the halo: nothing may be written around it
        last = comm.size - 1
        fails(comm, "has shape", lambda: halo.exchange(small if comm.rank == last else x))
        fails(comm, "is of float32",
                   lambda: halo.exchange(x.astype("f4") if comm.rank == last else x))
        fails(comm, "is not a usable array", lambda: halo.accumulate(None))
        frozen = x.copy()
        frozen.flags.writeable = False
        fails(comm, "is read-only", lambda: halo.exchange(frozen))
        if comm.size > 1:
            fails(comm, "some ranks called exchange",
                       lambda: (halo.exchange if comm.rank == 0 else halo.accumulate)(x))
        halo.exchange(x)
    fails(comm, "destroyed", lambda: halo.exchange(x))
