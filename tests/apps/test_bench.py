"""`weft bench`: what it measures and prints."""

import json
import os
import pty
import subprocess

import pytest

from conftest import bench, check_failure, offered

ON_DEVICES = {"peer", "peer_packed", "nccl", "staged", "mpi"}


def test_bench_fields(weft):
    case = bench(weft, 16, 12, 10)
    assert case["library"] == "weft"
    assert case["shape"] == [16, 12, 10]
    assert (case["kind"], case["precision"], case["batch"]) == ("c2c", "f64", 1)
    assert (case["ranks"], case["threads"], case["device"]) == (2, 1, "host")
    assert (case["in"], case["out"], case["codec"]) == ("slab:0", "slab:1", "none")
    assert (case["chunks"], case["tolerance"]) == (1, None)
    assert case["exchange"] != "auto" and case["local"] != "auto"
    # Half of what a rank owns goes to the other one.
    assert case["bytes_sent"] == 16 * 12 * 10 * 16 // 4
    assert case["gflops"] == pytest.approx(
        5 * 1920 * 10.9069 / case["forward_seconds"]["median"] / 1e9, rel=1e-4)


@pytest.mark.parametrize("repeat", [1, 2])
def test_median_of_few_repetitions(weft, repeat):
    weft.succeed("bench", 8, 8, "--repeat", repeat, "--json", "bench.json")
    case = json.loads((weft.folder / "bench.json").read_text())
    for spread in [case["forward_seconds"], case["backward_seconds"]]:
        assert spread["median"] == pytest.approx((spread["min"] + spread["max"]) / 2)


def test_bench_counts_half_for_real_data_and_only_transformed_axes(weft):
    case = bench(weft, 8, 16, 4, "--kinds", "none,r2c,none", "--batch", 3)
    operations = 0.5 * 5 * (8 * 16 * 4 * 3) * 4  # log2 of the 16 transformed points
    assert case["gflops"] == pytest.approx(
        operations / case["forward_seconds"]["median"] / 1e9, rel=1e-6)


@pytest.mark.parametrize("arguments, fields", [
    ([64], {"out": "slab:0"}),
    ([5, 7, 6, "--kinds", "r2c", "--precision", "f32"], {"kind": "r2c", "precision": "f32"}),
    ([8, 6, 10, "--input", "pencil:0", "--output", "pencil:2", "--grid", "1x3", "--algorithm",
      "pencil"], {"grid": "1x3", "in": "pencil:0"}),
    ([8, 6, 10, "--input", "brick", "--output", "brick,order=210"], {"out": "brick,order=210"}),
    ([8, 6, 10, "--batch", 3], {"batch": 3, "interleaved": False}),
    ([8, 6, 10, "--batch", 3, "--interleaved", "--kinds", "r2c"], {"interleaved": True}),
    ([8, 6, 10, "--in-place"], {"in_place": True}),
    ([8, 6, 10, "--in-place", "--kinds", "r2c", "--batch", 2], {"in_place": True}),
    ([8, 6, 9, "--in-place", "--kinds", "r2c", "--precision", "f32"], {"in_place": True}),
    ([8, 6, 10, "--kinds", "none,c2c,r2c", "--norm", "ortho"], {"norm": "ortho"}),
    ([8, 6, 10, "--exchange", "p2p", "--local", "reference"],
     {"exchange": "p2p", "local": "reference"}),
    ([8, 6, 10, "--no-reorder", "--threads", 2], {"reorder": False, "threads": 2}),
    ([8, 6, 10, "--reorder"], {"reorder": True}),
    ([8, 6, 10, "--tolerance", "1e-6", "--codec", "none", "--device", "host", "--chunks", 1],
     {"tolerance": 1e-6}),
    ([2, 2, "--norm", "forward"], {"norm": "forward"}),
    ([8, 6, 10, "--norm", "none"], {"norm": "none"}),
    ([16, 12, 20, "--codec", "bfp:16"], {"codec": "bfp:16", "exchange": "p2p"}),
    ([16, 12, 20, "--tolerance", "1e-5", "--kinds", "r2c"], {"tolerance": 1e-5}),
    ([16, 12, 20, "--codec", "cast:fp32", "--chunks", 3], {"codec": "cast:fp32", "chunks": 3}),
    ([16, 12, "--chunks", 3, "--receive-chunks", 2], {"chunks": 3, "receive_chunks": 2}),
    ([16, 12, 20, "--codec", "lossless"], {"codec": "lossless"}),
    ([16, 12, 20, "--fields", 3, "--fields-in-flight", 2, "--chunks", 2],
     {"fields": 3, "fields_in_flight": 2}),
    ([16, 12, 20, "--exchange", "p2p", "--chunks", 2, "--progress", "thread"],
     {"progress": "thread"}),
    ([16, 12, 20, "--exchange", "node_aware:2"], {"exchange": "node_aware:2"}),
])
def test_bench_cases(weft, arguments, fields):
    case = bench(weft, *arguments, ranks=3)
    assert {name: case[name] for name in fields} == fields


def host_exchanges(weft):
    names = set(offered(weft, "exchanges"))
    assert names >= ON_DEVICES
    return sorted(names - ON_DEVICES)


