"""weft's settings that change how it works: each reaches the plan, and is held to its promise."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from harness_build import build, runner, small_study
from weft_bench import records

CASE = {"shape": [32, 24, 20], "ranks": 3}


def measured(folder: Path, settings: dict[str, Any], **case: Any) -> records.Record:
    study = small_study(libraries=[{"name": "weft", "settings": settings}], cases=[CASE | case])
    runner(folder, study, build(folder, ("weft",))).run()
    [record] = records.load(folder / "records.jsonl")
    return record


@pytest.mark.parametrize(("settings", "least", "most"), [
    ({"codec": "cast:fp32"}, 1e-8, 5e-8),
    ({"codec": "bfp:16"}, 5e-6, 5e-5),
    ({"tolerance": "1e-4"}, 1e-5, 1e-4),
    ({"codec": "bfp:12", "chunks": "2"}, 1e-5, 1e-3),
])
def test_lossy_results_keep_their_promise(tmp_path: Path, settings: dict[str, str], least: float,
                                          most: float) -> None:
    record = measured(tmp_path, settings)
    assert (record["status"], record["reason"]) == ("ok", "")
    assert least < record["whole_error"] <= record["error_bound"]
    assert 0 < record["promised_error"] <= record["error_bound"] <= most * 1.01


def test_exact_results_are_held_to_rounding(tmp_path: Path) -> None:
    record = measured(tmp_path, {"codec": "none", "chunks": "4", "exchange": "p2p"})
    assert (record["status"], record["promised_error"]) == ("ok", 0)
    assert record["error_bound"] < 1e-13


@pytest.mark.parametrize("kind", ["c2c", "r2c"])
@pytest.mark.parametrize("fields", ["batch", "1", "2", "3"])
def test_fields(tmp_path: Path, fields: str, kind: str) -> None:
    record = measured(tmp_path, {"fields_in_flight": fields}, batch=3, kind=kind)
    assert (record["status"], record["reason"], record["batch"]) == ("ok", "", 3)
    assert record["whole_error"] <= record["error_bound"] < 1e-13


def test_progress_by_a_thread(tmp_path: Path) -> None:
    record = measured(tmp_path, {"progress": "thread", "chunks": "2"})
    assert (record["status"], record["reason"]) == ("ok", "")


def test_fields_of_their_own_in_place(tmp_path: Path) -> None:
    record = measured(tmp_path, {"fields_in_flight": "2"}, batch=3, in_place=True)
    assert record["status"] == "unsupported"
