"""The cluster on one machine: what it refuses, what MPI sees of it, and that it leaves nothing."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from harness_build import build, real_build, runner, small_study
from weft_bench import builds, records

SCRIPT = Path(__file__).resolve().parents[2] / "bench" / "network-cluster"
NOBODY = 65534


def cluster(*arguments: str | Path, **options: Any) -> subprocess.CompletedProcess[str]:
    return subprocess.run([SCRIPT, *arguments], capture_output=True, text=True, timeout=120,
                          check=False, **options)


@pytest.mark.parametrize(("arguments", "words"), [
    ([], "network-cluster up HOSTS RATE"),
    (["start"], "unknown command 'start'"),
    (["up"], "up needs HOSTS and RATE"),
    (["up", "4"], "up needs HOSTS and RATE"),
    (["up", "0", "1gbit"], "HOSTS '0': a number from 1 to 99"),
    (["up", "100", "1gbit"], "HOSTS '100'"),
    (["up", "2", "fast"], "RATE 'fast': such as 400mbit"),
    (["up", "2", "0mbit"], "RATE '0mbit'"),
    (["up", "2", "1gbit", "5"], "DELAY '5': such as 50us"),
    (["run"], "run needs a program"),
    (["run", "-n"], "-n needs a value"),
    (["run", "-n", "two", "true"], "-n 'two': a number of ranks"),
    (["run", "--per-host", "0", "true"], "--per-host '0'"),
    (["run", "--mpi", "other", "true"], "--mpi 'other': openmpi or mpich"),
    (["run", "--hosts", "2", "true"], "run has no option '--hosts'"),
])
def test_mistakes_are_named(arguments: list[str], words: str) -> None:
    result = cluster(*arguments)
    assert result.returncode == 2
    assert words in result.stderr and "network-cluster down" in result.stderr


@pytest.mark.parametrize("arguments", [["up", "2", "1gbit"], ["run", "true"], ["status"], ["down"]])
def test_missing_tools_are_named(tmp_path: Path, arguments: list[str]) -> None:
    for tool in ("bash", "realpath"):
        (tmp_path / tool).symlink_to(str(shutil.which(tool)))
    result = cluster(*arguments, env={"PATH": str(tmp_path)})
    assert result.returncode == 1
    assert "'ip' is missing; it is in the package iproute2" in result.stderr


@pytest.mark.parametrize("arguments", [["up", "2", "1gbit"], ["run", "true"], ["status"], ["down"]])
def test_root_is_needed(arguments: list[str]) -> None:
    if not (shutil.which("ip") and shutil.which("tc")):
        pytest.skip("ip and tc (iproute2) are not installed")
    as_nobody = {"user": NOBODY, "cwd": "/"} if os.geteuid() == 0 else {}
    result = cluster(*arguments, **as_nobody)
    assert result.returncode == 1
    assert "network namespaces need root" in result.stderr


def namespaces() -> list[str]:
    listed = subprocess.run(["ip", "netns", "list"], capture_output=True, text=True, check=True)
    words = (line.split()[0] for line in listed.stdout.splitlines() if line)
    return sorted(name for name in words if name.startswith(("weft-node", "weft-network")))


@pytest.fixture(scope="module")
def two_hosts() -> Iterator[None]:
    """Two hosts at 100 Mbit/s. A cluster that somebody else works with is left alone."""
    if os.geteuid() != 0:
        pytest.skip("network namespaces need root")
    if not (shutil.which("ip") and shutil.which("tc")):
        pytest.skip("ip and tc (iproute2) are not installed")
    if namespaces():
        pytest.skip("a network-cluster is up already")
    up = cluster("up", "2", "100mbit")
    if up.returncode != 0:
        assert namespaces() == []
        pytest.skip(f"no cluster of network namespaces here: {up.stderr.strip()}")
    assert up.stdout == "2 hosts, 100Mbit\n"
    yield
    assert cluster("down").returncode == 0
    assert namespaces() == []


@pytest.fixture(scope="module")
def mpi(two_hosts: None) -> str:
    """The MPI of the build; skips where the cluster refuses it."""
    described = json.loads((real_build() / "bin/bench/libraries.json").read_text())
    kind = builds.launcher_kind(described["mpiexec"])
    refusal = cluster("run", "--mpi", kind, "true").stderr
    if "hangs in MPI_Finalize" in refusal:
        pytest.skip(refusal.strip())
    return kind


def bench(folder: Path, mpi: str, options: list[str], size: str, *more: str) -> dict[str, Any]:
    """What `weft bench` says in the cluster."""
    path = folder / "bench.json"
    result = cluster("run", "--mpi", mpi, *options, real_build() / "bin/weft", "bench", size, size,
                     size, "--threads", "1", "--repeat", "3", "--json", path, *more)
    assert result.returncode == 0, result.stderr
    return json.loads(path.read_text())


@pytest.mark.parametrize(("options", "ranks", "nodes"), [
    ([], 2, 2),
    (["-n", "4"], 4, 2),
    (["-n", "4", "--per-host", "3"], 4, 2),
    (["-n", "2", "--per-host", "2"], 2, 1),
])
def test_hosts_are_nodes_to_mpi(tmp_path: Path, mpi: str, options: list[str], ranks: int,
                                nodes: int) -> None:
    told = bench(tmp_path, mpi, options, "8")
    assert (told["ranks"], told["machine"]["nodes"]) == (ranks, nodes)
    assert told["machine"]["hostname"] == "weft-node1"


def test_hosts_share_memory_within_and_the_network_between(tmp_path: Path, mpi: str) -> None:
    told = bench(tmp_path, mpi, ["-n", "4"], "8", "--exchange", "node_shared:p2p")
    assert told["exchange"] == "node_shared:p2p"


def test_links_are_as_slow_as_was_asked_for(tmp_path: Path, mpi: str) -> None:
    told = bench(tmp_path, mpi, [], "64", "--exchange", "p2p")
    burst = 128 * 1024
    assert told["bytes_sent"] == 2**20
    assert told["forward_seconds"]["min"] > (told["bytes_sent"] - burst) * 8 / 100e6


def test_too_many_ranks_for_the_hosts(two_hosts: None) -> None:
    result = cluster("run", "-n", "5", "--per-host", "2", "true")
    assert result.returncode == 1
    assert "5 ranks, 2 to a host, need more than 2 hosts" in result.stderr


def test_a_second_cluster_is_refused(two_hosts: None) -> None:
    result = cluster("up", "3", "1gbit")
    assert result.returncode == 1
    assert "one is up already (2 hosts, 100Mbit)" in result.stderr
    assert cluster("status").stdout == "2 hosts, 100Mbit\n"


def test_failures_of_programs_are_passed_on(mpi: str) -> None:
    assert cluster("run", "--mpi", mpi, "false").returncode != 0


def test_records_of_a_study_name_the_network(tmp_path: Path, mpi: str) -> None:
    folder = builds.load(build(tmp_path, ("weft",)).folder, launch="network-cluster")
    settings = {"codec": ["bfp:16", "none"], "exchange": "p2p"}
    study = small_study(libraries=[{"name": "weft", "settings": settings}],
                        cases=[{"shape": [16, 12, 10], "ranks": 2}])
    runner(tmp_path, study, folder).run()
    for record in records.load(tmp_path / "records.jsonl"):
        assert (record["status"], record["launcher"]) == ("ok", f"{mpi}, 2 hosts, 100Mbit")
        assert " bench/network-cluster run " in record["command"]
