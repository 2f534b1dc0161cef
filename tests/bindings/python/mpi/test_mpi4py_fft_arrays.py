"""The rest of mpi4py-fft's interface: grids, pencils, transfers, arrays, serial transforms."""

import itertools
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.fft
from helpers import fails, random_array
from mpi4py import MPI

from weft.mpi4py_fft import PFFT, DistArray, Function, fftw
from weft.mpi4py_fft.libfft import FFT
from weft.mpi4py_fft.pencil import Pencil, Subcomm, Transfer


def test_grids(comm: MPI.Intracomm) -> None:
    for dims in (None, 1, 2, 3, [0, 0, 1], (1, 0), [comm.size, 1], (-1, -1)):
        subcomm = Subcomm(comm, dims)
        free = [0] if dims is None else [0] * dims if np.ndim(dims) == 0 else [
            max(0, n) for n in dims]
        assert [each.size for each in subcomm] == MPI.Compute_dims(comm.size, free)
        # Each process has a place of its own.
        places = comm.allgather(tuple(each.rank for each in subcomm))
        assert len(set(places)) == comm.size
        subcomm.destroy()
    with pytest.raises(ValueError, match="at least one"):
        Subcomm(comm, [])


def test_pencils(comm: MPI.Intracomm) -> None:
    subcomm = Subcomm(comm, [0, 0, 1])
    shape = (7, 2, 9)
    pencil = Pencil(subcomm, shape)
    assert pencil.axis == 2 and pencil.shape == shape
    for axis in (1, 0, -1):
        count = np.zeros(shape, int)
        count[pencil.slices] = 1
        assert (comm.allreduce(count) == 1).all()
        for n, start, length, each in zip(shape, pencil.substart, pencil.subshape, pencil.subcomm):
            lengths = each.allgather(length)
            assert sum(lengths) == n and start == sum(lengths[:each.rank])
            assert sorted(lengths, reverse=True) == lengths and lengths[0] - lengths[-1] <= 1
        before = pencil
        pencil = pencil.pencil(axis)
        assert pencil.axis == axis % 3 and pencil.subshape[axis] == shape[axis]
        assert pencil.subcomm[before.axis] == before.subcomm[axis]
    short = Pencil(Subcomm(comm, 1), (8, 9, 10), 0)
    assert short.subshape[0] == 8 and short.subcomm[1].size == comm.size
    with pytest.raises(ValueError, match="axis 3"):
        pencil.pencil(3)
    with pytest.raises(ValueError, match="not those of two axes"):
        pencil.transfer(pencil, float)
    if comm.size > 1:
        divided = next(axis for axis, each in enumerate(subcomm) if each.size > 1)
        with pytest.raises(ValueError, match="divided among"):
            Pencil(subcomm, shape, divided)
    subcomm.destroy()


@pytest.mark.parametrize("dtype", [*"fdFDgG?", "i2", "i4", "u8", "S5", "S13"])
def test_transfers(comm: MPI.Intracomm, dtype: str) -> None:
    random = np.random.default_rng(3)
    for shape in ((7, 8), (5, 1, 9), (3, 7, 2, 8)):
        if dtype in "fdFDgG":
            whole = random_array(random, shape, dtype)
        else:
            size = np.dtype(dtype).itemsize * int(np.prod(shape))
            whole = random.integers(0, 2 if dtype == "?" else 256, size, np.uint8).view(dtype)
            whole = whole.reshape(shape)
        for first, second in itertools.permutations(range(len(shape)), 2):
            subcomm = Subcomm(comm, [int(axis == first) for axis in range(len(shape))])
            a = Pencil(subcomm, shape, first)
            b = a.pencil(second)
            transfer = a.transfer(b, dtype)
            assert isinstance(transfer, Transfer) and transfer.dtype == np.dtype(dtype)
            out = np.zeros(b.subshape, dtype)
            transfer.forward(np.asfortranarray(whole[a.slices]), out)
            assert (out == whole[b.slices]).all()
            back = np.zeros((*a.subshape, 2), dtype)[..., 0]
            transfer.backward(out, back)
            assert (back == whole[a.slices]).all()
            transfer.destroy()
            subcomm.destroy()


def test_transfers_refuse_on_all_ranks(comm: MPI.Intracomm) -> None:
    subcomm = Subcomm(comm, [0, 1])
    a = Pencil(subcomm, (8, 9), 1)
    transfer = a.transfer(a.pencil(0), "d")
    good = np.zeros(a.subshape)
    for bad in (np.zeros(a.subshape, "f"), np.zeros((2, 2, 2)), np.zeros(a.subshape, "D")):
        here = bad if comm.rank == comm.size - 1 else good
        out = np.zeros(a.pencil(0).subshape)
        fails(comm, "input", lambda: transfer.forward(here, out))
    transfer.forward(good, np.zeros(a.pencil(0).subshape))
    transfer.destroy()
    subcomm.destroy()


