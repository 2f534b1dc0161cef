"""`weft predict` and `weft calibrate`: times on machines that need not be here."""

import csv
import json
import os

import pytest
from page_reader import read_page

PUBLISHED = os.path.abspath(
    os.path.join(os.path.dirname(__file__), "../../bench/results/2026-11-25-published-scaling.csv"))
CUBE = ["predict", 64, 64, 64, "--kinds", "r2c", "--ranks-per-node", 4]


def predictions(weft, *arguments):
    """Those of the JSON file, which must be those of the table."""
    text = weft.succeed(*arguments, "--json", "predicted.json")
    found = json.loads((weft.folder / "predicted.json").read_text())
    rows = [line.split() for line in text.splitlines()[2:-1]]
    assert [int(row[0]) for row in rows] == [one["nodes"] for one in found["predictions"]]
    assert [row[2] for row in rows] == [one["grid"] for one in found["predictions"]]
    return found["predictions"]


def test_predictions_of_several_numbers_of_nodes(weft):
    found = predictions(weft, *CUBE, "--nodes", "1,2,4,...,16")
    assert [one["nodes"] for one in found] == [1, 2, 4, 8, 16]
    assert [one["ranks"] for one in found] == [4, 8, 16, 32, 64]
    for one in found:
        assert one["low"] < one["seconds"] < one["high"] and 0 < one["communication_share"] < 1
        assert one["schedule"] == "2 > 1 > 0"
        efficiency = found[0]["seconds"] / (one["nodes"] * one["seconds"])
        assert one["efficiency"] == pytest.approx(efficiency)


def test_layouts_that_are_given(weft):
    slabs = predictions(weft, *CUBE, "--nodes", "2", "--input", "slab:0", "--output", "slab:1")
    assert slabs[0]["schedule"].count(">") == 1 and slabs[0]["grid"] == "auto"


def test_figures_of_the_machine(weft):
    def seconds(*more):
        return predictions(weft, *CUBE, "--nodes", "8", *more)[0]["seconds"]

    (weft.folder / "machine.json").write_text(json.dumps({"network.latency": 1e-3}))
    usual = seconds()
    assert seconds("--machine", "machine.json") > 2 * usual
    assert seconds("--set", "network.latency=1e-3") == seconds("--machine", "machine.json")
    assert seconds("--set", "network.latency=500x") == pytest.approx(
        seconds("--machine", "machine.json"))
    assert seconds("--set", "flops=2x", "--set", "memory_bandwidth=2x") < usual
    (weft.folder / "machine.json").write_text(json.dumps({"ranks_per_node": 3}))
    text = weft.succeed("predict", 8, 8, "--nodes", 2, "--machine", "machine.json")
    assert "3 ranks per node" in text and "factor of 1.3" in text


def test_all_grids_and_the_best(weft):
    swept = predictions(weft, *CUBE, "--nodes", "2,4", "--sweep", "grid")
    assert {one["grid"] for one in swept if one["nodes"] == 2} == {"1x8", "2x4", "4x2", "8x1"}
    best = predictions(weft, *CUBE, "--nodes", "2,4", "--best")
    usual = predictions(weft, *CUBE, "--nodes", "2,4")
    for one, other in zip(best, usual, strict=True):
        of_nodes = [row["seconds"] for row in swept if row["nodes"] == one["nodes"]]
        assert of_nodes == sorted(of_nodes)
        assert one["seconds"] == of_nodes[0] <= other["seconds"]


def test_the_page_is_whole_and_of_its_own(weft):
    found = predictions(weft, *CUBE, "--nodes", "1,2,4,...,64", "--html", "page.html")
    page = read_page(weft.folder / "page.html")
    chart = page.all("svg")[0]
    assert len(chart.all("circle")) == 7
    assert len(chart.all("polyline")) == len(chart.all("polygon")) == 1
    assert "64x64x64" in page.all("h1")[0].text
    rows = [[cell.text for cell in row.all("td")] for row in page.all("tbody")[0].all("tr")]
    assert [(int(row[0]), row[2], row[-1]) for row in rows] == [
        (one["nodes"], one["grid"], one["schedule"]) for one in found]
    assert len((weft.folder / "page.html").read_text()) < 20000


def test_it_needs_no_other_ranks(weft):
    assert weft.succeed(*CUBE, "--nodes", "1,2", ranks=2).count("forward r2c") == 1


