"""Transforms against scipy.fft of the global array in extended precision."""

import itertools

import numpy as np
import scipy.fft

import weft
from cases import (
    choices,
    distributed,
    expect_close,
    expect_equal,
    raises,
    random_global,
    random_layout,
    random_shape,
    refuses,
)
from weft import DistArray

FOURIER = ("fftn", "ifftn", "rfftn", "irfftn")
REAL = ("dctn", "idctn", "dstn", "idstn")
NORMS = (None, "backward", "ortho", "forward", "none")


def exact(name, x, **arguments):
    """In long double, rounded to the type that scipy.fft has for these elements."""
    function = getattr(scipy.fft, name)
    if arguments.get("norm") == "none":
        arguments["norm"] = "forward" if name.startswith("i") else "backward"
    dtype = function(x.copy(), **arguments).dtype
    if x.dtype.kind == "c" and name in REAL:
        # of complex numbers SciPy forgets `orthogonalize`
        parts = [function(part.astype(np.longdouble), **arguments) for part in (x.real, x.imag)]
        return (parts[0] + 1j * parts[1]).astype(dtype)
    wide = np.clongdouble if x.dtype.kind == "c" else np.longdouble
    return function(x.astype(wide), **arguments).astype(dtype)


def random_arguments(choose, name, shape, resize):
    arguments = {"norm": choose.choice(NORMS)}
    if name in REAL:
        arguments["type"] = choose.randint(1, 4)
        arguments["orthogonalize"] = choose.choice([None, None, True, False])
    count = choose.randint(1, len(shape))
    axes = choose.sample(range(-len(shape), 0), count)
    if choose.random() < 0.7:
        arguments["axes"] = [axis + len(shape) * choose.randint(0, 1) for axis in axes]
    else:
        axes = list(range(-count, 0)) if resize else list(range(-len(shape), 0))
    if resize:
        arguments["s"] = [
            choose.choice([max(1, shape[axis] + choose.randint(-4, 5)), -1]) for axis in axes
        ]
    return arguments


def try_case(choose, comm, name, dtype, resize, layout=None):
    x = random_global(choose, random_shape(choose, points=1500), dtype)
    arguments = random_arguments(choose, name, x.shape, resize)
    try:
        expected = exact(name, x, **arguments)
    except (ValueError, RuntimeError, ZeroDivisionError):
        return 0  # such as dct1 of one point
    a = distributed(choose, x, comm)
    if layout == "another":
        arguments["layout"] = random_layout(choose, expected.shape, comm)
    memory = a.memory.tobytes()
    got = getattr(a, name)(**arguments)
    expect_close(got, expected)
    assert a.memory.tobytes() == memory
    if layout is None and got.shape == a.shape:
        assert got.boxes == a.boxes
    return 1


def check_random_transforms(comm):
    """In the layout of the input, and in another one; of other lengths too."""
    choose = choices(comm, "transforms")
    for name in FOURIER + REAL:
        dtypes = ["f8", "f4"] if name == "rfftn" else ["c16", "c8", "f8", "f4"]
        for dtype, resize, layout in itertools.product(dtypes, (False, True), (None, "another")):
            assert sum(try_case(choose, comm, name, dtype, resize, layout) for _ in range(4)) >= 1


def check_all_types_and_norms_of_cosine_and_sine_transforms(comm):
    """All on one rank; on more, where plans take longer to make, a part of them."""
    choose = choices(comm, "types")
    x = random_global(choose, (4, 5, 3), "f8")
    a = DistArray.from_global(x, "slab:1", comm)
    cases = list(itertools.product(REAL, range(1, 5), NORMS[1:], (None, True, False)))
    for name, type_, norm, orthogonalize in cases if comm.size == 1 else choose.sample(cases, 30):
        arguments = dict(type=type_, norm=norm, orthogonalize=orthogonalize, axes=(2, 0))
        expect_close(getattr(a, name)(**arguments), exact(name, x, **arguments))


def check_types_of_elements(comm):
    x = np.arange(24).reshape(4, 6) % 7
    for dtype in ["i4", "u1", "?", "f2", "f4", ">f8", "c8", ">c16"]:
        y = x.astype(dtype)
        a = DistArray.from_global(y, "slab:1", comm)
        for name in ("fftn", "irfftn", "dctn") + (("rfftn",) if y.dtype.kind != "c" else ()):
            expected = getattr(scipy.fft, name)(y)
            expect_close(getattr(a, name)(), expected)