@pytest.mark.parametrize("rank", [0, 1, 2])
@pytest.mark.parametrize("how", [
    dict(), dict(alignment=0), dict(alignment=1), dict(subcomm=(0, 0, 1)), dict(subcomm=(0, 1, 0)),
])
def test_redistribution(comm: MPI.Intracomm, how: dict[str, Any], rank: int) -> None:
    whole = random_array(np.random.default_rng(5), (2,) * rank + (6, 7, 9), "D")
    a = DistArray(whole.shape, dtype="D", rank=rank, **how)
    assert (a.rank, a.global_shape, a.dimensions) == (rank, whole.shape, 3)
    assert a.substart == tuple(part.start for part in a.local_slice())
    assert np.prod(a.commsizes) == comm.size == np.prod([each.size for each in a.subcomm])
    if "alignment" in how:
        assert a.alignment == how["alignment"]
    a[...] = whole[a.local_slice()]
    for axis in (0, 1, 2, 1):
        b = a.redistribute(axis)
        assert b.alignment == axis and b.rank == rank
        assert (b == whole[b.local_slice()]).all()
        if b is not a and b.commsizes != a.commsizes:
            a[...] = 0
            assert b.redistribute(out=a) is a
            assert (a == whole[a.local_slice()]).all()
            assert a.redistribute(a.alignment) is a
        a = b
    same = np.zeros_like(a)
    assert isinstance(same, DistArray) and same.pencil is a.pencil
    pencil, transfer = a.get_pencil_and_transfer((a.alignment + 1) % 3)
    assert pencil.axis == (a.alignment + 1) % 3 and transfer.dtype == a.dtype
    with pytest.raises(ValueError, match="axis or out"):
        a.redistribute()


def test_components(comm: MPI.Intracomm) -> None:
    # Of seven ranks each has elements, which the test looks at.
    a = DistArray((2, 3, 7, 8), rank=2, val=7)
    assert (a[1].rank, a[1, 2].rank, a[0:1].rank, a[1, 0:2].rank) == (1, 0, 2, 1)
    assert all(isinstance(part, DistArray) for part in (a[1], a[1, 2], a[:, 1]))
    assert a[1].global_shape == (3, 7, 8) and a[:, 1].rank == 1
    for index in ((1, 2, 0), (0, 0, slice(None), 0), Ellipsis, (..., 0), a > 3):
        assert not isinstance(a[index], DistArray)
    assert type(a.v) is np.ndarray and np.shares_memory(a.v, a)
    assert isinstance(a[1] + 1, DistArray) and (a[1] + 1).rank == 1
    memory = np.arange(a.size, dtype=float).reshape(a.shape)
    b = DistArray(a.global_shape, buffer=memory, rank=2)
    assert np.shares_memory(b, memory) and (b == memory).all()
    line = DistArray((8,), val=2)
    assert line.shape == line.global_shape == (8,) and line[0] == 2 and line.local_slice() == (
        slice(0, 8),)
    fft = PFFT(comm, (6, 8))
    assert Function(fft, False, tensor=True).shape == (2, *fft.shape(False))
    fft.destroy()


def test_parts_of_the_global_array(comm: MPI.Intracomm) -> None:
    whole = random_array(np.random.default_rng(7), (2, 6, 7, 9), "f")
    for alignment in range(3):
        a = DistArray(whole.shape, dtype="f", rank=1, alignment=alignment)
        a[...] = whole[a.local_slice()]
        for index in ((1, 0, slice(None), 3), (slice(None),) * 4, (0, -1, slice(1, 6, 2), 8),
                      (0, 1, 2, 3), (slice(None, None, -1), slice(5, 2, -1), 0, slice(3, 3))):
            part = a.get(index)
            assert (part is None) == (comm.rank != 0)
            if comm.rank == 0:
                assert part.shape == whole[index].shape and (part == whole[index]).all()
        with pytest.raises(IndexError):
            a.get((0, 6, 0, 0))
        with pytest.raises(IndexError):
            a.get((0, 0))


@pytest.mark.parametrize("alignment", [0, 2])
def test_arrays_go_on_as_they_are(comm: MPI.Intracomm, alignment: int) -> None:
    """A change of alignment that moves nothing is one of that array alone."""
    a = DistArray((4, 8, 6), subcomm=Subcomm(comm, [1, 0, 1]), alignment=alignment)
    b = np.ones_like(a)
    assert a.redistribute(2 - alignment) is a
    assert (a.alignment, b.alignment) == (2 - alignment, alignment)


