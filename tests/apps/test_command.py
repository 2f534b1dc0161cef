"""`weft bench`, `plan`, `list`, --help, and how errors end all ranks."""

import itertools
import json
import os

import pytest

from conftest import check_failure

FIELDS = [
    "library", "version", "shape", "kind", "precision", "batch", "ranks", "threads", "device", "in",
    "out", "grid", "exchange", "codec", "tolerance", "chunks", "local", "plan_seconds",
    "forward_seconds", "backward_seconds", "gflops", "forward_error", "roundtrip_error",
    "error_bound", "bytes_sent", "workspace_bytes", "stages", "machine",
]


def bench(weft, *arguments, ranks=2):
    """What the last line of the JSON file says."""
    output = weft.succeed("bench", *arguments, "--repeat", 3, "--json", "bench.json", ranks=ranks)
    case = json.loads((weft.folder / "bench.json").read_text().splitlines()[-1])
    assert set(FIELDS) <= set(case)
    for spread in [case["forward_seconds"], case["backward_seconds"]]:
        assert 0 < spread["min"] <= spread["median"] <= spread["max"]
    assert 0 <= case["forward_error"] <= case["error_bound"] < 1e-4
    assert 0 <= case["roundtrip_error"] <= 2 * case["error_bound"]
    assert case["stages"] and case["gflops"] > 0 and case["plan_seconds"] > 0
    for stage in case["stages"]:
        assert stage["name"] in output and stage["seconds"] >= 0 and stage["bytes"] >= 0
    assert set(case["machine"]) >= {"hostname", "cpu", "cores", "mpi", "compiler"}
    return case


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


def test_bench_appends_lines(weft):
    bench(weft, 8, 8)
    bench(weft, 8, 9, "--kinds", "r2c")
    lines = (weft.folder / "bench.json").read_text().splitlines()
    assert [json.loads(line)["shape"] for line in lines] == [[8, 8], [8, 9]]


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
    ([16, 12, 20, "--codec", "bfp:16"], {"codec": "bfp:16", "exchange": "alltoallv"}),
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
    """Names of exchanges from `weft list`, but for those of devices."""
    lines = iter(weft.succeed("list").splitlines())
    next(line for line in lines if line.startswith("exchanges "))
    named = itertools.takewhile(lambda line: line.startswith("  "), lines)
    names = [line.split()[0] for line in named]
    on_devices = {"peer", "peer_packed", "nccl", "staged", "mpi"}
    assert on_devices - {"nccl"} < set(names)  # which may not be built in
    return [name for name in names if name not in on_devices]


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


def test_bench_without_launcher(weft):
    assert bench(weft, 16, 16, ranks=None)["ranks"] == 1


def test_bench_keeps_wisdom(weft):
    for _ in range(2):
        bench(weft, 32, 32, "--rigor", "measure", "--local", "fftw", "--wisdom", "f64.wisdom")
        assert "fftw" in (weft.folder / "f64.wisdom").read_text()
    weft.fail("bench", 32, 32, "--wisdom", "f64.wisdom", "--precision", "f32", ranks=2,
              says=["f64.wisdom", "f32"])


def test_bench_fails_above_the_error_bound(weft, strict_bound):
    result = weft.run("bench", 8, 8, "--json", "bench.json",
                      env={**os.environ, "LD_PRELOAD": strict_bound})
    check_failure(result, ["forward error", "bound 1e-30"])
    case = json.loads((weft.folder / "bench.json").read_text())
    assert case["forward_error"] > case["error_bound"]


