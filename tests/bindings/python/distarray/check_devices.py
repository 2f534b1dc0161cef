"""Arrays of accelerators against NumPy: plans and what is made of them, global arrays, and
weft.fft. WEFT_TEST_DEVICE is "cuda", where arrays are CuPy's and every rank has a GPU, or
"emulated", where they are NumPy's."""

import os
import tempfile

import numpy as np
import scipy.fft
from mpi4py import MPI

import weft
import weft.fft
from cases import choices, raises, random_global, random_layout, random_shape
from weft import DistArray
from weft.distarray.device import to_host

DEVICE = os.environ.get("WEFT_TEST_DEVICE", "emulated")
IS_EMULATED = DEVICE == "emulated"
PRECISIONS = [
    (np.complex128, "c2c"), (np.complex64, "c2c"), (np.float64, "r2c"), (np.float32, "r2c")
]

if IS_EMULATED:
    xp = np
else:
    import cupy as xp


def device_number(comm):
    """Of the GPU of this rank."""
    return -1 if IS_EMULATED else comm.rank % xp.cuda.runtime.getDeviceCount()


if not IS_EMULATED:
    xp.cuda.Device(device_number(MPI.COMM_WORLD)).use()


def spectrum(whole, kinds):
    """Along all axes but those of a kind "none"; the last one halved for "r2c"."""
    result = np.fft.rfftn(whole) if kinds == "r2c" else np.fft.fftn(whole)
    return result.astype(np.result_type(whole.dtype, np.complex64), copy=False)


def expect_near(computed, expected, comm, dtype=None):
    """Relative L2 error over all ranks, each of which has a part."""
    computed = to_host(computed)
    assert computed.shape == expected.shape, (computed.shape, expected.shape)
    assert computed.dtype == (dtype or expected.dtype), (computed.dtype, dtype)
    wide = np.complex128
    squares = np.array([np.sum(np.abs(computed.astype(wide) - expected) ** 2),
                        np.sum(np.abs(expected.astype(wide)) ** 2)])
    squares = sum(comm.allgather(squares))
    single = np.finfo(computed.dtype).bits == 32
    assert squares[0] <= (1e-6 if single else 1e-14) ** 2 * squares[1], squares


def expect_same(array, whole):
    """An array on the device that has the bits of a global one."""
    assert isinstance(array.local, xp.ndarray)
    assert array.shape == whole.shape and array.dtype == whole.dtype
    assert to_host(array.local).tobytes() == np.ascontiguousarray(whole[array.box.slices]).tobytes()


def on_device(part, side):
    """An array of a plan's side with these elements."""
    array = side.empty(xp)
    array[...] = xp.asarray(part)
    return array


def check_plans(comm):
    choose = choices(comm, "plans on devices")
    for turn in range(16):
        dtype, kinds = PRECISIONS[turn % 4]
        whole = random_global(choose, random_shape(choose, choose.randint(1, 4)), dtype)
        expected = spectrum(whole, kinds)
        layouts = [random_layout(choose, shape, comm) for shape in (whole.shape, expected.shape)]
        with weft.Plan(whole.shape, dtype, comm, kinds=kinds, input=layouts[0], output=layouts[1],
                       device=DEVICE, device_number=device_number(comm)) as plan:
            u = on_device(whole[plan.input.box.slices], plan.input)
            uh = plan.forward(u)
            assert isinstance(uh, xp.ndarray)
            expect_near(uh, expected[plan.output.box.slices], comm)
            expect_near(u, whole[plan.input.box.slices], comm)
            back = plan.input.zeros(xp)
            assert plan.backward(uh, back) is back
            expect_near(back, whole[plan.input.box.slices], comm)
            # Arrays of the host are copied.
            host = plan.output.empty()
            plan.forward(to_host(u) if u.flags.c_contiguous else u, host)
            expect_near(host, expected[plan.output.box.slices], comm)


