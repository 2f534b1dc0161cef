"""Plans: what they tell, how they run, and how they end."""

import gc
import inspect
import pathlib
import re
import runpy
from typing import Any

import numpy as np
import pytest
from helpers import ThroughDlpack, fails, local, near, random_array
from mpi4py import MPI

import weft
from weft import _core
from weft._plan_options import PlanOptions
from weft._request import options_text

SHAPE = (12, 10, 9)
BINDINGS = pathlib.Path(__file__).parents[4] / "bindings/python"


def whole(dtype: Any = np.complex128) -> np.ndarray:
    return random_array(np.random.default_rng(3), SHAPE, dtype)


def test_what_a_plan_tells(comm: MPI.Intracomm) -> None:
    with weft.Plan(SHAPE, np.float32, comm, kinds=("c2c", "r2c", "dct2"), output="pencil:0",
                   norm="ortho", batch=2, threads=1, breakdown=True) as plan:
        info = plan.info
        assert info.shape == info.input_points == info.modes == SHAPE
        assert info.kinds == ("c2c", "r2c", "dct2")
        assert (info.norm, info.orthogonal, info.batch, info.threads) == ("ortho", True, 2, 1)
        assert (info.device, info.device_number) == ("host", -1)
        assert info.chunks == info.receive_chunks == 1
        assert info.workspace_bytes >= 0 and info.shared_bytes >= 0 <= info.predicted_seconds
        assert info.exchange.partition(":")[0] in [c.name for c in weft.list_exchanges()]
        assert info.local in [choice.name for choice in weft.list_local_transforms()]
        assert [choice.option for choice in info.choices] == [o.name for o in weft.list_options()]
        assert weft.PlanChoice("threads", "1", "given") in info.choices
        assert (info.input, info.output) == (plan.input, plan.output)
        assert "12x10x9" in str(info) and "<td>threads</td><td>1</td>" in info._repr_html_()
        assert "12x10x9" in repr(plan) and "exchange" in plan.describe()
        with pytest.raises(AttributeError):
            info.batch = 3  # type: ignore[misc]
        assert plan.input.dtype == np.float32 and plan.output.dtype == np.complex64
        assert plan.input.shape == (2, *plan.input.box.extents)
        boxes = comm.allgather(plan.output.box)
        assert sum(int(np.prod(box.extents)) for box in boxes) == 12 * 6 * 9
        plan.forward(plan.input.zeros())
        assert all(step.seconds >= 0 for step in plan.timings())
        assert sum(step.parts["transform"] for step in plan.timings()) > 0
        moved = [step.bytes for step in plan.timings() if step.moves_data]
        assert sum(moved) == info.bytes_sent
        assert bool(moved) == (info.bytes_sent > 0) == (comm.size > 1)
        report = plan.report()
        assert report.tolerance == 0 and str(report) == report.text
    assert repr(plan) == "<weft.Plan, destroyed>" and plan.info is info


def test_a_plan_is_tuned_and_found_again(comm: MPI.Intracomm, tmp_path: pathlib.Path,
                                         monkeypatch: pytest.MonkeyPatch) -> None:
    path = comm.bcast(tmp_path) / "wisdom.jsonl"
    monkeypatch.setenv("WEFT_WISDOM", str(path))
    with weft.Plan(SHAPE, comm=comm, tune="measure", tune_trials=3) as plan:
        trials = plan.info.trials
    assert 1 < len(trials) <= 3 and trials[0].settings == "" and trials[0].seconds > 0
    chosen, = (trial for trial in trials if trial.chosen)
    record, = weft.read_wisdom()
    assert record.settings == chosen.settings and "12x10x9" in record.problem
    with weft.Plan(SHAPE, comm=comm, tune="frozen") as plan:
        assert plan.info.trials == ()
    comm.Barrier()
    if comm.rank == 0:
        other = path.with_name("other")
        assert weft.merge_wisdom(path, other) == 1 == len(weft.read_wisdom(other))
        assert weft.forget_wisdom("12x10x9", other) == 1
        with pytest.raises(weft.Error, match="contains no wisdom"):
            weft.merge_wisdom(other)