BAD_CASES = [
    ([], ["N is required"]),
    ([8, "eight"], ["eight"]),
    ([8, "010"], ["'010'"]),
    ([8, "8.0"], ["'8.0'"]),
    ([8, 2**64], [f"'{2**64}'"]),
    ([8, 0], ["8x0", "positive"]),
    ([8, "-4"], ["-4"]),
    ([2] * 7, ["7 axes", "1 to 6"]),
    ([2] * 9, ["6 axes"]),
    ([8, 8, "--kinds", "dct2,c2c", "--numbers", "real"], ["c2c needs complex numbers"]),
    ([8, 8, "--numbers", "imaginary"], ["numbers 'imaginary'", "automatic, real, complex"]),
    ([1, 8, "--kinds", "dct1,c2c"], ["dct1", "at least 2 points"]),
    ([8, 8, "--kinds", "c2c,c2c,c2c"], ["3", "2 axes"]),
    ([8, 8, "--precision", "f16"], ["f16", "f64"]),
    ([8, 8, "--input", "slab:2"], ["axis 2", "input layout"]),
    ([8, 8, "--output", "slap:0"], ["slap:0", "pencil"]),
    ([8, 8, "--output", "grid:2x2"], ["2x2", "3"]),
    ([8, 8, "--input", "slab:0,order=00"], ["(0,0)"]),
    ([8, 8, "--grid", "2xa"], ["grid '2xa'"]),
    ([8, 8, "--grid", "2x2x2"], ["2x2x2"]),
    ([8, 8, "--grid", "2x2"], ["2x2", "3 ranks"]),
    ([8, 8, "--batch", 0], ["batch 0"]),
    ([8, 8, "--norm", "l2"], ["l2"]),
    ([8, 8, "--algorithm", "best"], ["best"]),
    ([8, 8, "--exchange", "pigeon"], ["pigeon", "alltoallw"]),
    ([8, 8, "--codec", "jpeg:3"], ["codec 'jpeg:3'", "auto, none, lossless, bfp"]),
    ([8, 8, "--codec", "bfp"], ["codec 'bfp'", "bits"]),
    ([8, 8, "--codec", "bfp:99"], ["codec 'bfp:99'", "62"]),
    ([8, 8, "--codec", "bfp:16", "--exchange", "alltoallw"], ["bfp:16", "alltoallw"]),
    ([8, 8, "--fields", 0], ["fields 0"]),
    ([8, 8, "--fields-in-flight", 0], ["fields_in_flight 0"]),
    ([8, 8, "--progress", "magic"], ["progress 'magic'", "polling"]),
    ([8, 8, "--device", "emulated", "--exchange", "one_sided"],
     ["'one_sided' moves memory of the host", "use 'auto' or 'staged'"]),
    ([8, 8, "--device", "abacus"], ["device 'abacus'", "known: host"]),
    ([8, 8, "--chunks", 2000], ["chunks 2000"]),
    ([8, 8, "--receive-chunks", 2000], ["receive_chunks 2000"]),
    ([8, 8, "--grid", "2by2"], ["grid '2by2'", "numbers such as 2x4"]),
    ([8, 8, "--exchange", "p2q"], ["exchange 'p2q' is unknown (did you mean 'p2p'?)"]),
    ([8, 8, "--chunks", "few"], ["chunks 'few'", "a whole number"]),
    ([8, 8, "--exchange", "node_shared:alltoallw"], ["node_shared:alltoallw", "packed"]),
    ([8, 8, "--local", "pocket"], ["pocket", "reference"]),
    ([8, 8, "--tolerance", "0"], ["tolerance 0"]),
    ([8, 8, "--tolerance", "nan"], ["tolerance nan"]),
    ([8, 8, "--tolerance", "inf"], ["tolerance inf"]),
    ([8, 8, "--tolerance", "1"], ["tolerance 1: ", "less than 1"]),
    ([8, 8, "--tolerance", "2"], ["tolerance 2: ", "less than 1"]),
    ([8, 8, "--rigor", "none"], ["'none'", "measure"]),
    ([8, 8, "--threads", "-1"], ["threads -1"]),
    ([8, 8, "--threads", 1000000], ["threads 1000000", "between 0 and 4096"]),
    ([8, 8, "--timeline", "/dev/full"], ["cannot write '/dev/full'", "No space left on device"]),
    ([8, 8, "--json", "/dev/full"], ["cannot write '/dev/full'", "No space left on device"]),
    ([8, 8, "--repeat", 0], ["repeat 0"]),
    ([8, 8, "--json", "none/x.json"], ["none/x.json", "No such file"]),
    ([8, 8, "--wisdom", "/dev/null"], ["wisdom", "/dev/null"]),
    ([8, 8, "--wisdom", "\x1b[31m/w"], ["FFTW wisdom", "\\x1b[31m/w"]),
    ([8, 8, "--input", "slab:1", "--kinds", "r2c", "--in-place"], ["axis 1 whole"]),
    ([8, 8, "--bogus", 3], ["option '--bogus' is unknown (try: weft bench --help)"]),
    ([8, 8, "--tile-byte=5"],
     ["option '--tile-byte' is unknown (did you mean '--tile-bytes'?)"]),
    ([2**40, 2**40], ["1099511627776"]),
]


@pytest.mark.parametrize("arguments, says", BAD_CASES)
def test_bench_bad_arguments(weft, arguments, says):
    weft.fail("bench", *arguments, ranks=3, says=says)


