"""How programs are started."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from weft_bench import builds, study

CORES = 16


def command(kind: str, ranks: int, threads: int = 1, ranks_per_node: int | None = None,
            device: str = "host", **more: Any) -> str:
    table = {"shape": [8, 8, 8], "ranks": ranks, "threads": threads} | more
    if ranks_per_node:
        table["ranks_per_node"] = ranks_per_node
    [case] = study.parse({"cases": [table]}, "s").cases
    build = builds.Build(kind, Path("build"), "mpirun", builds.LAUNCHERS[kind], kind, {})
    return " ".join(build.command(case, CORES, device=device))


@pytest.mark.parametrize(("kind", "ranks", "threads", "expected"), [
    ("openmpi", 16, 1, "mpirun -n 16 --bind-to core"),
    ("openmpi", 4, 4, "mpirun -n 4 --bind-to none"),
    ("openmpi", 17, 1, "mpirun -n 17 --oversubscribe --mca mpi_yield_when_idle 1 --bind-to none"),
    ("mpich", 2, 1, "mpirun -n 2 -bind-to core"),
    ("slurm", 2, 4, "srun -n 2 -c 4 --cpu-bind=cores"),
])
def test_host_libraries_have_a_core_for_each_thread(kind: str, ranks: int, threads: int,
                                                    expected: str) -> None:
    assert command(kind, ranks, threads) == expected


@pytest.mark.parametrize(("kind", "ranks", "ranks_per_node", "expected"), [
    ("openmpi", 2, None, "mpirun -n 2 --bind-to none"),
    ("mpich", 2, None, "mpirun -n 2 -bind-to none"),
    ("slurm", 8, 4, "srun -n 8 --ntasks-per-node=4 -c 4 --cpu-bind=cores"),
    ("lsf", 8, 4, "jsrun -n 8 -a 1 -c 4 -r 4 -b packed:4"),
])
def test_device_libraries_have_all_cores_that_fall_to_a_rank(
        kind: str, ranks: int, ranks_per_node: int | None, expected: str) -> None:
    assert command(kind, ranks, ranks_per_node=ranks_per_node, device="cuda") == expected


@pytest.mark.parametrize(("kind", "expected"), [
    ("openmpi", "mpirun -n 2 -x A -x UCX_TLS --by hand"),
    ("mpich", "mpirun -n 2 --by hand"),
    ("slurm", "srun -n 2 -c 1 --by hand"),
    ("lsf", "jsrun -n 2 -a 1 -c 1 --by hand"),
])
def test_binding_and_variables_of_a_case(kind: str, expected: str) -> None:
    assert command(kind, 2, binding="--by hand",
                   environment={"UCX_TLS": "tcp", "A": 1}) == expected


def test_a_launcher_without_a_place_for_binding() -> None:
    with pytest.raises(builds.BuildError, match="'--by hand': the launcher 'network-cluster' has"):
        command("network-cluster", 2, binding="--by hand")


def test_variables_of_a_case_are_those_of_its_job() -> None:
    assert builds.environment(3, {"A": "1"}) == builds.environment(3) | {"A": "1"}
