"""Energy of a forward and a backward transform: what records tell of it, if it can be believed."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from . import formatting
from .cells import Cell, Record, library_label

#: Of processors, and of the devices that the ranks work on; counted apart.
PLACES = ("host", "device")
LEAST_TICKS = 20
#: Of one counter: no processor package and no device takes so much.
MOST_WATTS = {"host": 1500.0, "device": 2000.0}
#: Work may take as little as idleness, but for errors.
MOST_IDLE = 1.1


@dataclass(frozen=True)
class Energy:
    """Joules of a pair; `idle` is what the machine takes in that time without work."""

    source: str
    joules: float
    idle: float | None

    @property
    def above_idle(self) -> float:
        return max(0.0, self.joules - (self.idle or 0.0))


def reading(record: Record, place: str) -> dict[str, Any]:
    """What the record tells of a place. Nothing in records that have energies of single pairs, far
    shorter than the ticks of any counter, as they were measured before."""
    energy = record.get("energy")
    found = energy.get(place) if isinstance(energy, dict) else None
    return found if isinstance(found, dict) else {}


def doubt(record: Record, place: str) -> str:
    """Why an energy that was measured cannot be right; empty where nothing speaks against it."""
    found = reading(record, place)
    if found.get("joules_per_pair") is None:
        return ""
    joules, watts, idle = found["joules_per_pair"], found.get("watts"), found.get("idle_watts")
    ticks, counters = found.get("ticks") or 0, found.get("counters") or 1
    if ticks < LEAST_TICKS:
        return f"only {formatting.count(ticks, 'tick')} of the counter"
    if not watts or not np.isfinite([watts, joules]).all() or min(watts, joules) <= 0:
        return f"{watts} W"
    if watts > MOST_WATTS[place] * counters:
        return (f"{formatting.three_digits(watts)} W of "
                f"{formatting.count(counters, 'counter')}")
    if idle is not None and idle > MOST_IDLE * watts:
        return (f"{formatting.three_digits(idle)} W without work, but "
                f"{formatting.three_digits(watts)} W with it")
    return ""


def of_record(record: Record, place: str) -> Energy | None:
    found = reading(record, place)
    joules = found.get("joules_per_pair")
    if joules is None or doubt(record, place):
        return None
    idle = found.get("idle_watts")
    seconds = joules / found["watts"]  # of a pair
    return Energy(found.get("source") or "", joules, None if idle is None else idle * seconds)


def of_cell(cell: Cell, place: str) -> Energy | None:
    """The median over blocks."""
    energies = [of_record(record, place) for record in cell.records]
    known = [energy for energy in energies if energy]
    if not known:
        return None
    idle = [energy.idle for energy in known if energy.idle is not None]
    return Energy(known[0].source, float(np.median([energy.joules for energy in known])),
                  float(np.median(idle)) if idle else None)


def explanations(records: Iterable[Record]) -> list[str]:
    """Which energies are shown, and why others are not, in sentences."""
    records = [record for record in records if isinstance(record.get("energy"), dict)]
    both = [(record, place) for record in records for place in PLACES]
    shown = any(of_record(record, place) for record, place in both)
    reasons = [
        found.get("why")
        for record in records
        for found in (record["energy"], *(reading(record, place) for place in PLACES))
    ]
    found_wrong = [(library_label(record), doubt(record, place)) for record, place in both]
    doubts = [f"{library} ({reason})" for library, reason in found_wrong if reason]
    sentences = []
    if shown:
        sentences.append(
            "Energy is that of all processor packages of the nodes (host) and of the devices in "
            "use, measured while forward and backward transforms alternate for some seconds. The "
            "idle part is what they consume in the same time without work."
        )
    for text, found in (("Energy was not measured", [] if shown else reasons),
                        ("Implausible energies are left out", doubts)):
        different = list(dict.fromkeys(reason for reason in found if reason))
        if different:
            sentences.append(f"{text}: {formatting.listing(different[:3])}.")
    return sentences
