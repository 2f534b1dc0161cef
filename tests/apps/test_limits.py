"""`weft limits`: the ceilings of machines, and what others make of them."""

import json

import pytest

from conftest import bench


def test_machine_file_that_cannot_be_written(weft):
    weft.fail("limits", "--device", "emulated", "--bytes", 2**20, "--machine", "/dev/full",
              says=["cannot write '/dev/full': No space left on device"])


def test_limits_of_a_device_and_what_bench_makes_of_them(weft):
    text = weft.succeed("limits", "--device", "emulated", "--bytes", 2**20, "--machine",
                        "machine.json", ranks=3)
    machine = json.loads((weft.folder / "machine.json").read_text())
    limits = machine["limits"]
    assert (limits["device"], limits["ranks"]) == ("emulated", 3)
    assert limits["description"] in text and limits["bytes"] == 2**20
    pairs = [(link["from"], link["to"]) for link in limits["links"]]
    assert pairs == [(i, j) for i in range(3) for j in range(3) if i != j]
    rates = [limits["alltoall"], *(link[way] for link in limits["links"]
                                   for way in ("one_way", "both_ways"))]
    assert all(rate[mover] > 0 for rate in rates for mover in ("engine", "kernel"))
    for name in ("memory_bytes_per_second", "flag_seconds", "to_device", "from_device",
                 "both_directions"):
        assert limits[name] > 0
    told = [(rate["precision"], rate["strided"]) for rate in limits["transforms"]]
    assert told == [("f32", False), ("f32", True), ("f64", False), ("f64", True)]
    assert all(rate["flops"] > 0 < rate["bytes_per_second"] for rate in limits["transforms"])
    assert machine["memory_bandwidth"] == limits["memory_bytes_per_second"]
    assert machine["node.latency"] == limits["flag_seconds"]

    case = bench(weft, 16, 24, 10, "--device", "emulated", "--chunks", 1, "--machine",
                 "machine.json")
    for stage in case["stages"]:
        ceiling = "node.bandwidth" if stage["name"] == "peer" else "memory_bandwidth"
        share = stage["bytes"] / stage["seconds"] / machine[ceiling]
        assert stage["share_of_ceiling"] == pytest.approx(share)
    # How long exchanges take is not known where they overlap with passes.
    case = bench(weft, 16, 24, 10, "--device", "emulated", "--chunks", 2, "--machine",
                 "machine.json")
    for stage in case["stages"]:
        assert ("share_of_ceiling" in stage) == (stage["name"] != "peer")


def test_limits_of_the_host_and_what_the_model_takes_of_them(weft):
    text = weft.succeed("limits", "--machine", "machine.json", ranks=3, timeout=120)
    machine = json.loads((weft.folder / "machine.json").read_text())
    limits = machine["limits"]
    assert limits["ranks"] == 3 and text.startswith("3 ranks\n")
    assert [time["bytes"] for time in limits["pair_bandwidth"]] == [8 * 4**i for i in range(11)]
    assert [time["bytes"] for time in limits["alltoall"]] == [
        1024 * 4**i // 3 * 3 for i in range(9)]
    for time in limits["pair_bandwidth"] + limits["alltoall"]:
        assert time["seconds"] > 0
    # One rank's share, while all ranks are busy.
    assert machine["memory_bandwidth"] == pytest.approx(limits["memory_bytes_per_second"] / 3)
    assert machine["cache_bandwidth"] == pytest.approx(limits["cache_bytes_per_second"] / 3)
    assert machine["cache_bytes"] == limits["cache_bytes"] > 0
    assert machine["flops"] == pytest.approx(limits["fft_flops"] / 3)
    assert limits["ranks_per_node"] == 3 and limits["network"] is None
    assert "network   not measured: all ranks are on one node" in text
    assert machine["node.bandwidth"] == limits["node"]["bandwidth"] > 0
    assert machine["node.latency"] == limits["node"]["latency"] > 0
    assert "ranks_per_node" not in machine
    weft.succeed("plan", 64, 64, "--ranks", 4, "--machine", "machine.json")


def test_limits_of_one_rank_have_no_messages(weft):
    weft.succeed("limits", "--machine", "machine.json", ranks=1, timeout=120)
    machine = json.loads((weft.folder / "machine.json").read_text())
    limits = machine["limits"]
    assert limits["pair_bandwidth"] == [] == limits["alltoall"]
    assert limits["node"] is None is limits["network"]
    assert machine["memory_bandwidth"] == limits["memory_bytes_per_second"] > 0
    assert machine["flops"] == limits["fft_flops"] > 0


def test_limits_of_one_device(weft):
    text = weft.succeed("limits", "--device", "emulated", "--bytes", 2**20, "--machine",
                        "machine.json", ranks=1)
    limits = json.loads((weft.folder / "machine.json").read_text())["limits"]
    assert limits["links"] == [] and limits["alltoall"] == {"engine": 0, "kernel": 0}
    assert "links" not in text and limits["memory_bytes_per_second"] > 0
    weft.succeed("plan", 64, 64, "--ranks", 4, "--machine", "machine.json")


@pytest.mark.parametrize("arguments, says", [
    (["--device", "toaster"], ["'toaster'", "known: host"]),
    (["--device", "emulated", "--bytes", 100], ["bytes 100", "65536"]),
    (["--device", "emulated", "--bytes", "1e6"], ["'1e6'"]),
])
def test_limits_bad_arguments(weft, arguments, says):
    weft.fail("limits", *arguments, ranks=2, says=says)
