"""Libraries with bad habits: each is named for what it is, and the study goes on to its end."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest
from harness_build import build, runner, running, small_study
from weft_bench import records

EXPECTED = {
    "good": ("ok", ""),
    "copies": ("wrong", "forward error"),
    "drops_last_plane": ("wrong", "120 elements of the output were not written"),
    "zeroes_last_plane": ("wrong", "whole forward error"),
    "sleeps": ("ok", ""),
    "crashes": ("crashed", "signal 11 (SIGSEGV) while transforming for the first time"),
    "exits": ("failed", "the library ended the program while transforming for the first time"),
    "hangs": ("hung", "no end after 15 s, while transforming for the first time"),
    "leaks": ("leaks", "memory grows by"),
    "leaks_little": ("ok", ""),
    "wrong_later": ("wrong", "after repetitions: round trip error"),
    "needs_too_much_memory": ("out_of_memory", "cannot allocate 1 EiB"),
    "overlapping_boxes": ("failed", "boxes overlap"),
}


def written_by(folder: Path, habits: Iterable[str], **measure: float) -> dict[str, records.Record]:
    study = small_study(
        measure={"rounds": 1, "seconds": 0.05, **measure},
        libraries=[{"name": "canary", "settings": {"habit": list(habits)}}])
    runner(folder, study, build(folder)).run()
    return {r["settings"]["habit"]: r for r in records.load(folder / "records.jsonl")}


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> dict[str, records.Record]:
    return written_by(tmp_path_factory.mktemp("canaries"), EXPECTED, least=5, timeout=15)


@pytest.mark.parametrize("habit", EXPECTED)
def test_is_named_for_what_it_is(written: dict[str, records.Record], habit: str) -> None:
    status, reason = EXPECTED[habit]
    record = written[habit]
    assert (record["status"], record["reason"]) == (status, record["reason"])
    assert reason in record["reason"]


def test_the_study_comes_to_its_end(written: dict[str, records.Record]) -> None:
    assert set(written) == set(EXPECTED)


def test_leak_is_measured(written: dict[str, records.Record]) -> None:
    growth = written["leaks"]["memory"]["growth_per_pair"]
    assert 3 * 2**30 <= growth <= 3.3 * 2**30  # 1 GiB in each of 3 ranks


def test_growth_is_that_of_the_library_and_not_of_the_harness(tmp_path: Path) -> None:
    # However busy the machine: the first repetitions do not grow the heap, and of few they would be
    # a part that counts.
    growth = {habit: record["memory"]["growth_per_pair"] for habit, record in
              written_by(tmp_path, ["good", "leaks_little"], least=200).items()}
    assert growth["good"] <= 500  # what MPI keeps of its messages
    # 1000 bytes in each of 3 ranks, with what malloc adds to a block.
    assert 2900 <= growth["leaks_little"] <= 3100


def test_sleeper_is_right_but_slow(written: dict[str, records.Record]) -> None:
    assert written["sleeps"]["forward_seconds"]["min"] >= 0.2
    assert written["good"]["forward_seconds"]["median"] < 0.2
    assert written["sleeps"]["mpi_seconds"]["forward"] < 0.1, "no rank waits for another"


def test_nothing_of_a_hung_job_is_left(written: dict[str, records.Record]) -> None:
    hung = written["hangs"]
    assert hung["status"] == "hung"
    [program] = [word for word in hung["command"].split() if word.endswith("bin/bench/canary")]
    assert running(program) == []  # in the folder of this test: other tests run canaries too


def test_good_one_is_measured_in_full(written: dict[str, records.Record]) -> None:
    record = written["good"]
    assert len(record["forward_seconds"]["all"]) >= 5
    assert record["forward_error"] <= record["error_bound"]
    assert record["whole_error"] <= record["error_bound"]
    assert record["layout"]["in_parts"] == [3, 1, 1]
    assert record["memory"]["peak"] >= record["memory"]["planned"] > 0
    host = record["energy"]["host"]
    assert host["joules_per_pair"] is not None or host["why"]
    assert record["energy"]["device"] is None


def test_a_case_it_does_not_offer(tmp_path: Path) -> None:
    study = small_study(cases=[{"shape": [16, 12, 10], "kind": "r2c", "ranks": 2}])
    one = runner(tmp_path, study, build(tmp_path))
    one.run()
    [record] = records.load(tmp_path / "records.jsonl")
    assert (record["status"], record["reason"]) == ("unsupported", "not offered: real data")
