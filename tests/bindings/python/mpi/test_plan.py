"""Plans: what they tell, how they run, and errors, which come on all ranks."""

import gc
import inspect
import re
from typing import Any

import numpy as np
import pytest
from memory_of_device import OnDevice
from mpi4py import MPI

import weft
from weft import _core
from weft._request import PlanOptions, options_text

SHAPE = (12, 10, 9)


def whole(dtype: Any = np.complex128) -> np.ndarray:
    random = np.random.default_rng(3)
    u = random.standard_normal(SHAPE)
    return (u + 1j * random.standard_normal(SHAPE) if np.dtype(dtype).kind == "c" else u).astype(
        dtype)


def fails_with(comm: MPI.Intracomm, text: str, call: Any, or_text: str | None = None) -> None:
    """The same error on all ranks, in which one of the texts occurs."""
    with pytest.raises(weft.Error) as caught:
        call()
    error = str(caught.value)
    assert len(set(comm.allgather(error))) == 1
    assert text in error or (or_text is not None and or_text in error), error


def test_what_a_plan_tells(comm: MPI.Intracomm) -> None:
    with weft.Plan(SHAPE, np.float32, comm, kinds=("c2c", "r2c", "dct2"), output="pencil:0",
                   norm="ortho", batch=2, threads=1) as plan:
        assert plan.info.shape == plan.info.input_points == plan.info.modes == SHAPE
        assert plan.info.kinds == ("c2c", "r2c", "dct2")
        assert (plan.info.norm, plan.info.orthogonal, plan.info.batch, plan.info.threads) == ("ortho", True, 2, 1)
        assert (plan.info.device, plan.info.device_number) == ("host", -1)
        assert plan.info.chunks == plan.info.receive_chunks == 1
        assert plan.info.workspace_bytes >= 0 and plan.info.shared_bytes >= 0
        names = [choice.name for choice in weft.list_exchanges()]
        assert plan.info.exchange.partition(":")[0] in names
        assert plan.info.local in [choice.name for choice in weft.list_local_transforms()]
        assert plan.input.dtype == np.float32 and plan.output.dtype == np.complex64
        assert plan.input.shape == (2, *plan.input.box.extents)
        boxes = comm.allgather(plan.output.box)
        assert sum(int(np.prod(box.extents)) for box in boxes) == 12 * 6 * 9
        assert "exchange" in plan.describe()
        plan.forward(plan.input.zeros())
        assert all(step.seconds >= 0 for step in plan.timings())
        moved = [step.bytes for step in plan.timings() if step.moves_data]
        assert sum(moved) == plan.info.bytes_sent and bool(moved) == (comm.size > 1)
        assert (plan.info.bytes_sent > 0) == (comm.size > 1)
        report = plan.report()
        assert report.tolerance == 0 and str(report) == report.text
        assert "12x10x9" in repr(plan)
    assert repr(plan) == "<weft.Plan, destroyed>"


def test_all_options_are_known(comm: MPI.Intracomm) -> None:
    """Those of the library, to checkers of types and to readers; their defaults change nothing."""
    options = weft.list_options()
    names = sorted(option.name for option in options)
    assert sorted(PlanOptions.__annotations__) == names
    _, _, section = (inspect.getdoc(weft.Plan) or "").partition("\nOther Parameters\n")
    section, _, _ = section.partition("\nRaises\n")
    assert sorted(re.findall(r"^(\w+) : ", section, re.MULTILINE)) == names
    defaults: dict[str, Any] = {option.name: option.default for option in options}
    assert defaults["chunks"] == "auto" and all(option.values for option in options)
    texts = set()
    for given in ({}, defaults, dict.fromkeys(defaults)):
        with weft.Plan(SHAPE, comm=comm, output="slab:1", **given) as plan:
            texts.add(plan.describe())
    assert len(texts) == 1


