"""Timelines: spans as NumPy sees them, and the file that is written."""

import json
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from helpers import fails
from mpi4py import MPI

import weft

SHAPE = (12, 12, 9)


@pytest.fixture
def folder(comm: MPI.Intracomm) -> Any:
    """The same on all ranks."""
    with tempfile.TemporaryDirectory() as mine:
        yield Path(comm.bcast(mine))
        comm.Barrier()


@pytest.mark.parametrize("device", ["host", "emulated"])
@pytest.mark.parametrize("chunks", [1, 3])
def test_spans_and_file(comm: MPI.Intracomm, folder: Path, chunks: int, device: str) -> None:
    with weft.Plan(SHAPE, comm=comm, output="slab:1", threads=1, chunks=chunks, device=device,
                   exchange="p2p" if device == "host" else "staged",
                   fields_in_flight=2) as plan:
        x = plan.input.zeros() + 1
        out = plan.forward(x)
        plan.start_trace()
        plan.forward(x, out)
        plan.forward_many([x, x, x])
        plan.backward(out)
        trace = plan.stop_trace()
        timings = {step.name for step in plan.timings()}
        # On devices what is sent and what is received may be cut differently.
        parts = plan.info.chunks + (plan.info.receive_chunks - 1 if device != "host" else 0)
    # It outlives the plan.
    trace.write(folder / "timeline.json")
    assert trace.ranks == comm.size and 0 <= trace.uncertainty < 1
    spans = trace.spans
    assert repr(trace) == f"<weft.Trace of {comm.size} ranks, {len(spans)} spans>"
    assert (spans.size > 0) == (comm.rank == 0)
    if comm.rank != 0:
        assert trace.exchange_seconds == trace.hidden_seconds == 0
        return
    assert (spans["begin"] >= -trace.uncertainty).all() and (spans["begin"] <= spans["end"]).all()
    assert set(spans["rank"]) == set(range(comm.size))
    assert set(spans["chunk"]) == set(range(parts))
    # Each rank has each run, and each field of the second one, once.
    whole = spans[spans["lane"] == "run"]
    assert sorted(whole[["rank", "run", "field"]].tolist()) == [
        (rank, run, field) for rank in range(comm.size)
        for run, field in ((0, 0), (1, 0), (1, 1), (1, 2), (2, 0))]
    assert (whole["name"] == whole["direction"]).all()
    assert np.array_equal(spans["direction"] == "backward", spans["run"] == 2)
    last = spans[(spans["run"] == 2) & np.isin(spans["lane"], ("compute", "wait"))]
    assert set(last["name"]) == timings and set(spans["place"]) <= {0, 1}
    assert ("messages" in spans["lane"]) == (comm.size > 1)
    assert 0 <= trace.hidden_seconds <= trace.exchange_seconds
    assert (trace.exchange_seconds > 0) == (comm.size > 1)
    file = json.loads((folder / "timeline.json").read_text())
    assert file["otherData"]["ranks"] == comm.size
    # Nine digits are written.
    assert file["otherData"]["hidden_seconds"] == pytest.approx(trace.hidden_seconds, rel=1e-8)
    events = [event for event in file["traceEvents"] if event["ph"] in "Xb"]
    assert [event["cat"] for event in events] == spans["lane"].tolist()
    assert [event["pid"] for event in events] == spans["rank"].tolist()


def test_nothing_recorded(comm: MPI.Intracomm, folder: Path) -> None:
    with weft.Plan(SHAPE, comm=comm) as plan:
        plan.forward(plan.input.zeros())
        plan.start_trace()
        trace = plan.stop_trace()
        assert trace.spans.shape == (0,) and trace.spans["begin"].dtype == np.float64
        trace.write(str(folder / "empty.json"))
        if comm.rank == 0:
            file = json.loads((folder / "empty.json").read_text())
            assert file["otherData"]["ranks"] == comm.size


def test_errors(comm: MPI.Intracomm, folder: Path) -> None:
    with weft.Plan(SHAPE, comm=comm, output="slab:1", exchange="p2p") as plan:
        fails(comm, "no trace is being recorded", plan.stop_trace)
        plan.start_trace()
        fails(comm, "a trace is being recorded already", plan.start_trace)
        fails(comm, "a callback cannot", lambda: plan.forward(
            plan.input.zeros(), on_input=lambda values, block: plan.stop_trace()))
        trace = plan.stop_trace()
        fails(comm, "cannot write '/no/such/folder/t.json'",
                   lambda: trace.write("/no/such/folder/t.json"))
        bad: Any = 7 if comm.rank == comm.size - 1 else folder / "timeline.json"
        fails(comm, "the path: expected str, bytes or os.PathLike object, not int",
                   lambda: trace.write(bad))
        comm.Barrier()
        assert not (folder / "timeline.json").exists()
    fails(comm, "the plan has been destroyed", plan.start_trace)
    fails(comm, "the plan has been destroyed", plan.stop_trace)
    mine = comm.Dup()
    with weft.Plan(SHAPE, comm=mine) as plan:
        plan.start_trace()
        trace = plan.stop_trace()
    mine.Free()
    with pytest.raises(weft.Error, match="MPI_COMM_NULL"):
        trace.write(folder / "timeline.json")
