"""The page of `weft tune --html`: what it shows is what `--json` says, and it stands alone."""

import json
import re

import pytest
from page_reader import read_page


def tuned(weft, *arguments, ranks=4):
    weft.succeed("tune", *arguments, "--json", "tuned.json", "--html", "tuned.html", ranks=ranks,
                 timeout=120)
    return (read_page(weft.folder / "tuned.html"),
            json.loads((weft.folder / "tuned.json").read_text()))


def value(cell):
    return float(cell.attributes["data-value"])


def rows_of_trials(page):
    tables = [table for table in page.all("table") if "map" not in table.classes]
    return [row for table in tables for row in table.all("tbody")[0].all("tr")]


def cells_of(heat_map):
    """By row and column, without the empty ones."""
    titles, heads = (row.all("th") for row in heat_map.all("thead")[0].all("tr"))
    columns = [head.text for head in heads[1:]]
    assert [title.text for title in titles] == ["process grid"]
    assert titles[0].attributes["colspan"] == str(len(columns))
    found = {}
    for row in heat_map.all("tbody")[0].all("tr"):
        cells = row.all("td")
        assert len(cells) == len(columns)
        for column, cell in zip(columns, cells):
            if "data-value" in cell.attributes:
                found[row.all("th")[0].text, column] = cell
            else:
                assert cell.text == "" and not cell.classes
    return heads[0].text, found


def check_map(heat_map, told):
    """Cells are the trials and the predictions of the JSON file, and the right ones."""
    axis, cells = cells_of(heat_map)
    expected = {}
    for kind, ones, time in [("measured", told["trials"], "seconds"),
                             ("predicted", told["not_tried"], "predicted_seconds")]:
        for one in ones:
            if one[time] > 0:
                of_cell = expected.setdefault((one[axis], one["grid"]), {})
                of_cell.setdefault(kind, []).append((one[time], one.get("chosen", False)))
    assert set(cells) == set(expected)
    for place, cell in cells.items():
        kind = "measured" if "measured" in expected[place] else "predicted"
        assert set(cell.classes) - {"best"} == {kind}, place
        candidates = expected[place][kind]
        assert value(cell) in [seconds for seconds, _ in candidates]
        is_best = any(chosen for _, chosen in candidates)
        assert ("best" in cell.classes) == is_best == ("\u2605" in cell.text)
        if is_best:
            assert (value(cell), True) in candidates and "1\u00d7" in cell.text
        elif kind == "predicted":
            assert value(cell) == min(candidates)[0]
        assert re.search(r"--cell:#[0-9a-f]{6};--on-cell:#[0-9a-f]{6}", cell.attributes["style"])
    return axis, cells


def test_the_page_shows_what_the_json_file_says(weft, wisdom):
    page, told = tuned(weft, 16, 12, 20, "--kinds", "r2c", "--tune-trials", 7, "--tune-seconds", 4)
    trials = told["trials"]
    rows = rows_of_trials(page)
    assert len(rows) == len(trials) >= 2 and told["not_tried"]
    for row, trial in zip(rows, trials):
        settings, predicted, measured, share, floor, remark = row.all("td")
        assert settings.text.removeprefix("\u2605 ") == (trial["settings"] or "the defaults")
        assert value(predicted) == trial["predicted_seconds"]
        assert (float(measured.attributes.get("data-value", 0)) == trial["seconds"]
                and float(share.attributes.get("data-value", 0)) == trial["share"])
        assert floor.text == "-" and trial["floor_share"] is None  # without weft limits
        assert remark.text == trial["remark"]
        assert ("marked" in row.classes) == trial["chosen"] == settings.text.startswith("\u2605")
    best, = (trial for trial in trials if trial["chosen"])
    assert best["settings"] == told["best"]

    maps = dict(check_map(one, told) for one in page.all("table", "map"))
    assert set(maps) == {"exchange", "chunks"}
    for cells in maps.values():
        assert sum("best" in cell.classes for cell in cells.values()) == 1
    assert any("predicted" in cell.classes for cell in maps["exchange"].values())
    assert {"measured", "predicted"} <= {kind for one in page.all("div", "legend")[0].all("i")
                                         for kind in one.classes}
    answer = page.all("div", "verdict")[0].text
    assert (best["settings"] or "the defaults") in answer and str(wisdom) in answer
    assert f"{len(trials)} settings were tried in " in answer and "is stored in" in answer
    assert "16x12x20 on 4 ranks" in page.all("h1")[0].text


