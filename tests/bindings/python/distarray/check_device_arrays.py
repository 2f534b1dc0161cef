"""Global arrays of accelerators against NumPy."""

import numpy as np
import scipy.fft
from devices import DEVICE, expect_part, xp

import weft
import weft.fft
from cases import choices, raises, random_global, random_layout, random_shape, refuses
from weft import DistArray
from weft.distarray.device import to_host


def expect_same(array, whole):
    """An array on the device that has the bits of a global one."""
    assert isinstance(array.local, xp.ndarray) and array.device == DEVICE
    assert array.shape == whole.shape and array.dtype == whole.dtype
    assert to_host(array.local).tobytes() == np.ascontiguousarray(whole[array.box.slices]).tobytes()


def expect_close(array, whole):
    """The same but for rounding, in the precision of the array."""
    assert isinstance(array.local, xp.ndarray) and array.device == DEVICE
    assert array.shape == whole.shape
    assert array.dtype.kind == whole.dtype.kind
    expect_part(array.local, whole.astype(array.dtype), array, comm=array.comm)


def global_array(whole, layout, comm):
    return DistArray.from_global(whole, layout, comm, device=DEVICE)


def check_making_arrays(comm):
    shape = (7, 9, 5)
    layout = weft.slab_split(1).with_order((2, 1, 0)).with_halo((1, 0, 0), (0, 2, 1))
    i, j, k = np.ogrid[:7, :9, :5]
    whole = i + 10.0 * j + 1j * k
    a = DistArray.from_function(lambda i, j, k: i + 10.0 * j + 1j * k, shape, layout=layout,
                                comm=comm, device=DEVICE)
    expect_same(a, whole)
    expect_same(global_array(whole, "brick", comm), whole)
    mine = whole if comm.rank == 0 else None
    expect_same(DistArray.scatter(mine, "pencil:1", comm, device=DEVICE), whole)
    expect_same(DistArray.full(shape, 2.5, np.float32, layout, comm, device=DEVICE),
                np.full(shape, 2.5, np.float32))
    on_host = DistArray.random(shape, np.complex64, layout, comm, seed=5)
    expect_same(DistArray.random(shape, np.complex64, "slab:0", comm, seed=5, device=DEVICE),
                on_host.allgather())
    local = xp.asarray(whole[on_host.box.slices].copy())
    b = DistArray.from_local(local, shape, weft.slab_split(1), comm, device=DEVICE)
    expect_same(b, whole)
    if local.size and local.flags.c_contiguous:
        local[...] = 3
        assert (b.local == 3).all()
    expect_same(a.copy(), whole)
    expect_same(a.astype(np.complex64), whole.astype(np.complex64))
    expect_same(a.real, whole.real)
    expect_same(a.conj(), whole.conj())
    assert DEVICE in repr(a)
    refuses(comm, TypeError, lambda: a.astype(np.float32, casting="safe"), "float32")


def check_redistribution(comm):
    choose = choices(comm, "redistribution on devices")
    for dtype in ("i1", "u2", "f2", "i4", "f4", "u8", "f8", "c8", "c16", "?"):
        whole = random_global(choose, random_shape(choose), dtype)
        a, b = (random_layout(choose, whole.shape, comm) for _ in range(2))
        array = global_array(whole, a, comm)
        other = array.redistribute(b)
        expect_same(other, whole)
        expect_same(other.redistribute(a), whole)


def check_gathering_and_indices(comm):
    choose = choices(comm, "indices on devices")
    whole = random_global(choose, (7, 6, 5), np.float64)
    a = global_array(whole, "brick", comm)
    gathered = a.gather(comm.size - 1)
    assert (gathered is None) == (comm.rank != comm.size - 1)
    if gathered is not None:
        assert np.array_equal(gathered, whole)
    for key in [..., 3, (slice(None, None, -2), 5), (slice(1, 6, 2), ..., -1), (None, 2, 3, 4)]:
        read = a[key]
        assert isinstance(read, (np.ndarray, np.generic)) and np.array_equal(read, whole[key]), key
    for key, value in [((slice(1, 6, 2), 3), 9), ((..., slice(0, 3)), np.arange(3.0)),
                       ((2,), whole[3]), ((slice(None), 0, 0), xp.arange(7.0))]:
        a[key] = value
        whole[key] = to_host(value) if hasattr(value, "dtype") else value
        expect_same(a, whole)
    b = DistArray.zeros(whole.shape, whole.dtype, "brick", comm, device=DEVICE)
    b[...] = a
    expect_same(b, whole)
    on_host = DistArray.zeros(whole.shape, whole.dtype, "brick", comm)
    with raises(comm, ValueError, "devices differ"):
        b[...] = on_host
    refuses(comm, ValueError, lambda: b + on_host, "devices differ")