@pytest.mark.parametrize("option, text", [
    ({"grid": (2, 4)}, "grid=2x4"), ({"grid": np.array([2, 4])}, "grid=2x4"),
    ({"grid": 3}, "grid=3"), ({"grid": "2x4"}, "grid=2x4"), ({"threads": np.int8(2)}, "threads=2"),
    ({"threads": np.array(2)}, "threads=2"), ({"threads": "auto"}, "threads=auto"),
    ({"reorder": np.True_}, "reorder=yes"), ({"reorder": False}, "reorder=no"),
    ({"tolerance": 1e-6}, "tolerance=1e-06"), ({"tolerance": np.float32(0.5)}, "tolerance=0.5"),
    ({"tolerance": 0}, "tolerance=auto"), ({"tolerance": 0.0}, "tolerance=auto"),
    ({"exchange": None, "chunks": 2, "local": "fftw"}, "chunks=2, local=fftw"),
])
def test_options_as_text(option: Any, text: str) -> None:
    assert options_text(option) == text


def test_without_scaling(comm: MPI.Intracomm) -> None:
    with weft.Plan(SHAPE, comm=comm, output="slab:1", norm="none") as plan:
        assert plan.info.norm == "none"
        x = plan.input.empty()
        x[...] = whole()[plan.input.box.slices]
        out = plan.forward(x)
        np.testing.assert_allclose(out, np.fft.fftn(whole())[plan.output.box.slices], atol=1e-10)
        back = plan.backward(out)
        np.testing.assert_allclose(back, np.prod(SHAPE) * x, atol=1e-10)
        assert plan.sampled_error(x, out).relative_l2 < 1e-14
        assert plan.sampled_error(out, back, forward=False).relative_l2 < 1e-14


def test_interleaved_fields_and_halo(comm: MPI.Intracomm) -> None:
    u = np.stack([whole(), 2j * whole()], axis=-1)
    layout = weft.slab_split(1).with_order((2, 0, 1)).with_halo((1, 0, 2), (0, 1, 1))
    with weft.Plan(SHAPE, comm=comm, batch=2, interleaved=True, input=layout,
                   output="pencil:1") as plan:
        x = plan.input.empty()
        assert x.shape == (*plan.input.box.extents, 2)
        x[...] = u[plan.input.box.slices]
        exact = np.fft.fftn(u, axes=(0, 1, 2))[plan.output.box.slices]
        np.testing.assert_allclose(plan.forward(x), exact, rtol=1e-12, atol=1e-12)


def test_in_place_with_padding(comm: MPI.Intracomm) -> None:
    u = whole(np.float64)
    with weft.Plan(SHAPE, np.float64, comm, kinds="r2c", input=weft.slab_split(0).padded_for_r2c(),
                   output="slab:1") as plan:
        memory = np.empty(max(plan.input.nbytes, plan.output.nbytes), np.uint8)
        x, xh = plan.input.over(memory), plan.output.over(memory)
        x[...] = u[plan.input.box.slices]
        assert plan.forward(x, xh) is xh
        exact = np.fft.rfftn(u)[plan.output.box.slices]
        np.testing.assert_allclose(xh, exact, rtol=1e-12, atol=1e-12)
        plan.backward(xh, x)
        np.testing.assert_allclose(x, u[plan.input.box.slices], atol=1e-13)


def test_while_the_caller_works(comm: MPI.Intracomm) -> None:
    u = whole()
    with weft.Plan(SHAPE, comm=comm, output="slab:1", exchange="p2p") as plan:
        for call in (plan.test, plan.wait):
            fails_with(comm, "nothing was started", call)
        out = plan.start_forward(np.ascontiguousarray(u[plan.input.box.slices]))
        while not plan.test():
            pass
        plan.wait()
        np.testing.assert_allclose(out, np.fft.fftn(u)[plan.output.box.slices], atol=1e-12)
        back = plan.start_backward(out)
        plan.wait()
        np.testing.assert_allclose(back, u[plan.input.box.slices], atol=1e-13)


