"""Operators and universal functions against NumPy, element by element."""

import operator

import numpy as np

import weft
from cases import choices, distributed, expect_equal, raises, random_global, random_shape, refuses
from weft import DistArray


def pair(comm, name, dtypes=("f8", "f8")):
    """Two global arrays, and distributed ones with the same boxes in another memory order."""
    choose = choices(comm, name)
    shape = random_shape(choose)
    x, y = (random_global(choose, shape, dtype) for dtype in dtypes)
    a = distributed(choose, x, comm)
    b = DistArray.from_global(y, weft.boxes(a.boxes).with_order(range(len(shape))[::-1]), comm)
    return x, y, a, b


OPERATIONS = [
    (operator.add, operator.sub, operator.mul, operator.truediv, operator.eq, operator.ne),
    (operator.lt, operator.ge, operator.floordiv, np.hypot, np.maximum),
    (operator.and_, operator.xor, operator.rshift, operator.lt),
]


def expect_same(function, mine, whole):
    """A function of distributed arrays against that of the whole ones."""
    with np.errstate(all="ignore"):
        got, expected = function(*mine), function(*whole)
    for one, other in zip(*((x if isinstance(x, tuple) else (x,)) for x in (got, expected))):
        expect_equal(one, other)


def check_operators_and_universal_functions(comm):
    every, real, whole = OPERATIONS
    for dtypes, functions in [
        (("f8", "f8"), every + real), (("c16", "f4"), every), (("i4", "i4"), every[:3]),
        (("f4", "c8"), every), (("i8", "i8"), whole),
    ]:
        x, y, a, b = pair(comm, f"operators {dtypes}", dtypes)
        if dtypes == ("i8", "i8"):
            y %= 60
            b[...] = y
        for function in functions:
            expect_same(function, (a, b), (x, y))
            expect_same(function, (a, 3), (x, 3))
            expect_same(function, (3, b), (3, y))
    x, y, a, b = pair(comm, "others")
    for function in (operator.neg, operator.pos, abs, np.sin, np.isfinite, np.modf, np.frexp):
        expect_same(function, (a,), (x,))
    for number in (1.5, np.float32(2), np.array(3), 1j):
        expect_same(operator.mul, (a, number), (x, number))
        expect_same(operator.sub, (number, a), (number, x))
    expect_equal(abs(a) ** 1.5, abs(x) ** 1.5)
    expect_equal(~a.astype(int), ~x.astype(int))
    expect_equal(np.add(a, b, dtype="f4"), np.add(x, y, dtype="f4"))
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
        refuses(comm, ValueError, lambda: np.sin(a, out=b), "layouts differ")
        refuses(comm, ValueError, lambda: np.equal(a, b), "layouts differ")
    refuses(comm, ValueError, lambda: a + DistArray.zeros((4, 5, 7), comm=comm), "4x5x6", "4x5x7")
    other = comm.Dup()
    with raises(comm, ValueError, "communicators differ"):
        a + DistArray.zeros((4, 5, 6), comm=other)
    other.Free()
    refuses(comm, ValueError, lambda: a + np.zeros(7), "(7,)", "(4, 5, 6)")
    refuses(comm, ValueError, lambda: a + np.zeros((2, 4, 5, 6)), "(2, 4, 5, 6)")
    refuses(comm, TypeError, lambda: np.add.reduce(a), "add.reduce")
    refuses(comm, TypeError, lambda: a @ a, "matmul")
    refuses(comm, TypeError, lambda: np.sin(a, out=np.zeros((4, 5, 6))), "out")
    refuses(comm, TypeError, lambda: a + "text")
    with raises(comm, TypeError):
        a += 1j
    refuses(comm, TypeError, lambda: np.concatenate([a, a]), "numpy.concatenate", "sum")
