"""Pictures of timelines."""

import json
import re

import pytest
from weft_bench import cli, timeline
from weft_bench.report import ReportError


def span(rank, lane, begin, end, step="pass", chunk=0, direction="forward", run=0, detail=""):
    args = {"step": step, "detail": detail, "direction": direction, "run": run, "field": 0,
            "chunk": chunk}
    return {"ph": "X", "pid": rank, "tid": 0, "cat": lane, "name": step, "ts": begin * 1e3,
            "dur": (end - begin) * 1e3, "args": args}


def message(rank, number, begin, end):
    head = {"pid": rank, "tid": 5, "cat": "messages", "name": "p2p", "id": number}
    told = span(rank, "messages", begin, end, "p2p")["args"]
    return [{"ph": "b", **head, "ts": begin * 1e3, "args": told},
            {"ph": "e", **head, "ts": end * 1e3}]


@pytest.fixture
def file(tmp_path):
    events = [{"ph": "M", "pid": 0, "name": "process_name", "args": {"name": "rank 0"}}]
    for rank in range(2):
        events += [span(rank, "run", 10, 30), span(rank, "compute", 10, 15, "lines"),
                   span(rank, "compute", 15, 20, "lines", 1), span(rank, "send", 15, 16, "p2p"),
                   span(rank, "wait", 20, 25, "p2p"), span(rank, "compute", 25, 30, "planes")]
        events += message(rank, 2 * rank, 16, 22) + message(rank, 2 * rank + 1, 18, 25)
        events.append(span(rank, "compute", 40, 50, "back", direction="backward", run=1))
    path = tmp_path / "times.json"
    path.write_text(json.dumps({"otherData": {"hidden_share": 0.25}, "traceEvents": events}))
    return path


def texts(path):
    return re.findall(r"<text[^>]*>([^<]*)</text>", path.read_text("utf-8"))


def test_spans_come_from_both_kinds_of_events(file):
    read = timeline.load(file)
    assert read.hidden_share == 0.25
    messages = [found for found in read.spans if found.lane == "messages"]
    assert [(found.rank, found.begin, found.end) for found in messages] == [
        (0, 16, 22), (0, 18, 25), (1, 16, 22), (1, 18, 25)]
    assert len(read.spans) == 2 * (6 + 2 + 1)


def test_every_rank_has_its_lanes(file, tmp_path):
    timeline.draw(timeline.load(file), tmp_path / "times.svg", title="a run")
    found = texts(tmp_path / "times.svg")
    assert {"rank 0  compute", "rank 1  compute", "lines", "planes", "ms",
            "a run; 25% of the exchanges' time is hidden"} <= set(found)
    assert found.count("send") == found.count("wait") == found.count("messages") == 3
    assert "back" not in found and "own" not in found
    timeline.draw(timeline.load(file), tmp_path / "back.svg", "backward")
    assert "back" in texts(tmp_path / "back.svg")


def test_messages_that_overlap_lie_below_each_other(file):
    messages = [found for found in timeline.load(file).spans
                if (found.rank, found.lane) == (0, "messages")]
    assert timeline._levels(messages) == [0, 1]
    passes = [found for found in timeline.load(file).spans
              if (found.rank, found.lane) == (0, "compute")]
    assert timeline._levels(passes) == [0] * len(passes)


def test_what_cannot_be_drawn(file, tmp_path, monkeypatch, capsys):
    read = timeline.load(file)
    with pytest.raises(ReportError, match="a picture is one of"):
        timeline.draw(read, tmp_path / "times.txt")
    with pytest.raises(ReportError, match="no sideways transform"):
        timeline.draw(read, tmp_path / "times.svg", "sideways")
    other = tmp_path / "other.json"
    for content in ("{", "[]", "{}", '{"traceEvents": [{"ph": "e", "id": 1}]}'):
        other.write_text(content)
        monkeypatch.setattr("sys.argv", ["weft-bench", "timeline", str(other), "times.svg"])
        assert cli.main() == 2
        assert "other.json is no timeline of `weft bench`" in capsys.readouterr().err
