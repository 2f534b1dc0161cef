"""The sections of a report: for each machine, what was found there and how it is shown."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from . import (
    analysis,
    chart,
    communication,
    energy,
    energy_chart,
    formatting,
    plots,
    report_tables,
    scaling,
)
from .analysis import Contest
from .cells import LIMITS_LIBRARY, Case, Machine, Record, library_order, split_by_machine
from .scaling import Scaling
from .table import Table, Value

#: A section has this many charts at most: tables have all cases.
MOST_CHARTS = 12
FEW_BLOCKS = 3


@dataclass
class Section:
    """A heading with text, charts and tables; left out where it has no charts and no tables."""

    name: str
    title: str
    text: list[str] = field(default_factory=list)
    charts: list[str] = field(default_factory=list)
    chart_note: str = ""
    tables: list[Table] = field(default_factory=list)
    in_markdown: bool = True

    @property
    def wide(self) -> bool:
        """Whether it is printed in landscape as a whole, rather than its wide tables only."""
        return not self.charts and any(table.wide for table in self.tables)

    @property
    def has_data(self) -> bool:
        return bool(self.charts) or any(table.rows for table in self.tables)


@dataclass
class Part:
    """What was found on one machine."""

    number: int
    machine: Machine
    contests: list[Contest]
    verdict: list[str]
    cautions: list[str]
    sections: list[Section]


def make_parts(records: Sequence[Record]) -> list[Part]:
    machines = split_by_machine(records)
    libraries = sorted(
        {library for machine in machines for library in machine.libraries},
        key=library_order,
    )
    palette = chart.Palette(libraries)
    return [make_part(number, machine, palette) for number, machine in enumerate(machines, 1)]


def make_part(number: int, machine: Machine, palette: chart.Palette) -> Part:
    contests = analysis.contests_of(machine)
    sections = [
        about(machine),
        overall_section(machine, contests, palette),
        ranking_section(contests, palette),
        ratio_section(machine, contests),
        *scaling_sections(machine, palette),
        grid_section(machine, palette),
        breakdown_section(contests, palette),
        accuracy_section(contests, palette),
        resources_section(machine, contests, palette),
        mpi_section(machine, palette),
        failure_section(machine),
        reproduction_section(machine),
    ]
    return Part(
        number,
        machine,
        contests,
        analysis.verdict(machine, contests),
        cautions(machine, contests),
        [section for section in sections if section.has_data],
    )


def about(machine: Machine) -> Section:
    facts = [(name, value) for name, value in machine_facts(machine) if value]
    rows = [[Value(name), Value(value)] for name, value in facts]
    table = Table("machine", ["Machine", ""], rows, left=2, sortable=False)
    libraries = report_tables.libraries_table(machine)
    return Section("about", "What was measured on what", tables=[table, libraries])


def machine_facts(machine: Machine) -> list[tuple[str, str]]:
    known = machine.description
    memory = known.get("memory_bytes")
    started = sorted(f"{t[:10]} {t[11:16]} UTC" for t in machine.distinct("started"))
    mpis = dict.fromkeys((r.get("machine") or {}).get("mpi") or "" for r in machine.records)
    seconds = sum(record.get("wall_seconds") or 0 for record in machine.records)
    cores = f"{known['cores']} cores" if known.get("cores") else ""
    sockets = formatting.count(known["sockets"], "socket") if known.get("sockets") else ""
    return [
        ("Host", known.get("hostname") or ""),
        ("Processor", ", ".join(part for part in (known.get("cpu"), cores, sockets) if part)),
        ("Memory", formatting.binary_bytes(memory) if memory else ""),
        ("Accelerators", ", ".join(map(str, known.get("accelerators") or []))),
        ("System", known.get("kernel") or ""),
        ("MPI", "; ".join(mpi for mpi in mpis if mpi)),
        ("Launchers", ", ".join(machine.distinct("launcher"))),
        ("Studies", ", ".join(machine.distinct("study"))),
        ("Commit of weft", ", ".join(machine.distinct("commit"))),
        ("Measured", " to ".join(dict.fromkeys((started[0], started[-1]))) if started else ""),
        ("Blocks", f"{len(machine.records)}, {seconds / 60:.0f} minutes in all"),
        ("Name in the records", str(known.get("id") or "")),
    ]


def cautions(machine: Machine, contests: Sequence[Contest]) -> list[str]:
    """What a reader has to know before trusting the numbers."""
    found = []
    oversubscribed = sum(contest.oversubscribed for contest in contests)
    if oversubscribed:
        found.append(
            f"In {oversubscribed} of {formatting.count(len(contests), 'case')} there are more "
            "ranks × threads than cores: these times tell little about larger machines."
        )
    samples = [s.cell.sample("pair") for contest in contests for s in contest.standings]
    fewest = min((sample.blocks for sample in samples), default=FEW_BLOCKS)
    if fewest < FEW_BLOCKS:
        found.append(
            f"Some cases have only {formatting.count(fewest, 'block')}: their intervals are too "
            "narrow, as they cannot show how blocks differ."
        )
    for record in machine.records:
        if record["library"] == LIMITS_LIBRARY and not record.get("limits"):
            found.append(f"Limits of the machine were not measured: {record.get('reason')}.")
    for library in machine.libraries:
        own = [r for cell in machine.cells if cell.library == library for r in cell.records]
        versions = sorted({str(record["version"]) for record in own if record.get("version")})
        if len(versions) > 1:
            found.append(
                f"{library} was measured in versions {formatting.listing(versions)}, which are "
                "pooled here."
            )
    for library, number in communication.untold(contests).items():
        found.append(
            f"Where the time of {library} goes is not told in "
            f"{formatting.count(number, 'case')}: the steps in these records, which are of an "
            "earlier version, do not say whether they move data between ranks."
        )
    commits = machine.distinct("commit")
    if len(commits) > 1:
        found.append(f"The records come from {len(commits)} commits of weft, pooled here.")
    return found


def overall_section(
    machine: Machine, contests: Sequence[Contest], palette: chart.Palette
) -> Section:
    result = analysis.overall(machine, contests)
    section = Section("overall", "Overall ranking")
    if len(result.standings) < 2:
        return section
    section.text.append(
        "The geometric mean of the ratio of a library's time, forward and backward, to that of the "
        f"fastest, over the {formatting.count(len(result.shared), 'case')} in which all of "
        "these libraries are right."
    )
    if result.left_out:
        names = [f"{library} ({number})" for library, number in result.left_out.items()]
        section.text.append(
            "Left out for too few right results, with the number of cases that they have: "
            f"{formatting.listing(names)}."
        )
    section.charts.append(plots.overall_chart(palette, result))
    section.tables.append(report_tables.overall_table(result))
    return section


def chosen(contests: Sequence[Contest]) -> list[Contest]:
    """For charts: each workload with the most ranks that have cores of their own."""
    best: dict[Case, Contest] = {}
    for contest in contests:
        key = contest.case.but(ranks=0, threads=0, ranks_per_node=0, grid="")
        if key not in best or preference(contest) > preference(best[key]):
            best[key] = contest
    found = sorted(best.values(), key=lambda contest: contest.case.points)[-MOST_CHARTS:]
    return sorted(found, key=lambda contest: contest.case)


def preference(contest: Contest) -> tuple[bool, int]:
    return not contest.oversubscribed, contest.case.ranks * contest.case.threads


def selection_note(shown: Sequence[object], available: Sequence[object], which: str) -> str:
    if len(shown) == len(available):
        return ""
    return f"There are charts of {len(shown)} of {len(available)} cases: {which}."


MOST_RANKS = "transforms with the most ranks that have cores of their own"


def ranking_section(contests: Sequence[Contest], palette: chart.Palette) -> Section:
    drawn = [contest for contest in contests if len(contest.standings) > 1]
    shown = chosen(drawn)
    return Section(
        "ranking",
        "Ranking of each case",
        text=[
            "Libraries rank by the median time of a forward and a backward transform, each with "
            "its best settings. An = marks a place whose interval does not exclude the time of the "
            "fastest. GFLOP/s count 5 N log2 N operations, half for real input.",
        ],
        chart_note=selection_note(shown, drawn, MOST_RANKS),
        charts=[plots.contest_chart(palette, contest) for contest in shown],
        tables=[report_tables.ranking_table(contests)] if contests else [],
    )


def ratio_section(machine: Machine, contests: Sequence[Contest]) -> Section:
    section = Section("ratios", "Ratios of time")
    reference = analysis.reference_library(machine, contests)
    if reference:
        right = {s.library for contest in contests for s in contest.standings}
        others = [library for library in machine.libraries if library in right - {reference}]
        section.tables.append(report_tables.ratio_table(contests, others, reference))
    return section


FLOOR_TEXT = (
    "The floor is what the machine allows, by its own measured limits; forward and backward each: "
    f"{scaling.MEMORY_PASSES} × (bytes of input + bytes of output) / copy bandwidth, or the "
    "operations at the rate of in-cache transforms if that takes longer, plus the measured time of "
    "one MPI_Alltoall of output bytes / ranks for each rank (with more than one rank). Arrays that "
    "fit in caches may go below it, as may programs that need fewer passes."
)


LONGEST = "those with the most numbers of ranks, the largest of these"


def longest(scalings: Sequence[Scaling]) -> list[Scaling]:
    """Those with the most points; they come sorted by size, which a stable sort keeps."""
    return sorted(scalings, key=lambda item: len(item.ideal))[-MOST_CHARTS:]


def scaling_sections(machine: Machine, palette: chart.Palette) -> list[Section]:
    strong, weak = scaling.strong_scalings(machine), scaling.weak_scalings(machine)
    floor = [FLOOR_TEXT] if any(item.floor for item in strong + weak) else []
    shown_strong, shown_weak = longest(strong), longest(weak)
    return [
        Section(
            "strong",
            "Strong scaling",
            text=[
                "One array, more and more ranks. The dotted line halves the time of the fastest "
                "library whenever the ranks double.",
                *floor,
            ],
            chart_note=selection_note(shown_strong, strong, LONGEST),
            charts=[plots.scaling_chart(palette, item, "ideal") for item in shown_strong],
            tables=[report_tables.efficiency_table(strong, machine.libraries)],
        ),
        Section(
            "weak",
            "Weak scaling",
            text=[
                "Equally many points for each rank. The dotted line grows with the operations of "
                "a rank, which is with log N.",
            ],
            chart_note=selection_note(shown_weak, weak, LONGEST),
            charts=[plots.scaling_chart(palette, item, "ideal") for item in shown_weak],
        ),
    ]


def grid_section(machine: Machine, palette: chart.Palette) -> Section:
    maps = scaling.grid_maps(machine)
    shown = maps[-MOST_CHARTS:]
    return Section(
        "grids",
        "Process grids",
        text=[
            "Time of forward and backward in ms on each process grid; darker is slower than the "
            "library's best grid, which is in bold.",
        ],
        chart_note=selection_note(shown, maps, "the largest"),
        charts=[plots.grid_chart(palette, grid_map) for grid_map in shown],
    )


EXCHANGES_TEXT = (
    "What the exchanges of weft hold depends on how they work. With node_shared, the default "
    "within a node, the pass before stores straight into the neighbors' memory, so that moving "
    "the data is part of that pass and the hatched part is the wait until all neighbors have "
    "written. p2p_pipelined and one_sided pack and unpack message by message, and alltoallw "
    "leaves it to MPI: their hatched parts hold it. With the others passes pack and unpack. "
    "With chunks or several fields in flight a hatched part is the wait that no pass has hidden."
)


def breakdown_section(contests: Sequence[Contest], palette: chart.Palette) -> Section:
    found = communication.breakdowns(contests)
    contests_shown = chosen([breakdown.contest for breakdown in found])
    shown = [breakdown for breakdown in found if breakdown.contest in contests_shown]
    return Section(
        "breakdown",
        "Where the time goes",
        text=[
            "Of libraries that tell their steps: hatched bars move data between ranks. Steps are "
            "medians of the slowest rank, so their sum may differ from the whole. A rank that is "
            "ready early waits in the exchange for the others.",
            EXCHANGES_TEXT,
        ],
        chart_note=selection_note(shown, found, MOST_RANKS),
        charts=[plots.breakdown_chart(palette, breakdown) for breakdown in shown],
        tables=[report_tables.mpi_table(contests)],
    )


def accuracy_points(contests: Sequence[Contest]) -> dict[str, list[tuple[str, float, float, bool]]]:
    """By precision: library, time over the fastest, error over the bound, whether it is right."""
    points: dict[str, list[tuple[str, float, float, bool]]] = {}
    for contest in contests:
        if not contest.standings:
            continue
        fastest = analysis.pair_median(contest.standings[0].cell)
        for entry in contest.entries.values():
            cell = entry.best or entry.worst
            error, bound = cell.largest("forward_error"), cell.middle("error_bound")
            sample = cell.sample("pair")
            if sample and error and bound:
                point = (entry.library, sample.median / fastest, error / bound, bool(entry.best))
                points.setdefault(contest.case.precision, []).append(point)
    return points


def accuracy_section(contests: Sequence[Contest], palette: chart.Palette) -> Section:
    return Section(
        "accuracy",
        "Accuracy against time",
        text=[
            "Each mark is a library in a case. Marks above the line miss the bound and are "
            "wrong; a wrong library may be faster than the fastest right one."
        ],
        charts=[
            plots.accuracy_chart(palette, points, precision)
            for precision, points in sorted(accuracy_points(contests).items())
        ],
    )


def resources_section(
    machine: Machine, contests: Sequence[Contest], palette: chart.Palette
) -> Section:
    drawn = [contest for contest in contests if energy_chart.has_energy(contest)]
    shown = chosen(drawn)
    return Section(
        "resources",
        "Planning time, memory and energy",
        text=energy.explanations(machine.records),
        chart_note=selection_note(shown, drawn, MOST_RANKS),
        charts=[energy_chart.energy_chart(palette, contest) for contest in shown],
        tables=[report_tables.resources_table(contests)],
        in_markdown=False,
    )


def mpi_section(machine: Machine, palette: chart.Palette) -> Section:
    rows = communication.exchange_rows(machine)
    limits = communication.limits_rows(machine)
    groups: dict[tuple[str, int], list[communication.ExchangeRow]] = {}
    for row in rows:
        groups.setdefault((row.case.launcher, row.case.ranks), []).append(row)
    charts = [
        plots.exchange_chart(palette, own, machine.limits.get(key), mpi_title(own[0].case))
        for key, own in sorted(groups.items())
    ]
    pairs = communication.pair_limits(limits)
    if pairs:
        charts.append(plots.pair_chart(palette, pairs))
    return Section(
        "mpi",
        "MPI",
        text=["How near the exchanges of weft come to what MPI and memory allow."] if rows else [],
        charts=charts,
        tables=[report_tables.exchange_table(rows), report_tables.limits_table(limits)],
    )


def mpi_title(case: Case) -> str:
    ranks = formatting.count(case.ranks, "rank")
    return f"Exchanges, {ranks}, {case.launcher}" if case.launcher else f"Exchanges, {ranks}"


def failure_section(machine: Machine) -> Section:
    return Section(
        "failures",
        "Failures",
        text=[
            "A library ranks in a case with settings all of whose blocks were right. These "
            "blocks were not; “unsupported” means that the library does not offer the case."
        ],
        tables=[report_tables.failures_table(machine)],
    )


def reproduction_section(machine: Machine) -> Section:
    return Section(
        "commands",
        "To measure a number again",
        text=[
            "Each command line repeats one block of a measurement; the medians here are over "
            "several. The records have the command lines of all blocks."
        ],
        tables=[report_tables.commands_table(machine)],
        in_markdown=False,
    )
