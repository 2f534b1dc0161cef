"""Runs of studies: order of blocks, resumption, what is refused."""

from __future__ import annotations

import dataclasses
import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from harness_build import build, built, runner, running, small_study
from weft_bench import cells, machine, records, run
from weft_bench.builds import Build, BuildError, Library
from weft_bench.study import Choice

BENCH = Path(__file__).resolve().parents[2] / "bench"
TWO = [{"name": "canary", "settings": {"habit": ["good", "sleeps"]}}]


def habits(path: Path) -> list[tuple[str, int]]:
    return [(r["settings"]["habit"], r["round"]) for r in records.load(path)]


def test_blocks_are_interleaved(tmp_path: Path) -> None:
    study = small_study(libraries=TWO, measure={"rounds": 2, "seconds": 0.01})
    runner(tmp_path, study, build(tmp_path)).run()
    assert habits(tmp_path / "records.jsonl") == [
        ("good", 0), ("sleeps", 0), ("good", 1), ("sleeps", 1)]


def test_blocks_of_a_case_are_spread_over_the_study(tmp_path: Path) -> None:
    study = small_study(measure={"rounds": 2, "seconds": 0.01},
                        cases=[{"shape": [[8, 8, 8], [6, 6, 6]], "ranks": 2}])
    runner(tmp_path, study, build(tmp_path)).run()
    written = records.load(tmp_path / "records.jsonl")
    assert [(r["shape"][0], r["round"]) for r in written] == [(8, 0), (6, 0), (8, 1), (6, 1)]


def test_goes_on_after_an_interruption(tmp_path: Path) -> None:
    study = small_study(libraries=TWO, measure={"rounds": 2, "seconds": 0.01})
    folder = build(tmp_path)
    told: list[str] = []

    def interrupt(line: str) -> None:
        told.append(line)
        if "round 2" in line:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        runner(tmp_path, study, folder, tell=interrupt).run()
    path = tmp_path / "records.jsonl"
    earlier = path.read_text()
    assert habits(path) == [("good", 0), ("sleeps", 0), ("good", 1)]
    path.write_text(earlier + '{"format": 1, "study": "sm')  # cut off in the middle of a line
    runner(tmp_path, study, folder).run()
    assert path.read_text().startswith(earlier)
    assert habits(path) == [("good", 0), ("sleeps", 0), ("good", 1), ("sleeps", 1)]
    again: list[str] = []
    runner(tmp_path, study, folder, tell=again.append).run()
    assert len(habits(path)) == 4
    assert len(again) == 1  # what is to be done, but no block


def test_two_runs_do_not_write_one_file(tmp_path: Path) -> None:
    folder = build(tmp_path)
    second = runner(tmp_path, small_study(), folder)

    def tell(line: str) -> None:
        with pytest.raises(run.RunError, match="another run is writing"):
            second.run()

    runner(tmp_path, small_study(), folder, tell=tell).run()


