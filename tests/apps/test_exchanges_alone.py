"""`weft limits --exchanges`: what it measures, that it notices wrong results, and bad arguments."""

import json
import os
import shlex
import shutil
import subprocess

import pytest

from conftest import check_failure, offered

CALLS = ["MPI_Alltoall", "MPI_Alltoallv"]
OF_DEVICES = ["peer", "peer_packed", "staged", "mpi"]
QUICK = ["--rounds", 3, "--message", 4096]


def measured(weft, *arguments, ranks, **options):
    """What it prints, and what it writes to a file."""
    text = weft.succeed("limits", "--exchanges", *QUICK, *arguments, "--json", "exchanges.json",
                        ranks=ranks, timeout=120, **options)
    return text, json.loads((weft.folder / "exchanges.json").read_text())


def check_figures(text, told):
    assert told["rounds"] == 3 and told["message"] == 4096
    reference = told["exchanges"][0]
    assert reference["over_alltoall"] == 1
    for one in told["exchanges"]:
        rate, seconds = one["bytes_per_second"], one["seconds"]
        for quartiles in (rate, seconds):
            assert 0 < quartiles["lower_quartile"] <= quartiles["median"]
            assert quartiles["median"] <= quartiles["upper_quartile"]
        # An odd number of rounds: the median is one of them.
        assert rate["median"] * seconds["median"] == pytest.approx(told["node_bytes"])
        assert one["over_alltoall"] > 0
        row = next(line for line in text.splitlines() if line.split()[0] == one["name"])
        assert f"{rate['median'] / 1e9:.3f}" in row and f"{one['over_alltoall']:.2f}" in row


@pytest.mark.parametrize("ranks", [2, 3, 5])
def test_all_exchanges_of_the_host(weft, ranks):
    text, told = measured(weft, ranks=ranks)
    names = [one["name"] for one in told["exchanges"]]
    of_host = offered(weft, "exchanges").keys() - {*OF_DEVICES, "nccl"}
    assert names[:2] == CALLS and sorted(names[2:]) == sorted(of_host)
    assert told["not_measured"] == []
    assert (told["ranks"], told["nodes"], told["ranks_per_node"]) == (ranks, 1, ranks)
    assert told["node_bytes"] == ranks * (ranks - 1) * 4096
    assert told["counted"] == "bytes that all ranks send to others" and told["counted"] in text
    assert told["oversubscribed"] == (ranks > told["machine"]["cores"])
    assert ("they take turns" in text) == told["oversubscribed"]
    check_figures(text, told)


def test_of_several_nodes_what_leaves_the_one_that_sends_most(weft, monkeypatch):
    monkeypatch.setenv("WEFT_RANKS_PER_NODE", "3")
    text, told = measured(weft, ranks=5)
    assert (told["nodes"], told["ranks_per_node"]) == (2, 3)
    assert told["node_bytes"] == 3 * 2 * 4096  # 2 * 3 of the other one
    assert told["counted"] == "bytes that leave the node that sends most"
    assert told["counted"] in text
    assert {"node_shared", "node_aware"} <= {one["name"] for one in told["exchanges"]}
    check_figures(text, told)


@pytest.mark.parametrize("ranks", [2, 3])
def test_all_exchanges_of_devices(weft, ranks):
    text, told = measured(weft, "--device", "emulated", ranks=ranks)
    names = [one["name"] for one in told["exchanges"]]
    assert names == [*CALLS, *OF_DEVICES]
    assert told["device"] == "emulated" and told["description"] in text
    assert [one["name"] for one in told["not_measured"]] in ([], ["nccl"])
    assert all(f"{one['name']:13} not measured: {one['why']}" in text
               for one in told["not_measured"])
    check_figures(text, told)


