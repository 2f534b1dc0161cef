"""The chart of the energy of a transform."""

import numpy as np

from . import energy, formatting
from .analysis import Contest
from .chart import COLORS, INK, Palette

SHADES = {"host": COLORS[0], "device": COLORS[6]}


def has_energy(contest: Contest) -> bool:
    return any(
        energy.of_cell(standing.cell, place)
        for standing in contest.standings
        for place in energy.PLACES
    )


def energy_chart(palette: Palette, contest: Contest) -> str:
    """A bar for each place, the host's above the devices'; hatched as far as it is idle power."""
    standings = contest.standings
    found = {
        place: [energy.of_cell(standing.cell, place) for standing in standings]
        for place in energy.PLACES
    }
    found = {place: energies for place, energies in found.items() if any(energies)}
    height = 0.75 / len(found)
    with palette.chart(1.1 + 0.3 * len(standings) * len(found)) as chart:
        axes = chart.axes
        for number, (place, energies) in enumerate(found.items()):
            rows = np.arange(len(standings)) + (number - (len(found) - 1) / 2) * height
            above = np.array([e.above_idle if e else 0 for e in energies])
            idle = np.array([e.joules if e else 0 for e in energies]) - above
            look = {"color": SHADES[place], "edgecolor": INK, "linewidth": 0.6, "height": height}
            axes.barh(rows, idle, hatch="////", alpha=0.45, label=f"{place}, idle part", **look)
            axes.barh(rows, above, left=idle, label=f"{place}, above idle", **look)
        axes.set_yticks(range(len(standings)), [standing.library for standing in standings])
        axes.set_ylim(len(standings) - 0.5, -0.5)
        axes.set_xlabel("forward + backward, J")
        axes.set_title(f"{contest.case.workload()}\n{contest.case.resources()}")
        axes.grid(True, axis="x")
        chart.legend()
        told = [
            f"{standing.library} {place} {formatting.three_digits(e.joules)} J"
            for place, energies in found.items()
            for standing, e in zip(standings, energies)
            if e
        ]
        return chart.svg(f"Energy of a round trip, {contest.case.title()}: {', '.join(told)}")
