"""Operators and universal functions against NumPy, element by element."""

import numpy as np

import weft
from cases import choices, distributed, expect_equal, raises, random_global, random_shape
from weft import DistArray


def pair(comm, name, dtypes=("f8", "f8")):
    """Two global arrays, and distributed ones with the same boxes in another memory order."""
    choose = choices(comm, name)
    shape = random_shape(choose)
    x, y = (random_global(choose, shape, dtype) for dtype in dtypes)
    a = distributed(choose, x, comm)
    b = DistArray.from_global(y, weft.boxes(a.boxes).with_order(range(len(shape))[::-1]), comm)
    return x, y, a, b


def check_operators(comm):
    for dtypes in [("f8", "f8"), ("c16", "f4"), ("i4", "i4"), ("f4", "c8")]:
        x, y, a, b = pair(comm, f"operators {dtypes}", dtypes)
        y[y == 0] = 1
        b[...] = y
        expect_equal(a + b, x + y)
        expect_equal(a - b, x - y)
        expect_equal(a * b, x * y)
        with np.errstate(all="ignore"):
            expect_equal(a / b, x / y)
        expect_equal(-a, -x)
        expect_equal(+a, +x)
        expect_equal(a == b, x == y)
        expect_equal(a != b, x != y)
        expect_equal(2 * a, 2 * x)
        expect_equal(a + 1.5, x + 1.5)
        expect_equal(1j - a, 1j - x)
        expect_equal(a * np.float32(2), x * np.float32(2))
        expect_equal(a + np.array(3), x + np.array(3))


def check_real_and_integer_operators(comm):
    x, y, a, b = pair(comm, "real")
    expect_equal(a < b, x < y)
    expect_equal(a >= 0, x >= 0)
    expect_equal(abs(a) ** 1.5, abs(x) ** 1.5)
    expect_equal(a // (abs(b) + 1), x // (abs(y) + 1))
    x, y, a, b = pair(comm, "integer", ("i8", "i8"))
    expect_equal(a & b, x & y)
    expect_equal(a ^ 5, x ^ 5)
    expect_equal(~a, ~x)
    expect_equal(a >> 3, x >> 3)


def check_universal_functions(comm):
    x, y, a, b = pair(comm, "ufuncs")
    expect_equal(np.sin(a), np.sin(x))
    expect_equal(np.hypot(a, b), np.hypot(x, y))
    expect_equal(np.maximum(a, 0), np.maximum(x, 0))
    expect_equal(np.add(a, b, dtype="f4"), np.add(x, y, dtype="f4"))
    expect_equal(np.isfinite(a), np.isfinite(x))
    for got, expected in zip(np.modf(a), np.modf(x)):
        expect_equal(got, expected)
    for got, expected in zip(np.frexp(a), np.frexp(x)):
        expect_equal(got, expected)
    masked = np.add(a, b, where=a > 0, out=a.copy())
    expect_equal(masked, np.add(x, y, where=x > 0, out=x.copy()))


def check_in_place(comm):
    x, y, a, b = pair(comm, "in place")
    memory = a.memory
    a += b
    a *= 2
    a -= 1
    x += y
    x *= 2
    x -= 1
    assert a.memory is memory
    expect_equal(a, x)
    assert np.sin(a, out=b) is b
    expect_equal(b, np.sin(x))
    halves, wholes = a.copy(), a.copy()
    np.modf(a, out=(halves, wholes))
    expect_equal(halves, np.modf(x)[0])
    expect_equal(wholes, np.modf(x)[1])


def check_results_have_memory_of_their_own(comm):
    x, y, a, b = pair(comm, "memory")
    c = +a
    c.local[...] = 5
    expect_equal(a, x)
    assert c.layout == a.layout
    d = a.real
    d.local[...] = 6
    expect_equal(a, x)


def check_global_arrays_broadcast(comm):
    choose = choices(comm, "broadcast")
    for _ in range(20):
        x = random_global(choose, random_shape(choose, axes=3), "f8")
        a = distributed(choose, x, comm)
        y = random_global(choose, tuple(n if choose.random() < 0.5 else 1 for n in x.shape), "f8")
        y = y[0] if y.shape[0] == 1 and choose.random() < 0.5 else y
        expect_equal(a * y, x * y)
        expect_equal(y - a, y - x)
        a += y
        x += y
        expect_equal(a, x)
    expect_equal(a + x.tolist(), x + x)


def check_errors(comm):
    a = DistArray.zeros((4, 5, 6), comm=comm)
    b = DistArray.zeros((4, 5, 6), layout="slab:1", comm=comm)
    if comm.size > 1:
        with raises(comm, ValueError, "slab:0 of 4x5x6", "slab:1 of 4x5x6", "redistribute"):
            a + b
        with raises(comm, ValueError, "layouts differ"):
            a += b
        with raises(comm, ValueError, "layouts differ"):
            np.sin(a, out=b)
        with raises(comm, ValueError, "layouts differ"):
            np.equal(a, b)
    with raises(comm, ValueError, "4x5x6", "4x5x7"):
        a + DistArray.zeros((4, 5, 7), comm=comm)
    other = comm.Dup()
    with raises(comm, ValueError, "communicators differ"):
        a + DistArray.zeros((4, 5, 6), comm=other)
    other.Free()
    with raises(comm, ValueError, "(7,)", "(4, 5, 6)"):
        a + np.zeros(7)
    with raises(comm, ValueError, "(2, 4, 5, 6)"):
        a + np.zeros((2, 4, 5, 6))
    with raises(comm, TypeError, "add.reduce"):
        np.add.reduce(a)
    with raises(comm, TypeError, "matmul"):
        a @ a
    with raises(comm, TypeError, "out"):
        np.sin(a, out=np.zeros((4, 5, 6)))
    with raises(comm, TypeError):
        a + "text"
    with raises(comm, TypeError):
        a += 1j
    with raises(comm, TypeError, "numpy.concatenate", "sum"):
        np.concatenate([a, a])
