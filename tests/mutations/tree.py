"""A copy of the tree in build/mutations, with a build folder of its own, where faults are planted
and tests run. What is there stays for the next run, which only has to build what has changed."""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
import re
import signal
import subprocess
import time
import xml.etree.ElementTree as xml
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from faults import Fault

#: Seconds after which scripts/test gives up a test, and after which it is given up itself.
TEST_TIMEOUT = 120
TIMEOUT = 3600
#: Parts of the default tier that would find every fault by its looks instead of by what it does.
SKIPPED_PARTS = "style mutations"
PART = re.compile(r"^(\S.*?) +\d+ passed  (\d+) failed", re.MULTILINE)


@dataclass(frozen=True)
class Outcome:
    """How tests went: which part failed, and which of its tests first."""

    passed: bool
    part: str
    test: str
    seconds: float

    @property
    def built(self) -> bool:
        return self.passed or not self.part.startswith(("build", "configure"))


class TreeError(Exception):
    """Nothing can be said of the tests."""


def tracked_files(root: Path) -> list[str]:
    """Those of git, and new ones that it does not ignore."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=root,
        capture_output=True, text=True)
    if listed.returncode != 0:
        raise TreeError(f"git does not list the files of {root}: {listed.stderr.strip()}")
    return sorted(file for file in set(listed.stdout.split("\0"))
                  if file and (root / file).is_file())


class Tree:
    def __init__(self, root: Path):
        self.root = root
        users_build = Path(os.environ.get("WEFT_BUILD_DIR", root / "build")).resolve()
        self.place = users_build / "mutations"
        self.copy = self.place / "tree"
        self.build = self.copy / "build"
        self.files = tracked_files(root)
        self._venv = users_build / "venv"
        self._log_number = 0

    def lock(self) -> None:
        """There is one copy, so one run at a time; the lock ends with the process."""
        self.place.mkdir(parents=True, exist_ok=True)
        self._lock = (self.place / "lock").open("w")
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise TreeError(f"another run uses {self.place}") from None

    def update(self) -> None:
        """Makes the copy what the tree is, also where an earlier run was killed."""
        present = set(self.files)
        for path in list(self.copy.rglob("*")) if self.copy.exists() else []:
            file = path.relative_to(self.copy)
            if file.parts[0] != "build" and not path.is_dir() and str(file) not in present:
                path.unlink()
        for file in self.files:
            source, target = self.root / file, self.copy / file
            content = source.read_bytes()
            if not target.is_file() or target.read_bytes() != content:
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(content)
            target.chmod(source.stat().st_mode)
        self.build.mkdir(exist_ok=True)
        venv = self.build / "venv"
        if self._venv.exists() and not venv.exists():
            venv.symlink_to(self._venv)

    @contextlib.contextmanager
    def planted(self, fault: Fault) -> Iterator[None]:
        path = self.copy / fault.file
        original = path.read_text()
        try:
            path.write_text(fault.planted_in(original))
            yield
        finally:
            path.write_text(original)

    def test(self, names: Sequence[str] = ()) -> Outcome:
        """Runs scripts/test with these names, or its default tier, up to the first failure."""
        self._log_number += 1
        log = self.place / "log" / f"{self._log_number:03}.log"
        log.parent.mkdir(exist_ok=True)
        environment = {name: value for name, value in os.environ.items()
                       if name != "WEFT_BUILD_DIR"}
        environment |= {"WEFT_TEST_TIMEOUT": str(TEST_TIMEOUT), "WEFT_TEST_SKIP": SKIPPED_PARTS}
        begin = time.monotonic()
        with log.open("w") as output:
            job = subprocess.Popen([self.copy / "scripts/test", "--fail-fast", *names],
                                   stdin=subprocess.DEVNULL, stdout=output,
                                   stderr=subprocess.STDOUT, env=environment,
                                   start_new_session=True)
            try:
                status = job.wait(TIMEOUT)
            except BaseException as error:
                os.killpg(job.pid, signal.SIGTERM)
                job.wait()
                if isinstance(error, subprocess.TimeoutExpired):
                    raise TreeError(f"scripts/test did not end within {TIMEOUT} s: {log}") from None
                raise
        seconds = time.monotonic() - begin
        if status == 0:
            return Outcome(True, "", "", seconds)
        failed = [part for part, count in PART.findall(log.read_text()) if count != "0"]
        if not failed:
            raise TreeError(f"scripts/test ended with status {status}, but no part failed: {log}")
        return Outcome(False, failed[0], self._failed_test(failed[0]), seconds)

    def _failed_test(self, part: str) -> str:
        report = self.build / "log" / f"{part}.xml"
        if not report.exists():
            return ""
        for case in xml.parse(report).getroot().iter("testcase"):
            if case.find("failure") is not None or case.find("error") is not None:
                return case.get("name", "")
        return ""

    def check_without_fault(self) -> None:
        """Unless the default tier passes, it says nothing of faults; asked once for each tree."""
        digest = hashlib.sha256()
        for file in self.files:
            digest.update(file.encode() + b"\0" + (self.root / file).read_bytes())
        mark = self.place / "passed"
        if mark.exists() and mark.read_text() == digest.hexdigest():
            return
        outcome = self.test()
        if not outcome.passed:
            raise TreeError(f"the tests fail without any fault: {outcome.part} {outcome.test}")
        mark.write_text(digest.hexdigest())

    def build_everything(self) -> None:
        """As scripts/test does for what is tested from Python; here one quick file of tests."""
        outcome = self.test(["builds"])
        if not outcome.passed:
            raise TreeError(f"scripts/test builds fails: {outcome.part} {outcome.test}")

    def objects_by_file(self) -> dict[str, str]:
        """Of each source and header that has been compiled one object that it is a part of."""
        objects: dict[str, str] = {}
        current = ""
        for line in self._ninja_tells("deps"):
            if line.startswith("    "):
                path = Path(os.path.normpath(self.build / line.strip()))
                if path.is_relative_to(self.copy):
                    objects.setdefault(str(path.relative_to(self.copy)), current)
            elif ": #deps" in line:
                current = line.split(": #deps")[0]
        # Fortran is preprocessed on its own, of which ninja keeps nothing.
        for line in self._ninja_tells("targets", "all"):
            target, _, rule = line.partition(": ")
            if rule.startswith("Fortran_COMPILER"):
                file = re.sub(r"CMakeFiles/[^/]+\.dir/", "", target).removesuffix(".o")
                objects.setdefault(file, target)
        return objects

    def _ninja_tells(self, *tool: str) -> list[str]:
        done = subprocess.run(["ninja", "-C", self.build, "-t", *tool], check=True,
                              capture_output=True, text=True)
        return done.stdout.splitlines()

    def compiles(self, fault: Fault, target: str | None) -> bool:
        """Whether the object does with the fault; Python's sources have none."""
        with self.planted(fault):
            if target is None:
                try:
                    compile((self.copy / fault.file).read_text(), fault.file, "exec")
                except SyntaxError:
                    return False
                return True
            done = subprocess.run(["ninja", "-C", self.build, target], capture_output=True)
            return done.returncode == 0