def check_many_fields_and_batches(comm):
    choose = choices(comm, "fields on devices")
    shape = (12, 10, 8)
    fields = [random_global(choose, shape, np.complex64) for _ in range(3)]
    with weft.Plan(shape, np.complex64, comm, output="slab:1", fields_in_flight=2, device=DEVICE,
                   device_number=device_number(comm)) as plan:
        ins = [on_device(field[plan.input.box.slices], plan.input) for field in fields]
        for field, uh in zip(fields, plan.forward_many(ins)):
            expect_near(uh, spectrum(field, "c2c")[plan.output.box.slices], comm)
        uh = plan.start_forward(ins[0])
        plan.wait()
        expect_near(uh, spectrum(fields[0], "c2c")[plan.output.box.slices], comm)
    for interleaved in (False, True):
        axis = -1 if interleaved else 0
        with weft.Plan(shape, np.complex64, comm, output="slab:1", batch=3, device=DEVICE,
                       interleaved=interleaved, device_number=device_number(comm)) as plan:
            parts = [field[plan.input.box.slices] for field in fields]
            uh = plan.forward(on_device(np.stack(parts, axis), plan.input))
            parts = [spectrum(field, "c2c")[plan.output.box.slices] for field in fields]
            expect_near(uh, np.stack(parts, axis), comm)


def check_operators_of_many_fields(comm):
    x = 2 * np.pi * np.arange(12) / 12
    for dtype, kinds in PRECISIONS:
        with weft.Plan((12, 10, 8), dtype, comm, kinds=kinds, output="slab:1", fields_in_flight=2,
                       device=DEVICE, device_number=device_number(comm)) as plan:
            waves = weft.Wavenumbers(plan, (2 * np.pi, 1, 1))
            here = plan.input.box.slices[0]
            waves_of = [np.broadcast_to(wave[here, None, None], plan.input.shape)
                        for k in (1, 2, 3) for wave in (np.sin(k * x), k * np.cos(k * x))]
            spectra = plan.forward_many([on_device(u, plan.input) for u in waves_of[::2]])
            derivatives = plan.backward_many(spectra, on_input=waves.derivative(0))
            for got, expected in zip(derivatives, waves_of[1::2]):
                assert isinstance(got, xp.ndarray)
                expect_near(got, expected, comm, plan.input.dtype)


def check_convolutions(comm):
    choose = choices(comm, "convolutions on devices")
    for turn in range(8):
        dtype = PRECISIONS[turn % 4][0]
        linear = turn >= 4
        shape = random_shape(choose, choose.randint(1, 3))
        second = tuple(choose.randint(1, n) for n in shape)
        a, b = (random_global(choose, of, dtype) for of in (shape, second))
        lengths = [m + n - 1 if linear else m for m, n in zip(shape, second)]
        wide = [np.fft.fftn(of.astype(complex), lengths) for of in (a, b)]
        # The lags of a linear correlation begin with those of the points of `a` below zero.
        lags = tuple(1 - m for m in shape) if linear else (0,) * len(shape)
        axes = tuple(range(len(shape)))
        exact = [np.fft.ifftn(wide[0] * wide[1]),
                 np.roll(np.fft.ifftn(wide[0].conj() * wide[1]), [-lag for lag in lags], axes)]
        with weft.Convolution(shape, dtype, comm, second=second, device=DEVICE,
                              mode="linear" if linear else "circular",
                              output=random_layout(choose, tuple(lengths), comm),
                              device_number=device_number(comm)) as convolution:
            x = on_device(a[convolution.first.box.slices], convolution.first)
            y = on_device(b[convolution.second.box.slices], convolution.second)
            for run, expected in zip((convolution.convolve, convolution.correlate), exact):
                out = run(x, y)
                assert isinstance(out, xp.ndarray)
                expected = expected if np.dtype(dtype).kind == "c" else expected.real
                expect_near(out, expected[convolution.result.box.slices], comm, dtype)
                # Arrays of the host are copied.
                host = convolution.result.empty()
                run(to_host(x) if x.flags.c_contiguous else x, y, host)
                expect_near(host, expected[convolution.result.box.slices], comm, dtype)
            expect_near(x, a[convolution.first.box.slices], comm)


