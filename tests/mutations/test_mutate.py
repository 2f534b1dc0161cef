"""Planting faults, in a small repository whose tests are two lines of shell."""

from __future__ import annotations

import dataclasses
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import draw
import faults
import pytest

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
SOURCE = "int twice(int n) {\n  return n + n;\n}\n\nint next(int n) {\n  return n + 1;\n}\n"
#: The tests of src/geometry see its first function, the whole tier also that something is returned.
TESTS = """#!/bin/bash
part() { printf '%-24s %4d passed  %d failed  1 s\\n' "$1" "$2" "$3"; (($3 == 0)) || exit 1; }
cd "$(dirname "$0")/.."
[[ $1 == --fail-fast ]] || exit 3
echo "${2-default}" >>"$CALLS"
! grep -q sleep src/geometry/box.cpp || exec sleep 60
! grep -q syntax src/geometry/box.cpp || part build 0 1
grep -q 'n + n;' src/geometry/box.cpp || part geometry 0 1
part geometry 1 0
[[ $# -gt 1 ]] || grep -q return src/geometry/box.cpp || part rest 0 1
"""


class Repository:
    def __init__(self, root: Path):
        self.root, self.calls = root, root.parent / "calls"
        for folder in ("src/geometry", "scripts", "tests/mutations", "build"):
            (root / folder).mkdir(parents=True)
        self.source.write_text(SOURCE)
        (root / "scripts/test").write_text(TESTS)
        (root / "scripts/test").chmod(0o755)
        (root / ".gitignore").write_text("/build/\n__pycache__/\n")
        for file in HERE.glob("*.py"):
            shutil.copy(file, root / "tests/mutations")
        subprocess.run(["git", "init", "-q", root], check=True)

    @property
    def source(self) -> Path:
        return self.root / "src/geometry/box.cpp"

    @property
    def copy(self) -> Path:
        return self.root / "build/mutations/tree/src/geometry/box.cpp"

    def list_of(self, *changes: tuple[str, str]) -> Path:
        path = self.root.parent / "list.toml"
        path.write_text("\n".join(
            f"[[fault]]\nfile = 'src/geometry/box.cpp'\nfind = '''{old}'''\nreplace = '''{new}'''"
            for old, new in changes))
        return path

    def start(self, *arguments: object) -> subprocess.Popen[str]:
        environment = {k: v for k, v in os.environ.items() if k != "WEFT_BUILD_DIR"}
        return subprocess.Popen(
            [sys.executable, self.root / "tests/mutations/mutate.py", *map(str, arguments)],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env=environment | {"CALLS": str(self.calls)})

    def wait_for_calls(self, count: int, job: subprocess.Popen[str]) -> None:
        """Until scripts/test has been started so many times."""
        until = time.monotonic() + 30
        while not (self.calls.exists() and self.calls.read_text().count("\n") == count):
            assert time.monotonic() < until and job.poll() is None
            time.sleep(0.05)

    def run(self, *arguments: object) -> tuple[int, str, str]:
        job = self.start(*arguments)
        out, err = job.communicate(timeout=60)
        return job.returncode, out, err


@pytest.fixture
def repository(tmp_path: Path) -> Iterator[Repository]:
    yield Repository(tmp_path / "repository")


ADDS = ("  return n + n;", "  return n - n;")
RETURNS = ("  return n + n;\n}\n\nint next(int n) {\n  return n + 1;",
           "  return n + n;\n}\n\nint next(int n) {\n  return n + 2;")


def test_caught_and_missed(repository: Repository) -> None:
    report = repository.root.parent / "report.json"
    status, out, err = repository.run(repository.list_of(ADDS, RETURNS), "--json", report)
    assert (status, err) == (1, "")
    first, second, rate = out.splitlines()
    assert first.startswith("caught") and first.endswith("src/geometry/box.cpp:2 by geometry")
    assert second.startswith("MISSED") and second.endswith("src/geometry/box.cpp:6")
    assert rate == "list.toml: 1 of 2 caught"
    # The whole tier without a fault, then the tests of the folder, and all where they passed.
    folder = "^test_geometry$"
    assert repository.calls.read_text().split() == ["default", folder, folder, "default"]
    told = json.loads(report.read_text())
    assert [(one["verdict"], one["by"]) for one in told] == [("caught", "geometry"), ("MISSED", "")]
    assert repository.source.read_text() == SOURCE == repository.copy.read_text()