@pytest.mark.parametrize("arguments, says", [
    ([], "lengths of the array"),
    ([8, 8], "--nodes is needed"),
    ([8, 8, "--nodes", "1"], "--ranks-per-node is needed"),
    ([8, 8, "--nodes", "1,x", "--ranks-per-node", 1], "'x' is not a whole number"),
    ([8, 8, "--nodes", "4,2", "--ranks-per-node", 1], "2 follows 4"),
    ([8, 8, "--nodes", "1", "--ranks-per-node", 0], "ranks per node 0"),
    ([8, 8, "--nodes", "1", "--ranks-per-node", 1, "--set", "network.bandwidths=2"],
     "did you mean 'network.bandwidth'"),
    ([8, 8, "--nodes", "1", "--ranks-per-node", 1, "--set", "flops=fast"], "figure flops 'fast'"),
    ([8, 8, "--nodes", "1", "--ranks-per-node", 1, "--sweep", "chunks"], "grid"),
    ([8, 8, 8, "--nodes", "1", "--ranks-per-node", 4, "--grid", "3x3"], "process grid"),
    ([8, 8, "--nodes", "2147483647", "--ranks-per-node", 9], "are more than"),
    ([8, 8, "--nodes", "1", "--ranks-per-node", 1, "--json", "none/a.json"], "none/a.json"),
    ([8, 8, "--nodes", "1", "--ranks-per-node", 1, "--machine", "none.json"], "none.json"),
    (["--validate", "none.csv"], "'none.csv' cannot be read"),
    ([8, 8, "--validate", "none.csv"], "leave out lengths"),
])
def test_bad_arguments(weft, arguments, says):
    weft.fail("predict", *arguments, says=[says])


def test_published_runs(weft):
    text = weft.succeed("predict", "--validate", PUBLISHED, "--json", "errors.json")
    found = json.loads((weft.folder / "errors.json").read_text())
    groups = {group["group"]: group for group in found["groups"]}
    assert len(groups) == 9 and all(name in text for name in groups)
    p3dfft = next(group for name, group in groups.items() if "P3DFFT" in name)
    assert p3dfft["errors"]["rows"] == 19 and p3dfft["errors"]["rms"] < 0.08
    errors = [row["predicted"] / row["measured"] - 1 for row in p3dfft["rows"]]
    assert p3dfft["errors"]["worst"] == pytest.approx(max(map(abs, errors)))
    assert found["all"]["inside"] >= 0.8
    assert found["left_out"] == [{"why": "fewer than 3 rows to fit", "rows": ["r475", "r476"]}]
    assert "left out 2: fewer than 3 rows to fit (r475, r476)" in text


def test_rows_beyond_those_fitted(weft):
    text = weft.succeed("predict", "--validate", PUBLISHED, "--fit-nodes-up-to", 26, "--fit-also",
                        "r012", "--rows", "--json", "errors.json")
    group = json.loads((weft.folder / "errors.json").read_text())["groups"][0]
    assert group["fitted_rows"] == 10 and group["errors"]["rows"] == 9
    assert {row["row"] for row in group["rows"] if row["fitted"]} >= {"r001", "r012"}
    assert "(fitted with 10 other rows)" in text
    assert sum("r012" in line and "fitted" in line for line in text.splitlines()) == 1


def test_calibration(weft):
    text = weft.succeed("calibrate", PUBLISHED, "--group", "P3DFFT", "-o", "machine.json")
    assert "network.island_nodes" in text and text.count("measured") == 19
    machine = json.loads((weft.folder / "machine.json").read_text())
    assert machine["ranks_per_node"] == 40 and 15 < machine["network.island_nodes"] < 30
    checked = weft.succeed("predict", "--validate", PUBLISHED, "--machine", "machine.json")
    assert len(checked.splitlines()) > 10
    text = weft.succeed("predict", "512x512x512", "--kinds", "r2c", "--machine", "machine.json",
                        "--nodes", "4,26")
    assert "According to the fit" in text
    # Other commands take the file too.
    weft.succeed("plan", 64, 64, "--ranks", 80, "--machine", "machine.json")


def test_calibration_with_lines_of_weft_bench(weft):
    for shape in ("24x24x24", "32x32x32", "48x48x48"):
        weft.succeed("bench", shape, "--repeat", 2, "--json", "runs.jsonl", ranks=2)
    text = weft.succeed("calibrate", "runs.jsonl")
    assert text.count("measured") == 6 and "line 3 backward" in text


def test_calibration_of_files_that_are_none(weft):
    weft.fail("calibrate", says=["FILE is required"])
    weft.fail("calibrate", "none.csv", says=["'none.csv' cannot be read"])
    weft.fail("calibrate", PUBLISHED, says=["there are 11 groups", "--group", "P3DFFT 2.7.6"])
    weft.fail("calibrate", PUBLISHED, "--group", "nobody", says=["in a group with 'nobody'"])
    with open(weft.folder / "runs.csv", "w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([["time", "size"], [1, 2]])
    weft.fail("calibrate", "runs.csv", says=["'runs.csv' has no column ranks, transform"])
    (weft.folder / "machine.json").write_text('{"fit": 3}')
    weft.fail("predict", 8, 8, "--nodes", 1, "--ranks-per-node", 1, "--machine", "machine.json",
              says=["'fit' is not what `weft calibrate` writes"])
