"""Reductions over all ranks against those of the gathered array."""

import numpy as np

import weft
from cases import choices, distributed, random_global, random_layout, random_shape, refuses
from weft import DistArray

NUMBERS = ("f8", "f4", "c16", "c8", "i4", "u1", "?", "f2")


def expect_same(got, expected, tolerance=0.0):
    assert got.dtype == expected.dtype, (got.dtype, expected.dtype)
    assert np.ndim(got) == 0
    assert abs(got - expected) <= tolerance if tolerance else got == expected, (got, expected)


def check_all_types(comm):
    choose = choices(comm, "reductions")
    for dtype in NUMBERS:
        for _ in range(4):
            x = random_global(choose, random_shape(choose, points=1000), dtype)
            a = distributed(choose, x, comm)
            exact = dtype in ("i4", "u1", "?")
            rounding = 0 if exact else np.finfo(x.dtype).eps * 20 * np.abs(x.astype("c16")).sum()
            expect_same(a.sum(), x.sum(), rounding)
            expect_same(np.sum(a), np.sum(x), rounding)
            mean = x.mean()
            expect_same(a.mean(), mean,
                        max(rounding, 1e-13) / x.size + 20 * np.finfo(mean.dtype).eps)
            expect_same(a.any(), x.any())
            expect_same(a.all(), x.all())
            if dtype[0] != "c":
                expect_same(a.min(), x.min())
                expect_same(a.max(), x.max())
            if dtype not in ("?", "f2", "u1"):
                norm = np.linalg.norm(x.ravel())
                for got in (a.norm(), np.linalg.norm(a)):
                    expect_same(got, norm, 30 * np.finfo(norm.dtype).eps * max(norm, 1))


def check_sum_and_product_in_other_types(comm):
    x = np.arange(1, 13, dtype="i1").reshape(3, 4)
    a = DistArray.from_global(x, "slab:1", comm)
    expect_same(a.sum(dtype="f4"), x.sum(dtype="f4"))
    expect_same(a.prod(), x.prod())
    expect_same(a.prod(dtype="f8"), x.prod(dtype="f8"))
    expect_same(np.max(a), np.max(x))
    expect_same(np.amin(a), np.amin(x))


def check_scalar_products(comm):
    choose = choices(comm, "products")
    for dtypes in [("f8", "f8"), ("c16", "c16"), ("c8", "f8"), ("i4", "i8")]:
        shape = random_shape(choose)
        x, y = (random_global(choose, shape, dtype) for dtype in dtypes)
        a = distributed(choose, x, comm)
        b = DistArray.from_global(y, weft.boxes(a.boxes), comm)
        dot, vdot = np.dot(x.ravel(), y.ravel()), np.vdot(x, y)
        eps = 0 if "i4" in dtypes else np.finfo("f4" if "c8" in dtypes else "f8").eps
        rounding = 50 * eps * np.abs(x * y).sum()
        expect_same(a.dot(b), dot, rounding)
        expect_same(a.vdot(b), vdot, rounding)
        expect_same(np.vdot(a, b), vdot, rounding)


def check_not_a_number(comm):
    x = np.arange(30.0).reshape(5, 6)
    x[3, 4] = np.nan
    a = DistArray.from_global(x, "brick", comm)
    assert np.isnan(a.min()) and np.isnan(a.max()) and np.isnan(a.sum()) and np.isnan(a.norm())
    assert np.isnan(a).any() and not np.isnan(a).all()


def check_results_are_the_same_on_all_ranks_and_again(comm):
    choose = choices(comm, "same")
    shape = (13, 12, 11)
    a = DistArray.random(shape, layout=random_layout(choose, shape, comm), comm=comm)
    sums = [a.sum(), a.norm(), a.dot(a), a.sum(), a.norm(), a.dot(a)]
    assert sums[:3] == sums[3:]
    assert all(other == sums for other in comm.allgather(sums))


def check_functions_of_numpy(comm):
    x = random_global(choices(comm, "functions"), (4, 5), "c16")
    a = DistArray.from_global(x, "slab:1", comm)
    assert np.shape(a) == (4, 5) and np.ndim(a) == 2 and np.size(a) == 20
    for make in (np.zeros_like, np.ones_like):
        b = make(a)
        assert (b.allgather() == make(x)).all() and b.layout == a.layout and b.dtype == x.dtype
    assert (np.full_like(a, 3, dtype="f4").allgather() == np.full_like(x, 3, dtype="f4")).all()
    assert np.empty_like(a, dtype=int).dtype == int
    assert (np.real(a).allgather() == x.real).all() and (np.imag(a).allgather() == x.imag).all()
    assert (np.conj(a).allgather() == x.conj()).all() and (np.copy(a).allgather() == x).all()


def check_errors(comm):
    a = DistArray.zeros((4, 5), comm=comm)
    refuses(comm, ValueError, lambda: a.sum(axis=0), "axis 0", "all axes")
    refuses(comm, ValueError, lambda: np.max(a, axis=(0, 1)), "axis (0, 1)")
    refuses(comm, TypeError, lambda: a.dot(np.zeros((4, 5))), "ndarray")
    refuses(comm, ValueError, lambda: a.vdot(DistArray.zeros((5, 4), comm=comm)), "4x5", "5x4")
    refuses(comm, TypeError, lambda: np.sum(a, keepdims=True), "keepdims")
    refuses(comm, TypeError, lambda: DistArray((4, 5), "S3", comm=comm).sum(), "S3")