def test_where_there_is_too_little_shared_memory(weft):
    """Exchanges that cannot be used are told, and the others measured."""
    if "mpich" in str(weft.launcher[0]):
        pytest.skip("MPICH does not notice that its own windows for one_sided go beyond the limit")
    command = [weft.command, "limits", "--exchanges", "--rounds", 1, "--message", 8_000_000,
               "--json", "exchanges.json"]
    limited = f"ulimit -f 12288; exec {shlex.join(map(str, command))}"  # 12 MiB
    result = weft.start([*weft.launcher, "-n", "2", "bash", "-c", limited])
    assert result.returncode == 0, result.stdout + result.stderr
    told = json.loads((weft.folder / "exchanges.json").read_text())
    left_out = {one["name"]: one["why"] for one in told["not_measured"]}
    assert "12 MiB are allowed by the limit on file sizes" in left_out["node_shared"]
    assert f"not measured: {left_out['node_shared']}" in result.stdout
    measured_names = {one["name"] for one in told["exchanges"]}
    assert {*CALLS, "p2p"} <= measured_names and not measured_names & left_out.keys()


def spoiling(folder, call):
    """A library whose `call` spoils one byte of what rank 0 has sent."""
    source, library = folder / "spoil.c", folder / "spoil.so"
    arguments = {
        "MPI_Alltoall": ["const void *s", "int n", "void *t", "void *r", "int m", "void *u",
                         "void *c"],
        "MPI_Alltoallw": ["void *s", "void *n", "void *d", "void *t", "void *r", "void *m",
                          "void *e", "void *u", "void *c"],
    }[call]
    names = ", ".join(one.split("*")[-1].split()[-1] for one in arguments)
    source.write_text(f"""
        int P{call}({', '.join(arguments)});
        int {call}({', '.join(arguments)}) {{
          int code = P{call}({names});
          if (n {'> 16' if call == 'MPI_Alltoall' else '!= 0'}) ((unsigned char *)r)[7] ^= 1;
          return code;
        }}""")
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("needs a C compiler")
    subprocess.run([compiler, "-shared", "-fPIC", "-o", library, source], check=True)
    return str(library)


@pytest.mark.parametrize("call, name, count", [
    ("MPI_Alltoall", "MPI_Alltoall", 3), ("MPI_Alltoallw", "alltoallw", 2)])
def test_wrong_results_are_errors(weft, tmp_path_factory, call, name, count):
    library = spoiling(tmp_path_factory.mktemp("spoiling"), call)
    before = weft.files()
    result = weft.run("limits", "--exchanges", *QUICK, "--json", "exchanges.json", ranks=count,
                      env={**os.environ, "LD_PRELOAD": library})
    check_failure(result, [f"{name}: wrong result: number 0 from rank 0 is (", "not (0, "])
    assert weft.files() == before


def test_one_rank_has_nobody_to_send_to(weft):
    says = ["exchanges need at least 2 ranks, here is 1"]
    weft.fail("limits", "--exchanges", ranks=1, says=says)
    weft.fail("limits", "--exchanges", says=says)
    weft.fail("limits", "--exchanges", "--device", "emulated", ranks=1, says=says)


@pytest.mark.parametrize("arguments, says", [
    (["--message", 0], ["message 0: must be a multiple of 16 up to "]),
    (["--message", -16], ["message -16: "]),
    (["--message", 100], ["message 100: "]),
    (["--message", 2**62], [f"message {2**62}: "]),
    (["--message", 2**63], [f"'{2**63}'"]),
    (["--message", "80k"], ["'80k'"]),
    (["--rounds", 0], ["rounds 0: must be 1 to 10000"]),
    (["--rounds", 10001], ["rounds 10001: must be 1 to 10000"]),
    (["--rounds", "2.5"], ["'2.5'"]),
    (["--device", "toaster"], ["'toaster'", "known: host"]),
    (["--machine", "machine.json"], ["--machine excludes --exchanges"]),
    (["--bytes", 1048576], ["--bytes excludes --exchanges"]),
    (["--json", "no/such/folder.json"], ["'no/such/folder.json'"]),
])
def test_bad_arguments(weft, arguments, says):
    weft.fail("limits", "--exchanges", *arguments, ranks=3, says=says)


@pytest.mark.parametrize("arguments", [["--message", 4096], ["--rounds", 3], ["--json", "a.json"]])
def test_options_that_mean_nothing_without_it(weft, arguments):
    weft.fail("limits", *arguments, ranks=2, says=[f"{arguments[0]} requires --exchanges"])


def test_a_file_that_cannot_be_written(weft):
    weft.fail("limits", "--exchanges", *QUICK, "--json", "/dev/full", ranks=2,
              says=["cannot write '/dev/full': No space left on device"])
