"""Prints "PASSED FAILED SKIPPED" of a JUnit file, then a line for each reason for which tests were
skipped, and one for each test that failed: "skipped" or "failed", a tab, what is to be said."""

import re
import sys
import xml.etree.ElementTree as xml
from collections import defaultdict

# What GoogleTest prints in the middle of a program that else passes: place, reason, name.
SKIPPED_INSIDE = re.compile(r": Skipped\n(.*)\n+(?:.*\n)*?\[  SKIPPED \] (\S+)")
# What tells why a program failed: GoogleTest's first failure, or an error of weft.
CAUSE = re.compile(r"^(?:.*: Failure\n(?:.*\n){1,4}|.*\berror: .*\n?)", re.MULTILINE)
COLOR = re.compile(r"\x1b\[[0-9;]*m")
SHOWN = 300  # characters of a cause


def cause(case: xml.Element, failure: xml.Element) -> str:
    found = CAUSE.search(COLOR.sub("", case.findtext("system-out") or ""))
    text = found.group() if found else failure.get("message") or failure.text or "no reason given"
    return " ".join(text.split())[:SHOWN]


def main() -> None:
    cases = list(xml.parse(sys.argv[1]).getroot().iter("testcase"))
    failed: list[str] = []
    skipped: dict[str, list[str]] = defaultdict(list)
    whole_skips = 0
    for case in cases:
        name = case.get("name") or ""
        failure = case.find("failure")
        if failure is None:
            failure = case.find("error")
        if failure is not None:
            failed.append(f"{name}: {cause(case, failure)}")
        mark = case.find("skipped")
        if mark is not None:
            whole_skips += 1
            skipped[mark.get("message") or ""].append(name)
        output = COLOR.sub("", case.findtext("system-out") or "")
        for reason, inside in SKIPPED_INSIDE.findall(output):
            skipped[reason.strip()].append(f"{name} {inside}")
    print(len(cases) - len(failed) - whole_skips, len(failed), sum(map(len, skipped.values())))
    for reason, names in skipped.items():
        why = " ".join(reason.split())
        more = f" and {len(names) - 1} more" if len(names) > 1 else ""
        print(f"skipped\t{names[0]}{more}: {why}")
    for line in failed:
        print(f"failed\t{line}")


if __name__ == "__main__":
    main()
