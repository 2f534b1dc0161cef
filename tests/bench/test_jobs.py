"""How a job ended, by what it wrote, returned and said."""

from __future__ import annotations

import json

import pytest
from weft_bench import jobs

REPEATING = [{"event": "stage", "name": "planning"}, {"event": "stage", "name": "repeating"}]
OPENMPI = "mpirun noticed that process rank 1 with PID 0 on node n exited on signal {}"
MPICH = "=   EXIT CODE: 139\nYOUR APPLICATION TERMINATED WITH THE EXIT STRING: x (signal {})"


@pytest.mark.parametrize(("returncode", "output", "expected"), [
    (139, OPENMPI.format("11 (Segmentation fault)."), ("crashed", "signal 11 (SIGSEGV)")),
    (139, MPICH.format(11), ("crashed", "signal 11 (SIGSEGV)")),
    (136, "", ("crashed", "signal 8 (SIGFPE)")),
    (-6, "", ("crashed", "signal 6 (SIGABRT)")),
    (137, OPENMPI.format("9 (Killed)."), ("out_of_memory", "killed")),
    (0, "", ("failed", "ended without a result")),
    (3, "something\nbad happened\n-----\n", ("failed", "exit status 3 while repeating: bad happe")),
    (255, "no device\n-----\nmpirun detected\nExit code: 255\n-----\n",
     ("failed", "exit status 255 while repeating: no device")),
    (1, "-----\nnot enough slots\n-----\n",
     ("failed", "exit status 1 while repeating: not enough slots")),
])
def test_end_without_result(returncode: int, output: str, expected: tuple[str, str]) -> None:
    status, reason = jobs.classify(returncode, None, REPEATING, output)
    assert status == expected[0] and reason.startswith(expected[1])
    assert "while repeating" in reason


def test_before_planning() -> None:
    assert jobs.classify(1, None, [], "no such library")[1].startswith(
        "exit status 1 before planning: no such library")


def test_hang_after_the_result_does_not_lose_it() -> None:
    events = [*REPEATING, {"event": "end", "status": "ok", "reason": ""}]
    assert jobs.classify(-15, 5.0, events, "") == ("ok", "did not end after its last result")
    assert jobs.classify(-15, 5.0, REPEATING, "") == ("hung", "no end after 5 s, while repeating")


@pytest.mark.parametrize("output", ["", OPENMPI.format("9 (Killed)."), MPICH.format(9)])
def test_exit_of_one_rank_counts_and_not_that_others_were_killed(output: str) -> None:
    events = [*REPEATING, {"event": "exit"}]
    status, reason = jobs.classify(137, None, events, output)
    assert status == "failed"
    assert reason.startswith("the library ended the program while repeating")


def test_crash_of_one_rank_counts_and_not_that_mpi_ended_others() -> None:
    events = [*REPEATING, {"event": "exit"}]
    assert jobs.classify(139, None, events, MPICH.format(11)) == (
        "crashed", "signal 11 (SIGSEGV) while repeating")


def test_first_end_counts() -> None:
    events = [{"event": "end", "status": "failed", "reason": "a (rank 2)"},
              {"event": "end", "status": "failed", "reason": "b (rank 0)"}]
    assert jobs.classify(1, None, events, "")[1] == "a (rank 2)"


def test_journal_that_was_cut_off() -> None:
    line = json.dumps({"event": "stage", "name": "planning"})
    command = ["sh", "-c", f"echo '{line}' >>$2; printf '{{\"event\": \"st' >>$2; exit 4", "x"]
    outcome = jobs.run(command, {}, 10)
    assert outcome.events == [{"event": "stage", "name": "planning"}]
    assert outcome.status == "failed" and "exit status 4 while planning" in outcome.reason


def test_processes_that_leave_the_job_are_ended_too() -> None:
    outcome = jobs.run(["sh", "-c", "setsid sleep 4711 & setsid sleep 4711"], {}, 0.5, grace=0.5)
    assert outcome.status == "hung"
    assert outcome.wall_seconds < 10


def test_variables_reach_the_job() -> None:
    line = '{\\"event\\": \\"end\\", \\"status\\": \\"ok\\", \\"reason\\": \\"$COLOR\\"}'
    outcome = jobs.run(["sh", "-c", f'echo "{line}" >>$2', "x"], {"COLOR": "red"}, 10)
    assert (outcome.status, outcome.reason) == ("ok", "red")