def test_what_survives_its_folder_is_caught_by_the_rest(repository: Repository) -> None:
    gone = "int next(int n) {\n  return n + 1;"
    source = SOURCE.replace("  return n + n;", "  n + n;")
    repository.source.write_text(source)
    status, out, _ = repository.run(repository.list_of((gone, gone.replace("return", ""))))
    assert status == 0 and " by rest\n" in out


def test_what_does_not_compile_is_an_error(repository: Repository) -> None:
    status, out, _ = repository.run(repository.list_of((ADDS[0], "syntax")))
    assert status == 1 and out.startswith("does not compile")
    assert out.endswith("list.toml: 0 of 1 caught\n")


@pytest.mark.parametrize("change, says", [
    (("int n) {", "int m) {"), "0 places match"),  # not a whole line
    (("}", "};"), "2 places match"),
    ((ADDS[0] + "\n}", "  return 0;\n};"), "2 of 2 lines differ"),
    ((ADDS[0], ADDS[0] + "\n"), "0 of 1 lines differ"),
    ((ADDS[0], "  n;\n  return n;"), "1 of 1 lines differ from 2"),
])
def test_refused_before_anything_runs(repository: Repository, change: tuple[str, str],
                                      says: str) -> None:
    status, out, err = repository.run(repository.list_of(ADDS, change))
    assert (status, out) == (2, "") and says in err
    assert not repository.calls.exists()


@pytest.mark.parametrize("text, says", [
    ("[[fault]]\nfile = 'src/geometry/box.cpp'\nfind = 'a'", "fault 1: replace is missing"),
    ("[[fault]]\nfile = 'a'\nfind = 'a'\nreplace = 'b'\nname = 'c'", "unknown key 'name'"),
    ("[[fault]]\nfile = 1", "file is 1, not a text"),
    ("[[fault]]\nfile = 'none.cpp'\nfind = 'a'\nreplace = 'b'", "none.cpp: there is no such file"),
    ("", "needs [[fault]] entries"),
    ("[fault", "list.toml: "),
])
def test_bad_lists(repository: Repository, text: str, says: str) -> None:
    path = repository.list_of()
    path.write_text(text)
    status, out, err = repository.run(path)
    assert (status, out) == (2, "") and says in err


def test_tests_that_fail_without_a_fault_say_nothing(repository: Repository) -> None:
    repository.source.write_text(SOURCE.replace("n + n", "n * n"))
    status, out, err = repository.run(repository.list_of(("  return n * n;", "  return n + n;")))
    assert (status, out) == (2, "") and "fail without any fault: geometry" in err


def test_a_killed_run_leaves_the_tree_alone(repository: Repository) -> None:
    job = repository.start(repository.list_of((ADDS[0], "  sleep(n);")))
    repository.wait_for_calls(2, job)
    assert "sleep" in repository.copy.read_text()
    job.send_signal(signal.SIGKILL)
    job.communicate()
    assert repository.source.read_text() == SOURCE
    status, out, err = repository.run(repository.list_of(ADDS))
    assert (status, err) == (0, "") and repository.copy.read_text() == SOURCE


def test_one_run_at_a_time(repository: Repository) -> None:
    job = repository.start(repository.list_of((ADDS[0], "  sleep(n);")))
    repository.wait_for_calls(2, job)
    status, out, err = repository.run(repository.list_of(ADDS))
    assert (status, out) == (2, "") and "another run uses" in err
    job.terminate()
    job.communicate(timeout=30)
    assert repository.copy.read_text() == SOURCE
    assert repository.run(repository.list_of(ADDS))[0] == 0


def test_changes_of_the_user_are_copied(repository: Repository) -> None:
    repository.run(repository.list_of(ADDS))
    added = repository.root / "src/geometry/new.cpp"
    added.write_text("int one = 1;\n")
    repository.run(repository.list_of(ADDS))
    assert (repository.copy.parent / "new.cpp").read_text() == "int one = 1;\n"
    added.unlink()
    repository.run(repository.list_of(ADDS))
    assert not (repository.copy.parent / "new.cpp").exists()