def test_subcommands(weft):
    weft.fail("transforms", "a.npy", "b.npy", ranks=3,
              says=["subcommand 'transforms' is unknown (did you mean 'transform'?)"])
    weft.fail("frobnicate", ranks=3, says=["frobnicate"])
    weft.fail("frobnicate", says=["frobnicate"])
    weft.fail("\x1b[31m", says=["\\x1b[31m"])
    weft.fail("bench", 8, "\x1b[31m" + "x" * 60000, says=["\\x1b[31m", "xxx...xxx"])
    weft.fail(ranks=3, says=["subcommand"])
    weft.fail(says=["subcommand"])


@pytest.mark.parametrize("subcommand", [None, "bench", "plan", "list", "transform"])
def test_help(weft, subcommand):
    arguments = ([] if subcommand is None else [subcommand]) + ["--help"]
    alone = weft.succeed(*arguments)
    assert "Usage: weft" in alone and "Example" in alone
    assert alone == weft.succeed(*arguments, ranks=3)


def test_version(weft):
    assert weft.succeed("--version").startswith("weft ")


def test_list(weft):
    text = weft.succeed("list")
    for name in ["kinds", "c2c", "r2c", "none", "local", "fftw", "reference", "mkl", "exchanges",
                 "alltoall ", "alltoallv", "alltoallw", "p2p ", "p2p_pipelined", "node_shared",
                 "persistent", "one_sided", "codecs", "bfp", "trim", "cast", "lossless", "devices",
                 "host", "usable"]:
        assert name in text
    assert text == weft.succeed("list", ranks=2)


def chosen_from(text):
    """Name, state and description of each row of `weft list`, by heading."""
    parts = {}
    for line in text.splitlines():
        if not line.startswith(" "):
            rows = parts.setdefault(line.split(" (")[0], {})
        else:
            rows[line[2:18].strip()] = line[18:34].strip(), line[34:]
    return parts


def test_list_tells_what_needs_a_gpu(weft):
    parts = chosen_from(weft.succeed("list"))
    has_gpu = any(parts["devices"].get(name, ("",))[0] == "usable" for name in ("cuda", "hip"))
    exchanges = parts["exchanges"]
    on_devices = {"peer", "peer_packed", "nccl", "staged", "mpi"} & set(exchanges)
    assert {"peer", "peer_packed", "staged", "mpi"} <= on_devices
    for name, (state, text) in exchanges.items():
        if name == "mpi" and has_gpu:  # that depends on the MPI library
            continue
        if has_gpu or name not in on_devices:
            assert state == "usable", name
        else:
            assert state == "not usable here", name
            assert text.endswith("; built in, but there is no GPU here"), name
    for name in {"cuda", "hip", "cufft", "hipfft"}:
        for rows in parts.values():
            if name in rows and not has_gpu:
                assert rows[name][0] == "not usable here"
                assert rows[name][1].endswith("; built in, but there is no GPU here")


def test_a_device_that_is_not_here(weft):
    usable = chosen_from(weft.succeed("list"))["devices"]
    for device in ("cuda", "hip"):
        if usable.get(device, ("",))[0] == "usable":
            continue
        says = "this process sees none" if device in usable else "is not built in"
        weft.fail("bench", 8, 8, "--device", device, ranks=2, says=[f"device '{device}'", says])
        weft.fail("limits", "--device", device, ranks=2, says=[f"device '{device}'", says])
        weft.fail("limits", "--device", device, says=[f"device '{device}'", says])


def test_plan(weft):
    text = weft.succeed("plan", 64, 64, 64, "--ranks", 8, "--rank", 3)
    lines = text.splitlines()
    assert lines[0].startswith("forward 64x64x64") and "rank 3 of 8" in lines[0]
    assert sum(line.startswith("backward") for line in lines) == 1
    assert text.count("redistribute") == 2 and text.count("predicted") == 8
    assert lines[-1].startswith("planning took")
    assert weft.succeed("plan", 64, 64, 64, "--ranks", 8, ranks=2).count("forward 64") == 1


def test_plan_in_chunks(weft):
    text = weft.succeed("plan", 64, 64, 64, "--ranks", 8, "--chunks", 4)
    assert text.count("in 4 chunks: 4 parts of axis 2") == 2
    text = weft.succeed("plan", 64, 64, "--ranks", 4, "--chunks", 4, "--receive-chunks", 2)
    assert "in 5 chunks: 4 parts of axis 0 leave, 2 parts of axis 1 arrive" in text
    assert "in 5 chunks: 2 parts of axis 1 leave, 4 parts of axis 0 arrive" in text


def test_plan_on_a_device_that_need_not_be_here(weft):
    built = weft.succeed("list")
    for device in ("emulated", "cuda", "hip"):
        if f"device {device}" not in built:
            continue
        text = weft.succeed("plan", 64, 64, 64, "--ranks", 4, "--input", "pencil:2", "--output",
                            "pencil:0", "--device", device)
        assert "order (1,0,2)" in text  # lines of the middle stage across one long loop


