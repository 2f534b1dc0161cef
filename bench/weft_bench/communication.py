"""Where time goes: transforms or exchanges, and how near exchanges come to what MPI can do."""

from collections.abc import Sequence
from dataclasses import dataclass

from .analysis import Contest, Standing, pair_median
from .cells import Case, Cell, Limits, Machine, curve_seconds
from .scaling import limits_for

#: The setting of weft that chooses how ranks exchange data.
EXCHANGE_SETTING = "exchange"


@dataclass
class Steps:
    """The steps of a forward and a backward transform on the slowest rank, by kind."""

    transform: float = 0.0  # seconds of transforms and other passes over memory
    exchange: float = 0.0  # seconds of exchanges
    exchanged: float = 0.0  # bytes sent to other ranks
    exchanges: int = 0

    @property
    def total(self) -> float:
        return self.transform + self.exchange


@dataclass
class Breakdown:
    """A contest with the steps of each library that tells them, the fastest first."""

    contest: Contest
    rows: list[tuple[Standing, Steps]]


@dataclass
class ExchangeRow:
    """One exchange algorithm in one case, against what the machine can do."""

    case: Case
    cell: Cell
    algorithm: str
    bytes_per_rank: float  # sent to others in one exchange
    message_bytes: float  # by one rank to one other rank, if all ranks exchange with all
    exchange_seconds: float
    share: float  # of the time of all steps
    rate: float  # bytes per second that one rank sends
    alltoall_rate: float | None  # the same of MPI_Alltoall with as many bytes
    pair_rate: float | None  # of one message of this size between two ranks
    memory_rate: float | None  # half the copy bandwidth, shared by all ranks

    @property
    def of_alltoall(self) -> float | None:
        return self.rate / self.alltoall_rate if self.alltoall_rate else None


def tells_steps(cell: Cell) -> bool:
    """Whether every step says if it moves data between ranks, which older records do not."""
    return bool(cell.stages) and all(
        isinstance(stage.get("moves_data"), bool) for stage in cell.stages
    )


def grouped_steps(cell: Cell) -> Steps | None:
    """None where the library does not tell its steps, or not which of them move data."""
    if not tells_steps(cell):
        return None
    steps = Steps()
    for stage in cell.stages:
        seconds = stage.get("seconds") or 0.0
        if stage["moves_data"]:
            steps.exchange += seconds
            steps.exchanged += stage.get("bytes") or 0.0
            steps.exchanges += 1
        else:
            steps.transform += seconds
    return steps


def breakdowns(contests: Sequence[Contest]) -> list[Breakdown]:
    found = []
    for contest in contests:
        rows = [(standing, grouped_steps(standing.cell)) for standing in contest.standings]
        rows = [(standing, steps) for standing, steps in rows if steps and steps.total > 0]
        if rows:
            found.append(Breakdown(contest, rows))
    return found


def untold(contests: Sequence[Contest]) -> dict[str, int]:
    """Libraries with steps that do not say whether they move data, and in how many contests."""
    found: dict[str, int] = {}
    for contest in contests:
        for standing in contest.standings:
            if standing.cell.stages and not tells_steps(standing.cell):
                found[standing.library] = found.get(standing.library, 0) + 1
    return found


def exchange_rows(machine: Machine, library: str = "weft") -> list[ExchangeRow]:
    """The exchange algorithms of a library, fastest variant each, where several were measured."""
    best: dict[tuple[Case, str], Cell] = {}
    for cell in machine.cells:
        algorithm = dict(cell.variant.settings).get(EXCHANGE_SETTING)
        if cell.library != library or not cell.ok or not algorithm or cell.case.ranks == 1:
            continue
        key = (cell.case, algorithm)
        if key not in best or pair_median(cell) < pair_median(best[key]):
            best[key] = cell
    if len({algorithm for _, algorithm in best}) < 2:
        return []
    rows = [exchange_row(machine, best[key], key[1]) for key in sorted(best)]
    return [row for row in rows if row is not None]


def exchange_row(machine: Machine, cell: Cell, algorithm: str) -> ExchangeRow | None:
    steps = grouped_steps(cell)
    if steps is None or steps.exchange <= 0 or steps.exchanged <= 0:
        return None
    case = cell.case
    one_exchange = steps.exchanged / steps.exchanges
    message = one_exchange / (case.ranks - 1)
    alltoall, pair, memory = ceilings(limits_for(machine, case), one_exchange, message)
    return ExchangeRow(
        case=case,
        cell=cell,
        algorithm=algorithm,
        bytes_per_rank=one_exchange,
        message_bytes=message,
        exchange_seconds=steps.exchange,
        share=steps.exchange / steps.total,
        rate=steps.exchanged / steps.exchange,
        alltoall_rate=alltoall,
        pair_rate=pair,
        memory_rate=memory,
    )


def ceilings(
    limits: Limits | None, one_exchange: float, message: float
) -> tuple[float | None, float | None, float | None]:
    """Bytes per second of one rank: by MPI_Alltoall, by one message, and by copying in memory."""
    if limits is None:
        return None, None, None
    alltoall = curve_seconds(limits.alltoall, one_exchange)
    pair = curve_seconds(limits.pair_bandwidth, message)
    memory = limits.memory_bytes_per_second
    return (
        one_exchange / alltoall if alltoall else None,
        message / pair if pair else None,
        memory / 2 / limits.ranks if memory else None,
    )


def limits_rows(machine: Machine) -> list[Limits]:
    return [machine.limits[key] for key in sorted(machine.limits)]


def pair_limits(limits: Sequence[Limits]) -> list[Limits]:
    """Of each launcher those with the fewest and the most ranks: the others lie between."""
    by_launcher: dict[str, list[Limits]] = {}
    for item in limits:
        if item.pair_bandwidth and item.ranks > 1:
            by_launcher.setdefault(item.launcher, []).append(item)
    return [item for own in by_launcher.values() for item in dict.fromkeys((own[0], own[-1]))]