def check_steps(case):
    """One step of each direction moves data, and what it has sent is all that was sent."""
    for direction in ("forward", "backward"):
        steps = [stage for stage in case["stages"] if stage["direction"] == direction]
        moving = [stage for stage in steps if stage["moves_data"]]
        assert [stage["name"] for stage in moving] == [case["exchange"].partition(":")[0]]
        assert moving[0]["bytes"] == case["bytes_sent"] > 0
        passes = [stage for stage in steps if not stage["moves_data"]]
        assert sum("transform" in stage["name"] for stage in passes) == 2


def test_steps_tell_whether_they_move_data_with_every_exchange(weft):
    names = host_exchanges(weft)
    assert len(names) >= 11
    for name in [*names, "auto"]:
        case = bench(weft, 16, 12, 10, "--exchange", name)
        if name != "auto":
            assert case["exchange"].partition(":")[0] == name
        check_steps(case)


@pytest.mark.parametrize("exchange", ["peer", "staged"])
def test_steps_of_devices_tell_whether_they_move_data(weft, exchange):
    check_steps(bench(weft, 16, 12, 10, "--device", "emulated", "--exchange", exchange))


@pytest.mark.parametrize(("how", "rated"), [
    (["--exchange", "p2p"], True), (["--exchange", "p2p", "--chunks", "2"], False),
    (["--exchange", "node_shared"], False)])
def test_waits_for_what_moves_meanwhile_have_no_rate(weft, how, rated):
    lines = weft.run("bench", 16, 12, 10, *how, ranks=2).stdout.splitlines()
    moves = [line for line in lines if how[1] in line.split() and "ward" in line]
    assert len(moves) == 2
    assert all(("GB/s" in line) == rated and ("no rate" in line) != rated for line in moves)
    assert all("GB/s" in line for line in lines if "transform" in line and " ms " in line)


def test_a_breakdown_is_told_in_parts(weft):
    case = bench(weft, 24, 20, 22, "--exchange", "p2p", "--tolerance", "1e-5", "--breakdown")
    assert [stage["name"] for stage in case["stages"] if "parts" not in stage] == []
    for stage in case["stages"]:
        expected = {"exchange", "wait"} if stage["moves_data"] else {"transform"}
        assert expected <= stage["parts"].keys()
    passes = [stage["parts"] for stage in case["stages"] if not stage["moves_data"]]
    assert sum("encode" in parts for parts in passes) == 2  # before the exchange, both ways
    assert sum("decode" in parts for parts in passes) == 2
    told = weft.succeed("bench", 24, 20, 22, "--breakdown", "--repeat", 1, ranks=2)
    assert "transform" in told and "(mean of the ranks)" in told
    plain = bench(weft, 24, 20, 22)
    assert all("parts" not in stage for stage in plain["stages"])


@pytest.mark.parametrize("value", ["perhaps", "2", "99999999999999999999"])
def test_a_flag_is_yes_or_no(weft, value):
    weft.fail("bench", 8, 8, 8, f"--breakdown={value}", ranks=2,
              says=["--breakdown", f"'{value}': must be yes or no"])


def test_bench_without_launcher(weft):
    assert bench(weft, 16, 16, ranks=None)["ranks"] == 1


def test_bench_fails_above_the_error_bound(weft, strict_bound):
    result = weft.run("bench", 8, 8, "--json", "bench.json",
                      env={**os.environ, "LD_PRELOAD": strict_bound})
    check_failure(result, ["forward error", "bound 1e-30"])
    case = json.loads((weft.folder / "bench.json").read_text())
    assert case["forward_error"] > case["error_bound"]


@pytest.mark.parametrize("lengths", [["8x6x10"], ["8,6,10"], ["8", "6x10"], ["8", "6", "10"]])
def test_ways_to_write_lengths(weft, lengths):
    assert bench(weft, *lengths)["shape"] == [8, 6, 10]


def test_the_default_output_is_told(weft):
    note = "output slab:1 is the command's default; that of a Plan is its input layout"
    assert f"  {note}: --output slab:0\n" in weft.succeed("bench", 8, 8)
    assert f"  {note}: --output pencil:0\n" in weft.succeed("bench", 8, 8, 8, "--input", "pencil:0")
    assert note not in weft.succeed("bench", 8, 8, "--output", "slab:1")
    assert "A Plan's own default is the layout of its input" in weft.succeed("bench", "--help")


def test_quiet_and_verbose(weft):
    quiet = weft.run("bench", 8, 8, "--quiet", "--json", "bench.json")
    assert (quiet.returncode, quiet.stdout, quiet.stderr) == (0, "", "")
    assert json.loads((weft.folder / "bench.json").read_text())["shape"] == [8, 8]
    assert weft.run("bench", 8, 8).stderr == ""
    told = weft.run("bench", 8, 8, "--verbose").stderr.splitlines()
    steps = ["planning", "verifying", "measuring"]
    assert [line.split(" took ")[0] for line in told] == [f"weft: {step}" for step in steps]
    weft.fail("bench", 8, 8, "--quiet", "--verbose", says=["--quiet excludes --verbose"])


def test_steps_that_take_long_are_shown_on_a_terminal(weft):
    leader, follower = pty.openpty()
    slow = ["bench", 4194304, "--repeat", 1, "--threads", 1]
    process = subprocess.Popen(weft.arguments(*slow), stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=follower)
    os.close(follower)
    shown = b""
    try:
        while part := os.read(leader, 4096):
            shown += part
    except OSError:  # the terminal is closed
        pass
    assert process.wait() == 0 and process.stdout.read().startswith(b"4194304 c2c f64")
    assert b"\r\x1b[Kverifying, 2 s" in shown and shown.endswith(b"\r\x1b[K")
