"""Energy as the programs measure it, from counters of known power."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from energy_counters import Powercap, nvml
from harness_build import build, small_study
from weft_bench import builds, jobs, machine, run

#: As the canary says where its ranks 0, 1, ... work.
DEVICES = ["0000:01:00.0", "0000:02:00.0"]
EXACT = 0.05  # what a window of 20 ticks may miss, on a busy machine too


def outcome(folder: Path, powercap: Path, variables: dict[str, str] | None = None, *,
            habit: str = "good", ranks: int = 1, arguments: tuple[str, ...] = ()) -> jobs.Outcome:
    """A block of the canary, of a few short repetitions."""
    study = small_study(cases=[{"shape": [16, 12, 10], "ranks": ranks}])
    here = build(folder / "build")
    program = here.folder / "bin/bench/canary"
    command = [*here.command(study.cases[0], machine.usable_cores()), str(program),
               *run.arguments_of(study.cases[0], (("habit", habit),), False, study.measure, 0),
               "--powercap", str(powercap), *arguments]
    return jobs.run(command, builds.environment(1) | (variables or {}), 60)


def energy(*given: Any, **changes: Any) -> dict[str, Any]:
    found = outcome(*given, **changes)
    assert (found.status, found.reason) == ("ok", "")
    return found.event("energy")["energy"]


def test_power_of_the_processor_is_what_its_counter_tells(tmp_path: Path) -> None:
    with Powercap(tmp_path / "cap", {"intel-rapl:0": ("package-0", 90)}):
        found = energy(tmp_path, tmp_path / "cap", ranks=2)
    host = found["host"]
    assert (host["source"], host["counters"], host["why"]) == ("RAPL", 1, "")
    assert host["watts"] == pytest.approx(90, rel=EXACT)
    assert host["idle_watts"] == pytest.approx(90, rel=EXACT)
    assert host["ticks"] >= 20 and host["seconds"] >= 2
    assert found["pairs"] > 100, "back to back, each far shorter than a tick"
    assert host["joules_per_pair"] == pytest.approx(
        host["watts"] * host["seconds"] / found["pairs"])
    assert found["device"] is None


def test_packages_add_up_and_their_parts_do_not(tmp_path: Path) -> None:
    zones = {"intel-rapl:0": ("package-0", 90), "intel-rapl:1": ("package-1", 50),
             "intel-rapl:0:0": ("core", 60), "intel-rapl:2": ("psys", 400)}
    with Powercap(tmp_path / "cap", zones):
        host = energy(tmp_path, tmp_path / "cap")["host"]
    assert host["counters"] == 2
    assert host["watts"] == pytest.approx(140, rel=EXACT)


def test_counter_that_starts_again_from_zero_many_times(tmp_path: Path) -> None:
    # Every third of a second, six times in a window.
    with Powercap(tmp_path / "cap", {"intel-rapl:0": ("package-0", 90)}, tick=0.05,
                  range_joules=30):
        host = energy(tmp_path, tmp_path / "cap")["host"]
    assert host["watts"] == pytest.approx(90, rel=EXACT)


def test_counter_with_too_few_ticks_is_refused(tmp_path: Path) -> None:
    with Powercap(tmp_path / "cap", {"intel-rapl:0": ("package-0", 90)}, tick=0.7):
        host = energy(tmp_path, tmp_path / "cap")["host"]
    assert host["joules_per_pair"] is host["watts"] is host["idle_watts"] is None
    assert 0 < host["ticks"] < 20
    assert f"only {host['ticks']} ticks of the counter in {host['seconds']:.1f} s" in host["why"]


def test_a_window_waits_for_enough_ticks(tmp_path: Path) -> None:
    with Powercap(tmp_path / "cap", {"intel-rapl:0": ("package-0", 90)}, tick=0.15):
        host = energy(tmp_path, tmp_path / "cap")["host"]
    assert host["watts"] == pytest.approx(90, rel=EXACT)
    assert host["ticks"] >= 20 and host["seconds"] > 2.5


def test_no_counters(tmp_path: Path) -> None:
    found = energy(tmp_path, tmp_path / "nothing")
    assert found["host"]["joules_per_pair"] is None
    assert found["host"]["why"] == f"no energy counters in {tmp_path / 'nothing'}"
    assert found["pairs"] is None


def test_counters_that_only_root_may_read(tmp_path: Path) -> None:
    with Powercap(tmp_path / "cap", {"intel-rapl:0": ("package-0", 90)}):
        zone = tmp_path / "cap/intel-rapl:1"
        (zone / "energy_uj").mkdir(parents=True)  # tests may be run by root
        (zone / "name").write_text("package-1\n")
        (zone / "max_energy_range_uj").write_text("1000000\n")
        host = energy(tmp_path, tmp_path / "cap")["host"]
    assert host["joules_per_pair"] is None
    assert host["why"] == f"{zone}/energy_uj cannot be read by this user"


@pytest.mark.parametrize(("habit", "watts"), [
    ("on_devices", 300 + 500),  # a rank on each
    ("on_one_device", 300),  # all ranks
])
def test_devices_in_use_are_counted_and_no_others(tmp_path: Path, habit: str, watts: float) -> None:
    variables = nvml(tmp_path / "lib", {"0000:00:00.0": 5000, DEVICES[0]: 300, DEVICES[1]: 500,
                                        "0000:03:00.0": 7000})
    with Powercap(tmp_path / "cap", {"intel-rapl:0": ("package-0", 90)}):
        found = energy(tmp_path, tmp_path / "cap", variables, habit=habit, ranks=2)
    device, host = found["device"], found["host"]
    assert (device["source"], device["why"]) == ("NVML", "")
    assert device["counters"] == (2 if habit == "on_devices" else 1)
    assert device["watts"] == pytest.approx(watts, rel=EXACT)
    assert device["idle_watts"] == pytest.approx(watts, rel=EXACT)
    assert host["watts"] == pytest.approx(90, rel=EXACT), "beside it"


def test_device_by_its_uuid(tmp_path: Path) -> None:
    variables = nvml(tmp_path / "lib", {"GPU-5a": 250}, tick=0.02)
    device = energy(tmp_path, tmp_path / "cap", variables, habit="on_a_named_device")["device"]
    assert (device["why"], device["counters"]) == ("", 1)
    assert device["watts"] == pytest.approx(250, rel=EXACT)


def test_idle_power_is_of_no_work(tmp_path: Path) -> None:
    variables = nvml(tmp_path / "lib", {DEVICES[0]: 100}, tick=0.05, watts_of_work=1000)
    device = energy(tmp_path, tmp_path / "cap", variables, habit="on_one_device")["device"]
    assert 95 < device["idle_watts"] < 150, "looking at the counter takes a little"
    assert device["watts"] > 2 * device["idle_watts"]


def test_device_that_is_lost_in_the_window(tmp_path: Path) -> None:
    variables = nvml(tmp_path / "lib", {DEVICES[0]: 300}, tick=0.02, lost_after=100)
    device = energy(tmp_path, tmp_path / "cap", variables, habit="on_one_device")["device"]
    assert device["joules_per_pair"] is None
    assert f"the counter of {DEVICES[0]} vanished" in device["why"]


def test_readings_that_fail_now_and_then_do_no_harm(tmp_path: Path) -> None:
    variables = nvml(tmp_path / "lib", {DEVICES[0]: 300}, tick=0.05, fails_every=3)
    device = energy(tmp_path, tmp_path / "cap", variables, habit="on_one_device")["device"]
    assert device["watts"] == pytest.approx(300, rel=EXACT)


def test_device_that_nvml_does_not_know(tmp_path: Path) -> None:
    variables = nvml(tmp_path / "lib", {"0000:07:00.0": 300})
    found = energy(tmp_path, tmp_path / "cap", variables, habit="on_one_device")
    assert found["device"]["why"] == f"NVML tells no energy of the device {DEVICES[0]}"


def test_numbers_of_unscaled_libraries_do_not_overflow(tmp_path: Path) -> None:
    with Powercap(tmp_path / "cap", {"intel-rapl:0": ("package-0", 90)}):
        found = energy(tmp_path, tmp_path / "cap", habit="unscaled")
    assert found["pairs"] > 300, "which multiply by 1920 each: more than doubles can hold"


@pytest.mark.parametrize("habit", ["wrong_later", "good"])
def test_no_window_of_wrong_results_or_where_none_is_wanted(tmp_path: Path, habit: str) -> None:
    with Powercap(tmp_path / "cap", {"intel-rapl:0": ("package-0", 90)}):
        found = outcome(tmp_path, tmp_path / "cap", habit=habit,
                        arguments=("--no-energy",) if habit == "good" else ())
    assert found.status == ("ok" if habit == "good" else "wrong")
    assert found.event("energy") == {}
    assert "energy" not in found.event("measured")