def test_all_options_are_known(comm: MPI.Intracomm) -> None:
    """Those of the library, to checkers of types and to readers; their defaults change nothing."""
    options = weft.list_options()
    names = sorted(option.name for option in options)
    assert sorted(PlanOptions.__annotations__) == names
    writer = runpy.run_path(str(BINDINGS / "src/write_plan_options.py"))
    assert writer["module"]() == (BINDINGS / "weft/_plan_options.py").read_text(), \
        "to be written again: python bindings/python/src/write_plan_options.py"
    _, _, section = (inspect.getdoc(weft.Plan) or "").partition("\nOther Parameters\n")
    section, _, _ = section.partition("\nRaises\n")
    assert sorted(re.findall(r"^(\w+) : ", section, re.MULTILINE)) == names
    for option in options:
        assert " ".join(option.description.split()) in " ".join(section.split())
    defaults: dict[str, Any] = {option.name: option.default for option in options}
    assert defaults["chunks"] == "auto" and all(option.values for option in options)
    texts = set()
    for given in ({}, defaults, dict.fromkeys(defaults)):
        with weft.Plan(SHAPE, comm=comm, output="slab:1", **given) as plan:
            texts.add(plan.describe())
    assert len(texts) == 1


@pytest.mark.parametrize("option", weft.list_options(), ids=lambda option: option.name)
def test_every_option_is_an_argument(option: weft.Option, comm: MPI.Intracomm) -> None:
    """As a value of its type, where a plan can be asked for it; a misspelled name is refused."""
    with weft.Plan(SHAPE, comm=comm) as plan:
        used = {choice.option: choice.value for choice in plan.info.choices}[option.name]
    value: Any = used
    if option.type == "yes or no" and used != "auto":
        value = used == "yes"
    elif option.type == "integer" and used.isdecimal():
        value = int(used)
    given: Any = {option.name: value}
    misspelled: Any = {option.name + "q": value}
    with weft.Plan(SHAPE, comm=comm, **given) as plan:
        choices = {choice.option: choice.value for choice in plan.info.choices}
    assert choices[option.name] == used
    fails(comm, f"Plan: argument '{option.name}q' is unknown (did you mean '{option.name}'?)",
          lambda: weft.Plan(SHAPE, comm=comm, **misspelled))


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
    assert options_text(weft.Plan, option) == text


def test_in_place_with_padding(comm: MPI.Intracomm) -> None:
    u = whole(np.float64)
    with weft.Plan(SHAPE, np.float64, comm, kinds="r2c", input=weft.slab_split(0).padded_for_r2c(),
                   output="slab:1") as plan:
        memory = np.empty(max(plan.input.nbytes, plan.output.nbytes), np.uint8)
        x, xh = plan.input.over(memory), plan.output.over(memory)
        x[...] = u[plan.input.box.slices]
        assert plan.forward(x, xh) is xh
        np.testing.assert_allclose(xh, np.fft.rfftn(u)[plan.output.box.slices], atol=1e-12)
        plan.backward(xh, x)
        np.testing.assert_allclose(x, u[plan.input.box.slices], atol=1e-13)


def test_while_the_caller_works(comm: MPI.Intracomm) -> None:
    u = whole()
    with weft.Plan(SHAPE, comm=comm, output="slab:1", exchange="p2p") as plan:
        for call in (plan.test, plan.wait):
            fails(comm, "nothing was started", call)
        out = plan.start_forward(local(u, plan.input))
        while not plan.test():
            pass
        plan.wait()
        np.testing.assert_allclose(out, np.fft.fftn(u)[plan.output.box.slices], atol=1e-12)
        back = plan.start_backward(out)
        fails(comm, "a transform is under way", lambda: plan.forward(back))
        plan.wait()
        np.testing.assert_allclose(back, u[plan.input.box.slices], atol=1e-13)
        plan.start_forward(plan.input.zeros())  # destroyed before it has ended


def test_many_fields(comm: MPI.Intracomm) -> None:
    with weft.Plan(SHAPE, comm=comm, output="pencil:2", fields_in_flight=2) as plan:
        fields = [(k + 1) * whole() for k in range(5)]
        parts = [local(field, plan.input) for field in fields]
        outs = plan.forward_many(parts)
        assert [plan.report(k).error for k in range(5)] == [0] * 5
        with pytest.raises(weft.Error, match="no report of field 5: the last .* of 5 fields"):
            plan.report(5)
        for field, out in zip(fields, outs):
            np.testing.assert_allclose(out, np.fft.fftn(field)[plan.output.box.slices],
                                       atol=1e-11)
        backs = [np.full_like(x, np.nan) for x in parts]
        assert plan.backward_many(outs, backs)[0] is backs[0]
        np.testing.assert_allclose(np.array(backs), np.array(parts), atol=1e-12)
        fails(comm, "5 input fields, but 4 output fields",
              lambda: plan.forward_many(parts, outs[:4]))


