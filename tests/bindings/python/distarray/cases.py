"""Random problems, the same on every rank, and errors that have to come on all of them."""

import contextlib
import random

import numpy as np
import random_problem
from random_problem import random_boxes

import weft

LENGTHS = (1, 2, 3, 4, 5, 7, 8, 11, 12, 13)
DTYPES = ("i1", "u2", "f2", "i4", "f4", "u8", "f8", "c8", "c16", "?", "S3", "S13", "f8,i2", "S40")


def choices(comm, name):
    """Random numbers of a check, other ones for each number of ranks."""
    return random.Random(f"{name} on {comm.size} ranks")


def random_shape(choose, axes=None, points=3000):
    while True:
        shape = tuple(choose.choice(LENGTHS) for _ in range(axes or choose.randint(1, 5)))
        if np.prod(shape) <= points:
            return shape


def random_global(choose, shape, dtype):
    """The same array on all ranks."""
    rng = np.random.default_rng(choose.randrange(2**32))
    dtype = np.dtype(dtype)
    if dtype.kind in "fc" and dtype.names is None:
        values = rng.standard_normal(shape) + (
            1j * rng.standard_normal(shape) if dtype.kind == "c" else 0
        )
        return values.astype(dtype)
    if dtype.kind == "b":
        return rng.random(shape) < 0.5
    count = int(np.prod(shape)) * dtype.itemsize
    return np.frombuffer(rng.bytes(count), dtype).reshape(shape).copy()


def random_layout(choose, shape, comm, plain=False):
    """`plain`: no halo and no strides."""
    rng = np.random.default_rng(choose.randrange(2**32))
    if not plain and choose.random() < 0.15:
        lower, upper = random_boxes(rng, (0,) * len(shape), shape, comm.size)[comm.rank]
        order = choose.sample(range(len(shape)), len(shape))
        return weft.box(lower, upper).with_strides(padded_strides(lower, upper, order))
    return random_problem.random_layout(rng, shape, comm.size, comm.rank, halo=not plain)


def padded_strides(lower, upper, order):
    strides, step = [0] * len(order), 1
    for axis in reversed(order):
        strides[axis] = step
        step *= upper[axis] - lower[axis] + 1
    return strides


def poisoned(array):
    """Fills all memory of a rank, halo included, with bytes that show."""
    array.memory.view(np.uint8)[...] = 0xA5
    return array


def distributed(choose, whole, comm, **options):
    """A global array in a random layout."""
    layout = random_layout(choose, whole.shape, comm, **options)
    array = poisoned(weft.DistArray(whole.shape, whole.dtype, layout, comm))
    array.local[...] = whole[array.box.slices]
    return array


def expect_equal(array, whole):
    """Each rank has its part of a global array, and the boxes are those of a tiling."""
    assert array.shape == whole.shape
    assert array.dtype == whole.dtype, (array.dtype, whole.dtype)
    assert array.local.shape == array.box.extents
    assert array.local.tobytes() == np.ascontiguousarray(whole[array.box.slices]).tobytes()
    covered = np.zeros(whole.shape, int)
    for box in array.boxes:
        covered[box.slices] += 1
    assert (covered == 1).all()


def expect_close(array, whole, tolerance=None):
    """The relative L2 error over all ranks is that of rounding."""
    assert array.shape == whole.shape, (array.shape, whole.shape)
    assert array.dtype == whole.dtype, (array.dtype, whole.dtype)
    computed = array.allgather()
    tolerance = tolerance or 60 * np.finfo(whole.dtype).eps
    error = np.linalg.norm((computed - whole).ravel())
    assert error <= tolerance * max(np.linalg.norm(whole.ravel()), 1e-30), error


@contextlib.contextmanager
def raises(comm, kind, *says):
    """The block must raise this on every rank, with the same text, which has to say these."""
    text = None
    try:
        yield
    except Exception as error:  # noqa: BLE001 - its type is checked on all ranks
        assert isinstance(error, kind), repr(error)
        text = str(error)
        for part in says:
            assert part in text, f"{part!r} is not in {text!r}"
    texts = comm.allgather(text)
    assert text is not None, "nothing was raised"
    assert len(set(texts)) == 1, texts


def refuses(comm, kind, call, *says):
    """The same of a call."""
    with raises(comm, kind, *says):
        call()
