"""Memory: nothing is lost over many runs, in Python or outside of it.

Run with PYTHONMALLOC=debug and -X dev, which find writes past the end of Python's memory.
"""

import gc
import sys
import tracemalloc
import weakref
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from mpi4py import MPI

import weft
import weft.fft
from weft import _core


def resident_bytes() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096


def fail(values: np.ndarray, block: weft.Block) -> None:
    raise LookupError("no luck")


def cycle() -> None:
    """All that a program does with a plan, errors too."""
    with weft.Plan((24, 20), np.float64, MPI.COMM_SELF, kinds="r2c", threads=1,
                   output=weft.slab_split(0).with_order((1, 0))) as plan:
        x = plan.input.zeros()
        out = plan.forward(x)
        plan.backward(out, x)
        plan.start_forward(x, out)
        plan.wait()
        plan.start_trace()
        plan.forward_many([x, x])
        plan.stop_trace()
        plan.describe()
        plan.timings()
        plan.report()
        for bad in (None, x.T, x.astype(np.float32)):
            with pytest.raises(weft.Error):
                plan.forward(bad)
        plan.forward(x, on_input=lambda values, block: values * block.index[0])
        with pytest.raises(weft.Error, match="no luck") as caught:
            plan.forward(x, on_output=fail)
        assert isinstance(caught.value.__cause__, LookupError)
        calculus = weft.Calculus(plan, (1, 2))
        calculus.gradient(x)
        calculus.filter(x, np.cos)
        plan.forward(x, on_output=calculus.waves.laplacian())
        plan.sampled_error(x, out)
        with pytest.raises(weft.Error):
            calculus.divergence([x])
    layout = weft.slab_split(0).with_halo((1, 1), (1, 1))
    with weft.Halo((6, 5), comm=MPI.COMM_SELF, layout=layout, periodic=True) as halo:
        ghosts = halo.zeros()
        halo.exchange(ghosts)
        halo.start_accumulate(ghosts)
        halo.wait()
        with pytest.raises(weft.Error):
            halo.exchange(ghosts[1:])
    with weft.Convolution((6, 5), comm=MPI.COMM_SELF, mode="linear", threads=1) as convolution:
        convolution.convolve(convolution.first.zeros(), convolution.second.zeros())
    with weft.LongTransform(30, comm=MPI.COMM_SELF, threads=1) as transform:
        transform.forward(np.zeros(30, complex))
        assert len(transform.frequencies) == 30
    with pytest.raises(weft.Error):
        weft.Plan((24, 20), comm=MPI.COMM_SELF, exchange="pigeons")
    weft.Plan((8, 6), comm=MPI.COMM_SELF)
    weft.parse_layout("slab:0,order=10")
    weft.list_exchanges()
    weft.fft.irfftn(weft.fft.rfftn(np.ones((9, 8))))


def test_memory_stays_the_same() -> None:
    for _ in range(100):
        cycle()
    weft.clear_plans()
    gc.collect()
    living = _core.living_plans()
    tracemalloc.start()
    before, resident = tracemalloc.take_snapshot(), resident_bytes()
    for _ in range(400):
        cycle()
    weft.clear_plans()
    gc.collect()
    grown = sum(entry.size_diff for entry in tracemalloc.take_snapshot().compare_to(before,
                                                                                    "filename"))
    tracemalloc.stop()
    assert _core.living_plans() == living
    # A cycle that lost 100 bytes of Python's memory, or 10 kB of the process's, would show.
    assert grown < 40_000
    assert resident_bytes() - resident < 4_000_000


def test_references() -> None:
    plan = weft.Plan((16, 16), comm=MPI.COMM_SELF)
    x, out = plan.input.zeros(), plan.output.empty()
    counts = sys.getrefcount(x), sys.getrefcount(out)
    for _ in range(100):
        plan.forward(x, out)
        plan.start_forward(x, out)
        plan.wait()
        plan.forward_many([x], [out])
        for call in (lambda: plan.forward(x, x[:3]), lambda: plan.forward(x.T[1:], out)):
            with pytest.raises(weft.Error):
                call()
    assert (sys.getrefcount(x), sys.getrefcount(out)) == counts
    plan.destroy()


def test_arrays_of_a_transform_under_way_are_kept() -> None:
    plan = weft.Plan((16, 16), comm=MPI.COMM_SELF)

    class Array(np.ndarray[Any, Any]):
        """Can be referred to weakly."""

    x = plan.input.zeros().view(Array)
    alive = weakref.ref(x)
    plan.start_forward(x)
    del x
    gc.collect()
    assert alive() is not None
    plan.wait()
    gc.collect()
    assert alive() is None


def test_arrays_outlive_plans() -> None:
    plan = weft.Plan((16, 16), comm=MPI.COMM_SELF)
    side = plan.input
    out = plan.forward(side.zeros())
    plan.destroy()
    del plan
    gc.collect()
    assert out.sum() == 0 and side.empty().shape == (16, 16)


def test_memory_for_arrays() -> None:
    plan = weft.Plan((6, 4), comm=MPI.COMM_SELF, input=weft.slab_split(0).with_halo((1, 1), (2, 1)))
    memory = np.zeros(plan.input.allocation_size, np.complex128)
    view = plan.input.over(memory)
    view[...] = 1
    assert plan.input.allocation_size == 9 * 6 and memory.sum() == 24
    with pytest.raises(ValueError, match="are needed"):
        plan.input.over(memory[:-1])
    with pytest.raises(ValueError, match="not contiguous"):
        plan.input.over(np.zeros((200, 2), np.complex128)[:, 0])
    plan.destroy()