def test_a_run_that_is_told_to_end_leaves_nothing_behind(tmp_path: Path) -> None:
    build(tmp_path)
    study = tmp_path / "slow.toml"
    study.write_text('libraries = [{name = "canary", settings = {habit = "hangs"}}]\n'
                     "[[cases]]\nshape = [8, 8, 7]\nranks = 2\n")
    command = [sys.executable, "-m", "weft_bench", "run", str(study), "--build", str(tmp_path),
               "--output", str(tmp_path / "slow.jsonl")]
    process = subprocess.Popen(command, env=os.environ | {"PYTHONPATH": str(BENCH)},
                               stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 60
    while not running("8x8x7") and time.monotonic() < deadline:
        time.sleep(0.1)
    process.terminate()
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "the same command goes on from here" in errors
    assert not running("8x8x7")
    assert records.load(tmp_path / "slow.jsonl") == []


def test_best_settings_go_on_alone(tmp_path: Path) -> None:
    study = small_study(libraries=[{"name": "weft", "settings": "default"}])
    folder = build(tmp_path, ("weft",))
    folder.libraries["weft"].settings = {"rigor": ["estimate", "measure"]}
    study.libraries = [Choice("weft", "best")]
    study.measure["rounds"] = 2
    runner(tmp_path, study, folder).run()
    written = records.load(tmp_path / "records.jsonl")
    assert [r["round"] for r in written] == [0, 0, 1]
    seconds = {r["settings"]["rigor"]: r["forward_seconds"]["median"] +
               r["backward_seconds"]["median"] for r in written[:2]}
    assert written[2]["settings"]["rigor"] == min(seconds, key=seconds.__getitem__)


def test_records_of_another_machine_are_not_mixed(tmp_path: Path) -> None:
    study, folder = small_study(), build(tmp_path)
    runner(tmp_path, study, folder).run()
    path = tmp_path / "records.jsonl"
    record = json.loads(path.read_text())
    record["machine"] |= {"id": "somewhere", "hostname": "elsewhere"}
    path.write_text(json.dumps(record) + "\n")
    with pytest.raises(run.RunError, match=r"another machine: elsewhere \(somewhere\)"):
        runner(tmp_path, study, folder)
    runner(tmp_path, study, folder, add_machine=True).run()
    assert [r["machine"]["id"] for r in records.load(path)] == [
        "somewhere", machine.fingerprint()["id"]]


def test_ceilings_are_recorded(tmp_path: Path) -> None:
    study = small_study(limits=True)
    runner(tmp_path, study, build(tmp_path)).run()
    limits = records.load(tmp_path / "records.jsonl")[0]
    assert (limits["library"], limits["status"], limits["ranks"]) == ("machine", "ok", 3)
    assert limits["limits"]["memory_bytes_per_second"] > 1e8
    assert limits["limits"]["fft_flops"] > 1e7
    sizes = [point["bytes"] for point in limits["limits"]["pair_bandwidth"]]
    assert sizes == sorted(sizes) and sizes[0] == 8
    assert all(point["seconds"] > 0 for point in limits["limits"]["alltoall"])


@pytest.mark.parametrize("kind", ["dct2", "dst3,dct4,dct1", "r2c"])
def test_other_kinds_are_checked_too(tmp_path: Path, kind: str) -> None:
    names = built("fftw-mpi", "fftw-threads")
    study = small_study(libraries=list(names),
                        cases=[{"shape": [12, 9, 10], "kind": kind, "ranks": 2}])
    runner(tmp_path, study, build(tmp_path, names)).run()
    written = records.load(tmp_path / "records.jsonl")
    assert [record["library"] for record in written] == list(names)
    for record in written:
        assert (record["status"], record["reason"]) == ("ok", "")
        assert 0 < record["whole_error"] <= record["error_bound"]
        assert (record["parseval_error"] is None) == (kind != "r2c")


def test_command_repeats_the_block(tmp_path: Path) -> None:
    runner(tmp_path, small_study(), build(tmp_path)).run()
    [record] = records.load(tmp_path / "records.jsonl")
    command = record["command"]
    assert "OMP_NUM_THREADS=1" in command and "--shape 16x12x10" in command
    assert "--set habit=good" in command and "--journal" not in command


def test_absent_libraries_are_named(tmp_path: Path) -> None:
    study = small_study(libraries=["canary", "absent", "nobody"])
    told: list[str] = []
    runner(tmp_path, study, build(tmp_path), tell=told.append).run()
    assert any("absent (" in line and "libabsent not found" in line for line in told)
    assert any("nobody (" in line and "unknown to this build" in line for line in told)
    with pytest.raises(run.RunError, match="no library of this study is here"):
        runner(tmp_path / "x", small_study(libraries=["absent"]), build(tmp_path / "other"))


@pytest.mark.parametrize(("kind", "energy", "told"), [
    ("openmpi", True, False), ("openmpi", False, True), ("network-cluster", True, True)])
def test_no_energy_where_none_is_wanted_and_of_hosts_that_share_counters(
        kind: str, energy: bool, told: bool) -> None:
    study = small_study(measure={"energy": energy})
    build_ = Build("x", Path("x"), "mpiexec", "", kind, {})
    arguments = run.arguments_of(study.cases[0], (), False, run.measure_of(study, build_), 0)
    assert ("--no-energy" in arguments) == told


def test_unknown_setting(tmp_path: Path) -> None:
    study = small_study(libraries=[{"name": "canary", "settings": {"color": "red"}}])
    with pytest.raises(run.RunError, match=r"canary has no setting \['color'\]; it has: habit"):
        runner(tmp_path, study, build(tmp_path))


def test_settings_not_named_stay_at_their_defaults() -> None:
    library = Library("x", Path("x"), settings={"a": ["1", "2"], "b": ["3", "4"]})
    assert run.settings_of(Choice("x"), library) == [(("a", "1"), ("b", "3"))]
    assert run.settings_of(Choice("x", {"b": ["4"]}), library) == [(("a", "1"), ("b", "4"))]
    assert len(run.settings_of(Choice("x", "all"), library)) == 4


def test_axes_of_the_start_are_measured_and_recorded(tmp_path: Path) -> None:
    study = small_study(cases=[{"shape": [16, 12, 10], "ranks": 3, "build": ["auto", "two=x"],
                                "environment": [{}, {"OMPI_MCA_coll_tuned_priority": 40}]}])
    folder = build(tmp_path)
    other = dataclasses.replace(folder, name="two", axis="two=x")
    run.Runner(study, [folder, other], machine.fingerprint(), tmp_path / "records.jsonl",
               tell=lambda line: None).run()
    written = records.load(tmp_path / "records.jsonl")
    assert [(r["launcher"], r["build"], r["environment"]) for r in written] == [
        (name, axis, variables) for variables in ({}, {"OMPI_MCA_coll_tuned_priority": "40"})
        for name, axis in ((folder.name, "auto"), ("two", "two=x"))]
    assert {r["status"] for r in written} == {"ok"}
    assert ["OMPI_MCA_coll_tuned_priority=40" in r["command"] for r in written] == [
        False, False, True, True]
    assert len(cells.group_cells(written)) == 4


def test_a_binding_that_the_launcher_cannot_have_is_told_before_the_first_block(
        tmp_path: Path) -> None:
    study = small_study(cases=[{"shape": [8, 8, 8]}, {"shape": [8, 8, 8], "binding": "--by hand"}])
    folder = dataclasses.replace(build(tmp_path), kind="custom", launch="{mpiexec} -n {ranks}")
    with pytest.raises(BuildError, match="'--by hand': the launcher 'custom' has no place"):
        runner(tmp_path, study, folder)
    assert not (tmp_path / "records.jsonl").exists()
