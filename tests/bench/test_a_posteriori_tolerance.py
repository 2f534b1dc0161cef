"""Tolerances that follow from the error of a grid: the record, the command that makes it, and the
picture."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from harness_build import real_build
from weft_bench import builds, lookup, tolerance_chart

ROOT = Path(__file__).resolve().parents[2]
RESULTS, RECORD = ROOT / "bench/results", "2026-11-26-a-posteriori-tolerance.csv"


@pytest.fixture
def record() -> lookup.Rows:
    return lookup.load(RESULTS, [RECORD])


def ratios(rows: lookup.Rows, setting: str) -> list[float]:
    """Errors of a setting over those of the grids."""
    return [row.error_l2 / rows.one(problem=row.problem, points=row.points, setting="f64").error_l2
            for row in rows.where(setting=setting)]


def test_only_the_automatic_tolerance_is_right_for_all_grids(record):
    assert len(record) == len(record.all_of("setting")) * len(record.all_of("points")) * 2
    assert max(ratios(record, "tolerance auto")) < 1.3
    smooth = record.where(problem="finite smoothness")
    for setting in ("f32", "tolerance 1e-2", "tolerance 1e-4", "tolerance 1e-6"):
        assert max(ratios(smooth, setting)) > 10
    # One that is tight enough for the finest grid sends more on coarse ones.
    for row in smooth.where(setting="tolerance auto", points=[16, 19, 24, 31, 32]):
        assert row.bytes < 0.9 * smooth.one(points=row.points, setting="tolerance 1e-8").bytes


def test_errors_and_bytes_are_drawn(record, tmp_path):
    tolerance_chart.draw(record, tmp_path / "picture.svg")
    texts = re.findall(r"<text[^>]*>([^<]*)</text>", (tmp_path / "picture.svg").read_text("utf-8"))
    for text in ("finite smoothness", "differences", "f64: error of the grid", "tolerance auto",
                 "tolerance 1e-8", "relative L2 error", "bytes sent, %", "128"):
        assert text in texts


def test_the_command_makes_such_a_record(record, tmp_path):
    launcher = json.loads((real_build() / "bin/bench/libraries.json").read_text())["mpiexec"]
    kind = builds.launcher_kind(launcher)
    crowded = f'{builds.CROWDED.get(kind, "")} {builds.BINDING[kind]["crowded"]}'
    subprocess.run(
        [sys.executable, ROOT / "bench/a-posteriori-tolerance", tmp_path / "made.csv", "--ranks",
         "3", "--sizes", "17,32"], check=True, timeout=120,
        env=os.environ | builds.environment(1) | {
            "WEFT_COMMAND": str(real_build() / "bin/weft"),
            "WEFT_MPIRUN": f"{launcher} {crowded}"})
    made = lookup.load(tmp_path, ["made.csv"])
    assert made.all_of("setting") == record.all_of("setting")
    assert made.rows[-1].fields.keys() == record.rows[-1].fields.keys()
    assert max(ratios(made, "tolerance auto")) < 2
    # As it was recorded, though on another number of ranks.
    same = {"setting": "f64", "points": 32}
    for problem in record.all_of("problem"):
        assert made.one(problem=problem, **same).error_l2 == pytest.approx(
            record.one(problem=problem, **same).error_l2, rel=1e-3)
