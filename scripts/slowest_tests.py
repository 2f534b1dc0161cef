"""Prints where the time of a run of scripts/test went: the slowest tests and the slowest objects.
Arguments: the folder of JUnit files, that of the build, and when the run began (seconds of
the epoch)."""

import sys
import xml.etree.ElementTree as xml
from collections.abc import Iterable
from pathlib import Path

SHOWN = 10


def tests(logs: Path) -> Iterable[tuple[float, str]]:
    for path in logs.glob("*.xml"):
        for case in xml.parse(path).getroot().iter("testcase"):
            yield float(case.get("time") or 0), f"{path.stem}: {case.get('name')}"


def objects(build: Path, began: float) -> Iterable[tuple[float, str]]:
    """Of what Ninja has built since."""
    for log in (build / ".ninja_log", *build.glob("*/.ninja_log")):
        if not log.exists() or log.stat().st_mtime < began:
            continue
        for line in log.read_text("utf-8").splitlines()[1:]:
            begin, end, written, name, _ = line.split("\t")
            if int(written) / 1e9 > began:
                yield (int(end) - int(begin)) / 1e3, f"{log.parent.name}: {name}"


def show(title: str, timed: Iterable[tuple[float, str]]) -> None:
    found = sorted(set(timed), reverse=True)
    if not found:
        return
    total = sum(seconds for seconds, _ in found)
    print(f"\n== Slowest {title} of {len(found)}, {total:.0f} s one after another")
    for seconds, name in found[:SHOWN]:
        print(f"{seconds:7.1f} s  {name}")


def main() -> None:
    logs, build, began = Path(sys.argv[1]), Path(sys.argv[2]), float(sys.argv[3])
    show("tests", tests(logs))
    show("objects", objects(build, began))


if __name__ == "__main__":
    main()
