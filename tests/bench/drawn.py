"""Both pages that draw where the time goes, and the lengths of the bars in their text."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

from harness_build import real_build
from synthetic import machine, record
from weft_bench import builds, report

ROOT = Path(__file__).resolve().parents[2]
SHAPE = [24, 20, 16]


def bench_case(folder, *arguments, shape=SHAPE):
    """What `weft bench --json` says of two ranks."""
    build = real_build()
    mpiexec = json.loads((build / "bin/bench/libraries.json").read_text())["mpiexec"]
    kind = builds.launcher_kind(mpiexec)
    crowded = builds.BINDING[kind]["crowded"].split()
    path = Path(folder, "case.json")
    path.unlink(missing_ok=True)
    command = [mpiexec, "-n", "2", *crowded, build / "bin/weft", "bench", *map(str, shape),
               "--repeat", "3", "--json", path, *arguments]
    subprocess.run(command, check=True, env=os.environ | builds.environment(1), timeout=60)
    return json.loads(path.read_text())


def exchanges():
    """Names of all exchanges of `weft list`, and of those that work on the host."""
    listed = subprocess.run([real_build() / "bin/weft", "list"], capture_output=True, text=True,
                            check=True, env=os.environ | builds.environment(1)).stdout
    names = re.findall(r"^  (\S+)", listed.split("\nexchanges")[1].split("\ncodecs")[0], re.M)
    devices = {"peer", "peer_packed", "nccl", "staged", "mpi"}
    assert devices < set(names) and "node_shared" in names
    return names, [name for name in names if name not in devices]


def steps_of(stages):
    """Seconds of passes, and of steps that move data."""
    moving = sum(stage["seconds"] for stage in stages if stage["moves_data"])
    return sum(stage["seconds"] for stage in stages) - moving, moving


def demo_page(folder, case):
    """The page that scripts/demo makes of a benchmark."""
    check = {"relative_l2": 1e-16, "bound": 1e-14, "largest_relative": 1e-16, "coefficients": 9,
             "reference": "SciPy", "shape": case["shape"], "samples": 16,
             "sampled_error": {"weft": 1e-16, "scipy": 1e-16}}
    (folder / "bench.jsonl").write_text(json.dumps(case) + "\n")
    (folder / "energies.json").write_text(json.dumps({"field": 0.5, "modes": 0.5}))
    (folder / "check.json").write_text(json.dumps(check))
    (folder / "commands.txt").write_text("weft bench\n")
    (folder / "spectrum.png").write_bytes(b"")
    subprocess.run([sys.executable, ROOT / "scripts/make_report.py", folder], check=True,
                   stdout=subprocess.DEVNULL)
    return folder / "report.html"


def harness_page(folder, stages, **changes):
    """The harness's page of one library with these steps."""
    records = [record(stages=stages, machine=machine(), **changes)]
    return report.write(records, folder / "harness")[0]


def demo_lengths(path):
    """Lengths of full and of hatched bars, as the demo's page gives them."""
    found = re.findall(r'class="bar( moves)?" style="width: ([\d.]+)%"', path.read_text("utf-8"))
    lengths = [[float(length) for moves, length in found if bool(moves) == hatched]
               for hatched in (False, True)]
    return sum(lengths[0]), sum(lengths[1])


def harness_lengths(path):
    """Those of the chart in the harness's page, whose bars lie one behind the other."""
    page = path.read_text("utf-8")
    [chart] = re.findall(r'<svg[^>]*aria-label="Part of the time in exchanges.*?</svg>', page, re.S)
    bars = re.findall(r'<path d="M ([\d.]+) [\d.]+\s+L ([\d.]+) [^>]*clip-path[^>]*'
                      r'style="fill: (#0072b2|url)', chart)
    lengths = [sum(float(right) - float(left) for left, right, fill in bars if fill == kind)
               for kind in ("#0072b2", "url")]
    return lengths[0], lengths[1]