def test_many_fields(comm: MPI.Intracomm) -> None:
    with weft.Plan(SHAPE, comm=comm, output="pencil:2", fields_in_flight=2) as plan:
        fields = [(k + 1) * whole() for k in range(5)]
        local = [np.ascontiguousarray(field[plan.input.box.slices]) for field in fields]
        outs = plan.forward_many(local)
        assert [plan.report(k).error for k in range(5)] == [0] * 5
        with pytest.raises(weft.Error, match="no report of field 5: the last .* of 5 fields"):
            plan.report(5)
        for field, out in zip(fields, outs):
            np.testing.assert_allclose(out, np.fft.fftn(field)[plan.output.box.slices],
                                       atol=1e-11)
        backs = [np.full_like(x, np.nan) for x in local]
        assert plan.backward_many(outs, backs)[0] is backs[0]
        np.testing.assert_allclose(np.array(backs), np.array(local), atol=1e-12)
        fails_with(comm, "5 input fields, but 4 output fields",
                   lambda: plan.forward_many(local, outs[:4]))
        fails_with(comm, "no array that can be used", lambda: plan.forward_many(7))


def test_tolerance_is_reported(comm: MPI.Intracomm) -> None:
    u = whole()
    with weft.Plan(SHAPE, comm=comm, output="slab:1", tolerance=1e-5,
                   exchange="alltoallv") as plan:
        out = plan.forward(np.ascontiguousarray(u[plan.input.box.slices]))
        report = plan.report()
        exact = np.fft.fftn(u)
        error = comm.allreduce(float((abs(out - exact[plan.output.box.slices]) ** 2).sum()))
        assert error ** 0.5 < 2e-5 * np.linalg.norm(exact)
        assert report.tolerance == 1e-5
        if comm.size > 1:
            assert 0 < report.error <= 1e-5 and report.bytes < report.plain_bytes
            assert report.redistributions[0].codec != "none"


def test_sampled_error(comm: MPI.Intracomm) -> None:
    u = whole(np.float32)
    with weft.Plan(SHAPE, np.float32, comm, kinds="r2c", output="slab:1") as plan:
        x = np.ascontiguousarray(u[plan.input.box.slices])
        out = plan.forward(x)
        error = plan.sampled_error(x, out)
        assert error.samples == 32
        assert 0 < error.relative_l2 < weft.rounding_error_bound(np.float32, u.size)
        assert plan.sampled_error(out, plan.backward(out), forward=False).relative_l2 < 1e-6
        wrong = 2 * out
        assert abs(plan.sampled_error(x, wrong, samples=7, seed=3).relative_l2 - 1) < 1e-5
        fails_with(comm, "samples 0", lambda: plan.sampled_error(x, out, samples=0))
        last = comm.rank == comm.size - 1
        fails_with(comm, "output array is of complex128",
                   lambda: plan.sampled_error(x, out.astype("c16") if last else out))


def test_emulated_device(comm: MPI.Intracomm) -> None:
    u = whole()
    with weft.Plan(SHAPE, comm=comm, output="slab:1", device="emulated") as plan:
        assert (plan.info.device, plan.info.device_number) == ("emulated", 0)
        out = plan.forward(np.ascontiguousarray(u[plan.input.box.slices]))
        np.testing.assert_allclose(out, np.fft.fftn(u)[plan.output.box.slices], atol=1e-12)


class ThroughDlpack:
    """An array of another library: all that is known of it is DLPack."""

    def __init__(self, array: np.ndarray, device: tuple[int, int] = (1, 0)) -> None:
        self.array = array
        self.device = device

    def __dlpack__(self, **options: Any) -> Any:
        return self.array.__dlpack__(**options)

    def __dlpack_device__(self) -> tuple[int, int]:
        return self.device


def test_arrays_of_other_libraries(comm: MPI.Intracomm) -> None:
    u = whole()
    with weft.Plan(SHAPE, comm=comm) as plan:
        x = np.ascontiguousarray(u[plan.input.box.slices])
        out = plan.output.empty()
        plan.forward(ThroughDlpack(x), ThroughDlpack(out))
        exact = np.fft.fftn(u)[plan.output.box.slices]
        np.testing.assert_allclose(out, exact, atol=1e-12)
        x.flags.writeable = False
        np.testing.assert_allclose(plan.forward(x), exact, atol=1e-12)