TEXTS = {f"{folder}/one.{suffix}": text for folder, suffix, text in [
    ("src/geometry", "cpp", SOURCE + "int many() { return 1 + 2 + 3 + 4 + 5; }\n"),
    ("bindings/c", "cpp", SOURCE), ("apps/weft", "cpp", SOURCE),
    ("bindings/fortran", "f90", "a = b + 1 ! + 2\n"), ("bench", "py", "a = b < 3  # < 4\n"),
    ("bindings/python", "py", "a = True and b\n")]}


def test_draws_are_those_of_the_seed() -> None:
    everything = draw.draw(TEXTS, 10, 1, lambda fault: True)
    assert everything == draw.draw(dict(reversed(TEXTS.items())), 10, 1, lambda fault: True)
    assert everything[:4] == draw.draw(TEXTS, 4, 1, lambda fault: True)
    assert everything != draw.draw(TEXTS, 10, 2, lambda fault: True)
    assert {fault.file.split("/")[0] for fault in everything} == {"src", "bindings", "apps",
                                                                 "bench"}
    others = draw.draw(TEXTS, 4, 1, lambda fault: fault != everything[0])
    assert everything[0] not in others


def test_where_nothing_is_left_to_draw() -> None:
    with pytest.raises(faults.FaultError, match="bench: of 200 changes none is new and compiles"):
        draw.draw(TEXTS, 10, 1, lambda fault: not fault.file.startswith("bench"))
    with pytest.raises(faults.FaultError, match="nothing to change in bindings/c, apps"):
        draw.draw({"src/a.cpp": SOURCE}, 10, 1, lambda fault: True)


def test_drawn_faults_can_be_read_again(tmp_path: Path) -> None:
    drawn = draw.draw(TEXTS, 10, 3, lambda fault: True)
    drawn[3] = dataclasses.replace(drawn[3], equivalent="it is not used")
    path = tmp_path / "drawn.toml"
    path.write_text(faults.written(drawn, "a comment"))
    assert faults.read_faults(path) == drawn
    for fault in drawn:
        assert fault.planted_in(TEXTS[fault.file]) != TEXTS[fault.file]


@pytest.mark.parametrize("file, line, changes", [
    ("a.cpp", "x = i < 3 && done;  // < 4", {"<": "<=", "&&": "||", "3": "4"}),
    ("a.cpp", "template <class T, int n = 3>", {}),
    ("a.cpp", "Complex<V> operator+(int a = 3);", {}),
    ("a.cpp", 'std::vector<int> a{"b + 1"};  for (; i != 1\'000; ++i) *p->q;',
     {"!=": "==", "++": "--"}),
    ("a.cpp", "#if N == 3", {}),
    ("a.py", "x = 'a' if y // 2 and True else z", {"//": "*", "2": "3", "and": "or",
                                                   "True": "False"}),
    ("a.py", "from a import b1", {}),
    ("a.f90", "if (a /= b .and. .true.) c = d1 - 1 ! - 2", {"/=": "==", ".and.": ".or.",
                                                         ".true.": ".false.", "-": "+", "1": "2"}),
    ("a.f90", "integer(c_int), intent(in) :: a(3)", {}),
])
def test_what_can_be_drawn(file: str, line: str, changes: dict[str, str]) -> None:
    found = draw.changes_of(file, line)
    assert {old: new for _, _, old, new in found} == changes
    assert len(found) == len(changes)
    assert all(line[column:].startswith(old) for _, column, old, _ in found)


def test_a_fault_has_the_lines_that_make_it_unique() -> None:
    fault = draw.fault_of("a", "b = 1\nc = 2\nb = 1\nd\n", (2, 4, "1", "2"))
    assert fault.first_lines("b = 1\nc = 2\nb = 1\nd\n") == [2 - fault.changed_line()]


@pytest.mark.parametrize("name", ["planted.toml", "drawn.toml"])
def test_faults_of_this_repository_have_one_place_each(name: str) -> None:
    listed = faults.read_faults(HERE / name)
    faults.check_places(listed, ROOT)
    assert len(listed) >= 20