def test_tolerance_is_reported(comm: MPI.Intracomm) -> None:
    u = whole()
    with weft.Plan(SHAPE, comm=comm, output="slab:1", tolerance=1e-5,
                   exchange="alltoallv") as plan:
        near(comm, plan.forward(local(u, plan.input)), np.fft.fftn(u)[plan.output.box.slices], 2e-5)
        report = plan.report()
        assert report.tolerance == 1e-5
        if comm.size > 1:
            assert 0 < report.error <= 1e-5 and report.bytes < report.plain_bytes
            assert report.redistributions[0].codec != "none"


def test_sampled_error(comm: MPI.Intracomm) -> None:
    u = whole(np.float32)
    with weft.Plan(SHAPE, np.float32, comm, kinds="r2c", output="slab:1") as plan:
        x = local(u, plan.input)
        out = plan.forward(x)
        error = plan.sampled_error(x, out)
        assert error.samples == 32
        assert 0 < error.relative_l2 < weft.rounding_error_bound(np.float32, u.size)
        assert plan.sampled_error(out, plan.backward(out), forward=False).relative_l2 < 1e-6
        wrong = 2 * out
        assert abs(plan.sampled_error(x, wrong, samples=7, seed=3).relative_l2 - 1) < 1e-5
        fails(comm, "samples 0", lambda: plan.sampled_error(x, out, samples=0))


def test_workspace_of_the_caller(comm: MPI.Intracomm) -> None:
    u = whole()
    with weft.Plan(SHAPE, comm=comm, output="slab:1", allocate_workspace=False) as plan:
        x = local(u, plan.input)
        needed = plan.info.workspace_bytes
        memory = np.empty(needed + 64, np.uint8)
        begin = -memory.ctypes.data % 64
        plan.set_workspace(memory[begin:begin + needed])
        del memory
        gc.collect()
        np.testing.assert_allclose(plan.forward(x), np.fft.fftn(u)[plan.output.box.slices],
                                   atol=1e-12)
        for bad in (7, b"bytes", np.empty((8, 8))[:, ::2]):
            with pytest.raises(weft.Error, match="workspace is not a writable contiguous array"):
                plan.set_workspace(bad)


def test_arrays_of_other_libraries(comm: MPI.Intracomm) -> None:
    u = whole()
    with weft.Plan(SHAPE, comm=comm) as plan:
        x, out = local(u, plan.input), plan.output.empty()
        plan.forward(ThroughDlpack(x), ThroughDlpack(out))
        exact = np.fft.fftn(u)[plan.output.box.slices]
        np.testing.assert_allclose(out, exact, atol=1e-12)
        x.flags.writeable = False
        np.testing.assert_allclose(plan.forward(x), exact, atol=1e-12)


def test_destroyed_plans(comm: MPI.Intracomm) -> None:
    plan = weft.Plan((8, 4), comm=comm)
    plan.destroy()
    plan.destroy()
    for call in (plan.describe, plan.wait, plan.test, lambda: plan.forward(None, 1)):
        fails(comm, "the plan has been destroyed", call)


def test_plans_that_are_forgotten(comm: MPI.Intracomm) -> None:
    """Ranks forget a plan at different times; it is destroyed once all have."""
    gc.collect()
    weft.Plan((4, 4), comm=comm).destroy()  # what was forgotten before goes now
    before = _core.living_plans()
    kept = weft.Plan((8, 6), comm=comm, output="slab:1")
    forgotten: weft.Plan | None = weft.Plan((8, 6), comm=comm, output="slab:1")
    assert _core.living_plans() == before + 2
    if comm.rank == 0:
        forgotten = None
    other = weft.Plan((4, 4), comm=comm)
    alive = before + (3 if comm.size > 1 else 2)
    assert _core.living_plans() == alive
    if forgotten is not None:  # still there, as far as this rank is concerned
        assert forgotten.describe()
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
