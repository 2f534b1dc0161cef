"""Steps of the solver: what bench/navier_stokes.py writes of runs, and the picture of them."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from weft_bench import lookup, solver_scaling
from weft_bench.lookup import LookupFailed

ROOT = Path(__file__).resolve().parents[2]

# Stands for the solver: time and energy follow from the arguments and the number of ranks.
FAKE = """#!{python}
import json, os, sys
given = dict(zip(sys.argv[2::2], sys.argv[3::2]))
mesh, ranks, batch = int(sys.argv[1]), int(os.environ["RANKS"]), int(given["--batch"])
seconds = 1.0 * mesh / ranks / batch
run = {{name: None for name in ("fields_in_flight", "dealias", "modes", "precision", "threads",
                                "exchange", "local")}}
run |= {{"form": given["--form"], "batch": batch, "ranks": ranks, "device": given["--device"],
         "steps_made": int(given["--steps"]), "energy": 0.125 + {drift} * batch,
         "step_seconds": {{"min": seconds / 2, "median": seconds, "max": 2 * seconds}},
         "phase_seconds": {{"backward": {{"median": 0.75 * seconds, "mean": 0}},
                            "forward": {{"median": 0.25 * seconds, "mean": 0}}}}}}
open(given["--json"], "w").write(json.dumps(run))
"""


def measure(folder, *arguments, drift=0.0):
    program = folder / "fake"
    program.write_text(FAKE.format(python=sys.executable, drift=drift))
    program.chmod(0o755)
    return subprocess.run(
        [sys.executable, ROOT / "bench/navier_stokes.py", "--program", program, "--launch",
         "env RANKS={ranks}", "--output", folder / "out.jsonl", "--machine", "a machine",
         *map(str, arguments)], capture_output=True, text=True)


def test_a_line_for_each_case(tmp_path):
    run = measure(tmp_path, "--meshes", 16, 8, "--ranks", 2, 1, "--rounds", 3, "--steps", 5,
                  "--methods", "rotational:1", "advective:9")
    assert run.returncode == 0, run.stderr
    assert len(run.stdout.splitlines()) == 3 * 8
    lines = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    assert [(line["shape"], line["ranks"], line["form"], line["batch"]) for line in lines] == [
        ([mesh] * 3, ranks, *method) for mesh in (8, 16) for ranks in (1, 2)
        for method in (("rotational", 1), ("advective", 9))]
    assert {line["rounds"] for line in lines} == {3}
    assert lines[-1]["step_seconds"] == {"min": 0.44444, "median": 0.88889, "max": 1.7778}
    assert lines[-1]["phase_seconds"] == {"backward": 0.66667, "forward": 0.22222}
    assert lines[-1]["command"].startswith("env RANKS=2 navier_stokes 16 --form advective --batch")
    assert str(tmp_path) not in json.dumps(lines)


def test_different_energies_are_an_error(tmp_path):
    run = measure(tmp_path, "--meshes", 8, "--methods", "rotational:1", "rotational:3", drift=1e-6)
    assert run.returncode == 1 and "energies of mesh 8 differ" in run.stderr


def test_a_program_that_fails_is_an_error(tmp_path):
    run = measure(tmp_path, "--device", "none", "--dt", "x")
    assert run.returncode != 0 and "invalid float" in run.stderr
    run = measure(tmp_path, "--launch", "false {ranks}")
    assert run.returncode == 1 and "navier_stokes.py: error: " in run.stderr


def rows(*cases):
    return [lookup.Row({"machine": "m", "shape": [length] * 3, "form": form, "ranks": ranks,
                        "step_seconds": {"median": seconds}}, {})
            for length, form, ranks, seconds in cases]


def test_the_fastest_batch_of_each_form_is_drawn(tmp_path):
    found = rows((64, "rotational", 1, 3.0), (64, "rotational", 1, 2.0), (64, "rotational", 2, 1.0),
                 (64, "advective", 1, 5.0), (32, "rotational", 1, 1.0))
    assert solver_scaling.panels_of(found) == {
        "64^3\nm": {"rotational": {1: 2.0, 2: 1.0}, "advective": {1: 5.0}}}
    solver_scaling.draw(found, tmp_path / "all.svg")
    texts = re.findall(r"<text[^>]*>([^<]*)</text>", (tmp_path / "all.svg").read_text())
    assert {"64^3", "m", "rotational", "advective", "ideal", "step, ms", "ranks"} <= set(texts)
    assert texts.count("ideal") == 1


def test_one_number_of_ranks_cannot_be_drawn(tmp_path):
    with pytest.raises(LookupFailed, match="several numbers of ranks"):
        solver_scaling.draw(rows((64, "rotational", 1, 3.0)), tmp_path / "all.svg")
