"""Runs a study: blocks in turn, resumed where an earlier run stopped."""

from __future__ import annotations

import fcntl
import itertools
import subprocess
import time
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path
from statistics import median
from typing import Any

from . import jobs, quoting, records
from .builds import NETWORK_CLUSTER, Build, Library, environment
from .records import Record
from .study import Case, Choice, Study

# After these there is no point in another block of the same entry.
HOPELESS = ("unsupported", "hung", "out_of_memory", "crashed", "failed", "leaks")

#: The axes on which ceilings of the machine depend.
PLACE = ("ranks", "threads", "ranks_per_node", "environment", "binding", "build")


class RunError(Exception):
    """A study that cannot be run here."""


@dataclass(frozen=True)
class Entry:
    """One library with its settings, started by one MPI."""

    build: Build
    library: Library
    settings: tuple[tuple[str, str], ...]
    best_only: bool  # in later rounds only the fastest of its library goes on

    def __hash__(self) -> int:
        return hash((self.build.name, self.library.name, self.settings))


@dataclass(frozen=True)
class Block:
    case: Case
    entry: Entry
    round: int


def _combinations(offered: dict[str, list[str]]) -> list[tuple[tuple[str, str], ...]]:
    names = list(offered)
    return [tuple(zip(names, values)) for values in itertools.product(*offered.values())]


def settings_of(choice: Choice, library: Library) -> list[tuple[tuple[str, str], ...]]:
    """The settings that a study gives a library. Those it does not name stay at their defaults."""
    defaults = {name: values[:1] for name, values in library.settings.items()}
    if choice.settings == "default":
        return _combinations(defaults)
    if choice.settings in ("all", "best"):
        return _combinations(library.settings)
    assert isinstance(choice.settings, dict)
    unknown = set(choice.settings) - set(library.settings)
    if unknown:
        raise RunError(f"{library.name} has no setting {sorted(unknown)}; it has: "
                       + (", ".join(library.settings) or "none"))
    return _combinations(defaults | choice.settings)


def as_typed(variables: dict[str, str], command: list[str]) -> str:
    """A command for readers of records, who have the sources elsewhere."""
    words = ["bench/network-cluster" if word == str(NETWORK_CLUSTER) else word for word in command]
    return quoting.shell([f"{name}={value}" for name, value in variables.items()] + words)


def entries_of(study: Study, builds: list[Build], only: list[str]) -> tuple[list[Entry], list[str]]:
    """What takes part, and why the rest does not."""
    entries, absent = [], []
    for build in builds:
        choices = study.libraries or [Choice(name) for name in build.libraries]
        for choice in choices:
            if only and choice.library not in only:
                continue
            library = build.libraries.get(choice.library)
            if library is None or library.program is None:
                why = "unknown to this build" if library is None else library.missing
                absent.append(f"{choice.library} ({build.name}): {why}")
                continue
            entries += [Entry(build, library, settings, choice.settings == "best")
                        for settings in settings_of(choice, library)]
    return entries, absent


def commit() -> str:
    """Of the sources of the harness; empty where they are not under version control."""
    folder = Path(__file__).parent
    def git(*arguments: str) -> str:
        result = subprocess.run(["git", "-C", str(folder), *arguments], capture_output=True,
                                text=True, check=False)
        return result.stdout.strip() if result.returncode == 0 else ""
    try:
        changed = "+" if git("status", "--porcelain", "--untracked-files=no") else ""
        return git("rev-parse", "--short=12", "HEAD") + changed
    except OSError:
        return ""


def arguments_of(case: Case, settings: tuple[tuple[str, str], ...], shared_memory: bool,
                 measure: dict[str, Any], round_number: int) -> list[str]:
    """Of the program of a library."""
    threads = case.threads * (case.ranks if shared_memory else 1)
    arguments = ["--shape", "x".join(map(str, case.shape)), "--kind", case.kind,
                 "--precision", case.precision, "--batch", str(case.batch),
                 "--in", case.in_layout, "--out", case.out_layout, "--threads", str(threads),
                 "--seconds", str(measure["seconds"]), "--least", str(measure["least"]),
                 "--most", str(measure["most"]),
                 "--checks", "full" if round_number == 0 else "cheap"]
    if not measure["energy"]:
        arguments.append("--no-energy")
    if case.in_place:
        arguments.append("--in-place")
    if case.grid != "auto":
        arguments += ["--grid", case.grid]
    for name, value in settings:
        arguments += ["--set", f"{name}={value}"]
    return arguments


