"""Elements between ranks: redistributions, gathering, indexing."""

import numpy as np

import weft
from cases import (
    DTYPES,
    choices,
    distributed,
    expect_equal,
    poisoned,
    raises,
    random_global,
    random_layout,
    random_shape,
    refuses,
)
from weft import DistArray
from weft.distarray import gathering
from weft.distarray.indexing import Selection


def check_redistribution_of_every_type(comm):
    choose = choices(comm, "redistribution")
    for dtype in DTYPES:
        for _ in range(4):
            whole = random_global(choose, random_shape(choose), dtype)
            a = distributed(choose, whole, comm)
            memory = a.memory.tobytes()
            b = a.redistribute(random_layout(choose, whole.shape, comm))
            expect_equal(b, whole)
            assert a.memory.tobytes() == memory
            expect_equal(b.redistribute(a.layout), whole)


def check_redistribution_keeps_bits(comm):
    patterns = np.array([0x7FF0000000000001, 0xFFF8DEADBEEF0001, 1, 0x8000000000000000], "u8")
    whole = np.resize(patterns, (7, 8))
    for dtype in ["f8", "f4", "c8", "u8"]:
        values = np.ascontiguousarray(whole).view(dtype)
        a = DistArray.from_global(values, "slab:0", comm).redistribute(
            weft.slab_split(1).with_order((1, 0))
        )
        expect_equal(a, values)


def check_same_layout_is_copied(comm):
    a = DistArray.ones((5, 6), layout="slab:1", comm=comm)
    b = a.redistribute("slab:1")
    a.local[...] = 2
    expect_equal(b, np.ones((5, 6)))


def check_gathering(comm):
    choose = choices(comm, "gathering")
    for dtype in DTYPES:
        whole = random_global(choose, random_shape(choose), dtype)
        a = distributed(choose, whole, comm)
        root = choose.randrange(comm.size)
        gathered = a.gather(root)
        assert (gathered is None) == (comm.rank != root)
        if gathered is not None:
            assert gathered.dtype == whole.dtype and gathered.tobytes() == whole.tobytes()
        assert a.allgather().tobytes() == whole.tobytes()


def check_gathering_in_many_rounds(comm):
    choose = choices(comm, "rounds")
    whole = random_global(choose, (7, 11, 5), "f8,i2")
    a = distributed(choose, whole, comm)
    selection = Selection.of((slice(None, None, -2), ...), whole.shape)
    for largest in [1, 17, 100]:
        got = gathering.gather_selection(a._geometry, selection, a.local, None, largest)
        assert got.tobytes() == whole[::-2].tobytes()
        mine = gathering.scatter(
            a._geometry, whole if comm.rank == 0 else None, whole.dtype, 0, largest
        )
        assert mine.tobytes() == whole[a.box.slices].tobytes()


def random_key(choose, axes):
    key = []
    for _ in range(choose.randint(0, axes)):
        if choose.random() < 0.3:
            key.append(choose.randint(-6, 5))
        else:
            step = choose.choice([None, 1, 2, 3, -1, -2, -5])
            key.append(
                slice(*[choose.choice([None, choose.randint(-9, 14)]) for _ in range(2)], step)
            )
    if choose.random() < 0.4:
        key.insert(choose.randint(0, len(key)), Ellipsis)
    for _ in range(choose.choice([0, 0, 1, 2])):
        key.insert(choose.randint(0, len(key)), None)
    return key[0] if len(key) == 1 and choose.random() < 0.5 else tuple(key)


def check_reading_by_index(comm):
    choose = choices(comm, "reading")
    read = 0
    for _ in range(15):
        whole = random_global(choose, random_shape(choose), "c8")
        a = distributed(choose, whole, comm)
        for _ in range(20):
            key = random_key(choose, whole.ndim)
            try:
                expected = whole[key]
            except IndexError:
                refuses(comm, IndexError, lambda: a[key])
                continue
            got = a[key]
            assert np.shape(got) == np.shape(expected), key
            assert np.array_equal(got, expected) and got.dtype == expected.dtype, key
            read += 1
    assert read > 100


def check_assigning_by_index(comm):
    choose = choices(comm, "assigning")
    for _ in range(100):
        whole = random_global(choose, random_shape(choose, points=300), "f8")
        a = distributed(choose, whole, comm)
        key = random_key(choose, whole.ndim)
        try:
            shape = whole[key].shape
        except IndexError:
            with raises(comm, IndexError):
                a[key] = 1
            continue
        fitting = tuple(n if choose.random() < 0.7 else 1 for n in shape)[
            choose.randint(0, len(shape)) :
        ]
        value = random_global(choose, fitting, "f8")
        whole[key] = value
        a[key] = value
        expect_equal(a, whole)
        whole[key] = 7
        a[key] = 7
        expect_equal(a, whole)


def check_assigning_arrays(comm):
    a = DistArray.zeros((5, 6), layout="slab:1", comm=comm)
    b = DistArray.ones((5, 6), layout=weft.slab_split(1).with_order((1, 0)), comm=comm)
    a[...] = b
    expect_equal(a, np.ones((5, 6)))
    a[:, :] = 2 * b
    expect_equal(a, np.full((5, 6), 2.0))
    with raises(comm, ValueError, "whole array"):
        a[1:] = b
    with raises(comm, ValueError, "layouts differ", "5x6", "6x5"):
        a[...] = DistArray.zeros((6, 5), layout="slab:1", comm=comm)
    with raises(comm, ValueError, "(4,)", "(5, 6)"):
        a[...] = np.zeros(4)


def check_halo_is_left_alone(comm):
    layout = weft.slab_split(0).with_halo((1, 1), (1, 1))
    a = poisoned(DistArray((4, 6), "u1", layout, comm))
    a[...] = 0
    a += 1
    a[1:3, ::2] = 5
    if a.local.size:
        assert (a.memory == 0xA5).sum() == a.memory.size - a.local.size


def check_errors(comm):
    a = DistArray.zeros((4, 5, 6), comm=comm)
    for key, says in [
        (4, "axis 0"),
        ((0, -6), "axis 1"),
        ((0,) * 4, "4 indices"),
        ((..., 0, ...), "ellipsis"),
        ([0, 1], "list"),
        (np.array([0]), "ndarray"),
        (True, "bool"),
        (1.5, "float"),
        ("x", "str"),
        (a, "DistArray"),
    ]:
        refuses(comm, IndexError, lambda: a[key], says)
        with raises(comm, IndexError, says):
            a[key] = 1
    refuses(comm, ValueError, lambda: a[::0], "step")
    refuses(comm, TypeError, lambda: a["x":])
    refuses(comm, ValueError, lambda: a.gather(-1), "root -1")
    refuses(comm, weft.Error, lambda: a.redistribute("slab:3"), "axis 3")
    refuses(comm, TypeError, lambda: a.redistribute(None), "NoneType")
    with raises(comm, ValueError):
        a[0, 0, 0] = "text"
    refuses(comm, TypeError, lambda: np.asarray(a), "allgather")
    refuses(comm, TypeError, lambda: list(a))
    refuses(comm, ValueError, lambda: bool(a), "any()")
    refuses(comm, TypeError, lambda: hash(a))
    if comm.size > 1:
        refuses(comm, ValueError, lambda: a[comm.rank % 2], "ranks do not call the same")
        boxes = [((0, 0, 0), (4, 5, 6))] * 2 + [((0, 0, 0), (0, 0, 0))] * (comm.size - 2)
        refuses(comm, weft.Error, lambda: a.redistribute(weft.box(*boxes[comm.rank])))