def check_long_transforms(comm):
    choose = choices(comm, "long transforms on devices")
    for turn in range(8):
        dtype = np.complex64 if turn % 2 else np.complex128
        length = choose.choice((1, 13, 60, 97, 1001, 4096))
        whole = random_global(choose, (length,), dtype)
        with weft.LongTransform(length, dtype, comm, order=("natural", "transposed")[turn // 2 % 2],
                                device=DEVICE, device_number=device_number(comm)) as transform:
            here = whole[transform.begin:transform.begin + transform.size]
            x = xp.asarray(here)
            out = transform.forward(x)
            assert isinstance(out, xp.ndarray)
            expect_near(out, np.fft.fft(whole.astype(complex))[transform.frequencies], comm, dtype)
            expect_near(x, here, comm)
            back = xp.zeros(transform.size, dtype)
            assert transform.backward(out, back) is back
            expect_near(back, here, comm)
            # Arrays of the host are copied.
            expect_near(transform.backward(to_host(out)), here, comm)


def check_in_place(comm):
    choose = choices(comm, "in place on devices")
    whole = random_global(choose, (9, 14, 15), np.float64)
    layout = weft.slab_split(0).padded_for_r2c()
    with weft.Plan(whole.shape, np.float64, comm, kinds="r2c", input=layout, output="slab:1",
                   device=DEVICE, device_number=device_number(comm)) as plan:
        memory = xp.empty(max(plan.input.nbytes, plan.output.nbytes), xp.uint8)
        u, uh = plan.input.over(memory), plan.output.over(memory)
        u[...] = xp.asarray(whole[plan.input.box.slices])
        plan.forward(u, uh)
        expect_near(uh, spectrum(whole, "r2c")[plan.output.box.slices], comm)
        plan.backward(uh, u)
        expect_near(u, whole[plan.input.box.slices], comm)


def check_streams(comm):
    if IS_EMULATED:
        return
    choose = choices(comm, "streams")
    whole = random_global(choose, (16, 12, 10), np.complex128)
    stream = xp.cuda.Stream(non_blocking=True)
    with stream, weft.Plan(whole.shape, np.complex128, comm, output="slab:1", device=DEVICE,
                           device_number=device_number(comm), stream=stream.ptr) as plan:
        u = on_device(whole[plan.input.box.slices], plan.input)
        uh = plan.forward(u)
        back = plan.backward(uh)
        expect_near(uh, spectrum(whole, "c2c")[plan.output.box.slices], comm)
        expect_near(back, whole[plan.input.box.slices], comm)


def check_wrong_memory(comm):
    with weft.Plan((8, 6), np.complex128, comm, device=DEVICE,
                   device_number=device_number(comm)) as plan:
        u = plan.input.zeros(xp)
        wrong = u.astype(np.complex64) if comm.rank == comm.size - 1 else u
        with raises(comm, weft.Error, "complex64"):
            plan.forward(wrong)
        if not IS_EMULATED and xp.cuda.runtime.getDeviceCount() > 1:
            mine = device_number(comm)
            other = (mine + 1) % xp.cuda.runtime.getDeviceCount()
            with xp.cuda.Device(other):
                elsewhere = plan.input.zeros(xp)
            with raises(comm, weft.Error, "memory of device", "works on device"):
                plan.forward(elsewhere, u)
    if not IS_EMULATED:
        with (
            weft.Plan((8, 6), np.complex128, comm) as plan,
            raises(comm, weft.Error, "is not memory of the plan's device 'host'"),
        ):
            plan.forward(plan.input.zeros(xp), plan.output.zeros())
        with (
            weft.LongTransform(60, comm=comm) as transform,
            raises(comm, weft.Error, "is not memory of the long transform's device 'host'"),
        ):
            transform.forward(xp.zeros(transform.size, np.complex128))


def check_pytorch(comm):
    """Tensors of PyTorch come by DLPack."""
    try:
        import torch
    except ImportError:
        return
    place = "cpu" if IS_EMULATED else f"cuda:{device_number(comm)}"
    choose = choices(comm, "PyTorch")
    for dtype, kinds in PRECISIONS:
        whole = random_global(choose, (11, 12, 10), dtype)
        with weft.Plan(whole.shape, dtype, comm, kinds=kinds, output="slab:1", device=DEVICE,
                       device_number=device_number(comm)) as plan:
            u = torch.from_numpy(whole[plan.input.box.slices].copy()).to(place)
            dtypes = {4: torch.float32, 8: torch.complex64, 16: torch.complex128}
            uh = torch.empty(plan.output.shape, dtype=dtypes[plan.output.dtype.itemsize],
                             device=place)
            assert plan.forward(u, uh) is uh
            expect_near(uh.cpu().numpy(), spectrum(whole, kinds)[plan.output.box.slices], comm)
            back = torch.full_like(u, 7)
            plan.backward(uh, back)
            expect_near(back.cpu().numpy(), whole[plan.input.box.slices], comm)
            with raises(comm, weft.Error, "strides"):
                plan.forward(torch.stack([u, u], -1)[..., 0], uh)


def check_jax(comm):
    """Arrays of JAX come by DLPack; they are never written to, so results are CuPy's."""
    try:
        import jax
    except ImportError:
        return
    jax.config.update("jax_enable_x64", True)
    place = jax.devices("cpu" if IS_EMULATED else "gpu")[0 if IS_EMULATED else device_number(comm)]
    choose = choices(comm, "JAX")
    for dtype, kinds in PRECISIONS:
        whole = random_global(choose, (11, 12, 10), dtype)
        with weft.Plan(whole.shape, dtype, comm, kinds=kinds, output="slab:1", device=DEVICE,
                       device_number=device_number(comm)) as plan:
            uh = plan.output.empty(xp)  # first: JAX leaves another device behind as the current one
            u = jax.block_until_ready(jax.device_put(whole[plan.input.box.slices], place))
            plan.forward(u, uh)
            expect_near(uh, spectrum(whole, kinds)[plan.output.box.slices], comm)
            # And on to JAX, without a copy.
            total = jax.numpy.sum(jax.numpy.abs(jax.dlpack.from_dlpack(uh)) ** 2)
            total = comm.allreduce(float(total))
            expected = np.sum(np.abs(spectrum(whole, kinds).astype(np.complex128)) ** 2)
            assert abs(total - expected) < 1e-5 * expected


def check_making_arrays(comm):
    shape = (7, 9, 5)
    layout = weft.slab_split(1).with_order((2, 1, 0)).with_halo((1, 0, 0), (0, 2, 1))
    i, j, k = np.ogrid[:7, :9, :5]
    whole = i + 10.0 * j + 1j * k
    a = DistArray.from_function(lambda i, j, k: i + 10.0 * j + 1j * k, shape, layout=layout,
                                comm=comm, device=DEVICE)
    expect_same(a, whole)
    expect_same(DistArray.from_global(whole, "brick", comm, device=DEVICE), whole)
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
    with raises(comm, TypeError, "float32"):
        a.astype(np.float32, casting="safe")


def check_redistribution(comm):
    choose = choices(comm, "redistribution on devices")
    for dtype in ("i1", "u2", "f2", "i4", "f4", "u8", "f8", "c8", "c16", "?"):
        whole = random_global(choose, random_shape(choose), dtype)
        a, b = (random_layout(choose, whole.shape, comm) for _ in range(2))
        array = DistArray.from_global(whole, a, comm, device=DEVICE)
        other = array.redistribute(b)
        expect_same(other, whole)
        expect_same(other.redistribute(a), whole)


def check_gathering_and_indices(comm):
    choose = choices(comm, "indices on devices")
    whole = random_global(choose, (7, 6, 5), np.float64)
    a = DistArray.from_global(whole, "brick", comm, device=DEVICE)
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
    with raises(comm, ValueError, "devices differ"):
        b[...] = DistArray.zeros(whole.shape, whole.dtype, "brick", comm)


def check_arithmetic(comm):
    choose = choices(comm, "arithmetic on devices")
    for dtype in (np.float32, np.float64, np.complex64, np.complex128):
        x, y = (random_global(choose, (6, 7, 5), dtype) for _ in range(2))
        a = DistArray.from_global(x, "slab:0", comm, device=DEVICE)
        b = DistArray.from_global(y, weft.slab_split(0).with_order((2, 0, 1)), comm, device=DEVICE)
        k = np.arange(6).astype(x.real.dtype)[:, None, None]
        for got, expected in [
            (a + b, x + y), (a * b - 2 * a, x * y - 2 * x), (a / (abs(b) + 1), x / (abs(y) + 1)),
            (-a, -x), (a * k, x * k), (np.exp(a * 0.1), np.exp(x * x.real.dtype.type(0.1))),
            (a * np.float32(2), x * np.float32(2)), (a**2, x**2), (a * xp.asarray(k), x * k),
        ]:
            assert isinstance(got.local, xp.ndarray)
            assert got.dtype == expected.dtype, (got.dtype, expected.dtype)
            expect_near(got.local, expected[got.box.slices], comm)
        a += b
        np.multiply(a, 3, out=a)
        expect_near(a.local, (3 * (x + y))[a.box.slices], comm)
        x = 3 * (x + y)
        single = np.finfo(dtype).bits == 32
        tolerance = 1e-4 if single else 1e-12
        scale = np.sum(np.abs(x))
        for got, expected in [(a.sum(), x.sum()), (np.mean(a), x.mean()),
                              (a.norm(), np.linalg.norm(x)), (a.dot(b), np.sum(x * y)),
                              (a.vdot(b), np.vdot(x, y))]:
            assert isinstance(got, np.generic), type(got)
            assert abs(got - expected) < tolerance * scale, (got, expected)
        if x.dtype.kind == "f":
            top = DistArray.from_global(y, "pencil:1", comm, device=DEVICE)
            assert (top.min(), top.max()) == (y.min(), y.max())
            assert (top > 10).any() == np.False_ and (top < 10).all() == np.True_


def check_arrays_with_empty_boxes(comm):
    whole = np.arange(4.0).reshape(1, 4)
    a = DistArray.from_global(whole, "slab:0", comm, device=DEVICE)
    assert a.sum() == 6 and a.max() == 3 and a.norm() == np.linalg.norm(whole)
    expect_same(2 * a.redistribute("slab:1"), 2 * whole)
    assert np.array_equal(a.allgather(), whole)


def check_transforms(comm):
    choose = choices(comm, "transforms on devices")
    for turn in range(8):
        single = turn % 2 == 1
        whole = random_global(choose, (12, 9, 10), np.complex64 if single else np.complex128)
        layouts = [random_layout(choose, whole.shape, comm, plain=True) for _ in range(2)]
        a = DistArray.from_global(whole, layouts[0], comm, device=DEVICE)
        axes = [None, (0,), (2, 0), (1, 2)][turn // 2]
        norm = ["backward", "ortho", "forward"][turn % 3]

        def expect(got, expected):
            assert isinstance(got.local, xp.ndarray)
            assert got.shape == expected.shape
            kind = np.dtype(got.dtype).kind
            expected = expected.astype({"cT": "c8", "fT": "f4", "cF": "c16", "fF": "f8"}[
                kind + str(single)[0]])
            expect_near(got.local, expected[got.box.slices], comm)

        expect(a.fftn(axes=axes, norm=norm, layout=layouts[1]),
               np.fft.fftn(whole, axes=axes, norm=norm))
        expect(a.ifftn(axes=axes, norm=norm), np.fft.ifftn(whole, axes=axes, norm=norm))
        r = a.real
        modes = r.rfftn(axes=axes, norm=norm)
        expect(modes, np.fft.rfftn(whole.real, axes=axes, norm=norm))
        points = whole.shape if axes is None else [whole.shape[axis] for axis in axes]
        expect(modes.irfftn(points, axes=axes, norm=norm), whole.real)
        wide, kind = whole.real.astype(np.float64), 1 + turn % 4
        expect(r.dctn(type=kind, axes=axes, norm=norm),
               scipy.fft.dctn(wide, type=kind, axes=axes, norm=norm))
        expect(r.idstn(type=kind, axes=axes, norm=norm),
               scipy.fft.idstn(wide, type=kind, axes=axes, norm=norm))
    a = DistArray.from_global(whole, "slab:0", comm, device=DEVICE)
    expect_near(weft.fft.fftn(a).local, np.fft.fftn(whole).astype("c8")[a.box.slices], comm)
    padded = a.fftn(s=(16, 20), axes=(0, 2))
    expect_near(padded.local, np.fft.fftn(whole, s=(16, 20), axes=(0, 2)).astype("c8")[
        padded.box.slices], comm)
    cut = a.ifftn(s=(5, 9), axes=(1, 2))
    expect_near(cut.local, np.fft.ifftn(whole, s=(5, 9), axes=(1, 2)).astype("c8")[cut.box.slices],
                comm)


def check_files(comm):
    choose = choices(comm, "files on devices")
    folder = comm.bcast(tempfile.mkdtemp() if comm.rank == 0 else None)
    for dtype in (np.float32, np.complex128, np.int16):
        whole = random_global(choose, (7, 6, 5), dtype)
        a = DistArray.from_global(whole, "pencil:1", comm, device=DEVICE)
        path = f"{folder}/{np.dtype(dtype).name}.npy"
        a.save(path)
        assert np.array_equal(np.load(path), whole)
        comm.barrier()
        expect_same(weft.load(path, "slab:2", comm, device=DEVICE), whole)
        try:
            import h5py  # noqa: F401
        except ImportError:
            continue
        weft.save_hdf5(f"{folder}/file.h5", {"a": a})
        expect_same(weft.load_hdf5(f"{folder}/file.h5", "a", "brick", comm, device=DEVICE), whole)


def check_functions_of_one_process(comm):
    """weft.fft transforms CuPy's arrays on their GPU."""
    choose = choices(comm, "weft.fft on devices")
    for dtype in (np.float32, np.float64, np.complex64, np.complex128, np.int32):
        whole = random_global(choose, (8, 9, 10), dtype)
        x = xp.asarray(whole)
        wide = whole.astype(np.complex128 if whole.dtype.kind == "c" else np.float64)
        single = np.dtype(dtype).name in ("float32", "complex64")

        def expect(got, expected):
            assert isinstance(got, xp.ndarray), type(got)
            kind = "c" if expected.dtype.kind == "c" else "f"
            expected = expected.astype({"c": "c8", "f": "f4"}[kind] if single else expected.dtype)
            expect_near(got, expected, comm)

        expect(weft.fft.fftn(x), np.fft.fftn(wide))
        expect(weft.fft.ifft(x, axis=1, norm="ortho"), np.fft.ifft(wide, axis=1, norm="ortho"))
        expect(weft.fft.fft2(x[:, ::2, ::-1]), np.fft.fft2(wide[:, ::2, ::-1]))
        expect(weft.fft.fft(x, n=16, axis=0), np.fft.fft(wide, n=16, axis=0))
        expect(weft.fft.irfftn(x), np.fft.irfftn(wide))
        expect(weft.fft.hfft(x), np.fft.hfft(wide))
        if whole.dtype.kind != "c":
            expect(weft.fft.rfftn(x, s=(5, 12), axes=(2, 0)),
                   np.fft.rfftn(wide, s=(5, 12), axes=(2, 0)))
            expect(weft.fft.ihfft(x), np.fft.ihfft(wide))
            for kind in (1, 2, 3, 4):
                expect(weft.fft.dct(x, kind, axis=1), scipy.fft.dct(wide, kind, axis=1))
                expect(weft.fft.idstn(x, kind), scipy.fft.idstn(wide, kind))
        assert np.array_equal(to_host(x), whole)
        own = x.copy()
        expect(weft.fft.fftn(own, overwrite_x=True), np.fft.fftn(wide))
    weft.fft.clear_plans()