def measure_of(study: Study, build: Build) -> dict[str, Any]:
    """How a study measures with a build. The hosts of a network cluster share the counters of
    energy of one machine, which would count once for each."""
    shared = build.kind == "network-cluster"
    return study.measure | ({"energy": False} if shared else {})


def _pair_seconds(record: Record) -> float:
    return record["forward_seconds"]["median"] + record["backward_seconds"]["median"]


class Runner:
    """Runs the blocks of a study that are not in the file of records yet."""

    def __init__(self, study: Study, builds: list[Build], machine: dict[str, Any], output: Path,
                 only: list[str] | None = None, tell: Callable[[str], None] = print,
                 add_machine: bool = False):
        self.study, self.builds, self.machine, self.output = study, builds, machine, output
        self.tell = tell
        self.commit = commit()
        self.entries, self.absent = entries_of(study, builds, only or [])
        if not any(map(self._entries_of, study.cases)):
            raise RunError("no library of this study is here: " + "; ".join(self.absent))
        for case in study.cases:  # a launcher that cannot start them says so before the first
            for entry in self._entries_of(case):
                entry.build.command(case, machine["cores"])
        self.done: dict[str, Record] = {}
        self._read_earlier(add_machine)
        self.wall: dict[tuple[Case, Entry], float] = {}

    def _read_earlier(self, add_machine: bool) -> None:
        if not self.output.exists():
            return
        records.drop_cut_off_line(self.output)
        earlier = records.load(self.output)
        others = {r["machine"]["id"]: r["machine"]["hostname"] for r in earlier
                  if r["machine"]["id"] != self.machine["id"]}
        if others and not add_machine:
            names = ", ".join(f"{name} ({key})" for key, name in others.items())
            raise RunError(f"{self.output} holds records of another machine: {names}; this is "
                           f"{self.machine['hostname']} ({self.machine['id']}). Choose another "
                           "--output, or --add-machine to have both in one file")
        for record in earlier:
            if record["machine"]["id"] == self.machine["id"]:
                self.done[records.block_key(record)] = record

    def run(self) -> None:
        with self.output.open("a") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError as error:
                raise RunError(f"another run is writing {self.output}") from error
            self._run()

    def _run(self) -> None:
        for line in self.absent:
            self.tell(f"left out: {line}")
        if self.study.limits:
            self._run_limits()
        self.begin = time.monotonic()
        rounds = self.study.measure["rounds"]
        going_on = {case: self._entries_of(case) for case in self.study.cases}
        blocks = sum(map(len, going_on.values()))
        self.total = blocks * rounds
        self.tell(f"{len(self.study.cases)} cases, {len(self.entries)} libraries with settings, "
                  f"{rounds} rounds: up to {self.total} blocks; records in {self.output}")
        # All cases once, then all cases again: the blocks of one case are spread over the whole
        # study, so that their differences tell how the machine drifts in that time.
        for round_number in range(rounds):
            first = round_number * blocks
            for case in self.study.cases:
                results = {entry: self._block(Block(case, entry, round_number), first + position)
                           for position, entry in enumerate(going_on[case])}
                first += len(self._entries_of(case))
                going_on[case] = self._chosen(results)

    def _entries_of(self, case: Case) -> list[Entry]:
        return [entry for entry in self.entries if entry.build.axis == case.build]

    @staticmethod
    def _chosen(results: dict[Entry, Record]) -> list[Entry]:
        """Who makes another block: all that worked, but of a library whose best settings are
        wanted only the fastest."""
        alive = {e: r for e, r in results.items() if r["status"] not in HOPELESS}
        fastest: dict[tuple[str, str], Entry] = {}
        for entry, record in alive.items():
            key = (entry.build.name, entry.library.name)
            right = record["status"] == "ok"
            if entry.best_only and right and (
                    key not in fastest
                    or _pair_seconds(record) < _pair_seconds(alive[fastest[key]])):
                fastest[key] = entry
        return [e for e in alive
                if not e.best_only or fastest.get((e.build.name, e.library.name)) == e]

    def _record(self, block: Block) -> Record:
        entry, case = block.entry, block.case
        ranks = 1 if entry.library.shared_memory else case.ranks
        threads = case.threads * case.ranks // ranks
        return {
            "format": records.FORMAT, "study": self.study.name, "round": block.round,
            "library": entry.library.name, "version": entry.library.version,
            "settings": dict(entry.settings), "device": entry.library.device,
            **case.fields(),
            "oversubscribed": case.ranks_per_node is None
            and ranks * threads > self.machine["cores"],
            "launcher": entry.build.name,
        }

    def _block(self, block: Block, position: int) -> Record:
        record = self._record(block)
        key = records.block_key(record)
        if key in self.done:
            return self.done[key]
        entry, case = block.entry, block.case
        shared = entry.library.shared_memory
        command = [*entry.build.command(case, self.machine["cores"], shared,
                                       entry.library.device),
                   str(entry.library.program),
                   *arguments_of(case, entry.settings, shared,
                                measure_of(self.study, entry.build), block.round)]
        variables = environment(case.threads * (case.ranks if shared else 1),
                                dict(case.environment))
        started = datetime.now(timezone.utc).isoformat(timespec="seconds")
        outcome = jobs.run(command, variables, self.study.measure["timeout"])
        record |= {"status": outcome.status, "reason": outcome.reason}
        fields = {name: value for event in outcome.events for name, value in event.items()}
        record |= {name: fields.get(name) for name in records.MEASURED_FIELDS}
        record |= {
            "machine": self.machine | {"mpi": entry.library.mpi},
            "started": started, "wall_seconds": round(outcome.wall_seconds, 3),
            "command": as_typed(variables, command),
            "commit": self.commit,
        }
        records.append(self.output, record)
        self.done[key] = record
        self.wall[case, entry] = outcome.wall_seconds
        self._tell_progress(block, record, position)
        return record

    def _tell_progress(self, block: Block, record: Record, position: int) -> None:
        name = block.entry.library.name + "".join(
            f" {n}={v}" for n, v in block.entry.settings
            if v != block.entry.library.settings[n][0])
        if len(self.builds) > 1:
            name += f" ({block.entry.build.name})"
        if record["forward_seconds"] is not None:
            result = f"{1e3 * _pair_seconds(record):9.3f} ms a pair"
        else:
            result = " " * 19
        if record["status"] != "ok":
            result += f"  {record['status']}: {record['reason']}"
        elapsed = time.monotonic() - self.begin
        measured = len(self.wall)
        typical = median(self.wall.values()) if measured else 0.0
        left = max(0, self.total - position - 1) * max(typical, elapsed / max(1, position + 1))
        self.tell(f"[{100 * (position + 1) // self.total:3d}%, about {_minutes(left)} left] "
                  f"{block.case.title()}, round {block.round + 1}: {name:32s} {result}")

    def _run_limits(self) -> None:
        """Ceilings of the machine, for each number of ranks."""
        places = defaultdict(list)
        for case in self.study.cases:
            places[tuple(getattr(case, name) for name in PLACE)].append(case)
        for build, cases in itertools.product(self.builds, places.values()):
            if build.axis == cases[0].build:
                self._measure_limits(build, cases[0])

    def _measure_limits(self, build: Build, case: Case) -> None:
        record: Record = {
            "format": records.FORMAT, "study": self.study.name, "round": 0, "library": "machine",
            "settings": {}, "launcher": build.name,
            **{name: value for name, value in case.fields().items() if name in PLACE},
            "oversubscribed": case.ranks_per_node is None
            and case.ranks * case.threads > self.machine["cores"],
        }
        key = records.block_key(record)
        if key in self.done:
            return
        command = [*build.command(case, self.machine["cores"]),
                   str(build.limits_program()), "limits"]
        variables = environment(case.threads, dict(case.environment))
        started = datetime.now(timezone.utc).isoformat(timespec="seconds")
        outcome = jobs.run(command, variables, self.study.measure["timeout"],
                           journal_option="--machine")
        limits = outcome.events[-1].get("limits") if outcome.events else None
        some = next(lib for lib in build.libraries.values() if lib.program is not None)
        record |= {
            "status": "ok" if limits else outcome.status,
            "reason": "" if limits else outcome.reason,
            "limits": limits,
            "machine": self.machine | {"mpi": some.mpi}, "started": started,
            "wall_seconds": round(outcome.wall_seconds, 3),
            "command": as_typed(variables, command),
            "commit": self.commit,
        }
        records.append(self.output, record)
        self.done[key] = record
        self.tell(f"ceilings of {case.ranks} ranks ({build.name}): {record['status']} "
                  f"{record['reason']}")


def _minutes(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 90 else f"{seconds / 60:.0f} min"
