"""Halo exchange against the whole array, continued by hand."""

import functools
from typing import Any

import numpy as np
import pytest
from mpi4py import MPI
from random_problem import pick, random_boxes, random_layout

import weft

UNTOUCHED = -77.0


def same_error(comm: MPI.Intracomm, text: str, call: Any) -> None:
    with pytest.raises(weft.Error) as caught:
        call()
    assert text in str(caught.value), caught.value
    assert len(set(comm.allgather(str(caught.value)))) == 1


def numbers(shape: tuple[int, ...], dtype: np.dtype[Any], batch: int) -> np.ndarray:
    """Small integers, whose sums are exact; the batch first."""
    random = np.random.default_rng(7)
    values = random.integers(0, 50, (batch, *shape, 2)) @ np.array([1, 1j])
    return (values if dtype.kind == "c" else values.real).astype(dtype)


class Reference:
    """Where each point of a rank's array with its halo lies in the global array, if anywhere."""

    def __init__(self, halo: weft.Halo, shape: tuple[int, ...], periodic: tuple[bool, ...]) -> None:
        self.places, self.exists, self.is_exchanged = [], [], []
        whole = halo._whole.box
        own = halo.array.box
        for axis, n in enumerate(shape):
            index = np.arange(whole.lower[axis], whole.upper[axis])
            self.places.append(index % n)
            self.exists.append((index >= 0) & (index < n) | periodic[axis])
            self.is_exchanged.append((index >= own.lower[axis] - halo.lower[axis])
                                     & (index < own.upper[axis] + halo.upper[axis]))

    def mask(self) -> np.ndarray:
        """Points that an exchange brings, or leaves because they are owned."""
        every = [a & b for a, b in zip(self.exists, self.is_exchanged)]
        return functools.reduce(np.logical_and.outer, every)


def as_batch(x: np.ndarray, halo: weft.Halo) -> np.ndarray:
    """With the batch first."""
    axis = halo.array.field_axis
    return x[None] if axis is None else np.moveaxis(x, axis, 0)


@pytest.mark.parametrize("turn", range(30))
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
        order = random.permutation(axes).tolist()
        strides, step = [0] * axes, batch if interleaved else 1
        for axis in reversed(order):
            strides[axis] = step
            step *= upper[axis] - lower[axis] + int(room[:, axis].sum()) + 1
        fields = [] if batch == 1 else [1 if interleaved else step]
        layout = weft.box(lower, upper).with_strides([*strides, *fields])
        options = {"lower": room[0], "upper": room[1]}
        if batch == 1 and interleaved:
            interleaved = False
    else:
        layout = random_layout(random, shape, comm.size, comm.rank)
        layout = weft.parse_layout(layout) if isinstance(layout, str) else layout
        layout = layout.with_halo(*room)
        if random.random() < 0.5:
            options = {"lower": random.integers(0, room[0] + 1),
                       "upper": random.integers(0, room[1] + 1)}
    whole = numbers(shape, dtype, batch)
    with weft.Halo(shape, dtype, comm, layout=layout, periodic=periodic, batch=batch,
                   interleaved=interleaved, **options) as halo:
        reference = Reference(halo, shape, periodic)
        places = np.ix_(np.arange(batch), *reference.places)
        x = halo.empty()
        assert x.shape == halo.shape and x.dtype == dtype
        x[...] = UNTOUCHED
        as_batch(x[halo.owned], halo)[...] = whole[(slice(None), *halo.array.box.slices)]
        before = as_batch(x, halo).copy()
        halo.exchange(x)
        if x.size > 0:
            np.testing.assert_array_equal(as_batch(x, halo),
                                          np.where(reference.mask(), whole[places], before))
        # What every rank has on a point, added up where it is owned.
        if x.size > 0:
            as_batch(x, halo)[...] = np.where(reference.mask(), comm.rank + 1, UNTOUCHED)
        total = np.zeros(whole.shape, dtype)
        if x.size > 0:
            np.add.at(total, places, np.where(reference.mask(), as_batch(x, halo), 0))
        total = comm.allreduce(total)
        before = x.copy()
        halo.start_accumulate(x)
        halo.wait()
        np.testing.assert_array_equal(as_batch(x[halo.owned], halo),
                                      total[(slice(None), *halo.array.box.slices)])
        x[halo.owned] = before[halo.owned]  # all that has changed
        np.testing.assert_array_equal(x, before)


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
            padded = np.pad(whole, [(1, 2), (0, 1), (2, 0)], mode="wrap")
            box = halo.array.box
            part = padded[tuple(slice(a, b + lower + upper) for a, b, lower, upper
                                in zip(*box, halo.lower, halo.upper))]
            np.testing.assert_allclose(x, part, atol=1e-14)


def test_while_the_caller_works(comm: MPI.Intracomm) -> None:
    layout = weft.slab_split(0).with_halo((1,), (1,))
    with weft.Halo(12, np.float64, comm, layout=layout, periodic=True) as halo:
        x = halo.zeros()
        x[halo.owned] = np.arange(12)[halo.array.box.slices]
        for call in (halo.test, halo.wait):
            same_error(comm, "nothing was started", call)
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
        same_error(comm, text, lambda: weft.Halo((12, 10), comm=comm,
                                                 **{"layout": layout, **arguments}))
    with weft.Halo((12, 10), comm=comm, layout=layout) as halo:
        x = halo.zeros()
        small = x[halo.owned]  # without the halo: nothing may be written around it
        last = comm.size - 1
        same_error(comm, "has shape", lambda: halo.exchange(small if comm.rank == last else x))
        same_error(comm, "is of float32",
                   lambda: halo.exchange(x.astype("f4") if comm.rank == last else x))
        same_error(comm, "is no array", lambda: halo.accumulate(None))
        frozen = x.copy()
        frozen.flags.writeable = False
        same_error(comm, "is read-only", lambda: halo.exchange(frozen))
        if comm.size > 1:
            same_error(comm, "some ranks called exchange",
                       lambda: (halo.exchange if comm.rank == 0 else halo.accumulate)(x))
        halo.exchange(x)
    same_error(comm, "destroyed", lambda: halo.exchange(x))
