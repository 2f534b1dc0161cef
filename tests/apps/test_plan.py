"""`weft plan`: schedules without ranks."""

import json
import os

import pytest

from conftest import offered


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
    devices = offered(weft, "devices")
    for device in ("emulated", "cuda", "hip"):
        if not devices[device]["built_in"]:
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
    machine.write_text(json.dumps({"node.latency": 1000}))
    assert predicted() != usual and predicted().endswith(" s")


@pytest.mark.parametrize("content, says", [
    (None, "cannot be read"),
    ("{", "not JSON"),
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
    ('{"flops": ' + "n" * 60000, "not JSON"),
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


def test_plan_tells_what_its_times_are_for(weft):
    figures = ("times are for ranks with 8 GB/s of memory, {} GFLOP/s, 2 GB/s and {} per message "
               "to ranks of their node{}, {}")
    defaults = "the defaults (`weft limits` measures them)"
    text = weft.succeed("plan", "64x64", "--ranks", 4)
    assert figures.format(4, "2 us", "", defaults) in text.splitlines()
    (weft.folder / "here.json").write_text('{"flops": 5.5e9, "node.latency": 1e-3}')
    text = weft.succeed("plan", "64x64", "--ranks", 4, "--machine", "here.json")
    assert figures.format(5.5, "1 ms", "", "of here.json and defaults") in text.splitlines()
    network = ", and for nodes of {} ranks with 12.5 GB/s and 2 us per message to others"
    text = weft.succeed("plan", "64x64", "--ranks", 4, "--ranks-per-node", 2)
    assert figures.format(4, "2 us", network.format(2), defaults) in text.splitlines()
    (weft.folder / "here.json").write_text('{"ranks_per_node": 3}')
    text = weft.succeed("plan", "64x64", "--ranks", 4, "--machine", "here.json")
    assert figures.format(4, "2 us", network.format(3), "of here.json and defaults") in text
    weft.fail("plan", 64, 64, "--ranks", 4, "--ranks-per-node", 0, says=["ranks per node 0"])


def test_plan_tells_the_default_output(weft):
    note = "output slab:1 is the command's default; that of a Plan is its input layout"
    assert f"{note}: --output slab:0" in weft.succeed("plan", 64, 64, "--ranks", 4).splitlines()
    assert note not in weft.succeed("plan", 64, 64, "--ranks", 4, "--output", "slab:0")


def test_plan_counts_the_options_of_the_environment(weft):
    def plan(*arguments, **variables):
        return weft.succeed("plan", 64, 64, "--ranks", 4, *arguments,
                            env={**os.environ, **variables})

    assert "options of the environment" not in plan()
    text = plan(WEFT_CHUNKS="4")
    assert "options of the environment: chunks=4" in text.splitlines()
    assert text.count("in 7 chunks") == plan("--chunks", 4).count("in 7 chunks") == 2
    assert "chunks:" not in plan("--chunks", 1, WEFT_CHUNKS="4")  # what is given counts
    for name, value, says in [("WEFT_CHUNKS", "few", "chunks 'few'"),
                              ("WEFT_EXCHANGE", "a2av", "did you mean 'alltoallv'?")]:
        weft.fail("plan", 64, 64, "--ranks", 4, env={**os.environ, name: value},
                  says=["WEFT_* of the environment: ", says])
