"""Files that `weft bench` reads and writes: results, wisdom, timelines, machines."""

import json
import os

import pytest

from conftest import bench


def test_bench_appends_lines(weft):
    bench(weft, 8, 8)
    bench(weft, 8, 9, "--kinds", "r2c")
    lines = (weft.folder / "bench.json").read_text().splitlines()
    assert [json.loads(line)["shape"] for line in lines] == [[8, 8], [8, 9]]


def test_bench_keeps_wisdom(weft):
    for _ in range(2):
        bench(weft, 32, 32, "--rigor", "measure", "--local", "fftw", "--wisdom", "f64.wisdom")
        assert "fftw" in (weft.folder / "f64.wisdom").read_text()
    weft.fail("bench", 32, 32, "--wisdom", "f64.wisdom", "--precision", "f32", ranks=2,
              says=["f64.wisdom", "f32"])


def lanes_of(timeline):
    """Spans by rank and lane; messages are told by their begin and their end."""
    lanes = {}
    open_messages = {}
    for event in timeline["traceEvents"]:
        assert event["ph"] in "MXbe"
        if event["ph"] in "Xb":
            span = {**event["args"], "begin": event["ts"], "end": event["ts"] + event.get("dur", 0)}
            lanes.setdefault((event["pid"], event["cat"]), []).append(span)
            open_messages[event.get("id")] = span
        elif event["ph"] == "e":
            open_messages.pop(event["id"])["end"] = event["ts"]
    assert set(open_messages) <= {None}
    return lanes


@pytest.mark.parametrize("device", ["host", "emulated"])
def test_timeline(weft, device):
    # What the file held is replaced.
    (weft.folder / "times.json").write_text("?" * 1000000)
    case = bench(weft, 16, 24, 10, "--device", device, "--exchange",
                 "p2p" if device == "host" else "peer", "--chunks", 2, "--fields", 2,
                 "--fields-in-flight", 2, "--timeline", "times.json", ranks=3)
    timeline = json.loads((weft.folder / "times.json").read_text())
    told = timeline["otherData"]
    assert told["ranks"] == 3 and told["uncertainty_seconds"] >= 0
    assert 0 <= told["hidden_share"] <= 1
    assert told["hidden_share"] == pytest.approx(case["hidden_exchange_share"])
    lanes = lanes_of(timeline)
    # On the host both sides have the same two parts; otherwise one of the sender's is cut again.
    blocks = 2 if device == "host" else 3
    for rank in range(3):
        runs = lanes[rank, "run"]
        assert sorted((run["direction"], run["run"], run["field"]) for run in runs) == [
            ("backward", 1, 0), ("backward", 1, 1), ("forward", 0, 0), ("forward", 0, 1)]
        steps = {(stage["direction"], stage["name"]) for stage in case["stages"]}
        passes = {(span["direction"], span["step"]) for span in lanes[rank, "compute"]}
        waits = {(span["direction"], span["step"]) for span in lanes[rank, "wait"]}
        assert passes | waits == steps and not passes & waits
        assert {span["chunk"] for span in lanes[rank, "wait"]} == set(range(blocks))
        assert len(lanes[rank, "wait"]) == 2 * 2 * blocks  # directions, fields
        assert ((rank, "messages") in lanes) == (device == "host")
        assert ((rank, "host") in lanes) == (device != "host")
        for span in lanes[rank, "compute"]:
            assert span["begin"] <= span["end"]


def test_timeline_that_cannot_be_written(weft):
    weft.fail("bench", 8, 8, "--timeline", "nowhere/times.json", ranks=2,
              says=["cannot write 'nowhere/times.json': No such file or directory"])


def test_timeline_that_is_refused_leaves_nothing(weft):
    weft.fail("bench", 8, 9, "--timeline", "times.json", "--grid", "2x2", says=["2x2"], ranks=3)
    assert os.listdir(weft.folder) == []


def test_timeline_beside_a_temporary_file_that_may_have_been_left_behind(weft):
    (weft.folder / ".weft-far-12-3.4-abcdef").write_bytes(b"unknown")
    told = weft.run("bench", 8, 9, "--timeline", "times.json", ranks=2).stderr
    assert told.count("weft: warning: '.weft-far-12-3.4-abcdef'") == 1


def test_bench_bad_machine_file(weft):
    weft.fail("bench", 8, 8, "--machine", "nothing.json", ranks=2,
              says=["'nothing.json' cannot be read"])
