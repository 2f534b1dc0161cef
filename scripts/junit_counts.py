"""Prints "PASSED FAILED SKIPPED" of a JUnit file, then one line for each skipped test: why."""

import re
import sys
import xml.etree.ElementTree as xml

# What GoogleTest prints in the middle of a program that else passes: place, reason, name.
SKIPPED_INSIDE = re.compile(r": Skipped\n(.*)\n+(?:.*\n)*?\[  SKIPPED \] (\S+)")


def main() -> None:
    cases = list(xml.parse(sys.argv[1]).getroot().iter("testcase"))
    failed = sum(1 for case in cases
                 if case.find("failure") is not None or case.find("error") is not None)
    reasons: list[str] = []
    skipped = 0
    for case in cases:
        mark = case.find("skipped")
        if mark is not None:
            skipped += 1
            reasons.append(f"{case.get('name')}: {mark.get('message')}")
        output = re.sub(r"\x1b\[[0-9;]*m", "", case.findtext("system-out") or "")
        for reason, name in SKIPPED_INSIDE.findall(output):
            skipped += 1
            reasons.append(f"{case.get('name')} {name}: {reason.strip()}")
    whole_skips = sum(1 for case in cases if case.find("skipped") is not None)
    print(len(cases) - failed - whole_skips, failed, skipped)
    print("\n".join(reasons))


if __name__ == "__main__":
    main()