def test_plan_of_a_million_ranks(weft):
    text = weft.succeed("plan", 32768, 32768, 32768, "--kinds", "r2c", "--input", "pencil:2",
                        "--output", "pencil:0", "--ranks", 2**20, "--rank", 2**20 - 1)
    assert "rank 1048575 of 1048576" in text and text.count("1023 peers") == 4


def test_plan_uses_the_machine_file(weft):
    def predicted():
        text = weft.succeed("plan", 64, 64, "--ranks", 4, "--machine", "machine.json")
        return text.splitlines()[0].split("predicted ")[1]

    machine = weft.folder / "machine.json"
    machine.write_text("{}")
    usual = predicted()
    machine.write_text(json.dumps({"message_latency": 1000}))
    assert predicted() != usual and predicted().endswith(" s")


@pytest.mark.parametrize("content, says", [
    (None, "cannot be read"),
    ("{", "no JSON"),
    ("[1]", "no JSON object"),
    ('{"memory_bandwith": 1e9}', "'memory_bandwith' is unknown; known: memory_bandwidth"),
    ('{"flops": "fast"}', 'flops is "fast"'),
    ('{"flops": -1}', "flops is -1"),
    ('{"flops": 0}', "flops is 0"),
    ('{"flops": {"a": 1}}', "flops is an object"),
    ('{"flops": ' + 100000 * "[" + 100000 * "]" + "}", "flops is an array"),
    ('{"flops": "%s"}' % ("x" * 60000), 'flops is "xxx'),
    ('{"flops": "\\u009b31m"}', "flops is \"\\xc2\\x9b31m"),
    ('{"\\u001b[31m": 1}', "'\\x1b[31m' is unknown"),
    ('{"%s": 1}' % ("k" * 60000), "'kkk"),
    ('{"flops": ' + "n" * 60000, "no JSON"),
], ids=lambda value: str(value)[:30])
def test_plan_bad_machine_file(weft, content, says):
    if content is not None:
        (weft.folder / "machine.json").write_text(content)
    for ranks in [None, 2]:
        weft.fail("plan", 64, 64, "--ranks", 4, "--machine", "machine.json", ranks=ranks,
                  says=["'machine.json'", says])
    told = weft.run("plan", 64, 64, "--ranks", 4, "--machine", "machine.json").stderr
    assert len(told) < 700 and "\x1b" not in told and "\x9b" not in told


@pytest.mark.parametrize("arguments, says", [
    (["--ranks", 0], ["ranks 0"]),
    (["--ranks", 4, "--rank", 4], ["rank 4", "4 ranks"]),
    (["--ranks", 4, "--rank", -1], ["-1"]),
    ([], ["--ranks"]),
    (["--ranks", 4, "--codec", "bfp"], ["bfp"]),
    (["--ranks", 4, "--chunks", 2000], ["chunks 2000"]),
    (["--ranks", 4, "--exchange", "pigeon"], ["pigeon"]),
    (["--ranks", 4, "--input", "grid:2x3"], ["2x3", "6 ranks"]),
    (["--ranks", 2**70], [str(2**70)]),
    (["--ranks", 2**40], [str(2**40), "2147483647"]),
    (["--ranks", "010"], ["'010'"]),
])
def test_plan_bad_arguments(weft, arguments, says):
    weft.fail("plan", 8, 8, *arguments, says=says)


def lanes_of(timeline):
    """Spans by rank and lane; messages are told by their begin and their end."""
    lanes = {}
    open_messages = {}
    for event in timeline["traceEvents"]:
        assert event["ph"] in "MXbe"
        if event["ph"] in "Xb":
            span = {**event["args"], "begin": event["ts"], "end": event["ts"] + event.get("dur", 0)}
            lanes.setdefault((event["pid"], event["cat"]), []).append(span)
            open_messages[event.get("id")] = span
        elif event["ph"] == "e":
            open_messages.pop(event["id"])["end"] = event["ts"]
    assert set(open_messages) <= {None}
    return lanes


