"""`weft tune` and `weft wisdom`: settings are tried, remembered, found again and forgotten."""

import json

import pytest


def tune(weft, *arguments, ranks=2):
    text = weft.succeed("tune", *arguments, "--json", "tuned.json", ranks=ranks, timeout=60)
    return text, json.loads((weft.folder / "tuned.json").read_text())


def test_tune_and_find_again(weft, wisdom):
    text, tuned = tune(weft, 16, 12, 20, "--kinds", "r2c", "--tune-trials", 5)
    assert "the defaults" in text and "best: " in text and str(wisdom) in text
    trials = tuned["trials"]
    assert 2 <= len(trials) <= 5 and trials[0]["settings"] == "" and trials[0]["seconds"] > 0
    assert all(trial["predicted_seconds"] > 0 for trial in trials)
    record, = (json.loads(line) for line in weft.succeed("wisdom", "list", "--json").splitlines())
    assert record["settings"] == tuned["best"] and "16x12x20" in record["problem"]
    assert record["default_seconds"] == trials[0]["seconds"]
    # The bench's plan is the same problem; with frozen it would fail if nothing were known.
    weft.succeed("bench", 16, 12, 20, "--kinds", "r2c", "--repeat", 1, "--tuning", "frozen",
                 ranks=2)
    weft.fail("bench", 16, 12, 21, "--tuning", "frozen", ranks=2,
              says=["tune 'frozen', but no settings are known for 16x12x21"])


def test_what_is_given_is_not_tried(weft, wisdom):
    _, tuned = tune(weft, 16, 12, "--exchange", "p2p", "--chunks", 2, "--tune-trials", 6)
    for trial in tuned["trials"]:
        assert "exchange" not in trial["settings"] and "chunks" not in trial["settings"]


def test_tune_is_asked_for_each_time(weft, wisdom):
    for _ in range(2):
        _, tuned = tune(weft, 12, 12, "--tune-trials", 3, ranks=1)
        assert len(tuned["trials"]) > 1
    assert len(wisdom.read_text().splitlines()) == 2
    assert weft.succeed("wisdom", "tidy") == "1 records removed\n"
    assert len(wisdom.read_text().splitlines()) == 1


def test_limits_are_remembered(weft, wisdom):
    assert f"remembered in {wisdom}" in weft.succeed("limits", ranks=2, timeout=120)
    text = weft.succeed("wisdom", "list")
    assert "limits of " in text and "node.bandwidth=" in text and "network." not in text


def test_wisdom_of_files(weft, wisdom):
    assert weft.succeed("wisdom", "list") == f"0 records in {wisdom}\n"
    tune(weft, 12, 12, "--tune-trials", 2, ranks=1)
    wisdom.rename(weft.folder / "other.jsonl")
    assert weft.succeed("wisdom", "merge", "other.jsonl", "other.jsonl") == "2 records added\n"
    wisdom.write_text(wisdom.read_text() + "torn\n")
    assert "2 records in" in weft.succeed("wisdom", "list")
    assert "1 lines skipped" in weft.succeed("wisdom", "list")
    assert weft.succeed("wisdom", "show", "12x12", "--json").count("12x12") == 4
    assert weft.succeed("wisdom", "show", "13x13", "--json") == ""
    assert weft.succeed("wisdom", "forget", "12x12") == "2 records removed\n"
    assert wisdom.read_text() == ""
    assert "1 records in other.jsonl" in weft.succeed("wisdom", "list", "--file", "other.jsonl")


@pytest.mark.parametrize("arguments, says", [
    (["lst"], ["action 'lst' is unknown (did you mean 'list'?)"]),
    (["list", "all"], ["wisdom list: takes no arguments"]),
    (["show"], ["wisdom show: takes one text"]),
    (["forget"], ["wisdom forget: takes one text"]),
    (["forget", ""], ["wisdom forget: takes one text"]),
    (["merge"], ["wisdom merge: takes one file or more"]),
    (["merge", "/no/such/file"], ["'/no/such/file' contains no wisdom"]),
    ([], ["action is required"]),
])
def test_wisdom_bad_arguments(weft, wisdom, arguments, says):
    weft.fail("wisdom", *arguments, says=says)


def test_there_may_be_no_file(weft, monkeypatch):
    monkeypatch.setenv("WEFT_WISDOM", "")
    weft.fail("wisdom", "list", says=["WEFT_WISDOM is empty"])
    assert "file of wisdom" not in tune(weft, 12, 12, "--tune-trials", 2, ranks=1)[0]


@pytest.mark.parametrize("arguments, says", [
    (["--tune-seconds", "0"], ["tune_seconds 0", "between 1 and"]),
    (["--tune-trials", "many"], ["tune_trials 'many'"]),
    (["--tune-seconds", "1h"], ["tune_seconds '1h'"]),
    (["--threads", "1,x"], ["threads 'x'"]),
    (["--threads", "1,"], ["threads ''"]),
    (["--threads", "1,2,1"], ["threads '1,2,1': 1 is given twice"]),
    (["--html", "none/tuned.html", "--tune-seconds", 1000], ["cannot write 'none/tuned.html'"]),
    (["--json", "none/tuned.json", "--tune-seconds", 1000], ["cannot write 'none/tuned.json'"]),
    (["--exchange", "teleport"], ["exchange 'teleport' is unknown"]),
])
def test_tune_bad_arguments(weft, arguments, says):
    weft.fail("tune", 12, 12, *arguments, ranks=2, says=says)
