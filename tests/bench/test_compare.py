"""What `weft-bench compare` says about two files, and its exit status."""

import numpy as np
import pytest
import synthetic
from synthetic import machine, record
from weft_bench import compare

THRESHOLD = 0.05


def study(factor=1.0, seed=1, library="weft", count=5, **changes):
    generator = np.random.default_rng(seed)
    return [
        record(library, block, round=number, **changes)
        for number, block in enumerate(synthetic.blocks(generator, 1e-3 * factor, count))
    ]


def compared(old, new):
    return compare.compare(old, new, THRESHOLD)


def test_the_same_is_no_regression():
    text, status = compared(study(), study())
    assert status == 0
    assert "1 measurement in both, 0 regressions, 0 other changes" in text
    assert "warning" not in text


@pytest.mark.parametrize(
    ("factor", "verdict", "expected"), [(1.3, "slower", 1), (0.7, "faster", 0), (1.02, None, 0)]
)
def test_changes_beyond_threshold_and_interval(factor, verdict, expected):
    text, status = compared(study(), study(factor, seed=2))
    assert status == expected
    rows = [line.split()[0] for line in text.splitlines() if " 64³ c2c" in line]
    assert rows == ([verdict] * 2 if verdict else [])  # forward and backward


def test_a_change_within_its_interval_is_none():
    noisy = [record(forward=[1.0, 2.0, 3.0]), record(forward=[1.0, 1.1, 1.2], round=1)]
    other = [record(forward=[1.5, 2.5, 3.5]), record(forward=[1.2, 1.3, 1.4], round=1)]
    text, status = compared(noisy, other)
    assert status == 0
    assert "0 other changes" in text


def test_what_the_blocks_cannot_tell_is_said():
    far_apart = [record(forward=[t], round=number) for number, t in enumerate((1.0, 30.0))]
    text, status = compared(far_apart, far_apart)
    assert status == 0
    assert "1 measurement not resolved: the interval contains 1, and its ends are more than a " \
        "factor 2 apart:\n  weft: 64³ c2c f64, 2 ranks" in text
    assert "not resolved" not in compared(study(), study(1.3, seed=2))[0]


def test_changes_of_noisy_runs_are_marked():
    steady, noisy = study(), study(3.0, seed=2)
    for one in noisy:
        one["forward_seconds"]["all"][0] *= 2
    text, _ = compared(steady, noisy)
    assert "weft †" in text and "† noisy: the longest repetition" in text
    assert "†" not in compared(steady, study(3.0, seed=2))[0]


def test_the_ratio_is_new_over_old():
    text, _ = compared(
        [record(forward=[1.0], backward=[1.0])], [record(forward=[2.0], backward=[1.0])]
    )
    (line,) = [line for line in text.splitlines() if line.startswith("slower")]
    assert "1000 ms" in line
    assert "2000 ms" in line
    assert line.split()[-1] == "2.00"


@pytest.mark.parametrize("status", ["wrong", "crashed", "hung", "leaks", "unsupported"])
def test_what_was_right_and_fails_is_a_regression(status):
    text, code = compared(study(), study(status=status))
    assert code == 1
    assert f"ok to {status}" in text


def test_what_failed_and_is_right_is_none():
    text, code = compared(study(status="crashed"), study())
    assert code == 0
    assert "crashed to ok" in text


def test_settings_are_part_of_the_match():
    old = study(settings={"exchange": "p2p"})
    text, status = compared(old, study(2.0, settings={"exchange": "alltoall"}))
    assert status == 0
    assert "Only in old: 1 measurement\n  weft (exchange=p2p): 64³ c2c f64, 2 ranks" in text
    assert "Only in new: 1 measurement\n  weft (exchange=alltoall): 64³" in text


def test_versions_and_commits_do_not_hinder_the_match():
    text, status = compared(study(), study(2.0, version="2.0", commit="4567def"))
    assert status == 1
    assert "commit 0123abc" in text
    assert "commit 4567def" in text


def test_different_machines_are_compared_with_a_warning():
    text, status = compared(study(), study(2.0, machine=machine("node2")))
    assert "old: node1" in text
    assert "new: node2" in text
    assert "warning: the machines differ" in text
    assert status == 1


def test_of_several_machines_each_is_compared_with_itself():
    old = study() + study(3.0, machine=machine("node2"))
    new = study(seed=2) + study(6.0, seed=3, machine=machine("node2"))
    text, status = compared(old, new)
    assert status == 1
    first, second = text.split("node2 (Synthetic Processor 9000):\n")
    assert "slower" not in first.replace("threshold", "")
    assert "slower" in second


def test_nothing_to_compare_with():
    text, status = compared([], study())
    assert status == 0
    assert "warning: one side has no records" in text
    assert compared([], [])[1] == 0
