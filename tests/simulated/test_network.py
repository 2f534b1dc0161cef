"""The cost model's seconds of redistributions, beside those of SimGrid's simulated networks.

    WEFT_BUILD_DIR=build python -m pytest tests/simulated [--durations 0]

The messages are those of weft's schedules. SMPI runs them as MPI calls over links that flows share;
neither simulator nor model was fitted to the other: both get the same bandwidths and latencies.
"""

import csv
import os
import shutil
import subprocess
from pathlib import Path

import pytest

here = Path(__file__).parent
build = Path(os.environ.get("WEFT_BUILD_DIR", "build")).resolve()
bound = 0.25

# Bytes per second of a node (each way), seconds of a message; of a rank to others on its node. SMPI
# knows one cost of a message, whoever gets it.
networks = {
    "10 Gbit/s, 5 us": (1.25e9, 5e-6, 5e9, 5e-6),
    "100 Gbit/s, 1 us": (12.5e9, 1e-6, 5e9, 1e-6),
}
problems = [
    (shape, kind, grid)
    for shape in ("128x128x128", "256x192x160")
    for kind in ("c2c", "r2c")
    for grid in ("slab", "pencil")
]

# What is known to miss the bound: shape, kind, grid, ranks, network, redistribution, method. The
# test fails as well when one of them meets it, so that this list only shrinks.
fast, slow = "100 Gbit/s, 1 us", "10 Gbit/s, 5 us"
missing = {
    # The model adds the time that a rank takes for all its messages to that of their bytes. With
    # short ones, those sent first travel while a rank is busy with the next.
    ("128x128x128", "r2c", "slab", 64, fast, 0, "p2p"),
    ("128x128x128", "r2c", "pencil", 64, slow, 0, "p2p"),
}

pytestmark = pytest.mark.skipif(
    shutil.which("smpicxx") is None, reason="SimGrid is not installed (libsimgrid-dev)"
)


def platform(ranks, ranks_per_node, network):
    """A host for each rank, with a link of its own within the node and one that the node shares."""
    bandwidth, latency, near_bandwidth, near_latency = networks[network]
    link = '<link id="{}" bandwidth="{}Bps" latency="{}s" sharing_policy="SPLITDUPLEX"/>'
    lines = [
        "<?xml version='1.0'?>",
        '<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">',
    ]
    lines += ['<platform version="4.1">', '<zone id="all" routing="Full">']
    lines += [f'<host id="rank{rank}" speed="1Gf"/>' for rank in range(ranks)]
    lines += [link.format(f"near{rank}", near_bandwidth, near_latency / 2) for rank in range(ranks)]
    nodes = ranks // ranks_per_node
    lines += [link.format(f"node{node}", bandwidth, latency / 2) for node in range(nodes)]
    for source in range(ranks):
        for target in range(ranks):
            if source == target:
                continue
            nodes = source // ranks_per_node, target // ranks_per_node
            ends = ("near", source, target) if nodes[0] == nodes[1] else ("node", *nodes)
            lines.append(
                f'<route src="rank{source}" dst="rank{target}" symmetrical="NO">'
                f'<link_ctn id="{ends[0]}{ends[1]}" direction="UP"/>'
                f'<link_ctn id="{ends[0]}{ends[2]}" direction="DOWN"/></route>'
            )
    return "\n".join([*lines, "</zone>", "</platform>"])


@pytest.fixture(scope="session")
def replay(tmp_path_factory):
    program = tmp_path_factory.mktemp("program") / "replay"
    subprocess.run(["smpicxx", "-O1", "-o", program, here / "replay.cpp"], check=True)
    return program


@pytest.fixture(scope="session")
def table():
    """Appends to the file WEFT_SIMULATED_TABLE, if it is set."""
    path = os.environ.get("WEFT_SIMULATED_TABLE")
    with open(path or os.devnull, "a", newline="") as file:
        yield csv.writer(file)


def simulated(replay, folder, messages, ranks, ranks_per_node, network):
    """Seconds of each redistribution with non-blocking messages, and with MPI_Alltoallv."""
    (folder / "platform.xml").write_text(platform(ranks, ranks_per_node, network))
    (folder / "hosts").write_text("".join(f"rank{rank}\n" for rank in range(ranks)))
    (folder / "messages").write_text(messages)
    # No factors fitted to other machines, no time of this one, and nothing but a message's
    # latency that a rank spends on it.
    overhead = networks[network][1]
    settings = {
        "smpi/simulate-computation": "no",
        "smpi/bw-factor": "0:1",
        "smpi/lat-factor": "0:1",
        "smpi/ois": f"0:{overhead}:0",  # codespell:ignore ois
        "network/crosstraffic": "0",
    }
    command = ["smpirun", "-np", str(ranks), "-platform", folder / "platform.xml"]
    command += ["-hostfile", folder / "hosts", "--log=root.thresh:error"]
    command += [f"--cfg={name}:{value}" for name, value in settings.items()]
    done = subprocess.run(
        [*command, replay, folder / "messages"], capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return [[float(word) for word in line.split()] for line in done.stdout.splitlines()]


@pytest.mark.parametrize("network", networks)
@pytest.mark.parametrize(("ranks", "ranks_per_node"), [(16, 4), (64, 8)])
@pytest.mark.parametrize("problem", problems, ids="-".join)
def test_model_agrees_with_simulation(
    replay, table, tmp_path, problem, ranks, ranks_per_node, network
):
    figures = [str(figure) for figure in networks[network]]
    messages = subprocess.run(
        [build / "bin/redistributions", *problem, str(ranks), str(ranks_per_node), *figures],
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    predicted = [
        float(line.split()[1]) for line in messages.splitlines() if line.startswith("redist")
    ]
    measured = simulated(replay, tmp_path, messages, ranks, ranks_per_node, network)
    assert len(predicted) == len(measured) > 0
    missed = {}
    for number, (model, pair) in enumerate(zip(predicted, measured, strict=True)):
        for method, seconds in zip(("p2p", "alltoallv"), pair, strict=True):
            case = (*problem, ranks, network, number, method)
            difference = model / seconds - 1
            table.writerow([*case, f"{model:.4g}", f"{seconds:.4g}", f"{difference:.3f}"])
            if abs(difference) > bound:
                missed[case] = f"model {model:.4g} s, simulated {seconds:.4g} s"
    expected = {case for case in missing if case[:5] == (*problem, ranks, network)}
    assert missed.keys() == expected, missed