def bad_arrays(good: np.ndarray) -> list[tuple[str, Any]]:
    read_only = good.copy()
    read_only.flags.writeable = False
    shifted = np.empty(good.nbytes + 1, np.uint8)[1:].view(good.dtype).reshape(good.shape)
    every_other = np.empty((2 * good.shape[0], *good.shape[1:]), good.dtype)[::2]
    return [
        ("is of complex64, the plan works on complex128", good.astype(np.complex64)),
        ("is of int64", np.zeros(good.shape, np.int64)),
        ("has shape", np.empty((*good.shape, 2), good.dtype)),
        ("has strides", np.empty(good.shape[::-1], good.dtype).T),
        ("has strides", every_other),
        ("is not aligned", shifted),
        ("is not memory of the plan's device 'host'", OnDevice(good)),
        ("is no array that can be used: 'str'", "an array"),
        ("is no array that can be used: 'NoneType'", None),
        ("read-only", read_only),
    ]


@pytest.mark.parametrize("culprit", ["all", "last"])
def test_bad_arrays(comm: MPI.Intracomm, culprit: str) -> None:
    """An array of one rank, or of all, that does not fit; nothing is written then."""
    is_bad = culprit == "all" or comm.rank == comm.size - 1
    with weft.Plan((14, 8, 6), comm=comm, output="slab:1") as plan:
        x = plan.input.zeros()
        out = plan.output.empty()
        out[...] = 7
        for text, array in bad_arrays(x):
            if text == "read-only":
                continue
            prefix = "" if culprit == "all" or comm.size == 1 else f"rank {comm.size - 1}: "
            fails_with(comm, f"{prefix}input array {text}",
                       lambda bad=array: plan.forward(bad if is_bad else x, out))
        for text, array in bad_arrays(out):
            if text.endswith("'NoneType'"):
                continue  # stands for a new array
            fails_with(comm, text, lambda bad=array: plan.forward(x, bad if is_bad else out))
        overlapping = np.zeros(x.size + out.size + 2, np.complex128)
        first = overlapping[1:1 + x.size].reshape(x.shape)
        second = overlapping[2:2 + out.size].reshape(out.shape)
        fails_with(comm, "overlap",
                   lambda: plan.forward(first if is_bad else x, second if is_bad else out))
        assert np.all(out == 7)
        plan.forward(x, out)
        assert np.all(out == 0)


BAD_ARGUMENTS = [
    ({"shape": ()}, "0 axes"),
    ({"shape": (4,) * 7}, "axes"),
    ({"shape": (4, -1)}, "-1"),
    ({"shape": "abc"}, "shape[0] 'a': must be an integer"),
    ({"dtype": np.int32}, "dtype int32 is not supported"),
    ({"dtype": ">c16"}, "dtype >c16 is not supported"),
    ({"kinds": "dct5"}, "dct5"),
    ({"kinds": ("c2c",)}, "1 kinds are given, but the shape has 2 axes"),
    ({"kinds": "r2c"}, "r2c"),
    ({"norm": "orto"}, "orto"),
    ({"input": "slab:7"}, "7"),
    ({"input": None}, "input layout must be given"),
    ({"output": 3}, "output layout must be a str or a weft.Layout, not 3"),
    ({"output": "slap:1"}, "slap:1"),
    ({"input": weft.grid((64, 1))}, "64"),
    ({"input": weft.boxes([((0, 0), (4, 4))] * 9)}, "9"),
    ({"batch": 0}, "batch"),
    ({"batch": "many"}, "batch 'many': must be an integer"),
    ({"input_points": (9, 4)}, "9"),
    ({"modes": (0, 4)}, "0"),
    ({"exchange": "pigeons"}, "pigeons"),
    ({"local": "abacus"}, "abacus"),
    ({"rigor": "lax"}, "lax"),
    ({"codec": "morse:3"}, "morse"),
    ({"progress": "none"}, "none"),
    ({"device": "cray"}, "cray"),
    ({"threads": -1}, "threads -1"),
    ({"threads": 1000000}, "threads 1000000: must be between 0 and 4096"),
    ({"tolerance": -1.0}, "tolerance -1"),
    ({"tolerance": 2.0}, "tolerance 2: must be positive and less than 1"),
    ({"tolerance": float("nan")}, "nan"),
    ({"grid": (2, 3, 4, 5, 6, 7, 8, 9)}, "grid '2x3x4x5x6x7x8x9': must be numbers"),
    ({"mpi_count_limit": 1}, "mpi_count_limit 1"),
]


