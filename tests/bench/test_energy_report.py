"""Energy as reports show it: what is shown, and what is not believed."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path
from typing import Any

import pytest
from synthetic import energy, record
from weft_bench import report
from weft_bench.energy import of_record

RESULTS = Path(__file__).resolve().parents[2] / "bench" / "results"
#: As it was measured at first: pairs of a millisecond, counters of 0.1 s.
OLD = {"joules_per_pair": 12.25, "source": "NVML", "why": ""}


def page(tmp_path: Path, *energies: Any) -> tuple[str, list[dict[str, str]]]:
    records = [record("weft", energy=found, round=number) for number, found in enumerate(energies)]
    report.write(records, tmp_path / "study")
    rows = csv.DictReader(io.StringIO((tmp_path / "study.csv").read_text("utf-8")))
    return (tmp_path / "study.html").read_text("utf-8"), list(rows)


def test_host_beside_devices_and_the_idle_part_of_both(tmp_path: Path) -> None:
    text, [row] = page(tmp_path, energy((200.0, 80.0), (600.0, 100.0), 1e-3))
    for heading in ("Host, J per round trip", "Devices, J per round trip"):
        assert heading in text
    assert float(row["host_joules_per_pair"]) == pytest.approx(0.2)
    assert float(row["host_idle_joules_per_pair"]) == pytest.approx(0.08)
    assert float(row["device_joules_per_pair"]) == pytest.approx(0.6)
    assert float(row["device_idle_joules_per_pair"]) == pytest.approx(0.1)
    assert "0.0800 idle" in text and "0.100 idle" in text
    [chart] = re.findall(r'aria-label="Energy of a round trip, ([^"]*)"', text)
    assert "weft host 0.200 J" in chart and "weft device 0.600 J" in chart
    for label in ("host, idle part", "host, above idle", "device, idle part", "device, above idle"):
        assert label in text


def test_median_of_the_blocks(tmp_path: Path) -> None:
    _, [row] = page(tmp_path, *(energy((watts, 50.0)) for watts in (100.0, 300.0, 110.0)))
    assert float(row["host_joules_per_pair"]) == pytest.approx(0.11)
    assert row["device_joules_per_pair"] == ""


def test_energy_as_it_was_measured_at_first_is_not_shown(tmp_path: Path) -> None:
    text, [row] = page(tmp_path, OLD)
    assert row["host_joules_per_pair"] == row["device_joules_per_pair"] == ""
    assert "J per round trip" not in text and "Energy of a round trip" not in text


def test_why_nothing_was_measured(tmp_path: Path) -> None:
    text, _ = page(tmp_path, energy(why="no energy counters in /sys/class/powercap"),
                   OLD | {"joules_per_pair": None, "why": "NVML is not here"}, None)
    assert ("Energy was not measured: no energy counters in /sys/class/powercap and "
            "NVML is not here.") in text


@pytest.mark.parametrize(("found", "reason"), [
    (energy(device=(37_600.0, 400.0), counters=4), "37600 W of 4 counters"),
    (energy(device=(600.0, 100.0), ticks=7), "only 7 ticks of the counter"),
    (energy(device=(0.0, 0.0)), "0.0 W"),
    (energy(device=(300.0, 450.0)), "450 W without work, but 300 W with it"),
    (energy(device=(float("nan"), 1.0)), "nan W"),
])
def test_energy_that_cannot_be_right_is_left_out_and_named(tmp_path: Path, found: dict[str, Any],
                                                           reason: str) -> None:
    text, [row] = page(tmp_path, found)
    assert row["device_joules_per_pair"] == ""
    assert f"Implausible energies are left out: weft ({reason})." in text


def test_four_devices_may_take_what_one_may_not() -> None:
    assert of_record(record(energy=energy(device=(2800.0, 400.0), counters=4)), "device")
    assert not of_record(record(energy=energy(device=(2800.0, 400.0), counters=1)), "device")


@pytest.mark.parametrize("path", sorted(RESULTS.glob("*.jsonl")), ids=lambda path: path.name)
def test_published_records_have_no_energy_of_single_pairs(path: Path) -> None:
    for line in path.read_text().splitlines():
        found = json.loads(line).get("energy")
        if isinstance(found, dict):
            assert found.get("joules_per_pair") is None
