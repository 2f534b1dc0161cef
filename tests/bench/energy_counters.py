"""Counters of known power, in the place of those of the kernel and of NVML."""

from __future__ import annotations

import os
import subprocess
import threading
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent


class Powercap:
    """A folder like /sys/class/powercap, whose counters advance in real time, at coarse ticks.

    Zones are given as {"intel-rapl:0": ("package-0", watts)}.
    """

    def __init__(self, folder: Path, zones: dict[str, tuple[str, float]], *, tick: float = 0.1,
                 range_joules: float = 262144.0):
        self.folder, self.zones, self.tick = folder, zones, tick
        self.range = int(1e6 * range_joules)
        for zone, (name, _) in zones.items():
            (folder / zone).mkdir(parents=True)
            (folder / zone / "name").write_text(f"{name}\n")
            (folder / zone / "max_energy_range_uj").write_text(f"{self.range}\n")
        self._write()
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._advance, daemon=True)

    def __enter__(self) -> Powercap:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._done.set()
        self._thread.join()

    def _write(self) -> None:
        for zone, (_, watts) in self.zones.items():
            new = self.folder / zone / "new"
            new.write_text(f"{int(1e6 * watts * time.monotonic()) % self.range}\n")
            os.replace(new, self.folder / zone / "energy_uj")  # nobody reads half of it

    def _advance(self) -> None:
        while not self._done.wait(self.tick):
            self._write()


def nvml(folder: Path, devices: dict[str, float], **settings: float) -> dict[str, str]:
    """Variables with which a program finds a stand-in for NVML (counters/nvml.c) with devices of
    these watts."""
    folder.mkdir(exist_ok=True)
    subprocess.run(["cc", "-O1", "-Wall", "-Werror", "-shared", "-fPIC",
                    "-o", folder / "libnvidia-ml.so.1", HERE / "counters/nvml.c"], check=True)
    path = os.environ.get("LD_LIBRARY_PATH")
    return {
        "LD_LIBRARY_PATH": f"{folder}:{path}" if path else str(folder),
        "FAKE_DEVICES": ",".join(f"{name}={watts}" for name, watts in devices.items()),
        **{f"FAKE_{name.upper()}": str(value) for name, value in settings.items()},
    }
