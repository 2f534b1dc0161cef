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
        about(machine),
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
    table = Table("machine", ["Machine", "Description"], rows, left=2, sortable=False)
    libraries = report_tables.libraries_table(machine)
    return Section("about", "Machine and libraries", tables=[table, libraries])


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
            "ranks × threads than cores: these times say little about larger machines."
        )
    samples = [s.cell.sample("pair") for contest in contests for s in contest.standings]
    fewest = min((sample.blocks for sample in samples), default=FEW_BLOCKS)
    if fewest < FEW_BLOCKS:
        found.append(
            f"Some cases have only {formatting.count(fewest, 'block')}: their intervals are too "
            "narrow, because they miss the variation between blocks."
        )
    for record in machine.records:
        if record["library"] == LIMITS_LIBRARY and not record.get("limits"):
            found.append(f"The limits of the machine were not measured: {record.get('reason')}.")
    for library in machine.libraries:
        own = [r for cell in machine.cells if cell.library == library for r in cell.records]
        versions = sorted({str(record["version"]) for record in own if record.get("version")})
        if len(versions) > 1:
            found.append(
                f"Versions {formatting.listing(versions)} of {library} were measured and are "
                "pooled here."
            )
    for library, number in communication.untold(contests).items():
        found.append(
            f"The breakdown of the time of {library} is missing in "
            f"{formatting.count(number, 'case')}: these records of an earlier version do not say "
            "which steps move data between ranks."
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
        "Time of a forward and a backward transform relative to the fastest library: geometric "
        f"mean over the {formatting.count(len(result.shared), 'case')} in which all of these "
        "libraries are correct."
    )
    names = [
        f"{library} ({formatting.count(number, 'case')})"
        for library, number in result.left_out.items()
        if number  # the others are among the failures
    ]
    if names:
        section.text.append(
            f"Not ranked, for too few correct results: {formatting.listing(names)}."
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
            "Libraries are ranked by the median time of a forward and a backward transform, each "
            "with its best settings. A place with = is tied with the fastest: the interval of the "
            "ratio includes 1. GFLOP/s assume 5 N log2 N operations, half for real input.",
        ],
        chart_note=selection_note(shown, drawn, MOST_RANKS),
        charts=[plots.contest_chart(palette, contest) for contest in shown],
        tables=[report_tables.ranking_table(contests)] if contests else [],
    )


def ratio_section(machine: Machine, contests: Sequence[Contest]) -> Section:
    section = Section("ratios", "Time ratios")
    reference = analysis.reference_library(machine, contests)
    if reference:
        right = {s.library for contest in contests for s in contest.standings}
        others = [library for library in machine.libraries if library in right - {reference}]
        section.tables.append(report_tables.ratio_table(contests, others, reference))
    return section


FLOOR_TEXT = (
    "The floor is the least time that the measured limits of the machine allow; for each "
    f"direction: {scaling.MEMORY_PASSES} × (input bytes + output bytes) / copy bandwidth, or the "
    "operations at the rate of in-cache transforms if that takes longer, plus the measured time of "
    "one MPI_Alltoall of output bytes / ranks per rank (with more than one rank). Arrays that "
    "fit in caches may beat it, and so may libraries that make fewer passes."
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
                "One array on more and more ranks. The dotted line is ideal: it halves the time of "
                "the fastest library whenever the number of ranks doubles.",
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
                "The same number of points per rank. The dotted line is ideal: it grows like the "
                "operations per rank, with log N.",
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
            "Time of a forward and a backward transform on each process grid, in ms. The darker "
            "the slower; the library's best grid is in bold.",
        ],
        chart_note=selection_note(shown, maps, "the largest"),
        charts=[plots.grid_chart(palette, grid_map) for grid_map in shown],
    )


EXCHANGES_TEXT = (
    "What the hatched part of weft includes depends on the exchange. With node_shared, the default "
    "within a node, the preceding pass stores straight into the neighbors' memory: moving data "
    "belongs to that pass, and the hatched part is the wait until all neighbors have written. "
    "p2p_pipelined and one_sided pack and unpack message by message, and alltoallw leaves that to "
    "MPI: their hatched parts include it. With the other exchanges the passes pack and unpack. "
    "With chunks or several fields in flight the hatched part is the wait that no pass hides."
)


def breakdown_section(contests: Sequence[Contest], palette: chart.Palette) -> Section:
    found = communication.breakdowns(contests)
    contests_shown = chosen([breakdown.contest for breakdown in found])
    shown = [breakdown for breakdown in found if breakdown.contest in contests_shown]
    return Section(
        "breakdown",
        "Where the time goes",
        text=[
            "For libraries that report their steps. Hatched steps move data between ranks. The "
            "times are medians of the slowest rank, so they need not add up to the whole. A rank "
            "that is ready early waits for the others in the exchange.",
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
            "Each mark is a library in a case. Marks above the line exceed the error bound: these "
            "results are incorrect, and may be faster than the fastest correct one."
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
        text=["weft's exchanges compared with the limits of MPI and of memory."] if rows else [],
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
            "Settings rank in a case if all their blocks were correct. These blocks were not; "
            "“unsupported” means that the library does not offer the case."
        ],
        tables=[report_tables.failures_table(machine)],
    )


def reproduction_section(machine: Machine) -> Section:
    return Section(
        "commands",
        "Commands",
        text=[
            "Each command line repeats one block of a measurement; the medians in this report are "
            "over several. The records hold the command lines of all blocks."
        ],
        tables=[report_tables.commands_table(machine)],
        in_markdown=False,
    )
