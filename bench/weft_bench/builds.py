"""Builds of the harness: which programs there are, and how MPI starts them."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .study import Case

NETWORK_CLUSTER = Path(__file__).resolve().parent.parent / "network-cluster"

# Placeholders: {mpiexec} {ranks} {threads} {cores} {nodes} {ranks_per_node} {binding} {crowded}
# {exports}; what stands in [] is left out where ranks_per_node is not given. {cores} are those of
# a rank: one for each thread, but all that fall to it for libraries that run on devices, whose own
# threads would otherwise wait for each other on one core (cuFFTMp then takes whole time slices, 4
# or 8 ms, for every transform).
LAUNCHERS = {
    "openmpi": "{mpiexec} -n {ranks} [--map-by ppr:{ranks_per_node}:node] {crowded} {exports} "
    "{binding}",
    "mpich": "{mpiexec} -n {ranks} [-ppn {ranks_per_node}] {binding}",
    "slurm": "srun -n {ranks} [--ntasks-per-node={ranks_per_node}] -c {cores} {binding}",
    "lsf": "jsrun -n {ranks} -a 1 -c {cores} [-r {ranks_per_node}] {binding}",
    "network-cluster": f"{NETWORK_CLUSTER} run -n {{ranks}} [--per-host {{ranks_per_node}}]",
}
# More ranks than cores: nobody may keep a core for himself, and who waits gives way.
CROWDED = {"openmpi": "--oversubscribe --mca mpi_yield_when_idle 1"}
BINDING = {
    "openmpi": {"crowded": "--bind-to none", "single": "--bind-to core",
                "several": "--bind-to none"},
    "mpich": {"crowded": "-bind-to none", "single": "-bind-to core", "several": "-bind-to none"},
    "slurm": dict.fromkeys(("crowded", "single", "several"), "--cpu-bind=cores"),
    "lsf": dict.fromkeys(("crowded", "single", "several"), "-b packed:{cores}"),
}


class BuildError(Exception):
    """A build folder that cannot be used."""


@dataclass
class Library:
    """A library of a build, as its program describes it."""

    name: str
    program: Path | None
    missing: str = ""  # why there is no program
    version: str = ""
    settings: dict[str, list[str]] = field(default_factory=dict)
    shared_memory: bool = False
    device: str = "host"
    mpi: str = ""


@dataclass
class Build:
    name: str  # of the launcher in records
    folder: Path
    mpiexec: str
    launch: str  # template
    kind: str  # openmpi, mpich, slurm, lsf, network-cluster, custom
    libraries: dict[str, Library]
    axis: str = "auto"  # the value of the axis `build` of the cases that it makes

    def command(self, case: Case, cores: int, shared_memory: bool = False,
                device: str = "host") -> list[str]:
        """The launcher and its arguments for a program of this case, on nodes of `cores` cores."""
        ranks, threads = (1, case.ranks * case.threads) if shared_memory else (case.ranks,
                                                                              case.threads)
        per_node = case.ranks_per_node or ranks
        cores_each = threads if device == "host" else max(threads, cores // per_node)
        if case.binding != "auto" and "{binding}" not in self.launch:
            raise BuildError(f"binding {case.binding!r}: the launcher {self.kind!r} has no place "
                             "for it; a template has {binding} there")
        crowded = ranks * threads > cores and case.ranks_per_node is None
        form = "crowded" if crowded else "single" if cores_each == 1 else "several"
        binding = BINDING.get(self.kind, {}).get(form, "").format(cores=cores_each)
        if case.binding != "auto":
            binding = case.binding
        before, bracket, rest = self.launch.partition("[")
        inside, _, after = rest.partition("]")
        template = self.launch
        if bracket:
            template = before + (inside if case.ranks_per_node else "") + after
        return template.format(
            mpiexec=self.mpiexec, ranks=ranks, threads=threads, cores=cores_each, binding=binding,
            crowded=CROWDED.get(self.kind, "") if crowded else "",
            exports=" ".join(f"-x {name}" for name, _ in case.environment),
            ranks_per_node=per_node, nodes=-(-ranks // per_node)).split()

    def limits_program(self) -> Path:
        return self.folder / "bin" / "weft"


def environment(threads: int, more: Mapping[str, str] | None = None) -> dict[str, str]:
    """What jobs need beside the environment of the harness; `more` is that of their case."""
    variables = {"OMP_NUM_THREADS": str(threads), "OMP_WAIT_POLICY": "passive"}
    if os.geteuid() == 0:  # in containers one is root
        variables |= {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    return variables | dict(more or {})


def _describe(name: str, program: Path) -> Library:
    try:
        result = subprocess.run([program, "--describe"], capture_output=True, text=True,
                                timeout=60, check=True, env=os.environ | environment(1))
        fields: dict[str, Any] = json.loads(result.stdout.strip().splitlines()[-1])
    except (OSError, subprocess.SubprocessError, json.JSONDecodeError, IndexError) as error:
        return Library(name, None, f"its program does not run: {error}")
    return Library(name, program, "", fields["version"], fields["settings"],
                   fields["shared_memory"], fields["device"], fields["mpi"])


def launcher_kind(mpiexec: str) -> str:
    try:
        result = subprocess.run([mpiexec, "--version"], capture_output=True, text=True,
                                timeout=60, check=False)
    except OSError as error:
        raise BuildError(f"cannot run '{mpiexec}': {error}") from error
    text = result.stdout + result.stderr
    return "openmpi" if "OpenRTE" in text or "Open MPI" in text else "mpich"


def network() -> str:
    """The cluster on this machine that is up: "4 hosts, 400Mbit"."""
    result = subprocess.run([NETWORK_CLUSTER, "status"], capture_output=True, text=True,
                            check=False)
    if result.returncode != 0:
        raise BuildError(result.stderr.strip())
    return result.stdout.strip()


def of_axis(value: str, launch: str | None) -> Build:
    """The build that a study names, [NAME=]FOLDER."""
    build = named(value, launch)
    build.axis = value
    return build


def named(text: str, launch: str | None) -> Build:
    """Of [NAME=]FOLDER."""
    name, equals, folder = text.partition("=")
    return load(Path(folder if equals else name), name if equals else None, launch)


def load(folder: Path, name: str | None = None, launch: str | None = None) -> Build:
    """A build folder; `launch` is a name of LAUNCHERS or a template."""
    listing = folder / "bin" / "bench" / "libraries.json"
    try:
        described = json.loads(listing.read_text())
    except (OSError, json.JSONDecodeError) as error:
        raise BuildError(f"{folder} holds no build of the harness ({error}); "
                         "make one with scripts/build -DWEFT_BUILD_BENCH=ON") from error
    kind = launcher_kind(described["mpiexec"]) if launch is None else launch
    template = LAUNCHERS.get(kind)
    if template is None:
        kind, template = "custom", str(launch)
    if kind == "network-cluster":  # another rate, another case
        mpi = launcher_kind(described["mpiexec"])
        name, template = f"{name or mpi}, {network()}", f"{template} --mpi {mpi}"
    libraries = {}
    for entry in described["libraries"]:
        program = listing.parent / entry["name"]
        libraries[entry["name"]] = (Library(entry["name"], None, entry["missing"])
                                    if entry["missing"] else _describe(entry["name"], program))
    return Build(name or kind, folder, described["mpiexec"], template, kind, libraries)