def test_serial_transforms() -> None:
    random = np.random.default_rng(9)
    for char, bound in (("f", 3e-6), ("d", 1e-14), ("g", 1e-14)):
        x = random.standard_normal((6, 7, 5)).astype(char)
        z = (x + 1j * random.standard_normal(x.shape)).astype(char.upper())
        for axes in ((0,), (2, 1), (0, 1, 2), (-1,)):
            u = fftw.aligned(x.shape, dtype=char)
            u[...] = x
            forward = fftw.rfftn(u, axes=axes)
            exact = scipy.fft.rfftn(x, axes=axes)
            assert forward() is forward.output_array
            assert np.allclose(forward.output_array, exact, atol=100 * bound)
            backward = fftw.irfftn(forward.output_array, [x.shape[a] for a in axes], axes,
                                   output_array=u)
            u[...] = 0
            assert backward(normalize=True) is u and np.allclose(u, x, atol=10 * bound)
            assert np.allclose(fftw.fftn(z, axes=axes)(), scipy.fft.fftn(z, axes=axes),
                               atol=100 * bound)
            assert np.allclose(fftw.ifftn(z, axes=axes)(normalize=True),
                               scipy.fft.ifftn(z, axes=axes), atol=10 * bound)
            for name, type in itertools.product(("dctn", "dstn"), (1, 2, 3, 4)):
                exact = getattr(scipy.fft, name)(x, type, axes=axes)
                out = np.empty_like(x)
                plan = getattr(fftw, name)(u, None, axes, type)
                assert plan(x, out) is out and np.allclose(out, exact, atol=300 * bound)
                assert plan(x, implicit=False) is plan.output_array and (u == x).all()
                back = getattr(fftw, "i" + name)(out, None, axes, type)
                assert np.allclose(back(normalize=True), x, atol=30 * bound)
    kinds = [fftw.FFTW_REDFT10, fftw.FFTW_RODFT00]
    plan = fftw.get_planned_FFT(x, np.empty_like(x), (0, 2), kinds)
    assert np.allclose(plan(), scipy.fft.dst(scipy.fft.dct(x, 2, axis=0), 1, axis=2))
    assert fftw.get_normalization(kinds, x.shape, (0, 2)) == 1 / (2 * 6 * 2 * 6)
    with pytest.raises(ValueError, match="FFTW_REDFT00"):
        fftw.get_planned_FFT(x, x, (0,), fftw.FFTW_DHT)
    with pytest.raises(ValueError, match="rfftn"):
        fftw.rfftn(z)


def test_alignment() -> None:
    for n in (8, 32, 64):
        a = fftw.aligned((3, 5), n, "F", fill=2)
        assert a.ctypes.data % n == 0 and (a == 2).all() and a.shape == (3, 5)
    assert fftw.get_alignment(fftw.aligned_like(fftw.aligned(7))) == 32


@pytest.mark.parametrize("backend", ["fftw", "numpy", "scipy"])
def test_serial_objects(backend: str) -> None:
    x = np.random.default_rng(2).standard_normal((6, 8))
    for axes in (None, 0, (0, 1), (1,)):
        fft = FFT(x.shape, axes, backend=backend)
        along = (0, 1) if axes is None else axes if np.ndim(axes) else (axes,)
        exact = (scipy.fft.fftn if backend == "scipy" else scipy.fft.rfftn)(
            x, axes=along, norm="forward")
        assert np.allclose(fft.forward(x), exact)
        assert np.allclose(fft.backward(), x)
        assert np.allclose(fft.forward(x, normalize=False), exact / fft.M)
    transforms = {(1,): (partial(fftw.dctn, type=3), partial(fftw.idctn, type=3))}
    if backend == "fftw":
        fft = FFT(x.shape, (1,), transforms=transforms)
        assert np.allclose(fft.forward(x), scipy.fft.dct(x, 3, norm="forward"))
        assert np.allclose(fft.backward(), x)


def test_programs_that_import_mpi4py_fft(comm: MPI.Intracomm, tmp_path: Path) -> None:
    """In a process of its own, on one rank, by rank 0; it must not find the package itself."""
    if comm.rank != 0:
        return
    program = tmp_path / "program.py"
    program.write_text("""
import sys
import numpy as np
from mpi4py import MPI
import mpi4py_fft
from mpi4py_fft import PFFT, newDistArray, fftw
from mpi4py_fft.pencil import Pencil, Subcomm
from mpi4py_fft.mpifft import Transform
from mpi4py_fft.distarray import DistArray
from mpi4py_fft.libfft import FFT
from mpi4py_fft.fftw.xfftn import dctn
from mpi4py_fft.fftw import utilities
assert PFFT.__module__ == "weft.mpi4py_fft.mpifft" and mpi4py_fft.__version__ == "2.0.6"
assert isinstance(PFFT(MPI.COMM_WORLD, (4, 6)).forward, Transform)
try:
    from mpi4py_fft import HDF5File
except ImportError:
    pass
print(*sys.argv[1:], __name__)
""")
    command = [sys.executable, "-m", "weft.mpi4py_fft"]
    environment = environment_of_one_process()

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run([*command, *arguments], capture_output=True, text=True,
                              env=environment, cwd=tmp_path)

    for arguments in ([str(program), "a", "b"], ["-m", "program", "a", "b"]):
        done = run(*arguments)
        assert done.returncode == 0 and done.stdout == "a b __main__\n", done.stderr
    assert "usage" in run().stderr


def environment_of_one_process() -> dict[str, str]:
    """Without what tells a process that it is a rank of this job."""
    import os

    return {name: value for name, value in os.environ.items()
            if not name.startswith(("OMPI_COMM", "OMPI_MCA_orte", "OMPI_MCA_ess", "OMPI_UNIVERSE",
                                    "PMIX", "PMI_", "HYDI_"))}
