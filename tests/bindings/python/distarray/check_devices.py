"""Plans and what is made of them with arrays of accelerators, against NumPy."""

import numpy as np
import scipy.fft
from devices import (
    IS_EMULATED,
    PRECISIONS,
    device_number,
    expect_near,
    expect_part,
    on,
    on_device,
    part,
    xp,
)

import weft
import weft.fft
from cases import choices, raises, random_global, random_layout, random_shape, refuses
from weft.distarray.device import to_host


def spectrum(whole, kinds):
    """Along all axes; the last one halved for "r2c"."""
    result = np.fft.rfftn(whole) if kinds == "r2c" else np.fft.fftn(whole)
    return result.astype(np.result_type(whole.dtype, np.complex64), copy=False)


def check_plans(comm):
    choose = choices(comm, "plans on devices")
    for turn in range(16):
        dtype, kinds = PRECISIONS[turn % 4]
        whole = random_global(choose, random_shape(choose, choose.randint(1, 4)), dtype)
        expected = spectrum(whole, kinds)
        layouts = [random_layout(choose, shape, comm) for shape in (whole.shape, expected.shape)]
        with weft.Plan(whole.shape, dtype, comm, kinds=kinds, input=layouts[0], output=layouts[1],
                       **on(comm)) as plan:
            u = part(whole, plan.input)
            uh = plan.forward(u)
            assert isinstance(uh, xp.ndarray)
            expect_part(uh, expected, plan.output, comm)
            expect_part(u, whole, plan.input, comm)
            back = plan.input.zeros(xp)
            assert plan.backward(uh, back) is back
            expect_part(back, whole, plan.input, comm)
            # Arrays of the host are copied.
            host = plan.output.empty()
            plan.forward(to_host(u) if u.flags.c_contiguous else u, host)
            expect_part(host, expected, plan.output, comm)


def check_many_fields_and_batches(comm):
    choose = choices(comm, "fields on devices")
    shape = (12, 10, 8)
    fields = [random_global(choose, shape, np.complex64) for _ in range(3)]
    with weft.Plan(shape, np.complex64, comm, output="slab:1", fields_in_flight=2,
                   **on(comm)) as plan:
        ins = [part(field, plan.input) for field in fields]
        for field, uh in zip(fields, plan.forward_many(ins)):
            expect_part(uh, spectrum(field, "c2c"), plan.output, comm)
        uh = plan.start_forward(ins[0])
        plan.wait()
        expect_part(uh, spectrum(fields[0], "c2c"), plan.output, comm)
    for interleaved in (False, True):
        axis = -1 if interleaved else 0
        with weft.Plan(shape, np.complex64, comm, output="slab:1", batch=3, interleaved=interleaved,
                       **on(comm)) as plan:
            parts = [field[plan.input.box.slices] for field in fields]
            uh = plan.forward(on_device(np.stack(parts, axis), plan.input))
            parts = [spectrum(field, "c2c")[plan.output.box.slices] for field in fields]
            expect_near(uh, np.stack(parts, axis), comm)


def check_operators_of_many_fields(comm):
    x = 2 * np.pi * np.arange(12) / 12
    for dtype, kinds in PRECISIONS:
        with weft.Plan((12, 10, 8), dtype, comm, kinds=kinds, output="slab:1", fields_in_flight=2,
                       **on(comm)) as plan:
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
        lags = [m - 1 if linear else 0 for m in shape]
        exact = [np.fft.ifftn(wide[0] * wide[1]),
                 np.roll(np.fft.ifftn(wide[0].conj() * wide[1]), lags, tuple(range(len(shape))))]
        with weft.Convolution(shape, dtype, comm, second=second,
                              mode="linear" if linear else "circular",
                              output=random_layout(choose, tuple(lengths), comm),
                              **on(comm)) as convolution:
            x = part(a, convolution.first)
            y = part(b, convolution.second)
            for run, expected in zip((convolution.convolve, convolution.correlate), exact):
                out = run(x, y)
                assert isinstance(out, xp.ndarray)
                expected = expected if np.dtype(dtype).kind == "c" else expected.real
                expect_part(out, expected, convolution.result, comm, dtype)
                # Arrays of the host are copied.
                host = convolution.result.empty()
                run(to_host(x) if x.flags.c_contiguous else x, y, host)
                expect_part(host, expected, convolution.result, comm, dtype)
            expect_part(x, a, convolution.first, comm)


