"""Making arrays: every constructor against NumPy, in random layouts."""

import numpy as np
from mpi4py import MPI
from random_problem import random_boxes

import weft
from cases import (
    DTYPES,
    choices,
    distributed,
    expect_equal,
    padded_strides,
    raises,
    random_global,
    random_layout,
    random_shape,
    refuses,
)
from weft import DistArray


def check_attributes(comm):
    choose = choices(comm, "attributes")
    for _ in range(20):
        shape = random_shape(choose)
        layout = random_layout(choose, shape, comm)
        a = DistArray(shape, np.complex64, layout, comm)
        assert a.shape == shape and a.ndim == len(shape) and len(a) == shape[0]
        assert a.size == np.prod(shape) and a.dtype == np.complex64
        assert a.comm is comm or a.comm == comm
        assert a.local.shape == a.box.extents and a.boxes[comm.rank] == a.box
        assert np.shares_memory(a.local, a.memory) or a.local.size == 0
        assert comm.allreduce(a.local.size) == a.size
        assert f"rank {comm.rank} of {comm.size}" in repr(a) and "complex64" in repr(a)


def check_memory_order_halo_and_strides(comm):
    shape = (4, 5, 6)
    a = DistArray(
        shape, "f8", weft.slab_split(1).with_order((2, 0, 1)).with_halo((1, 0, 2), (0, 3, 1)), comm
    )
    widths = [n + low + high for n, low, high in zip(a.box.extents, (1, 0, 2), (0, 3, 1))]
    if a.local.size:
        assert a.memory.size == np.prod(widths)
        assert [stride // 8 for stride in a.local.strides] == [widths[1], 1, widths[0] * widths[1]]
    boxes = random_boxes(np.random.default_rng(comm.size), (0, 0, 0), shape, comm.size)
    strides = padded_strides(*boxes[comm.rank], (0, 1, 2))
    b = DistArray(shape, "f4", weft.box(*boxes[comm.rank]).with_strides(strides), comm)
    if b.local.size:
        assert [stride // 4 for stride in b.local.strides] == strides
    assert list(b.boxes) == boxes or all(
        0 in box.extents for box, given in zip(b.boxes, boxes) if box != given
    )


def check_filled(comm):
    choose = choices(comm, "filled")
    for dtype in DTYPES:
        shape = random_shape(choose)
        layout = random_layout(choose, shape, comm)
        if np.dtype(dtype).kind in "biufc":
            expect_equal(DistArray.zeros(shape, dtype, layout, comm), np.zeros(shape, dtype))
            expect_equal(DistArray.ones(shape, dtype, layout, comm), np.ones(shape, dtype))
        value = random_global(choose, (1,), dtype)[0]
        expect_equal(
            DistArray.full(shape, value, dtype, layout, comm), np.full(shape, value, dtype)
        )
    expect_equal(DistArray.full(5, 7, comm=comm), np.full(5, 7))
    assert DistArray.empty((3, 4), comm=comm).dtype == np.float64


def check_from_function(comm):
    choose = choices(comm, "function")
    for _ in range(10):
        shape = random_shape(choose)
        layout = random_layout(choose, shape, comm)
        weights = [3.5**axis for axis in range(len(shape))]

        def function(*indices):
            assert all(index.shape[axis] == index.size for axis, index in enumerate(indices))
            return sum(weight * index for weight, index in zip(weights, indices))

        expected = function(*np.ix_(*map(range, shape)))
        expect_equal(DistArray.from_function(function, shape, layout=layout, comm=comm), expected)
        expect_equal(
            DistArray.from_function(function, shape, "c8", layout, comm), expected.astype("c8")
        )
    expect_equal(DistArray.from_function(lambda i, j: 3, (4, 5), comm=comm), np.full((4, 5), 3))


def check_from_local_global_and_scatter(comm):
    choose = choices(comm, "from")
    for dtype in DTYPES:
        whole = random_global(choose, random_shape(choose), dtype)
        layout = random_layout(choose, whole.shape, comm)
        a = DistArray.from_global(whole, layout, comm)
        expect_equal(a, whole)
        local = np.asfortranarray(whole[a.box.slices])
        b = DistArray.from_local(local, whole.shape, layout, comm)
        expect_equal(b, whole)
        expect_equal(DistArray.from_local(local, whole.shape, layout, comm, copy=True), whole)
        root = choose.randrange(comm.size)
        mine = whole if comm.rank == root else None
        expect_equal(DistArray.scatter(mine, layout, comm, root=root), whole)


def check_from_local_shares_memory_where_it_can(comm):
    box = DistArray((6, 5), "f8", "slab:1", comm).box
    local = np.zeros(box.extents)
    shared = DistArray.from_local(local, (6, 5), "slab:1", comm, copy=False)
    copied = DistArray.from_local(local, (6, 5), "slab:1", comm, copy=True)
    shared.local[...] = 3
    assert (local == 3).all() and (copied.local == 0).all()
    with raises(comm, ValueError, "strides", "order (1, 0)"):
        DistArray.from_local(np.zeros((6, 10))[:, : box.extents[1]][:, ::-1], (6, 5),
                             weft.slab_split(1).with_order((1, 0)), comm, copy=False)


def check_random_does_not_depend_on_the_layout(comm):
    choose = choices(comm, "random")
    for dtype in ["f4", "f8", "c8", "c16", "f2"]:
        shape = random_shape(choose)
        a = DistArray.random(shape, dtype, random_layout(choose, shape, comm), comm, seed=3)
        alone = DistArray.random(shape, dtype, comm=MPI.COMM_SELF, seed=np.int32(3))
        expect_equal(a, alone.local)
        if a.size > 50:
            assert a.local.real.min(initial=1) >= -1 and a.local.real.max(initial=-1) < 1
            other = DistArray.random(shape, dtype, comm=comm, seed=4).allgather()
            assert not np.array_equal(other, alone.local)
            assert abs(np.std(alone.local.real) - 3**-0.5) < 0.15


def check_random_numbers_are_those_of_the_library(comm):
    """splitmix64 of index and seed, by integers of any size."""

    def mixed(value):
        value = (value + 0x9E3779B97F4A7C15) % 2**64
        value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9 % 2**64
        value = (value ^ (value >> 27)) * 0x94D049BB133111EB % 2**64
        return value ^ (value >> 31)

    def value(number, seed):
        bits = mixed(number ^ mixed(seed))
        return (bits - 2**64 * (bits >> 63)) * 2.0**-63

    a = DistArray.random((3, 4), complex, "slab:1", comm, seed=12).allgather()
    for at, number in enumerate(a.ravel()):
        assert number == complex(value(2 * at, 12), value(2 * at + 1, 12))


def check_copies_and_types(comm):
    choose = choices(comm, "copies")
    whole = random_global(choose, random_shape(choose), "c16")
    a = distributed(choose, whole, comm)
    b = a.copy()
    a.local[...] = 0
    expect_equal(b, whole)
    expect_equal(b.astype("c8"), whole.astype("c8"))
    expect_equal(b.real, whole.real)
    expect_equal(b.imag, whole.imag)
    expect_equal(b.conj(), whole.conj())
    expect_equal(b.real.astype(int), whole.real.astype(int))
    expect_equal(b.real.imag, np.zeros(whole.shape))


def check_communicators_of_all_kinds(comm):
    for part in [
        comm.Split(comm.rank % 2, -comm.rank),
        comm.Create_cart([comm.size], reorder=False),
    ]:
        whole = np.arange(35.0).reshape(5, 7)
        a = DistArray.from_global(whole, "slab:1", part)
        expect_equal(a.redistribute("slab:0"), whole)
        assert (a.allgather() == whole).all()
        part.Free()


def check_errors(comm):
    last = comm.size - 1
    halo = weft.slab_split(1).with_halo((1, 0), (0, 0))
    for arguments, kind, says in [
        *((dict(shape=shape), ValueError, str(shape))
          for shape in [(4, 0), (), (-1,), (1,) * 7, (1,) * 9]),
        (dict(shape=(2**40, 2**40), layout="slab:1"), weft.Error, "large"),
        (dict(shape=(4, 2.5)), TypeError, ""),
        (dict(shape=(4, 2**70)), weft.Error, f"shape {2**70}: must be between"),
        (dict(shape=(4, 2**70), layout=halo), weft.Error, f"shape {2**70}: must be between"),
        (dict(layout=weft.slab_split(2**70)), weft.Error, f"axis {2**70}: must be between"),
        (dict(dtype=object), TypeError, "object"),
        (dict(layout=[0]), TypeError, "list"),
        (dict(layout="slab:x"), weft.Error, "slab:x"),
        (dict(layout="slab:2"), weft.Error, "axis 2"),
        (dict(layout=weft.grid((7, comm.size))), weft.Error, "7"),
        (dict(layout=weft.slab_split(0).padded_for_r2c()), weft.Error, ""),
        (dict(device="abacus"), ValueError, "'abacus'"),
        (dict(comm=7), TypeError, "intracommunicator"),
    ]:
        refuses(comm, kind, lambda: DistArray(**{"shape": (4, 5), "comm": comm, **arguments}), says)
    with raises(comm, TypeError, "complex128", "float64"):
        DistArray.from_function(lambda i: i + 1j, 4, float, comm=comm)
    refuses(comm, TypeError, lambda: DistArray.random((4, 5), int, comm=comm), "int64")
    with raises(comm, ValueError, f"root {comm.size}"):
        DistArray.scatter(np.zeros(3), comm=comm, root=comm.size)
    for root in (0.0, "0"):
        with raises(comm, TypeError, "integer"):
            DistArray.scatter(np.zeros(3), comm=comm, root=root)
        refuses(comm, TypeError, lambda: DistArray((4, 5), comm=comm).gather(root), "integer")
    with raises(comm, TypeError, "object"):
        DistArray.scatter(np.array([None]) if comm.rank == last else None, comm=comm, root=last)

    def fails_on_one(i):
        if comm.rank == last:
            raise ZeroDivisionError("of the function")
        return i

    with raises(comm, ZeroDivisionError, "of the function"):
        DistArray.from_function(fails_on_one, 4, comm=comm)
    extents = DistArray((3, 4), comm=comm).box.extents
    local = np.zeros((9, 9) if comm.rank == last else extents)
    with raises(comm, ValueError, f"rank {last}", "(9, 9)"):
        DistArray.from_local(local, (3, 4), comm=comm)


def check_ranks_that_differ(comm):
    if comm.size == 1:
        return
    odd = comm.rank == comm.size - 1
    with raises(comm, ValueError, "ranks do not call the same", "slab:0", "slab:1"):
        DistArray((4, 5), layout="slab:1" if odd else "slab:0", comm=comm)
    with raises(comm, ValueError, "ranks do not call the same", "(4, 6)"):
        DistArray((4, 6) if odd else (4, 5), comm=comm)
    with raises(comm, ValueError, "ranks do not call the same"):
        DistArray.from_global(np.zeros(5 + odd), comm=comm)
    with raises(comm, ValueError, "ranks do not call the same"):
        DistArray((4, 5), "f4" if odd else "f8", comm=comm)
    a = DistArray((4, 5), comm=comm)
    with raises(comm, ValueError, "ranks do not call the same", "sum", "max"):
        a.max() if odd else a.sum()