def check_there_and_back(comm):
    choose = choices(comm, "back")
    x = random_global(choose, (8, 9, 10), "f8")
    a = distributed(choose, x, comm)
    spectrum = a.rfftn(layout=weft.pencil_along(0).with_order((2, 1, 0)))
    assert spectrum.shape == (8, 9, 6)
    back = spectrum.irfftn(layout=weft.boxes(a.boxes))
    expect_close(back, x)
    expect_close(a.dctn(type=3, norm="ortho").idctn(type=3, norm="ortho"), x)


def check_layout_of_the_result(comm):
    a = DistArray.ones(
        (6, 8), layout=weft.slab_split(1).with_order((1, 0)).with_halo((1, 0), (0, 1)), comm=comm
    )
    spectrum = a.rfftn()
    assert spectrum.layout == a.layout and spectrum.shape == (6, 5)
    boxes = weft.boxes([((0, 0), (6, 8))] + [((6, 8), (6, 8))] * (comm.size - 1))
    b = DistArray.ones((6, 8), layout=boxes, comm=comm)
    assert b.rfftn().boxes[0] == ((0, 0), (6, 5))
    assert b.fftn(s=(7, 9)).boxes[0] == ((0, 0), (7, 9))
    expect_close(b.rfftn(), scipy.fft.rfftn(np.ones((6, 8))))


def check_functions_of_weft_fft(comm):
    x = random_global(choices(comm, "names"), (6, 8, 5), "f8")
    a = DistArray.from_global(x, "pencil:2", comm)
    for name, arguments in [
        ("fftn", {}),
        ("rfftn", dict(s=(4, 6), axes=(0, 1))),
        ("fft", dict(n=9)),
        ("ifft", dict(axis=0)),
        ("rfft", dict(n=7, axis=1, norm="ortho")),
        ("irfft", dict(n=9)),
        ("fft2", {}),
        ("rfft2", dict(s=(4, 4))),
        ("hfft", dict(n=7)),
        ("ihfft", dict(norm="forward")),
        ("hfft", dict(norm="none")),
        ("ihfft", dict(norm="none")),
        ("hfftn", {}),
        ("dct", dict(type=3, n=6)),
        ("idst", dict(axis=1, type=1)),
        ("dctn", dict(type=4, overwrite_x=True, workers=2)),
    ]:
        got = getattr(weft.fft, name)(a, **arguments)
        assert isinstance(got, DistArray)
        expect_close(got, exact(name, x, **arguments))


def check_no_axes(comm):
    x = random_global(choices(comm, "none"), (4, 5), "c16")
    a = DistArray.from_global(x, "slab:1", comm)
    expect_equal(a.fftn(axes=()), x)
    expect_equal(a.idctn(axes=(), layout="slab:0"), x)


def check_errors(comm):
    a = DistArray.zeros((4, 5, 6), comm=comm)
    for arguments, says in [
        (dict(axes=(0, 3)), "axes exceeds dimensionality of input: [0, 3]"),
        (dict(axes=(0, -3)), "must be unique"),
        (dict(s=(4, 5), axes=(0,)), "of the same length"),
        (dict(s=(1, 2, 3, 4)), "more axes than are present"),
        (dict(s=(4, 0)), "invalid number of data points"),
        (dict(s=(4.5, 3, 3)), "iterable of integers"),
        (dict(norm="orthogonal"), "'orthogonal'"),
    ]:
        for name in FOURIER + REAL:
            refuses(comm, ValueError, lambda: getattr(a, name)(**arguments), says)
    refuses(comm, TypeError, lambda: a.astype("c8").rfftn(), "complex64")
    for type_ in (5, 2.0, None, "2"):
        refuses(comm, ValueError, lambda: a.dctn(type=type_), f"type {type_!r}: types are 1 to 4")
    refuses(comm, weft.Error, lambda: a.fftn(s=(4, 5, 2**70)), f"shape {2**70}: must be between")
    refuses(comm, ValueError, lambda: a.rfftn(axes=()), "at least 1 axis")
    refuses(comm, weft.Error, lambda: DistArray.zeros((4, 1), comm=comm).dctn(type=1), "dct1")
    for dtype in ["longdouble", "clongdouble", "S3"]:
        with raises(comm, TypeError, str(np.dtype(dtype))):
            DistArray((4, 5), dtype, comm=comm).fftn()
    refuses(comm, weft.Error, lambda: a.fftn(layout="slab:3"), "axis 3")
    refuses(comm, TypeError, lambda: a.fftn(layout=3), "int")
    if comm.size > 1:
        with raises(comm, ValueError, "ranks do not call the same", "ortho"):
            a.fftn(norm="ortho" if comm.rank else None)
