"""`weft list`: what can be chosen, for people and as JSON."""

import json

import pytest

from conftest import offered

SECTIONS = ["kinds", "local", "exchanges", "codecs", "devices", "options"]
NO_GPU = "there is no GPU here"


def test_list(weft):
    text = weft.succeed("list")
    for name in ["kinds", "c2c", "r2c", "none", "local", "fftw", "reference", "mkl", "exchanges",
                 "alltoall ", "alltoallv", "alltoallw", "p2p ", "p2p_pipelined", "node_shared",
                 "persistent", "one_sided", "codecs", "bfp", "trim", "cast", "lossless", "devices",
                 "host", "usable here"]:
        assert name in text
    assert text == weft.succeed("list", ranks=2)


def test_sections(weft):
    parts = [weft.succeed("list", section) for section in SECTIONS]
    assert "".join(parts) == weft.succeed("list")
    for section, part in zip(SECTIONS, parts):
        heading, *rows = part.splitlines()
        assert heading.startswith(section)
        names = [row["name"] for row in json.loads(
            weft.succeed("list", section, "--json"))[section]]
        assert [row.split()[0] for row in rows] == names and all(row[:2] == "  " for row in rows)


def test_json_has_all_sections(weft):
    everything = json.loads(weft.succeed("list", "--json"))
    assert list(everything) == SECTIONS
    for section in SECTIONS:
        assert everything[section] == json.loads(
            weft.succeed("list", section, "--json"))[section] != []
    codecs = {row["name"]: row for row in everything["codecs"]}
    assert codecs["bfp"]["parameter"] == "bits" and codecs["none"]["parameter"] is None
    options = {row["name"]: row for row in everything["options"]}
    assert options["chunks"]["default"] == "auto" and "1024" in options["chunks"]["values"]
    assert options["algorithm"]["values"] == "auto, slab, pencil"


def test_every_option_is_a_flag_that_is_told_and_read(weft):
    # Of which the program has to know.
    others = {"stream": None, "overwrite_input": None, "tune": "--tuning"}
    told = weft.succeed("plan", "--help")
    sentences = " ".join(told.split())
    for option in json.loads(weft.succeed("list", "options", "--json"))["options"]:
        name = option["name"]
        flag = others.get(name, "--" + name.replace("_", "-"))
        if flag is None:
            continue
        assert f"  {flag}" in told and option["description"] in sentences
        value = [] if option["default"] in ("yes", "no") or "yes" in option["values"] else [
            option["default"]]
        weft.succeed("plan", 8, 6, "--ranks", 2, flag, *value)
        weft.fail("plan", 8, 6, "--ranks", 2, flag + "q", 1,
                  says=[f"option '{flag}q' is unknown", f"'{flag}'"])


@pytest.mark.parametrize("name, meant", [("exchange", "exchanges"), ("Codecs", "codecs")])
def test_sections_that_there_are_not(weft, name, meant):
    weft.fail("list", name, says=[f"section '{name}' is unknown (", f"'{meant}'",
                                  "known: " + ", ".join(SECTIONS)])


def test_rows_tell_whether_they_can_be_used_here(weft):
    """In the same words in every section, with the reason where they cannot."""
    for section in ("local", "exchanges", "codecs", "devices"):
        rows = json.loads(weft.succeed("list", section, "--json"))[section]
        longest = max(len(row["name"]) for row in rows)
        for line, row in zip(weft.succeed("list", section).splitlines()[1:], rows, strict=True):
            state = line[2 + longest + 2:]
            if row["usable_here"]:
                assert row["why_not"] is None and row["built_in"]
                assert state.startswith("usable here ")
            else:
                assert state.startswith("not usable here  ")
                how = "built in, but " if row["built_in"] else "not built in; "
                assert state.endswith(": " + how + row["why_not"])
                assert row["built_in"] or "build weft with WEFT_WITH_" in row["why_not"]


def test_what_needs_a_gpu(weft):
    devices, exchanges = offered(weft, "devices"), offered(weft, "exchanges")
    has_gpu = devices["cuda"]["usable_here"] or devices["hip"]["usable_here"]
    on_devices = {"peer", "peer_packed", "nccl", "staged", "mpi"}
    assert on_devices < set(exchanges)
    for name, row in exchanges.items():
        if name == "mpi" and has_gpu:  # that depends on the MPI library
            continue
        assert row["usable_here"] == (has_gpu or name not in on_devices), name
    needing = [*(exchanges[name] for name in on_devices), devices["cuda"], devices["hip"],
               *(row for name, row in offered(weft, "local").items()
                 if name in ("cufft", "hipfft"))]
    assert len(needing) == 9
    for row in needing:
        if row["built_in"] and not has_gpu:
            assert row["why_not"] == NO_GPU


def test_a_device_that_is_not_here(weft):
    devices = offered(weft, "devices")
    for device in ("cuda", "hip"):
        if devices[device]["usable_here"]:
            continue
        built_in = devices[device]["built_in"]
        says = "none is visible to this process" if built_in else "is not built in"
        weft.fail("bench", 8, 8, "--device", device, ranks=2, says=[f"device '{device}'", says])
        weft.fail("limits", "--device", device, ranks=2, says=[f"device '{device}'", says])
        weft.fail("limits", "--device", device, says=[f"device '{device}'", says])