def test_what_is_given_is_one_row_or_column(weft, wisdom):
    page, told = tuned(weft, 16, 12, 20, "--exchange", "p2p", "--grid", "2x2", "--algorithm",
                       "pencil", "--tune-trials", 2)
    maps = dict(check_map(one, told) for one in page.all("table", "map"))
    assert set(maps["exchange"]) == {("p2p", "as given")}
    assert {place[1] for place in maps["chunks"]} == {"as given"}


def test_two_axes_have_no_pencils(weft, wisdom):
    page, told = tuned(weft, 16, 12, "--tune-trials", 3)
    for one in page.all("table", "map"):
        check_map(one, told)


def test_shares_of_the_floor(weft, wisdom):
    weft.succeed("limits", ranks=2, timeout=120)
    page, told = tuned(weft, 32, 32, 32, "--tune-trials", 2, ranks=2)
    assert "that weft limits has measured" in page.text
    for row, trial in zip(rows_of_trials(page), told["trials"]):
        assert row.all("td")[4].text == f"{100 * trial['floor_share']:.0f}%"
        assert trial["floor_share"] * trial["seconds"] == pytest.approx(
            told["trials"][0]["floor_share"] * told["trials"][0]["seconds"])


def test_one_rank_and_several_numbers_of_threads(weft, wisdom):
    page, told = tuned(weft, 24, 24, "--threads", "1,2", "--tune-trials", 3, ranks=1)
    assert not page.all("table", "map") and "On one rank" in page.text
    assert [trial["threads"] for trial in told["trials"] if trial["settings"] == ""] == [1, 2]
    assert len(rows_of_trials(page)) == len(told["trials"])
    winners = {trial["threads"]: trial for trial in told["trials"] if trial["chosen"]}
    assert set(winners) == {1, 2}
    fastest = min(winners.values(), key=lambda trial: trial["seconds"])
    assert (told["threads"], told["best"]) == (fastest["threads"], fastest["settings"])
    assert f"with {told['threads']} thread" in page.all("div", "verdict")[0].text
    assert len(wisdom.read_text().splitlines()) == 2
    for threads in (1, 2):
        weft.succeed("bench", 24, 24, "--threads", threads, "--tuning", "frozen", "--repeat", 1,
                     ranks=1)


def test_names_are_escaped(weft, monkeypatch):
    folder = weft.folder / "a<b>&\"c\""
    folder.mkdir()
    monkeypatch.setenv("WEFT_WISDOM", str(folder / "wisdom.jsonl"))
    page, _ = tuned(weft, 12, 12, "--tune-trials", 2, ranks=1)
    assert str(folder) in page.all("div", "verdict")[0].text


@pytest.mark.parametrize("path, says", [("", "there is no file of wisdom"),
                                        ("/dev/null/wisdom.jsonl", "could not be stored")])
def test_it_says_that_nothing_is_stored(weft, monkeypatch, path, says):
    monkeypatch.setenv("WEFT_WISDOM", path)
    page, _ = tuned(weft, 12, 12, "--tune-trials", 2, ranks=1)
    assert says in page.all("div", "verdict")[0].text


def test_a_page_that_was_there_is_replaced(weft, wisdom):
    (weft.folder / "tuned.html").write_text("old")
    tuned(weft, 12, 12, "--tune-trials", 2, ranks=2)
    assert {path.name for path in weft.folder.iterdir()} == {
        "tuned.html", "tuned.json", "wisdom.jsonl", "wisdom.jsonl.lock"}