def check_long_transforms(comm):
    choose = choices(comm, "long transforms on devices")
    for turn in range(8):
        dtype = np.complex64 if turn % 2 else np.complex128
        length = choose.choice((1, 13, 60, 97, 1001, 4096))
        whole = random_global(choose, (length,), dtype)
        with weft.LongTransform(length, dtype, comm, order=("natural", "transposed")[turn // 2 % 2],
                                **on(comm)) as transform:
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
                   **on(comm)) as plan:
        memory = xp.empty(max(plan.input.nbytes, plan.output.nbytes), xp.uint8)
        u, uh = plan.input.over(memory), plan.output.over(memory)
        u[...] = xp.asarray(whole[plan.input.box.slices])
        plan.forward(u, uh)
        expect_part(uh, spectrum(whole, "r2c"), plan.output, comm)
        plan.backward(uh, u)
        expect_part(u, whole, plan.input, comm)


def check_streams(comm):
    if IS_EMULATED:
        return
    choose = choices(comm, "streams")
    whole = random_global(choose, (16, 12, 10), np.complex128)
    stream = xp.cuda.Stream(non_blocking=True)
    with stream, weft.Plan(whole.shape, np.complex128, comm, output="slab:1", stream=stream.ptr,
                           **on(comm)) as plan:
        u = part(whole, plan.input)
        uh = plan.forward(u)
        back = plan.backward(uh)
        expect_part(uh, spectrum(whole, "c2c"), plan.output, comm)
        expect_part(back, whole, plan.input, comm)


def check_wrong_memory(comm):
    with weft.Plan((8, 6), np.complex128, comm, **on(comm)) as plan:
        u = plan.input.zeros(xp)
        wrong = u.astype(np.complex64) if comm.rank == comm.size - 1 else u
        refuses(comm, weft.Error, lambda: plan.forward(wrong), "complex64")
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
        with weft.Plan(whole.shape, dtype, comm, kinds=kinds, output="slab:1", **on(comm)) as plan:
            u = torch.from_numpy(whole[plan.input.box.slices].copy()).to(place)
            dtypes = {4: torch.float32, 8: torch.complex64, 16: torch.complex128}
            uh = torch.empty(plan.output.shape, dtype=dtypes[plan.output.dtype.itemsize],
                             device=place)
            assert plan.forward(u, uh) is uh
            expect_part(uh.cpu().numpy(), spectrum(whole, kinds), plan.output, comm)
            back = torch.full_like(u, 7)
            plan.backward(uh, back)
            expect_part(back.cpu().numpy(), whole, plan.input, comm)
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
        with weft.Plan(whole.shape, dtype, comm, kinds=kinds, output="slab:1", **on(comm)) as plan:
            uh = plan.output.empty(xp)  # first: JAX leaves another device behind as the current one
            u = jax.block_until_ready(jax.device_put(whole[plan.input.box.slices], place))
            plan.forward(u, uh)
            expect_part(uh, spectrum(whole, kinds), plan.output, comm)
            # And on to JAX, without a copy.
            total = jax.numpy.sum(jax.numpy.abs(jax.dlpack.from_dlpack(uh)) ** 2)
            total = comm.allreduce(float(total))
            expected = np.sum(np.abs(spectrum(whole, kinds).astype(np.complex128)) ** 2)
            assert abs(total - expected) < 1e-5 * expected


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
    weft.clear_plans()