def check_arithmetic(comm):
    choose = choices(comm, "arithmetic on devices")
    for dtype in (np.float32, np.float64, np.complex64, np.complex128):
        x, y = (random_global(choose, (6, 7, 5), dtype) for _ in range(2))
        a = global_array(x, "slab:0", comm)
        b = global_array(y, weft.slab_split(0).with_order((2, 0, 1)), comm)
        k = np.arange(6).astype(x.real.dtype)[:, None, None]
        for got, expected in [
            (a + b, x + y), (a * b - 2 * a, x * y - 2 * x), (a / (abs(b) + 1), x / (abs(y) + 1)),
            (-a, -x), (a * k, x * k), (np.exp(a * 0.1), np.exp(x * x.real.dtype.type(0.1))),
            (a * np.float32(2), x * np.float32(2)), (a**2, x**2), (a * xp.asarray(k), x * k),
        ]:
            assert got.dtype == expected.dtype, (got.dtype, expected.dtype)
            expect_close(got, expected)
        a += b
        np.multiply(a, 3, out=a)
        x = 3 * (x + y)
        expect_close(a, x)
        single = np.finfo(dtype).bits == 32
        tolerance = 1e-4 if single else 1e-12
        scale = np.sum(np.abs(x))
        for got, expected in [(a.sum(), x.sum()), (np.mean(a), x.mean()),
                              (a.norm(), np.linalg.norm(x)), (a.dot(b), np.sum(x * y)),
                              (a.vdot(b), np.vdot(x, y))]:
            assert isinstance(got, np.generic), type(got)
            assert abs(got - expected) < tolerance * scale, (got, expected)
        if x.dtype.kind == "f":
            top = global_array(y, "pencil:1", comm)
            assert (top.min(), top.max()) == (y.min(), y.max())
            assert (top > 10).any() == np.False_ and (top < 10).all() == np.True_


def check_arrays_with_empty_boxes(comm):
    whole = np.arange(4.0).reshape(1, 4)
    a = global_array(whole, "slab:0", comm)
    assert a.sum() == 6 and a.max() == 3 and a.norm() == np.linalg.norm(whole)
    expect_same(2 * a.redistribute("slab:1"), 2 * whole)
    assert np.array_equal(a.allgather(), whole)


def check_transforms(comm):
    choose = choices(comm, "transforms on devices")
    for turn in range(8):
        single = turn % 2 == 1
        whole = random_global(choose, (12, 9, 10), np.complex64 if single else np.complex128)
        layouts = [random_layout(choose, whole.shape, comm, plain=True) for _ in range(2)]
        a = global_array(whole, layouts[0], comm)
        axes = [None, (0,), (2, 0), (1, 2)][turn // 2]
        norm = ["backward", "ortho", "forward"][turn % 3]
        expect_close(a.fftn(axes=axes, norm=norm, layout=layouts[1]),
                     np.fft.fftn(whole, axes=axes, norm=norm))
        expect_close(a.ifftn(axes=axes, norm=norm), np.fft.ifftn(whole, axes=axes, norm=norm))
        r = a.real
        modes = r.rfftn(axes=axes, norm=norm)
        expect_close(modes, np.fft.rfftn(whole.real, axes=axes, norm=norm))
        points = whole.shape if axes is None else [whole.shape[axis] for axis in axes]
        expect_close(modes.irfftn(points, axes=axes, norm=norm), whole.real)
        wide, kind = whole.real.astype(np.float64), 1 + turn % 4
        expect_close(r.dctn(type=kind, axes=axes, norm=norm),
                     scipy.fft.dctn(wide, type=kind, axes=axes, norm=norm))
        expect_close(r.idstn(type=kind, axes=axes, norm=norm),
                     scipy.fft.idstn(wide, type=kind, axes=axes, norm=norm))
    a = global_array(whole, "slab:0", comm)
    expect_close(weft.fft.fftn(a), np.fft.fftn(whole))
    expect_close(np.fft.fftshift(a), np.fft.fftshift(whole))
    expect_close(a.fftn(s=(16, 20), axes=(0, 2)), np.fft.fftn(whole, s=(16, 20), axes=(0, 2)))
    expect_close(a.ifftn(s=(5, 9), axes=(1, 2)), np.fft.ifftn(whole, s=(5, 9), axes=(1, 2)))


def check_files(comm):
    choose = choices(comm, "files on devices")
    for dtype in (np.float32, np.complex128, np.int16):
        whole = random_global(choose, (7, 6, 5), dtype)
        a = global_array(whole, "pencil:1", comm)
        path = f"{np.dtype(dtype).name}.npy"
        a.save(path)
        assert np.array_equal(np.load(path), whole)
        comm.barrier()
        expect_same(weft.load(path, "slab:2", comm, device=DEVICE), whole)
        weft.save_hdf5("file.h5", {"a": a})
        expect_same(weft.load_hdf5("file.h5", "a", "brick", comm, device=DEVICE), whole)
