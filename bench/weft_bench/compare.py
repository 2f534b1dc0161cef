"""What became slower or faster between two sets of records, as told by their intervals."""

from collections.abc import Sequence
from dataclasses import dataclass

from . import formatting
from .cells import Case, Cell, Machine, Record, Variant, machine_id, split_by_machine
from .report_text import plain_table
from .statistics import WIDE, Estimate, change
from .table import NOISY_LEGEND, Table, Value, is_noisy, ratio_value

THRESHOLD = 0.05
UNRESOLVED = (
    f"{formatting.NOT_RESOLVED}: the interval contains 1, and its ends are more than a factor "
    f"{WIDE:g} apart"
)
DIRECTIONS = ("forward", "backward")

Key = tuple[Case, Variant]


@dataclass
class Change:
    """A cell of both sides whose time or status changed."""

    key: Key
    what: str  # the direction, or "status"
    verdict: str  # "slower", "faster", or "ok to wrong"
    old: str
    new: str
    ratio: Estimate | None
    regression: bool
    noisy: bool = False


def compare(
    old: Sequence[Record], new: Sequence[Record], threshold: float = THRESHOLD
) -> tuple[str, int]:
    """A text for the terminal, and 1 if something became slower or stopped being right, else 0.

    A time counts as changed where the interval of the ratio new / old excludes 1 and the ratio
    differs from 1 by more than the threshold.
    """
    sides = split_by_machine(old, "old"), split_by_machine(new, "new")
    pairs = matched_machines(*sides)
    texts = [machine_lines(*sides)]
    status = 0
    for before, after in pairs:
        text, regressions = compare_machines(before, after, threshold)
        if len(pairs) > 1:
            text = f"{after.name}:\n{text}"
        texts.append(text)
        status = 1 if regressions else status
    return "\n\n".join(texts) + "\n", status


def matched_machines(
    old: Sequence[Machine], new: Sequence[Machine]
) -> list[tuple[Machine, Machine]]:
    """Each machine with itself; where there is but one on either side, these two."""
    if len(old) == len(new) == 1:
        return [(old[0], new[0])]
    known = {identity(machine): machine for machine in old}
    return [(known[identity(m)], m) for m in new if identity(m) in known]


def identity(machine: Machine) -> str | None:
    return machine_id({"machine": machine.description})


def machine_lines(old: Sequence[Machine], new: Sequence[Machine]) -> str:
    lines = [f"old: {side_label(old)}", f"new: {side_label(new)}"]
    if not old or not new:
        lines.append("warning: one side has no records")
    elif {identity(machine) for machine in old} != {identity(machine) for machine in new}:
        lines.append("warning: the machines differ; a change may come from the machine")
    return "\n".join(lines)


def side_label(machines: Sequence[Machine]) -> str:
    labels = []
    for machine in machines:
        details = [machine.name, str(machine.description.get("kernel") or "")]
        commits = machine.distinct("commit")
        details.append(f"commit {formatting.listing(commits)}" if commits else "")
        labels.append(", ".join(detail for detail in details if detail))
    return "; ".join(labels) or "nothing"


def compare_machines(old: Machine, new: Machine, threshold: float) -> tuple[str, int]:
    before, after = by_key(old), by_key(new)
    shared = [key for key in before if key in after]
    changes = [
        change for key in shared for change in changes_of(before[key], after[key], threshold)
    ]
    changes.sort(key=lambda change: (not change.regression, change.verdict))
    lines = [plain_table(changes_table(changes))] if changes else []
    if any(change.noisy for change in changes):
        lines.append(NOISY_LEGEND)
    regressions = sum(change.regression for change in changes)
    lines.append(
        f"{formatting.count(len(shared), 'measurement')} in both, "
        f"{formatting.count(regressions, 'regression')}, "
        f"{formatting.count(len(changes) - regressions, 'other change')}; a change of time is more "
        f"than {100 * threshold:g}% with an interval that excludes 1."
    )
    unresolved = [key for key in shared if not resolved(before[key], after[key])]
    if unresolved:
        lines.append(f"{formatting.count(len(unresolved), 'measurement')} {UNRESOLVED}:")
        lines += [f"  {variant.title()}: {case.title()}" for case, variant in unresolved]
    for side, missing in (
        ("old", [key for key in before if key not in after]),
        ("new", [key for key in after if key not in before]),
    ):
        if missing:
            lines.append(f"Only in {side}: {formatting.count(len(missing), 'measurement')}")
            lines += [f"  {variant.title()}: {case.title()}" for case, variant in missing]
    return "\n".join(lines), regressions


def by_key(machine: Machine) -> dict[Key, Cell]:
    return {(cell.case, cell.variant): cell for cell in machine.cells}


def resolved(old: Cell, new: Cell) -> bool:
    """Whether the times of two cells that are right can be compared, in both directions."""
    if not (old.ok and new.ok):
        return True
    samples = [(old.sample(direction), new.sample(direction)) for direction in DIRECTIONS]
    return all(change(*both).decides for both in samples if None not in both)


def changes_of(old: Cell, new: Cell, threshold: float) -> list[Change]:
    key = (new.case, new.variant)
    if old.status != new.status:
        verdict = f"{old.status} to {new.status}".replace("_", " ")
        return [Change(key, "status", verdict, "", "", None, regression=old.status == "ok")]
    if not (old.ok and new.ok):
        return []
    found = []
    for direction in DIRECTIONS:
        before, after = old.sample(direction), new.sample(direction)
        if before is None or after is None:
            continue
        ratio = change(before, after)
        if ratio.contains_one or abs(ratio.value - 1) <= threshold:
            continue
        slower = ratio.value > 1
        verdict = "slower" if slower else "faster"
        times = [f"{formatting.milliseconds(side.median)} ms" for side in (before, after)]
        noisy = is_noisy(old) or is_noisy(new)
        found.append(Change(key, direction, verdict, *times, ratio, slower, noisy))
    return found


def changes_table(changes: Sequence[Change]) -> Table:
    rows = []
    for found in changes:
        case, variant = found.key
        value = ratio_value(found.ratio)
        rows.append(
            [
                Value(found.verdict),
                Value(found.what),
                Value(formatting.marked(variant.title(), found.noisy)),
                Value(case.title()),
                Value(found.old),
                Value(found.new),
                value,
                Value(value.note),
            ]
        )
    columns = ["change", "of", "library", "case", "old", "new", "new/old", "95% interval"]
    return Table("changes", columns, rows, left=4)
