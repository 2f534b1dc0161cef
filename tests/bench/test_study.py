"""Study files: what they expand to, and what is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from synthetic import limits_record, record
from weft_bench import axes, batch, cells, machine, records, study

BENCH = Path(__file__).resolve().parents[2] / "bench"


def parse(**tables: Any) -> study.Study:
    return study.parse({"cases": [{"shape": [8, 8, 8]}]} | tables, "s")


def test_lists_are_combined() -> None:
    one = parse(cases=[{"shape": [[8, 8], [4, 4]], "kind": ["c2c", "r2c"], "ranks": [1, 2, 3]}])
    assert len(one.cases) == 12
    assert {case.shape for case in one.cases} == {(8, 8), (4, 4)}
    assert {case.ranks for case in one.cases} == {1, 2, 3}


def test_all_grids() -> None:
    one = parse(cases=[{"shape": [8, 8, 8], "ranks": [12, 1], "grid": "all"}])
    assert [case.grid for case in one.cases] == ["1x12", "2x6", "3x4", "4x3", "6x2", "12x1", "1x1"]


@pytest.mark.parametrize(("ranks", "shape"), [
    (1, (64, 32, 32)), (2, (64, 64, 32)), (4, (64, 64, 64)), (12, (128, 96, 64)),
    (7, (64, 224, 32)),
])
def test_weak_scaling(ranks: int, shape: tuple[int, ...]) -> None:
    [case] = parse(cases=[{"shape_per_rank": [64, 32, 32], "ranks": ranks}]).cases
    assert case.shape == shape
    assert case.shape[0] * case.shape[1] * case.shape[2] == 64 * 32 * 32 * ranks


def test_as_many_ranks_as_cores() -> None:
    [case] = parse(cases=[{"shape": [8, 8], "ranks": "cores"}]).cases
    assert case.ranks == machine.usable_cores() >= 1


def test_the_same_case_is_measured_once() -> None:
    assert len(parse(cases=[{"shape": [8]}, {"shape": [[8], [9]]}]).cases) == 2


def test_environment_binding_and_build_are_axes() -> None:
    one = parse(cases=[{"shape": [8], "environment": [{}, {"UCX_TLS": "tcp", "A": 1}],
                        "binding": ["auto", "--bind-to socket"], "build": ["auto", "b=other"]}])
    assert len(one.cases) == 8
    last = one.cases[-1]
    assert last.fields()["environment"] == {"A": "1", "UCX_TLS": "tcp"}
    assert last.title().endswith("1 rank, b=other, --bind-to socket, A=1, UCX_TLS=tcp")
    starts = {records.start_of(case.fields() | {"launcher": "openmpi"}) for case in one.cases}
    assert len(starts) == 8 and "openmpi" in starts
    assert len({records.block_key(case.fields()) for case in one.cases}) == 8


def test_axes_of_the_start_may_be_settings_of_a_report() -> None:
    made = [record("weft", environment=variables, binding="auto")
            for variables in ({}, {"UCX_TLS": "tcp", "A": "1"})]
    assert len({cells.Case.of(one) for one in made}) == 2
    merged = [axes.as_settings(one, ["environment"]) for one in made]
    assert len({cells.Case.of(one) for one in merged}) == 1
    assert [one["settings"]["environment"] for one in merged] == ["none", "A=1, UCX_TLS=tcp"]
    assert len(cells.group_cells(merged)) == 2


def test_builds_may_be_settings_of_a_report() -> None:
    made = [record("weft", launcher="openmpi", build="auto"),
            record("weft", launcher="b", build="b=other")]
    merged = [axes.as_settings(one, ["build"]) for one in made]
    assert len({cells.Case.of(one) for one in merged}) == 1
    assert [one["settings"]["build"] for one in merged] == ["openmpi auto", "b b=other"]


def test_ceilings_belong_to_cases_that_were_started_alike() -> None:
    start = {"environment": {"A": "1"}, "binding": "--by hand"}
    assert cells.Limits.of(limits_record(2) | start).launcher == cells.Case.of(
        record("weft", **start)).launcher == "openmpi, --by hand, A=1"


def test_records_of_before_an_axis_have_its_default() -> None:
    [case] = parse().cases
    old = {name: value for name, value in case.fields().items()
           if name not in ("environment", "binding", "build")}
    assert records.block_key(old) == records.block_key(case.fields())


@pytest.mark.parametrize(("tables", "words"), [
    ({"color": 1}, r"unknown \['color'\]"),
    ({"cases": []}, r"no \[\[cases\]\]"),
    ({"cases": [{"shape": [8], "rank": 2}]}, r"\[\[cases\]\] 1: unknown \['rank'\]; known: shape"),
    ({"cases": [{"ranks": 2}]}, "one of shape and shape_per_rank is needed"),
    ({"cases": [{"shape": [0, 8]}]}, r"shape \[0, 8\] is not a list of 1 to 6 positive lengths"),
    ({"cases": [{"shape": "8x8"}]}, "shape '8x8' is not a list"),
    ({"cases": [{"shape": [8], "ranks": 0}]}, "ranks 0 is not a positive whole number"),
    ({"cases": [{"shape": [8], "ranks": True}]}, "ranks True is not"),
    ({"cases": [{"shape": [8], "precision": "f16"}]}, "precision 'f16' is unknown"),
    ({"cases": [{"shape": [8], "ranks": []}]}, "ranks has no values"),
    ({"cases": [{"shape": [8], "environment": "UCX_TLS=tcp"}]}, "'UCX_TLS=tcp' is not a table"),
    ({"cases": [{"shape": [8], "environment": {"A B": "1"}}]}, "'A B' cannot name a variable"),
    ({"cases": [{"shape": [8], "environment": {"A": True}}]}, "A = True is neither text nor"),
    ({"cases": [{"shape": [8], "environment": {"OMP_NUM_THREADS": 2}}]}, "the axis threads sets"),
    ({"cases": [{"shape": [8], "binding": 4}]}, "binding 4 is not a line of text"),
    ({"cases": [{"shape": [8], "build": ""}]}, "build '' is not a line of text"),
    ({"measure": {"second": 1}}, r"\[measure\]: unknown \['second'\]"),
    ({"libraries": [{"settings": "all"}]}, "entry 1: a library is a name"),
    ({"libraries": ["a", {"name": "b", "settings": "fast"}]}, "entry 2: settings 'fast' is unkn"),
])
def test_mistakes_are_named(tables: dict[str, Any], words: str) -> None:
    with pytest.raises(study.StudyError, match=words):
        parse(**tables)


def test_file_that_is_no_toml(tmp_path: Path) -> None:
    path = tmp_path / "x.toml"
    path.write_text("a = = 1")
    with pytest.raises(study.StudyError, match=r"x\.toml"):
        study.load(path)


@pytest.mark.parametrize("path", sorted((BENCH / "studies").glob("*.toml")), ids=lambda p: p.stem)
def test_studies_of_the_project(path: Path) -> None:
    one = study.load(path)
    assert one.cases and one.title != one.name


def test_study_in_the_documentation() -> None:
    text = (BENCH.parent / "docs" / "harness.md").read_text()
    example = text.split("<!-- study -->\n```toml\n")[1].split("```")[0]
    one = study.parse(study.tomllib.loads(example), "documentation")
    assert [choice.library for choice in one.libraries or []] == ["weft", "heffte"]
    assert len(one.cases) >= 8


def test_axes_in_the_documentation() -> None:
    text = (BENCH.parent / "docs" / "harness.md").read_text()
    example = text.split("<!-- axes -->\n```toml\n")[1].split("```")[0]
    assert len(study.parse(study.tomllib.loads(example), "documentation").cases) == 8


@pytest.mark.parametrize(("system", "words"), [
    ("slurm", ["#SBATCH --nodes=2", "#SBATCH --ntasks-per-node=4", "--launch slurm"]),
    ("pbs", ["#PBS -l select=2:ncpus=4:mpiprocs=4", 'cd "$PBS_O_WORKDIR"']),
    ("lsf", ["#BSUB -nnodes 2", "--launch lsf"]),
])
def test_job_scripts(tmp_path: Path, system: str, words: list[str]) -> None:
    one = parse(cases=[{"shape": [8, 8, 8], "ranks": [1, 8], "ranks_per_node": 4}])
    arguments = [str(tmp_path / "s.toml"), "--ranks-per-node", "4"]
    script = batch.job_script(one, arguments, system, 2)
    assert script.startswith("#!/bin/bash\n")
    for word in [*words, "--ranks-per-node 4", str(tmp_path / "s.toml")]:
        assert word in script
