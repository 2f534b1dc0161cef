#!/usr/bin/env python3
"""Measures seconds per step of `navier_stokes`, phase by phase, over ranks, forms and batches.

    bench/navier_stokes.py --meshes 64 128 --ranks 1 2 --output phases.jsonl

Rounds go through all cases in turn, so that drifts of the machine meet all of them. Each case gets
a line of JSON with medians over rounds of what the program says of its steps. The file is written
anew after every run, so one that is ended has all that was measured. All cases of a mesh must end
with the same energy. Python needs no packages for it.
"""

import argparse
import datetime
import itertools
import json
import os
import shlex
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from weft_bench import machine, whole_file

METHODS = ("rotational:1", "rotational:3", "advective:1", "advective:3", "advective:9")
#: What a line keeps of the program's own.
KEPT = ("form", "batch", "fields_in_flight", "dealias", "modes", "precision", "ranks", "threads",
        "device", "exchange", "local", "energy", "steps_made")
#: Relative; forms differ by aliasing of the highest modes where 3 does not divide the mesh less 1.
SAME_ENERGY = 1e-9


def machine_name() -> str:
    found = machine.fingerprint()
    places = [f"{found['cores']} cores of {found['cpu']}", *found["accelerators"][:1]]
    return ", ".join(places)


def rounded(seconds: float) -> float:
    return float(f"{seconds:.5g}")


def middle(seconds: Iterable[float]) -> float:
    return rounded(statistics.median(seconds))


class Case:
    """A mesh, a number of ranks, a form and a batch."""

    def __init__(self, mesh: int, ranks: int, method: str, given: argparse.Namespace) -> None:
        form, batch = method.split(":")
        self.mesh, self.name = mesh, f"{mesh}^3 on {ranks}, {method}"
        self.launch = shlex.split(given.launch.format(ranks=ranks))
        self.arguments = [str(mesh), "--form", form, "--batch", batch, "--steps", str(given.steps),
                          "--end", "9", "--dt", str(given.dt), "--threads", str(given.threads),
                          "--device", given.device]
        self.runs: list[dict[str, Any]] = []

    def run(self, program: Path) -> None:
        with tempfile.TemporaryDirectory() as folder:
            told = Path(folder) / "run.json"
            command = [*self.launch, program, *self.arguments, "--json", told]
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
            self.runs.append(json.loads(told.read_text("utf-8")))

    def line(self, where: str) -> dict[str, Any]:
        first = self.runs[0]
        steps = [run["step_seconds"] for run in self.runs]
        phases = [run["phase_seconds"] for run in self.runs]
        return {
            "date": datetime.date.today().isoformat(), "machine": where,
            "command": shlex.join([*self.launch, "navier_stokes", *self.arguments]),
            "shape": [self.mesh] * 3,
            **{name: first[name] for name in KEPT}, "rounds": len(self.runs),
            "step_seconds": {
                "min": rounded(min(step["min"] for step in steps)),
                "median": middle(step["median"] for step in steps),
                "max": rounded(max(step["max"] for step in steps))},
            "phase_seconds": {name: middle(one[name]["median"] for one in phases)
                              for name in phases[0]},
        }


def check_energies(cases: list[Case]) -> None:
    for mesh, group in itertools.groupby(cases, lambda case: case.mesh):
        energies = [run["energy"] for case in group for run in case.runs]
        if energies and max(energies) - min(energies) > SAME_ENERGY * max(energies):
            sys.exit(f"navier_stokes.py: error: energies of mesh {mesh} differ: {energies}")


def measure(given: argparse.Namespace, where: str) -> None:
    cases = [Case(mesh, ranks, method, given) for mesh in sorted(given.meshes)
             for ranks in sorted(given.ranks) for method in given.methods]
    for number in range(given.rounds):
        for case in cases:
            case.run(given.program)
            print(f"round {number + 1}, {case.name}: "
                  f"{case.runs[-1]['step_seconds']['median']:.4g} s/step", flush=True)
            lines = [json.dumps(one.line(where)) + "\n" for one in cases if one.runs]
            whole_file.write(given.output, "".join(lines))
            check_energies(cases)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", type=Path, default=Path("build/bin/navier_stokes"))
    parser.add_argument("--launch", default="mpirun -n {ranks}", help="[%(default)s]")
    parser.add_argument("--meshes", type=int, nargs="+", default=[128])
    parser.add_argument("--ranks", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--methods", nargs="+", choices=METHODS, default=METHODS,
                        help="form and batch")
    parser.add_argument("--device", default="host")
    parser.add_argument("--threads", type=int, default=1, help="of each rank [%(default)s]")
    parser.add_argument("--steps", type=int, default=4, help="of a run [%(default)s]")
    parser.add_argument("--dt", type=float, default=1e-3, help="[%(default)s]")
    parser.add_argument("--rounds", type=int, default=3, help="[%(default)s]")
    parser.add_argument("--machine", default=None, help="what records call it [from the system]")
    parser.add_argument("--output", type=Path, required=True, help="file of JSON lines")
    given = parser.parse_args()

    os.environ.setdefault("WEFT_WISDOM", "")  # nothing that was tuned before
    try:
        measure(given, given.machine or machine_name())
    except subprocess.CalledProcessError as error:
        sys.exit(f"navier_stokes.py: error: {error}")
    except KeyboardInterrupt:
        sys.exit(f"interrupted; what was measured is in {given.output}")


if __name__ == "__main__":
    main()
