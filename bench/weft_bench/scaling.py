"""How times change with the number of ranks and the process grid, and what the machine allows."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from .analysis import pair, pair_median
from .cells import Case, Cell, Limits, Machine, curve_seconds
from .statistics import Estimate

#: Floors assume this many passes over input and output, each read once and written once.
MEMORY_PASSES = 2


@dataclass
class Point:
    ranks: int
    time: Estimate
    cell: Cell


@dataclass
class Scaling:
    """Times of all libraries for one workload over the number of ranks."""

    title: str
    series: dict[str, list[Point]]
    ideal: list[tuple[int, float]]
    floor: list[tuple[int, float]]
    oversubscribed_from: int | None


@dataclass
class GridMap:
    """Times of libraries (rows) on process grids (columns); None where there is no right result."""

    title: str
    libraries: list[str]
    grids: list[str]
    seconds: list[list[float | None]]


def floor_seconds(case: Case, limits: Limits | None) -> float | None:
    """The least time that the machine's own speed leaves for a forward and a backward transform.

    Each reads its input and writes its output twice at the measured copy bandwidth, or does the
    arithmetic at the rate of in-cache transforms if that takes longer, and makes one MPI_Alltoall
    of the spectrum.
    """
    if limits is None or not limits.memory_bytes_per_second:
        return None
    input_bytes, output_bytes = case.array_bytes
    local = MEMORY_PASSES * (input_bytes + output_bytes) / limits.memory_bytes_per_second
    if limits.fft_flops:
        local = max(local, case.operations / limits.fft_flops)
    if case.ranks == 1:
        return 2 * local
    exchange = curve_seconds(limits.alltoall, output_bytes / case.ranks)
    return None if exchange is None else 2 * (local + exchange)


def limits_for(machine: Machine, case: Case) -> Limits | None:
    return machine.limits.get((case.launcher, case.ranks))


def best_points(cells: Iterable[Cell]) -> dict[str, list[Point]]:
    """The fastest right cell of each library for each number of ranks."""
    best: dict[tuple[str, int], Cell] = {}
    for cell in cells:
        key = (cell.library, cell.case.ranks)
        if cell.ok and (key not in best or pair_median(cell) < pair_median(best[key])):
            best[key] = cell
    series: dict[str, list[Point]] = {}
    for (library, ranks), cell in sorted(best.items()):
        series.setdefault(library, []).append(Point(ranks, pair(cell).estimate, cell))
    return series


def oversubscribed_from(cells: Iterable[Cell]) -> int | None:
    """The fewest ranks that were more than the cores."""
    found = (c.case.ranks for c in cells if any(r.get("oversubscribed") for r in c.records))
    return min(found, default=None)


def scalings(
    machine: Machine,
    key: Callable[[Case], object],
    title: Callable[[list[Cell]], str],
    ideal: Callable[[Point, Case], float],
    accept: Callable[[list[Cell]], bool],
) -> list[Scaling]:
    groups: dict[object, list[Cell]] = {}
    for cell in machine.cells:
        groups.setdefault(key(cell.case), []).append(cell)
    found = []
    for cells in groups.values():
        series = best_points(cells)
        if not accept(cells) or max(map(len, series.values()), default=0) < 2:
            continue
        cases = {cell.case.ranks: cell.case for cell in cells if cell.ok}
        points = [point for points in series.values() for point in points]
        first = min(points, key=lambda point: (point.ranks, point.time.value))
        floors = [(n, floor_seconds(c, limits_for(machine, c))) for n, c in sorted(cases.items())]
        found.append(
            Scaling(
                title=title(cells),
                series=dict(sorted(series.items(), key=lambda s: machine.libraries.index(s[0]))),
                ideal=[(ranks, ideal(first, cases[ranks])) for ranks in sorted(cases)],
                floor=[(ranks, seconds) for ranks, seconds in floors if seconds],
                oversubscribed_from=oversubscribed_from(cells),
            )
        )
    return found


def launched(title: str, case: Case) -> str:
    threads = f", {case.threads} threads per rank" if case.threads > 1 else ""
    return f"{title}{threads}, {case.launcher}" if case.launcher else title + threads


def strong_scalings(machine: Machine) -> list[Scaling]:
    """One array shared by more and more ranks."""
    return scalings(
        machine,
        key=lambda case: case.but(ranks=0, grid="", ranks_per_node=0),
        title=lambda cells: launched(cells[0].case.workload(), cells[0].case),
        ideal=lambda first, case: first.time.value * first.ranks / case.ranks,
        accept=lambda cells: True,
    )


def weak_scalings(machine: Machine) -> list[Scaling]:
    """Arrays that grow with the number of ranks: equally many points for each rank."""

    def key(case: Case) -> object:
        anonymous = case.but(shape=(len(case.shape),), ranks=0, grid="", ranks_per_node=0)
        return anonymous, round(case.points / case.ranks)

    def title(cells: list[Cell]) -> str:
        case = cells[0].case
        points = f"{case.points / case.ranks:,.0f}".replace(",", " ")
        return launched(f"{points} points per rank, {case.kind} {case.precision}", case)

    def ideal(first: Point, case: Case) -> float:
        """The work of a rank grows with log N even where nothing else does."""
        start = first.cell.case
        work = (case.operations / case.ranks) / (start.operations / start.ranks)
        return first.time.value * work

    return scalings(machine, key, title, ideal, lambda cells: len(shapes(cells)) > 1)


def shapes(cells: Sequence[Cell]) -> set[tuple[int, ...]]:
    return {cell.case.shape for cell in cells}


def grid_lengths(grid: str) -> tuple[int, ...]:
    """`2x4` as numbers, so that grids sort by their first length; empty for "auto"."""
    parts = grid.split("x")
    return tuple(map(int, parts)) if all(part.isdigit() for part in parts) else ()


def grid_maps(machine: Machine) -> list[GridMap]:
    """Cases that were measured with at least two process grids."""
    groups: dict[Case, dict[tuple[str, str], list[Cell]]] = {}
    for cell in machine.cells:
        cells = groups.setdefault(cell.case.but(grid="auto"), {})
        cells.setdefault((cell.library, cell.case.grid), []).append(cell)
    found = []
    for case, cells in groups.items():
        times = {
            key: min((pair_median(cell) for cell in choice if cell.ok), default=None)
            for key, choice in cells.items()
        }
        grids = sorted({grid for _, grid in cells if grid_lengths(grid)}, key=grid_lengths)
        right = {library for (library, grid), time in times.items() if time and grid in grids}
        libraries = [library for library in machine.libraries if library in right]
        if len(grids) < 2 or not libraries:
            continue
        columns = ["auto", *grids] if any(grid == "auto" for _, grid in cells) else grids
        rows = [[times.get((library, grid)) for grid in columns] for library in libraries]
        found.append(GridMap(case.title(), libraries, columns, rows))
    return found


def efficiency(points: Sequence[Point]) -> list[tuple[int, float]]:
    """Of strong scaling: speedup over the fewest ranks, by the ratio of ranks."""
    first = points[0]
    return [(p.ranks, first.time.value * first.ranks / (p.time.value * p.ranks)) for p in points]


def relative_times(row: Sequence[float | None]) -> np.ndarray:
    """Times over the best time of the row, NaN where there is none."""
    values = np.array([np.nan if time is None else time for time in row])
    return values / np.nanmin(values)
