"""Planted faults: one line of one file, and what takes its place."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib


class FaultError(Exception):
    """A list of faults that cannot be used."""


@dataclass(frozen=True)
class Fault:
    file: str  # relative to the root of the repository
    find: str  # whole lines: the one to change, with neighbors where it is not unique
    replace: str  # as many lines, of which one differs
    breaks: str = ""
    equivalent: str = ""  # why no test can see it, for one that provably changes nothing

    def changed_line(self) -> int:
        """Which of the lines of `find` differs."""
        pairs = zip(self.find.split("\n"), self.replace.split("\n"))
        return next(i for i, (old, new) in enumerate(pairs) if old != new)

    def first_lines(self, text: str) -> list[int]:
        """The lines of the text, counted from 0, at which `find` begins."""
        lines, wanted = text.split("\n"), self.find.split("\n")
        return [i for i in range(len(lines)) if lines[i : i + len(wanted)] == wanted]

    def planted_in(self, text: str) -> str:
        lines, new = text.split("\n"), self.replace.split("\n")
        (first,) = self.first_lines(text)
        lines[first : first + len(new)] = new
        return "\n".join(lines)

    def place_in(self, tree: Path) -> str:
        """FILE:LINE, where it is unique."""
        (first,) = self.first_lines((tree / self.file).read_text())
        return f"{self.file}:{first + self.changed_line() + 1}"


def without_final_newline(text: str) -> str:
    return text.removesuffix("\n")


def parse_fault(entry: dict, where: str) -> Fault:
    known = {"file", "find", "replace", "breaks", "equivalent"}
    for key, value in entry.items():
        if key not in known:
            raise FaultError(f"{where}: unknown key '{key}'; known: {', '.join(sorted(known))}")
        if not isinstance(value, str):
            raise FaultError(f"{where}: {key} is {value!r}, not a text")
    for key in ("file", "find", "replace"):
        if key not in entry:
            raise FaultError(f"{where}: {key} is missing")
    fault = Fault(**{**entry, "find": without_final_newline(entry["find"]),
                     "replace": without_final_newline(entry["replace"])})
    old, new = fault.find.split("\n"), fault.replace.split("\n")
    differing = sum(a != b for a, b in zip(old, new))
    if len(old) != len(new) or differing != 1:
        raise FaultError(f"{where}: {differing} of {len(old)} lines differ from {len(new)} "
                         "in their place; it must be one line for one line")
    return fault


def read_faults(path: Path) -> list[Fault]:
    try:
        content = tomllib.loads(path.read_text())
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise FaultError(f"{path}: {error}") from error
    entries = content.pop("fault", [])
    if content or not isinstance(entries, list) or not entries:
        raise FaultError(f"{path}: needs [[fault]] entries, and nothing else")
    return [parse_fault(entry, f"{path}, fault {number}")
            for number, entry in enumerate(entries, 1)]


def check_places(faults: Sequence[Fault], tree: Path) -> None:
    """Each must match exactly one place of the tree."""
    problems = []
    for fault in faults:
        if not (tree / fault.file).is_file():
            problems.append(f"{fault.file}: there is no such file")
            continue
        count = len(fault.first_lines((tree / fault.file).read_text()))
        if count != 1:
            line = fault.find.split("\n")[fault.changed_line()].strip()
            problems.append(f"{fault.file}: {count} places match, not one: {line}")
    if problems:
        raise FaultError("\n".join(problems))


def written(faults: Sequence[Fault], comment: str) -> str:
    """As a file for read_faults()."""
    def entry(fault: Fault) -> str:
        text = (f"[[fault]]\nfile = '{fault.file}'\nfind = '''\n{fault.find}'''\n"
                f"replace = '''\n{fault.replace}'''\n")
        return text + (f"equivalent = '{fault.equivalent}'\n" if fault.equivalent else "")

    return "\n".join([f"# {comment}\n", *map(entry, faults)])
