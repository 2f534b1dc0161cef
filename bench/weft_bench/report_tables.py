"""The tables of a report, made once for the page and for Markdown, so that both say the same."""

from collections.abc import Sequence

from . import energy, formatting
from .analysis import (
    Contest,
    Entry,
    Failure,
    Overall,
    Standing,
    failures_of,
    pair_median,
    ratios_to,
    status_table,
)
from .cells import Cell, Limits, Machine, curve_seconds
from .communication import ExchangeRow
from .scaling import Scaling, efficiency
from .table import (
    LAST,
    Table,
    Value,
    is_noisy,
    number,
    ratio_value,
    time_value,
    with_legends,
    without_empty_columns,
)


def library_value(cell: Cell, grid: bool) -> Value:
    parts = [f"{cell.case.grid} grid"] if grid else []
    if cell.notable:
        parts.append(formatting.settings(cell.notable))
    return Value(formatting.marked(cell.library, is_noisy(cell)), note=", ".join(parts))


def case_values(contest: Contest) -> list[Value]:
    case = contest.case
    resources = case.resources() + (" (oversubscribed)" if contest.oversubscribed else "")
    return [
        Value(case.workload(), float(case.points)),
        Value(resources, float(case.ranks * case.threads)),
    ]


def ranking_table(contests: Sequence[Contest]) -> Table:
    rows = []
    for contest in contests:
        rows += [standing_row(contest, standing) for standing in contest.standings]
        rows += [loser_row(contest, entry) for entry in contest.losers]
    table = Table(
        name="ranking",
        columns=[
            "Transform",
            "Ranks",
            "Library",
            "Place",
            "Total, ms",
            "Ratio",
            "Forward, ms",
            "Backward, ms",
            "GFLOP/s",
            "Error",
            "Blocks",
        ],
        rows=rows,
        caption="Medians with 95% prediction intervals. The total is forward and backward, the "
        "ratio that to the fastest library. One row per library, with its best settings; settings "
        "that were varied are shown below its name.",
        left=3,
        wide=True,
    )
    return with_legends(table)


def standing_row(contest: Contest, standing: Standing) -> list[Value]:
    cell = standing.cell
    pair = cell.sample("pair")
    error = cell.largest("forward_error")
    place = f"{standing.place}" + ("=" if standing.tied and standing.place > 1 else "")
    repetitions = formatting.count(pair.repetitions, "repetition")
    return [
        *case_values(contest),
        library_value(cell, contest.case.grid != cell.case.grid),
        number(standing.place, place),
        time_value(cell, "pair"),
        ratio_value(standing.to_fastest),
        time_value(cell, "forward"),
        time_value(cell, "backward"),
        number(cell.gflops, formatting.three_digits(cell.gflops)),
        number(error, formatting.scientific(error)),
        Value(f"{pair.blocks}", pair.blocks, repetitions),
    ]


def loser_row(contest: Contest, entry: Entry) -> list[Value]:
    error = entry.worst.largest("forward_error") if entry.status == "wrong" else None
    absent = Value(formatting.ABSENT, LAST)
    return [
        *case_values(contest),
        library_value(entry.worst, False),
        Value(formatting.status(entry.status), LAST),
        *[absent] * 5,
        number(error, formatting.scientific(error)),
        number(len(entry.worst.records), f"{len(entry.worst.records)}"),
    ]


def overall_table(result: Overall) -> Table:
    rows = [
        [
            Value(standing.library),
            ratio_value(standing.mean_ratio),
            number(standing.wins, f"{standing.wins}"),
            number(standing.ties, f"{standing.ties}"),
            number(standing.contests, f"{standing.contests}"),
        ]
        for standing in result.standings
    ]
    columns = ["Library", "Mean ratio", "Fastest in", "Tied with the fastest in", "Correct in"]
    caption = "The last three columns count all cases, not only those of the mean."
    return with_legends(Table("overall", columns, rows, caption))


def ratio_table(contests: Sequence[Contest], libraries: Sequence[str], reference: str) -> Table:
    rows = []
    for contest in contests:
        ratios = ratios_to(contest, reference)
        if len(ratios) > 1:
            noisy = {s.library: is_noisy(s.cell) for s in contest.standings}
            values = [
                ratio_value(ratios.get(name), noisy.get(name, False) or noisy[reference])
                for name in libraries
            ]
            rows.append([*case_values(contest), *values])
    caption = (
        f"Time of a forward and a backward transform relative to {reference}: above 1 is slower."
    )
    columns = ["Transform", "Ranks", *libraries]
    return with_legends(Table("ratios", columns, rows, caption, left=2, wide=True))