@pytest.mark.parametrize("culprit", ["all", "last"])
@pytest.mark.parametrize("bad, text", BAD_ARGUMENTS)
def test_bad_arguments(comm: MPI.Intracomm, bad: dict[str, Any], text: str, culprit: str) -> None:
    is_bad = culprit == "all" or comm.rank == comm.size - 1
    arguments: dict[str, Any] = {"shape": (8, 4), "comm": comm} | (bad if is_bad else {})
    before = _core.living_plans()
    differs = "differs between ranks" if culprit == "last" and comm.size > 1 else None
    fails_with(comm, text, lambda: weft.Plan(**arguments), differs)
    assert _core.living_plans() == before


def test_arguments_that_differ(comm: MPI.Intracomm) -> None:
    if comm.size == 1:
        return
    fails_with(comm, "shape differs between ranks", lambda: weft.Plan((8, 4 + comm.rank),
                                                                      comm=comm))
    fails_with(comm, "options differs", lambda: weft.Plan((8, 4), comm=comm, chunks=comm.rank))


def test_bad_communicators() -> None:
    with pytest.raises(TypeError, match="must be a communicator of mpi4py"):
        weft.Plan((4, 4), comm=3)  # type: ignore[arg-type]
    with pytest.raises(weft.Error, match="MPI_COMM_NULL"):
        weft.Plan((4, 4), comm=MPI.COMM_NULL)  # type: ignore[arg-type]


def test_destroyed_plans(comm: MPI.Intracomm) -> None:
    plan = weft.Plan((8, 4), comm=comm)
    plan.destroy()
    plan.destroy()
    for call in (plan.describe, plan.wait, plan.test, lambda: plan.forward(None, 1),
                 lambda: plan.info.threads):
        fails_with(comm, "the plan has been destroyed", call)


def test_a_transform_under_way_keeps_its_arrays(comm: MPI.Intracomm) -> None:
    plan = weft.Plan((64, 16), comm=comm, output="slab:1", exchange="p2p")
    x = plan.input.zeros()
    plan.start_forward(x)
    fails_with(comm, "a transform is under way", lambda: plan.forward(x))  # noqa: F821 - not deleted yet
    plan.wait()
    plan.start_forward(x)
    del x
    gc.collect()
    plan.destroy()


def test_plans_that_are_forgotten(comm: MPI.Intracomm) -> None:
    """Ranks forget a plan at different times; it is destroyed once all have."""
    gc.collect()
    weft.Plan((4, 4), comm=comm).destroy()  # what was forgotten before goes now
    before = _core.living_plans()
    kept = weft.Plan((8, 6), comm=comm, output="slab:1")
    forgotten = weft.Plan((8, 6), comm=comm, output="slab:1")
    assert _core.living_plans() == before + 2
    if comm.rank == 0:
        forgotten = None
    other = weft.Plan((4, 4), comm=comm)
    alive = before + (3 if comm.size > 1 else 2)
    assert _core.living_plans() == alive
    if forgotten is not None:  # still runs, as far as this rank is concerned
        assert forgotten.shape == (8, 6)
    forgotten = None
    other.destroy()
    weft.Plan((4, 4), comm=comm).destroy()
    assert _core.living_plans() == before + 1
    kept.forward(kept.input.zeros())
    kept.destroy()
    assert _core.living_plans() == before


def test_plans_outlive_their_communicator(comm: MPI.Intracomm) -> None:
    mine = comm.Dup()
    plan = weft.Plan((8, 6), comm=mine, output="slab:1")
    forgotten = weft.Plan((8, 6), comm=mine, output="slab:1")
    del forgotten
    mine.Free()
    plan.forward(plan.input.zeros())
    plan.destroy()
    other = comm.Dup()
    left = weft.Plan((8, 6), comm=other, output="slab:1")
    other.Free()
    del left  # stays until the process ends, where there are several ranks