@pytest.mark.parametrize("device", ["host", "emulated"])
def test_timeline(weft, device):
    # What the file held is replaced.
    (weft.folder / "times.json").write_text("?" * 1000000)
    case = bench(weft, 16, 24, 10, "--device", device, "--exchange",
                 "p2p" if device == "host" else "peer", "--chunks", 2, "--fields", 2,
                 "--fields-in-flight", 2, "--timeline", "times.json", ranks=3)
    timeline = json.loads((weft.folder / "times.json").read_text())
    told = timeline["otherData"]
    assert told["ranks"] == 3 and told["uncertainty_seconds"] >= 0
    assert 0 <= told["hidden_share"] <= 1
    assert told["hidden_share"] == pytest.approx(case["hidden_exchange_share"])
    lanes = lanes_of(timeline)
    # On the host both sides have the same two parts; otherwise one of the sender's is cut again.
    blocks = 2 if device == "host" else 3
    for rank in range(3):
        runs = lanes[rank, "run"]
        assert sorted((run["direction"], run["run"], run["field"]) for run in runs) == [
            ("backward", 1, 0), ("backward", 1, 1), ("forward", 0, 0), ("forward", 0, 1)]
        steps = {(stage["direction"], stage["name"]) for stage in case["stages"]}
        passes = {(span["direction"], span["step"]) for span in lanes[rank, "compute"]}
        waits = {(span["direction"], span["step"]) for span in lanes[rank, "wait"]}
        assert passes | waits == steps and not passes & waits
        assert {span["chunk"] for span in lanes[rank, "wait"]} == set(range(blocks))
        assert len(lanes[rank, "wait"]) == 2 * 2 * blocks  # directions, fields
        assert ((rank, "messages") in lanes) == (device == "host")
        assert ((rank, "host") in lanes) == (device != "host")
        for span in lanes[rank, "compute"]:
            assert span["begin"] <= span["end"]


def test_timeline_that_cannot_be_written(weft):
    weft.fail("bench", 8, 8, "--timeline", "nowhere/times.json", ranks=2,
              says=["cannot write 'nowhere/times.json': No such file or directory"])


def test_timeline_that_is_refused_leaves_nothing(weft):
    weft.fail("bench", 8, 9, "--timeline", "times.json", "--grid", "2x2", says=["2x2"], ranks=3)
    assert os.listdir(weft.folder) == []


def test_timeline_beside_a_temporary_file_that_may_have_been_left_behind(weft):
    (weft.folder / ".weft-far-12-3.4-abcdef").write_bytes(b"unknown")
    told = weft.run("bench", 8, 9, "--timeline", "times.json", ranks=2).stderr
    assert told.count("weft: warning: '.weft-far-12-3.4-abcdef'") == 1


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
    assert machine["message_latency"] == limits["flag_seconds"]

    case = bench(weft, 16, 24, 10, "--device", "emulated", "--chunks", 1, "--machine",
                 "machine.json")
    for stage in case["stages"]:
        ceiling = "exchange_bandwidth" if stage["name"] == "peer" else "memory_bandwidth"
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
    assert machine["flops"] == pytest.approx(limits["fft_flops"] / 3)
    assert machine["message_latency"] == limits["pair_bandwidth"][0]["seconds"]
    largest = limits["alltoall"][-1]
    assert machine["exchange_bandwidth"] == pytest.approx(
        largest["bytes"] * 2 / 3 / largest["seconds"])
    weft.succeed("plan", 64, 64, "--ranks", 4, "--machine", "machine.json")


def test_limits_of_one_rank_have_no_messages(weft):
    weft.succeed("limits", "--machine", "machine.json", ranks=1, timeout=120)
    machine = json.loads((weft.folder / "machine.json").read_text())
    limits = machine["limits"]
    assert limits["pair_bandwidth"] == [] == limits["alltoall"]
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


def test_bench_bad_machine_file(weft):
    weft.fail("bench", 8, 8, "--machine", "nothing.json", ranks=2,
              says=["'nothing.json' cannot be read"])


def different(weft, first, second):
    """Two ranks with different arguments."""
    command = [*weft.launcher, "-n", "1", weft.command, *first, ":", "-n", "1", weft.command,
               *second]
    return weft.start(command)


def test_arguments_that_differ_between_ranks(weft):
    result = different(weft, ["bench", "8", "8"], ["bench", "8", "9"])
    check_failure(result, ["shape differs", "8x8", "8x9"])


def test_rank_that_fails_alone_ends_all(weft):
    check_failure(different(weft, ["bench", "8", "8"], ["bench", "8", "8", "--bogus"]),
                  ["--bogus"])
    check_failure(different(weft, ["bench", "8", "8", "--norm", "l2"], ["bench", "8", "8"]),
                  ["l2"])


def test_too_many_threads_in_the_environment_of_one_rank(weft):
    bench = [weft.command, "bench", "8", "8", "--threads", "0"]
    result = weft.start([*weft.launcher, "-n", "1", *bench, ":", "-n", "1", "env",
                         "OMP_NUM_THREADS=1000000", *bench])
    check_failure(result, ["rank 1: OMP_NUM_THREADS 1000000: at most 4096 are possible"])
