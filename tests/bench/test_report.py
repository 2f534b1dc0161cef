"""The page, Markdown and CSV of synthetic studies."""

import csv
import html.parser
import io
import json
import re

import pytest
import synthetic
from synthetic import limits_record, machine, record
from weft_bench import analysis, chart, formatting, report
from weft_bench.cells import split_by_machine

NASTY = '<script>alert("x")</script>|*b* $a_1$ & `c`'


class Outline(html.parser.HTMLParser):
    """Ids, tags, addresses and headings of a page."""

    def __init__(self, text):
        super().__init__()
        self.ids, self.tags, self.addresses, self.headings = [], [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        named = dict(attributes)
        if "id" in named:
            self.ids.append(named["id"])
        self.addresses += [named[n] for n in ("src", "href", "xlink:href") if n in named]

    def handle_data(self, data):
        if self.tags and self.tags[-1] in ("h1", "h2", "h3") and data.strip():
            self.headings.append(data.strip())


def written(records, tmp_path):
    paths = report.write(records, tmp_path / "study.v1")
    assert [path.name for path in paths] == ["study.v1.html", "study.v1.md", "study.v1.csv"]
    return [path.read_text("utf-8") for path in paths]


@pytest.fixture(scope="module")
def full(full_study, tmp_path_factory):
    return written(full_study, tmp_path_factory.mktemp("report"))


def rows_of(text):
    return list(csv.DictReader(io.StringIO(text)))


def section(markdown, title):
    return re.search(rf"### {title}\n(.*?)(?=\n##|\Z)", markdown, re.DOTALL)[1]


def table_rows(text):
    lines = [line for line in text.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines]


def test_the_page_is_complete_and_needs_no_network(full):
    page = full[0]
    outline = Outline(page)
    assert len(page.encode()) < 3_000_000
    assert len(outline.ids) == len(set(outline.ids)), "ids are unique over all charts"
    for address in outline.addresses:
        assert address.startswith(("#", "data:")), address
        if address.startswith("#"):
            assert address[1:] in outline.ids
    for title in (
        "Machine and libraries",
        "Overall ranking",
        "Ranking of each case",
        "Time ratios",
        "Strong scaling",
        "Weak scaling",
        "Process grids",
        "Where the time goes",
        "Accuracy against time",
        "Planning time, memory and energy",
        "MPI",
        "Failures",
        "Commands",
    ):
        assert title in outline.headings


def test_every_chart_has_an_alternative_text(full):
    charts = re.findall(r"<figure>(<svg[^>]*>)", full[0])
    assert len(charts) > 20
    assert all(
        'role="img"' in chart and re.search(r'aria-label="[^"]{20,}"', chart) for chart in charts
    )


def test_the_verdict_comes_first(full):
    page = full[0]
    assert page.index('class="verdict"') < page.index("<table")
    assert "Incorrect, and therefore not ranked: sloppy in 64 of 73 cases." in page


def test_the_page_is_the_same_every_time(tmp_path):
    records = [record(library, settings={"n": library}) for library in ("a", "b")]
    (tmp_path / "again").mkdir()
    assert written(records, tmp_path) == written(records, tmp_path / "again")


def test_markdown_has_the_numbers_that_were_computed(full, full_study):
    (found,) = split_by_machine(full_study)
    contests = analysis.contests_of(found)
    rows = table_rows(section(full[1], "Ranking of each case"))[2:]
    assert len(rows) == sum(len(contest.entries) for contest in contests)
    placed = iter(row for row in rows if row[3].rstrip("=").isdigit())
    for contest in contests:
        for standing in contest.standings:
            row = next(placed)
            sample = standing.cell.sample("pair")
            estimate = sample.estimate
            assert row[2].split(" ")[0] == standing.library
            assert row[3].rstrip("=") == str(standing.place)
            assert row[4] == (
                f"{formatting.milliseconds(sample.median)} "
                f"({formatting.milliseconds(estimate.low)} – "
                f"{formatting.milliseconds(estimate.high)})"
            )
            assert row[5].split(" ")[0] == f"{standing.to_fastest.value:.2f}"


def test_csv_has_every_cell_unrounded(full, full_study):
    (found,) = split_by_machine(full_study)
    rows = rows_of(full[2])
    assert len(rows) == len(found.cells)
    by_key = {
        (
            r["library"],
            r["settings"],
            r["shape"],
            r["kind"],
            r["ranks"],
            r["grid"],
            r["launcher"],
            r["out"],
        ): r
        for r in rows
    }
    assert len(by_key) == len(rows)
    for cell in found.cells:
        case = cell.case
        row = by_key[
            cell.library,
            json.dumps(dict(cell.variant.settings)),
            "x".join(map(str, case.shape)),
            case.kind,
            str(case.ranks),
            case.grid,
            case.launcher,
            case.layout_out,
        ]
        sample = cell.sample("pair")
        assert row["status"] == cell.status
        if sample is None:
            figures = "pair_seconds", "forward_seconds", "gflops", "place"
            assert {row[figure] for figure in figures} == {""}
            continue
        assert float(row["pair_seconds"]) == sample.median
        assert float(row["pair_low"]) == sample.estimate.low
        assert float(row["forward_seconds"]) == cell.sample("forward").median
        assert float(row["gflops"]) == cell.gflops
        assert bool(row["place"]) <= cell.ok


def test_failures_are_in_all_forms(full):
    for text in full[:2]:
        assert "signal 11 (SIGSEGV) while planning" in text
        assert "no sign of life for 60 s" in text
    assert "crashed; signal 11 (SIGSEGV) while planning" in full[2]


def test_no_records(tmp_path):
    page, markdown, text = written([], tmp_path)
    assert "There are no records" in page
    assert "There are no records" in markdown
    assert rows_of(text) == []
    assert report.terminal_summary([]) == "No records."


def test_only_limits(tmp_path):
    page, _, _ = written([limits_record(2)], tmp_path)
    assert "No transform was measured." in page
    assert Outline(page).headings.count("MPI") == 1


def test_one_library_only(tmp_path):
    page, markdown, _ = written([record()], tmp_path)
    assert "weft is the only library with correct results: 1 of 1 case." in page
    headings = Outline(page).headings
    for title in ("Overall ranking", "Time ratios", "Strong scaling", "Failures", "MPI"):
        assert title not in headings, "sections without data are left out"
    assert len(table_rows(section(markdown, "Ranking of each case"))) == 3


def test_nothing_but_failures(tmp_path):
    page, _, text = written([record(status="crashed", reason="signal 6")], tmp_path)
    assert "No library has a correct result in any of 1 case." in page
    assert rows_of(text)[0]["explanation"] == "crashed; signal 6"


def test_time_in_mpi_stands_beside_the_time_of_a_pair(tmp_path):
    records = [record(name, [seconds] * 9) for name, seconds in (("a", 1e-3), ("b", 2e-3))]
    records += [record(name, [8e-3] * 9, ranks=1) for name in "ab"]  # which move nothing
    page, markdown, _ = written(records, tmp_path)
    assert "In MPI, ms" in page
    rows = table_rows(section(markdown, "Where the time goes"))
    assert [row[3:] for row in rows[-2:]] == [["2.00", "0.500", "25%"], ["4.00", "1.00", "25%"]]


def test_figures_that_are_null(tmp_path):
    bare = {
        "mpi_seconds",
        "version",
        "energy",
        "memory",
        "plan_seconds",
        "error_bound",
        "forward_error",
        "backward_seconds",
        "stages",
        "command",
        "commit",
        "started",
        "wall_seconds",
    }
    records = [record(library, **dict.fromkeys(bare)) for library in ("a", "b")]
    page, _, text = written(records, tmp_path)
    assert "Ranking of each case" in page
    assert rows_of(text)[0]["backward_seconds"] == ""


def test_names_are_escaped(tmp_path):
    records = [
        record(
            NASTY,
            settings={NASTY: NASTY},
            launcher=NASTY,
            study=NASTY,
            version=NASTY,
            ranks=ranks,
            forward=[1e-3 * ranks],
            machine=machine(NASTY),
            command=NASTY,
            stages=[{"direction": "forward", "name": NASTY, "seconds": 1, "bytes": 1}],
        )
        for ranks in (1, 2)
    ]
    records += [record("b"), record("b", ranks=1), record(NASTY, status="hung", reason=NASTY)]
    page, markdown, text = written(records, tmp_path)
    assert Outline(page).tags.count("script") == 2, "DataTables and its start, nothing else"
    for row in table_rows(section(markdown, "Ranking of each case")):
        assert len(row) == 11
    assert "<script" not in markdown.replace("\\<", "")
    assert {row["library"] for row in rows_of(text)} == {NASTY, "b"}


def test_machines_have_parts_of_their_own(tmp_path):
    fast, slow = machine("fast"), machine("slow")
    records = [
        record("a", [1e-3], machine=fast),
        record("b", [2e-3], machine=fast),
        record("a", [9e-3], machine=slow),
        record("b", [8e-3], machine=slow),
    ]
    page, markdown, text = written(records, tmp_path)
    notice = "The records come from 2 machines: fast (Synthetic Processor 9000) and slow"
    assert notice in page
    assert "nothing is compared or pooled across machines" in page
    assert page.index(notice) < page.index('class="verdict"')
    assert markdown.count("\n## ") == 2
    places = {(row["hostname"], row["library"]): row["place"] for row in rows_of(text)}
    assert places == {
        ("fast", "a"): "1",
        ("fast", "b"): "2",
        ("slow", "a"): "2",
        ("slow", "b"): "1",
    }
    assert len(Outline(page).ids) == len(set(Outline(page).ids))
    assert report.terminal_summary(records).count(" in 1 of 1 case.") == 2


def test_mixed_versions_and_oversubscription_are_told(tmp_path):
    records = [record(), record(version="2.0", round=1), record(ranks=64, oversubscribed=True)]
    page, markdown, _ = written(records, tmp_path)
    for text in (page, markdown):
        assert "Versions 1.0 and 2.0 of" in text
        assert "In 1 of 2 cases there are more ranks × threads than cores" in text
        assert "Some cases have only 1 block" in text


def test_limits_that_could_not_be_measured_are_told(tmp_path):
    failed = limits_record(2) | {"limits": None, "status": "hung", "reason": "no sign of life"}
    assert (
        "The limits of the machine were not measured: no sign of life."
        in written([failed, record()], tmp_path)[0]
    )


def two_far_apart(library, first, second):
    return [record(library, [first], round=0), record(library, [second], round=1)]


def test_intervals_that_tell_nothing_are_not_printed(tmp_path):
    records = two_far_apart("a", 1.0, 1.01) + two_far_apart("b", 0.9, 1.6)
    page, markdown, text = written(records, tmp_path)
    (row,) = [r for r in table_rows(section(markdown, "Ranking of each case")) if r[2][0] == "b"]
    assert row[3] == "2=" and row[4] == "2500 (not resolved)" and row[5] == "not resolved"
    (row,) = [r for r in table_rows(section(markdown, "Overall ranking")) if r[0] == "b"]
    assert row[1] == "not resolved"
    for form in (page, markdown):
        assert "“not resolved”: the ends of the interval are more than a factor of 2 apart" in form
        assert "The overall winner is not resolved" in form
    (row,) = [row for row in rows_of(text) if row["library"] == "b"]
    assert row["ratio_resolved"] == "False"
    low, high = float(row["ratio_low"]), float(row["ratio_high"])
    assert low < 1 < high and high > 2 * low


def test_wide_intervals_that_tell_the_faster_side_are_printed(tmp_path):
    records = two_far_apart("a", 1.0, 1.01) + two_far_apart("b", 900.0, 1100.0)
    _, markdown, text = written(records, tmp_path)
    (row,) = [r for r in table_rows(section(markdown, "Overall ranking")) if r[0] == "b"]
    assert row[1].startswith("995")
    assert [row["ratio_resolved"] for row in rows_of(text)] == ["True", "True"]


def test_noisy_rows_are_marked(tmp_path):
    page, markdown, text = written(
        [record("steady", [1.0, 1.4]), record("noisy", [1.0, 1.1, 1.6])], tmp_path)
    rows = table_rows(section(markdown, "Ranking of each case"))
    assert [row[2] for row in rows[2:]] == ["noisy †", "steady"]
    legend = "† noisy: the longest repetition took over 1.5 times"
    assert legend in page and legend in markdown
    assert ">noisy †<" in page
    found = {row["library"]: (row["noisy"], row["pair_shortest"], row["pair_longest"])
             for row in rows_of(text)}
    assert found == {"noisy": ("True", "2.0", "3.2"), "steady": ("False", "2.0", "2.8")}
    assert "†" not in written([record("a", [1.0, 1.4])], tmp_path)[1]


def test_terminal_summary_is_short(full_study):
    text = report.terminal_summary(full_study)
    assert len(text.splitlines()) < 25
    assert "weft" in text
    assert "Incorrect, and therefore not ranked: sloppy in 64 of 73 cases." in text
    assert "crasher: crashed, signal 11 (SIGSEGV) while planning" in text


def test_libraries_look_alike_in_all_charts_and_unlike_each_other():
    palette = chart.Palette(list(synthetic.LIBRARIES))
    looks = list(palette.looks.values())
    assert len({look.marker for look in looks}) == len(looks)
    assert len({(look.color, look.line) for look in looks}) == len(looks)
