"""One MPI job of one library: started, watched, and understood, however it ends."""

from __future__ import annotations

import itertools
import json
import os
import re
import signal
import subprocess
import tempfile
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

JOB_VARIABLE = "WEFT_BENCH_JOB"  # by which the processes of a job are found
ENDINGS = {signal.SIGINT, signal.SIGTERM}  # that end the harness, and its job first


@dataclass
class Outcome:
    status: str
    reason: str
    events: list[dict[str, Any]]
    wall_seconds: float

    def event(self, name: str) -> dict[str, Any]:
        """The fields of an event; none where the block did not get that far."""
        found = [event for event in self.events if event.get("event") == name]
        return found[-1] if found else {}


@contextmanager
def _endings_wait() -> Iterator[None]:
    """Signals that end the harness are delivered afterwards."""
    signal.pthread_sigmask(signal.SIG_BLOCK, ENDINGS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, ENDINGS)


def _prepare_child() -> None:
    """The job hears the signals that wait in the harness; and when memory runs out, the system
    ends the job and not the harness."""
    signal.pthread_sigmask(signal.SIG_UNBLOCK, ENDINGS)
    with suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text("1000")


def _processes(job: str) -> list[int]:
    wanted = f"{JOB_VARIABLE}={job}".encode()
    found = []
    for folder in Path("/proc").iterdir():
        try:
            if folder.name.isdigit() and wanted in (folder / "environ").read_bytes().split(b"\0"):
                found.append(int(folder.name))
        except OSError:
            continue
    return found


def _end(process: subprocess.Popen[str], job: str, grace: float) -> None:
    """Ends a job: first asks the launcher, which knows of other nodes, then by force."""
    process.terminate()
    with suppress(subprocess.TimeoutExpired):
        process.wait(grace)
    for _ in range(10):
        left = _processes(job)
        if not left:
            break
        for pid in left:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        time.sleep(0.1)
    process.wait()


def _read_events(path: Path) -> list[dict[str, Any]]:
    events = []
    for line in path.read_text(errors="replace").splitlines():
        try:
            events.append(json.loads(line))
        except json.JSONDecodeError:
            continue  # cut off when the job ended
    return events


def _signal_of(returncode: int, output: str) -> int | None:
    """The signal that a rank died of, by what the launcher says or returns."""
    told = re.search(r"exited on signal (\d+)|\(signal (\d+)\)|KILLED BY SIGNAL: .*?(\d+)|"
                     r"EXIT STRING: .*?\(signal (\d+)\)", output)
    if told:
        return int(next(group for group in told.groups() if group))
    if returncode < 0:
        return -returncode
    if 128 < returncode < 160:
        return returncode - 128
    return None


def _signal_name(number: int) -> str:
    try:
        return f"signal {number} ({signal.Signals(number).name})"
    except ValueError:
        return f"signal {number}"


def _last_words(output: str) -> str:
    """The last line of the program itself; what launchers say of it stands between rules."""
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    own = list(itertools.takewhile(lambda line: line.strip("-="), lines))
    words = own or [line for line in lines if line.strip("-=")]
    return words[-1][:200] if words else "no output"


def classify(returncode: int, timed_out: float | None, events: list[dict[str, Any]],
             output: str) -> tuple[str, str]:
    """Status and reason of a job that ended."""
    stages = [event["name"] for event in events if event.get("event") == "stage"]
    where = f"while {stages[-1]}" if stages else "before planning"
    ends = [event for event in events if event.get("event") == "end"]
    if timed_out is not None:
        if ends:  # the result stands; only MPI did not come to an end
            return ends[0]["status"], ends[0]["reason"] or "did not end after its last result"
        return "hung", f"no end after {timed_out:g} s, {where}"
    if ends:
        return ends[0]["status"], ends[0]["reason"]
    number = _signal_of(returncode, output)
    # Launchers kill the ranks that are left, and MPI ends those that miss a crashed one.
    by_launcher = number in (None, signal.SIGKILL, signal.SIGTERM)
    if by_launcher and any(event.get("event") == "exit" for event in events):
        return "failed", f"the library ended the program {where}: {_last_words(output)}"
    if number == signal.SIGKILL:
        return "out_of_memory", f"killed, as the system does when memory runs out, {where}"
    if number is not None:
        return "crashed", f"{_signal_name(number)} {where}"
    if returncode == 0:
        return "failed", f"ended without a result {where}"
    return "failed", f"exit status {returncode} {where}: {_last_words(output)}"


def run(command: list[str], variables: dict[str, str], timeout: float, grace: float = 5.0,
        journal_option: str = "--journal") -> Outcome:
    """Runs a command that writes lines of JSON to the file that is added to its arguments."""
    job = uuid.uuid4().hex
    begin = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="weft-bench-") as folder:
        journal, log = Path(folder, "journal"), Path(folder, "log")
        journal.touch()
        process = timed_out = None
        with log.open("w") as out:
            try:
                with _endings_wait():  # until there is a job to end
                    process = subprocess.Popen(
                        [*command, journal_option, str(journal)], stdin=subprocess.DEVNULL,
                        stdout=out, stderr=subprocess.STDOUT, text=True, start_new_session=True,
                        preexec_fn=_prepare_child,
                        env=os.environ | variables | {JOB_VARIABLE: job})
                process.wait(timeout)
            except subprocess.TimeoutExpired:
                timed_out = timeout
            finally:
                if process is not None and process.poll() is None:
                    _end(process, job, grace)
        events = _read_events(journal)
        status, reason = classify(process.returncode, timed_out, events,
                                  log.read_text(errors="replace"))
    return Outcome(status, reason, events, time.monotonic() - begin)
