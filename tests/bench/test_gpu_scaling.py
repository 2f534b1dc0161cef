"""Pictures of times over the number of GPUs: what they hold, and those of this repository."""

import json
import re
from pathlib import Path

import pytest
from weft_bench import cli, gpu_scaling
from weft_bench.gpu_scaling import Wanted
from weft_bench.report import ReportError

RESULTS = Path(__file__).resolve().parents[2] / "bench/results"


def gpu_record(library="weft", length=64, ranks=2, forward=1e-3, **changes):
    made = {"library": library, "shape": [length] * 3, "kind": "c2c", "precision": "f64",
            "in": "slab:0", "out": "slab:1", "device": "cuda", "ranks": ranks,
            "forward_seconds": {"median": forward}, "backward_seconds": {"median": 2e-3}}
    return {**made, **changes}


def texts(path):
    return re.findall(r"<text[^>]*>([^<]*)</text>", path.read_text("utf-8"))


def test_the_fastest_record_counts():
    records = [gpu_record(forward=3e-3), gpu_record(forward=1e-3), gpu_record(forward=2e-3),
               gpu_record(ranks=4, forward=5e-3)]
    times = gpu_scaling.times_of(records, Wanted())
    assert times["weft"][64, 64, 64] == pytest.approx({2: 3e-3, 4: 7e-3})


@pytest.mark.parametrize("changes", [
    {"kind": "r2c"}, {"precision": "f32"}, {"in": "pencil:2"}, {"out": "brick"}, {"batch": 2},
    {"in_place": True}, {"status": "wrong"}, {"tolerance": 1e-6}, {"device": "host"},
])
def test_others_do_not(changes):
    assert gpu_scaling.times_of([gpu_record(**changes)], Wanted()) == {}


def test_equal_loads_of_several_numbers_of_gpus():
    by_shape = {(64,) * 3: {1: 1.0, 2: 0.7}, (128,) * 3: {8: 2.0}, (128, 64, 64): {2: 1.5, 1: 3.0}}
    assert gpu_scaling.equally_loaded(by_shape) == {64**3: {1: 1.0, 2: 1.5, 8: 2.0}}


def test_lines_of_every_library_and_shape(tmp_path):
    records = [gpu_record(library, length, ranks) for library in ("other", "weft")
               for length in (64, 128) for ranks in (1, 8)]
    records.append(gpu_record("other", 24, 1))  # nothing to compare with
    gpu_scaling.draw(records, tmp_path / "all.svg")
    found = texts(tmp_path / "all.svg")
    assert {"strong scaling, 64³", "strong scaling, 128³", "weak scaling"} <= set(found)
    assert not any("24³" in text for text in found)
    assert found.count("weft") == found.count("other") == 2 and found.count("ideal") == 3
    assert "weft, 64³ points per GPU" in found


def test_what_cannot_be_drawn(tmp_path):
    with pytest.raises(ReportError, match="all.txt: a picture is one of .svg, .png, .pdf"):
        gpu_scaling.draw([gpu_record()], tmp_path / "all.txt")
    with pytest.raises(ReportError, match="no shape was measured on several numbers of GPUs"):
        gpu_scaling.draw([gpu_record()], tmp_path / "all.svg")
    (tmp_path / "bad.jsonl").write_text(json.dumps(gpu_record()) + "\n{\n")
    with pytest.raises(ReportError, match="bad.jsonl:2: "):
        gpu_scaling.load([tmp_path / "bad.jsonl"])


def test_the_records_of_this_repository(tmp_path, monkeypatch, capsys):
    names = ("2026-11-23-gpus", "2026-11-22-cufftmp")
    picture = tmp_path / "gpus.svg"
    files = [str(RESULTS / f"{name}.jsonl") for name in names]
    monkeypatch.setattr("sys.argv", ["weft-bench", "gpu-scaling", *files, str(picture)])
    assert cli.main() == 0
    assert str(picture) in capsys.readouterr().out
    found = texts(picture)
    for shape in ("256³", "512³", "1024³"):
        assert f"strong scaling, {shape}" in found
    assert found.count("weft") == 3 and found.count("cufftmp") == 2
