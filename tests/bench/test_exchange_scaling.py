"""Bandwidths of exchanges alone: the script that records them, and their pictures and tables."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from weft_bench import exchange_scaling, lookup
from weft_bench.lookup import LookupFailed

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "bench/exchanges-alone"

#: In place of the launcher: writes what `weft limits --exchanges --json FILE` would.
LAUNCHER = """
import json, sys
words = sys.argv[1:]
ranks, message, rounds, device, result = (
    words[words.index(name) + 1] for name in ("-n", "--message", "--rounds", "--device", "--json"))
if ranks == "13":
    sys.exit("no luck")
quartiles = lambda middle: {
    "lower_quartile": middle * 0.9, "median": middle, "upper_quartile": middle * 1.1}
found = [{"name": name, "bytes_per_second": quartiles(rate * int(ranks)),
          "seconds": quartiles(1 / rate), "over_alltoall": rate / 1e9}
         for name, rate in (("MPI_Alltoall", 1e9), ("p2p", 1.23456789e9))]
machine = {"cores": 2, "cpu": "Processor", "mpi": "Some MPI"}
told = {"date": "2026-11-26", "ranks": int(ranks), "nodes": 1, "oversubscribed": int(ranks) > 2,
        "device": device, "message": int(message), "rounds": int(rounds), "description": "",
        "counted": "bytes", "exchanges": found, "not_measured": [], "machine": machine}
open(result, "w").write(json.dumps(told))
print(ranks, "ranks measured")
"""


def recorded(folder: Path, *arguments: str, status: int = 0) -> subprocess.CompletedProcess:
    (folder / "launcher.py").write_text(LAUNCHER)
    result = subprocess.run(
        [SCRIPT, folder / "out.jsonl", *arguments], capture_output=True, text=True,
        env={**os.environ, "WEFT_MPIRUN": f"{sys.executable} {folder / 'launcher.py'}"})
    assert result.returncode == status, result.stderr
    return result


def lines(folder: Path) -> list[dict]:
    return [json.loads(line) for line in (folder / "out.jsonl").read_text().splitlines()]


def texts(path: Path) -> list[str]:
    return re.findall(r"<text[^>]*>([^<]*)</text>", path.read_text("utf-8"))


def test_a_record_has_a_line_for_each_exchange_and_number_of_ranks(tmp_path):
    assert "3 ranks measured" in recorded(tmp_path, "--ranks", "2,3", "--message", "160").stdout
    found = lines(tmp_path)
    assert [(line["ranks"], line["exchange"]) for line in found] == [
        (2, "MPI_Alltoall"), (2, "p2p"), (3, "MPI_Alltoall"), (3, "p2p")]
    assert found[3] == {
        "date": "2026-11-26", "machine": "2 cores of Processor, Some MPI",
        "command": "bench/exchanges-alone --ranks 3 --message 160 --rounds 101 --device host",
        "launcher": f"{Path(sys.executable).name} {tmp_path / 'launcher.py'}",
        "ranks": 3, "nodes": 1, "oversubscribed": True, "device": "host", "message": 160,
        "rounds": 101, "counted": "bytes", "exchange": "p2p", "bandwidth": 3.704e9,
        "lower": 3.333e9, "upper": 4.074e9, "seconds": 8.1e-10, "over_alltoall": 1.235}


def test_another_machine_adds_its_lines(tmp_path):
    recorded(tmp_path, "--ranks", "2")
    recorded(tmp_path, "--ranks", "2", "--machine", "another")
    assert [line["machine"] for line in lines(tmp_path)] == [
        *["2 cores of Processor, Some MPI"] * 2, *["another"] * 2]


def test_after_a_failure_the_file_is_as_it_was(tmp_path):
    recorded(tmp_path, "--ranks", "2")
    before = (tmp_path / "out.jsonl").read_bytes()
    result = recorded(tmp_path, "--ranks", "2,13", status=1)
    assert "-n 13" in result.stderr and "failed" in result.stderr
    assert (tmp_path / "out.jsonl").read_bytes() == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["launcher.py", "out.jsonl"]


def rows(tmp_path: Path, *arguments: str) -> lookup.Rows:
    recorded(tmp_path, *arguments)
    return lookup.load(tmp_path, ["out.jsonl"])


def test_the_table(tmp_path):
    table = exchange_scaling.table(rows(tmp_path, "--ranks", "2,4"))
    assert table.splitlines() == [
        "| | 2 ranks | 4 ranks, oversubscribed |", "|---|---|---|",
        "| `MPI_Alltoall` | 2.00 (1.00) | 4.00 (1.00) |", "| `p2p` | 2.47 (1.24) | 4.94 (1.24) |"]


def test_a_figure_that_there_is_twice_is_an_error(tmp_path):
    recorded(tmp_path, "--ranks", "2")
    with pytest.raises(LookupFailed, match="MPI_Alltoall on 2 ranks was recorded more than once"):
        exchange_scaling.table(rows(tmp_path, "--ranks", "2"))


def test_the_picture(tmp_path):
    recorded(tmp_path, "--ranks", "2,4", "--machine", "one")
    found = rows(tmp_path, "--ranks", "2,8", "--machine", "another")
    exchange_scaling.draw(found, tmp_path / "all.svg")
    drawn = texts(tmp_path / "all.svg")
    assert {"one", "another", "ranks", "node bandwidth, GB/s"} <= set(drawn)
    assert drawn.count("p2p") == drawn.count("MPI_Alltoall") == 2
    with pytest.raises(LookupFailed, match="all.txt: a picture is one of .svg, .png, .pdf"):
        exchange_scaling.draw(found, tmp_path / "all.txt")