def efficiency_table(scalings: Sequence[Scaling], libraries: Sequence[str]) -> Table:
    """Parallel efficiency at the most ranks of each strong scaling."""
    rows = []
    for scaling in scalings:
        values = []
        for library in libraries:
            points = scaling.series.get(library, [])
            if len(points) < 2:
                values.append(Value(formatting.ABSENT, LAST))
                continue
            ranks, value = efficiency(points)[-1]
            values.append(number(value, formatting.percent(value), f"{points[0].ranks} to {ranks}"))
        rows.append([Value(scaling.title), *values])
    caption = "Parallel efficiency: speedup from a library's fewest to its most ranks (small "
    caption += "print), divided by the ratio of the two."
    return Table("efficiency", ["Transform", *libraries], rows, caption, wide=True)


def resources_table(contests: Sequence[Contest]) -> Table:
    rows = []
    for contest in contests:
        for standing in contest.standings:
            rows.append(
                [
                    *case_values(contest),
                    library_value(standing.cell, False),
                    *resource_values(standing.cell),
                ]
            )
    table = Table(
        name="resources",
        columns=[
            "Transform",
            "Ranks",
            "Library",
            "Planning, ms",
            "Peak memory",
            "Relative to the arrays",
            "Device memory",
            "Growth per round trip",
            "Host, J per round trip",
            "Devices, J per round trip",
        ],
        rows=rows,
        caption="Memory is what the library adds to the process, summed over ranks. A round trip "
        "is a forward and a backward transform. Growth is memory that a round trip allocates and "
        "does not free, be it the library or MPI below it.",
        left=3,
        wide=True,
    )
    return with_legends(without_empty_columns(table))


def mpi_table(contests: Sequence[Contest]) -> Table:
    """How much of a pair each library spends in MPI, where that was measured."""
    rows = []
    for contest in contests:
        for standing in contest.standings:
            in_mpi = time_in_mpi(standing.cell)
            if in_mpi is None or contest.case.ranks == 1:
                continue
            pair = pair_median(standing.cell)
            rows.append(
                [
                    *case_values(contest),
                    library_value(standing.cell, False),
                    number(pair, formatting.milliseconds(pair)),
                    number(in_mpi, formatting.milliseconds(in_mpi)),
                    number(in_mpi / pair, formatting.percent(in_mpi / pair)),
                ]
            )
    return with_legends(Table(
        name="in_mpi",
        columns=["Transform", "Ranks", "Library", "Total, ms", "In MPI, ms", "Share"],
        rows=rows,
        caption="Time in MPI calls during a forward and a backward transform, averaged over ranks "
        "and measured with MPI's profiling interface. It includes waiting for other ranks, but "
        "neither calls from a library's own threads nor data that moves without MPI, as through "
        "shared memory.",
        left=3,
    ))


def time_in_mpi(cell: Cell) -> float | None:
    forward = cell.middle("mpi_seconds", "forward")
    backward = cell.middle("mpi_seconds", "backward")
    return None if forward is None or backward is None else forward + backward


def resource_values(cell: Cell) -> list[Value]:
    plan = cell.middle("plan_seconds")
    peak, before = cell.middle("memory", "peak"), cell.middle("memory", "before")
    array = cell.middle("memory", "array")
    used = peak - before if peak is not None and before is not None else None
    over = used / array if used is not None and array else None
    device = cell.middle("memory", "device")
    growth = cell.largest("memory", "growth_per_pair")
    return [
        number(plan, formatting.milliseconds(plan)),
        number(used, formatting.binary_bytes(used)),
        number(over, formatting.three_digits(over) + ("×" if over is not None else "")),
        number(device, formatting.binary_bytes(device or None)),
        number(growth, formatting.binary_bytes(growth)),
        *(energy_value(energy.of_cell(cell, place)) for place in energy.PLACES),
    ]


def energy_value(found: energy.Energy | None) -> Value:
    if found is None:
        return Value(formatting.ABSENT, LAST)
    note = f"{formatting.three_digits(found.idle)} idle" if found.idle is not None else ""
    return number(found.joules, formatting.three_digits(found.joules), note)


def giga(rate: float | None) -> Value:
    return number(rate, formatting.three_digits(rate / 1e9) if rate else formatting.ABSENT)


