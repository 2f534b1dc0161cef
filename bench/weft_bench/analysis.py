"""Who is fastest where, by how much, and who failed: rankings from the cells of one machine."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from . import formatting
from .cells import STATUSES, Case, Cell, Machine, gravity, library_order
from .statistics import Estimate, Sample, geometric_mean_ratio, ratio

#: Stands for the grid of a case that was measured with several grids.
SWEPT = "best"
#: Errors and times within reasons, but not the numbers of signals and the like.
MEASURED_NUMBER = re.compile(r"\d+\.\d+(e[+-]?\d+)?|\d+e[+-]?\d+")


@dataclass
class Entry:
    """One library in a contest: its best variant, or why it has none."""

    library: str
    cells: list[Cell]

    @cached_property
    def best(self) -> Cell | None:
        """The fastest variant all of whose blocks were right."""
        return min((c for c in self.cells if c.ok), key=pair_median, default=None)

    @cached_property
    def worst(self) -> Cell:
        return min(self.cells, key=lambda cell: gravity(cell.status))

    @property
    def status(self) -> str:
        return "ok" if self.best else self.worst.status


NO_ENTRY = Entry("", [])


@dataclass
class Standing:
    """The place of a library in a contest."""

    place: int
    cell: Cell
    to_fastest: Estimate

    @property
    def library(self) -> str:
        return self.cell.library

    @property
    def tied(self) -> bool:
        """Whether the blocks cannot tell it from the fastest."""
        return self.to_fastest.low <= 1


@dataclass
class Contest:
    """All libraries in one case. Several grids of a case are one contest: each may use its best."""

    case: Case
    entries: dict[str, Entry]

    @cached_property
    def standings(self) -> list[Standing]:
        right = [entry.best for entry in self.entries.values() if entry.best]
        right.sort(key=pair_median)
        return [
            Standing(place, cell, ratio(pair(cell), pair(right[0])))
            for place, cell in enumerate(right, 1)
        ]

    @property
    def losers(self) -> list[Entry]:
        """Libraries without a right result, the gravest first."""
        found = [entry for entry in self.entries.values() if not entry.best]
        return sorted(found, key=lambda entry: (gravity(entry.status), entry.library))

    @cached_property
    def oversubscribed(self) -> bool:
        cells = (cell for entry in self.entries.values() for cell in entry.cells)
        return any(record.get("oversubscribed") for cell in cells for record in cell.records)


@dataclass
class OverallStanding:
    library: str
    mean_ratio: Estimate  # geometric mean of the ratio to the fastest over the shared contests
    wins: int  # in all contests, not only in the shared ones
    ties: int
    contests: int


@dataclass
class Overall:
    """The ranking over the contests that the ranked libraries share."""

    standings: list[OverallStanding]
    shared: list[Contest]
    left_out: dict[str, int]  # library to the number of contests in which it is right


@dataclass
class Failure:
    """Cells of one library that ended alike."""

    library: str
    status: str
    reason: str
    cells: list[Cell]
    blocks: int


def pair(cell: Cell) -> Sample:
    sample = cell.sample("pair")
    assert sample is not None, "only cells with times are ranked"
    return sample


def pair_median(cell: Cell) -> float:
    return pair(cell).median


def contests_of(machine: Machine) -> list[Contest]:
    grids: dict[Case, set[str]] = {}
    for cell in machine.cells:
        grids.setdefault(cell.case.but(grid=SWEPT), set()).add(cell.case.grid)
    groups: dict[Case, dict[str, list[Cell]]] = {}
    for cell in machine.cells:
        case = cell.case.but(grid=SWEPT)
        if len(grids[case]) == 1:
            case = cell.case
        groups.setdefault(case, {}).setdefault(cell.library, []).append(cell)
    return [
        Contest(case, {name: Entry(name, cells) for name, cells in entries.items()})
        for case, entries in sorted(groups.items())
    ]


def shared_contests(
    contests: Sequence[Contest], libraries: Sequence[str]
) -> tuple[list[str], list[Contest]]:
    """Libraries that can be compared as a whole, and the contests in which all of them are right.

    Those with the fewest results are left out until the others share at least half the contests.
    """
    contests = [contest for contest in contests if contest.standings]
    right = {
        library: {i for i, c in enumerate(contests) if c.entries.get(library, NO_ENTRY).best}
        for library in libraries
    }
    kept = [library for library in libraries if right[library]]
    while kept:
        shared = set.intersection(*(right[library] for library in kept))
        if 2 * len(shared) >= len(contests):
            return kept, [contests[i] for i in sorted(shared)]
        kept.remove(min(reversed(kept), key=lambda library: len(right[library])))
    return [], []


def overall(machine: Machine, contests: Sequence[Contest]) -> Overall:
    kept, shared = shared_contests(contests, machine.libraries)
    standings = []
    for library in kept:
        pairs = [
            (pair(contest.entries[library].best), pair(contest.standings[0].cell))
            for contest in shared
        ]
        own = [s for contest in contests for s in contest.standings if s.library == library]
        standings.append(
            OverallStanding(
                library=library,
                mean_ratio=geometric_mean_ratio(pairs),
                wins=sum(s.place == 1 for s in own),
                ties=sum(s.place > 1 and s.tied for s in own),
                contests=len(own),
            )
        )
    standings.sort(key=lambda standing: standing.mean_ratio.value)
    left_out = {
        library: sum(any(s.library == library for s in c.standings) for c in contests)
        for library in machine.libraries
        if library not in kept
    }
    return Overall(standings, shared, left_out)


def reference_library(machine: Machine, contests: Sequence[Contest]) -> str | None:
    """weft where it has results, otherwise the library with the most results."""
    results = {
        library: sum(any(s.library == library for s in c.standings) for c in contests)
        for library in machine.libraries
    }
    with_results = [library for library in machine.libraries if results[library]]
    if not with_results:
        return None
    if with_results[0] == "weft":
        return "weft"
    return max(with_results, key=lambda library: results[library])


def ratios_to(contest: Contest, reference: str) -> dict[str, Estimate]:
    """Time of each library over that of the reference; empty where the reference has no result."""
    base = contest.entries.get(reference, NO_ENTRY).best
    if not base:
        return {}
    return {s.library: ratio(pair(s.cell), pair(base)) for s in contest.standings}


def failures_of(machine: Machine) -> list[Failure]:
    """Blocks that did not end well by library, status and reason, the gravest first.

    Reasons that differ only in measured numbers are one, told by the words of the first.
    """
    found: dict[tuple[str, str, str], Failure] = {}
    for cell in machine.cells:
        for record in cell.records:
            if record["status"] == "ok":
                continue
            reason = record.get("reason") or ""
            key = (cell.library, record["status"], MEASURED_NUMBER.sub("#", reason))
            first = Failure(cell.library, record["status"], reason, cells=[], blocks=0)
            failure = found.setdefault(key, first)
            failure.blocks += 1
            if cell not in failure.cells[-1:]:
                failure.cells.append(cell)
    return sorted(found.values(), key=lambda f: (gravity(f.status), library_order(f.library)))


def status_table(machine: Machine) -> tuple[list[str], dict[str, list[int]]]:
    """The statuses that occur, and the number of cells of each library with each of them."""
    present = {cell.status for cell in machine.cells}
    statuses = ["ok", *(s for s in STATUSES if s != "ok")]
    statuses = [s for s in statuses if s in present] + sorted(present - set(STATUSES))
    counts = {library: [0] * len(statuses) for library in machine.libraries}
    for cell in machine.cells:
        counts[cell.library][statuses.index(cell.status)] += 1
    return statuses, counts


def most_wins(contests: Sequence[Contest]) -> list[tuple[str, int]]:
    """Libraries with the number of contests in which each is the fastest, the most first."""
    wins: dict[str, int] = {}
    for contest in contests:
        for standing in contest.standings[:1]:
            wins[standing.library] = wins.get(standing.library, 0) + 1
    return sorted(wins.items(), key=lambda item: (-item[1], library_order(item[0])))


def contests_wrong(contests: Sequence[Contest]) -> dict[str, int]:
    """Libraries with a wrong result, and in how many contests that happened."""
    wrong: dict[str, int] = {}
    for contest in contests:
        for entry in contest.entries.values():
            if any(cell.status == "wrong" for cell in entry.cells):
                wrong[entry.library] = wrong.get(entry.library, 0) + 1
    return dict(sorted(wrong.items(), key=lambda item: (-item[1], item[0])))


def verdict(machine: Machine, contests: Sequence[Contest]) -> list[str]:
    """What to remember of a machine, most important first, in sentences."""
    decided = [contest for contest in contests if contest.standings]
    if not contests:
        return ["No transform was measured."]
    total = formatting.count(len(contests), "case")
    if not decided:
        sentences = [f"No library has a correct result in any of {total}."]
    elif len({s.library for contest in decided for s in contest.standings}) == 1:
        only = decided[0].standings[0].library
        sentences = [f"{only} is the only library with correct results: {len(decided)} of {total}."]
    else:
        sentences = [winners_sentence(decided, total)]
        if len(decided) < len(contests):
            undecided = formatting.count(len(contests) - len(decided), "case")
            sentences[0] += f" In {undecided} no library has a correct result."
    sentences += overall_sentences(overall(machine, contests))
    wrong = [f"{library} in {number}" for library, number in contests_wrong(contests).items()]
    if wrong:
        sentences.append(
            f"Incorrect, and therefore not ranked: {formatting.listing(wrong)} of {total}."
        )
    return sentences


def winners_sentence(decided: Sequence[Contest], total: str) -> str:
    wins = [f"{library} in {number}" for library, number in most_wins(decided)]
    ties = sum(any(s.tied for s in contest.standings[1:]) for contest in decided)
    text = f"Fastest: {formatting.listing(wins)} of {total}."
    if ties:
        text += f" In {ties} of {total} the next library is within measurement noise."
    return text


def overall_sentences(result: Overall) -> list[str]:
    if len(result.standings) < 2:
        return []
    first, second = result.standings[:2]
    if not second.mean_ratio.decides:
        return [
            f"The overall winner is {formatting.NOT_RESOLVED}: over the "
            f"{formatting.count(len(result.shared), 'shared case')} the times of {first.library} "
            f"and {second.library} vary too much."
        ]
    return [
        f"Overall {first.library} is the fastest: over the "
        f"{formatting.count(len(result.shared), 'shared case')} it takes "
        f"{formatting.ratio(first.mean_ratio.value)} times as long as the fastest library of each "
        f"case (geometric mean); {second.library} is second with "
        f"{formatting.ratio(second.mean_ratio.value)}."
    ]