def exchange_table(rows: Sequence[ExchangeRow]) -> Table:
    table = Table(
        name="exchanges",
        columns=[
            "Transform",
            "Ranks",
            "Exchange",
            "Sent by a rank",
            "To each other rank",
            "Exchange, ms",
            "Share of the time",
            "GB/s",
            "MPI_Alltoall, GB/s",
            "One message, GB/s",
            "Memory, GB/s",
            "Of MPI_Alltoall",
        ],
        rows=[
            [
                Value(row.case.workload(), float(row.case.points)),
                Value(row.case.resources(), float(row.case.ranks)),
                Value(formatting.marked(row.algorithm, is_noisy(row.cell))),
                number(row.bytes_per_rank, formatting.binary_bytes(row.bytes_per_rank)),
                number(row.message_bytes, formatting.binary_bytes(row.message_bytes)),
                number(row.exchange_seconds, formatting.milliseconds(row.exchange_seconds)),
                number(row.share, formatting.percent(row.share)),
                giga(row.rate),
                giga(row.alltoall_rate),
                giga(row.pair_rate),
                giga(row.memory_rate),
                number(row.of_alltoall, formatting.percent(row.of_alltoall)),
            ]
            for row in rows
        ],
        caption="Rates are bytes per second that one rank sends to others. The limits are "
        "measured without a transform; that of memory is half the copy bandwidth divided by the "
        "ranks. With node_shared the preceding pass stores straight into the neighbors' memory: "
        "the exchange is only the remaining wait, so its rate is no bandwidth.",
        left=3,
        wide=True,
    )
    return with_legends(without_empty_columns(table))


def limits_table(limits: Sequence[Limits]) -> Table:
    def rate(curve: Sequence[tuple[float, float]]) -> float | None:
        seconds = curve_seconds(curve, 2**20)
        return 2**20 / seconds if seconds else None

    rows = [
        [
            Value(item.launcher or formatting.ABSENT),
            number(item.ranks, f"{item.ranks}"),
            giga(item.memory_bytes_per_second),
            giga(item.fft_flops),
            giga(rate(item.pair_bandwidth)),
            giga(rate(item.alltoall)),
        ]
        for item in limits
    ]
    columns = [
        "Launcher",
        "Ranks",
        "Copying, all ranks, GB/s",
        "FFT in cache, all ranks, GFLOP/s",
        "Message of 1 MiB, GB/s",
        "MPI_Alltoall of 1 MiB per rank, GB/s per rank",
    ]
    return Table("limits", columns, rows, "Measured without an FFT library.")


def failures_table(machine: Machine) -> Table:
    return Table(
        name="failures",
        columns=["Library", "Result", "Reason", "Where", "Blocks", "Cases"],
        rows=[failure_row(failure) for failure in failures_of(machine)],
        left=4,
    )


def failure_row(failure: Failure) -> list[Value]:
    cases = list(dict.fromkeys(cell.case for cell in failure.cells))
    shown = "; ".join(case.title() for case in cases[:3])
    if len(cases) > 3:
        shown += f"; and {formatting.count(len(cases) - 3, 'more case', 'more cases')}"
    return [
        Value(failure.library),
        Value(formatting.status(failure.status)),
        Value(failure.reason or "no reason given"),
        Value(shown),
        number(failure.blocks, f"{failure.blocks}"),
        number(len(cases), f"{len(cases)}"),
    ]


def libraries_table(machine: Machine) -> Table:
    statuses, counts = status_table(machine)
    rows = []
    for library in machine.libraries:
        cells = [cell for cell in machine.cells if cell.library == library]
        records = [record for cell in cells for record in cell.records]
        versions = dict.fromkeys(str(r["version"]) for r in records if r.get("version"))
        variants = len({cell.variant for cell in cells})
        rows.append(
            [
                Value(library),
                Value(formatting.listing(list(versions)) or formatting.ABSENT),
                number(variants, f"{variants}"),
                *(number(count, f"{count}") for count in counts[library]),
            ]
        )
    columns = ["Library", "Version", "Settings tried", *map(formatting.status, statuses)]
    caption = "The last columns count measurements: cases times settings."
    return Table("libraries", columns, rows, caption, left=2)


def commands_table(machine: Machine) -> Table:
    """One command line of each cell: those of its other blocks do the same again."""
    rows = [
        [
            Value(cell.case.workload(), float(cell.case.points)),
            Value(cell.case.resources(), float(cell.case.ranks)),
            Value(cell.library, note=formatting.settings(cell.notable)),
            Value(cell.commands[0]),
        ]
        for cell in machine.cells
        if cell.commands
    ]
    columns = ["Transform", "Ranks", "Library", "Command"]
    return Table("commands", columns, rows, left=4, code_last=True, folded=True)
