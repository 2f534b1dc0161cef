"""Pages of measurements: they hold what the records say, and nothing that no record supports."""

import json
import re
from pathlib import Path

import pytest
from weft_bench import bare_figures, lookup, page_table, pages
from weft_bench.lookup import LookupFailed
from weft_bench.pages import PageError

ROOT = Path(__file__).resolve().parents[2]


def texts(path: Path) -> list[str]:
    return re.findall(r"<text[^>]*>([^<]*)</text>", path.read_text("utf-8"))


def written(root: Path) -> list[Path]:
    return [root / "README.md", *sorted((root / "docs").rglob("*.md"))]


@pytest.mark.parametrize("name", [page.name for page in pages.pages(ROOT)])
def test_what_is_committed_is_what_the_records_say(name, tmp_path):
    page = pages.Page(ROOT, ROOT / name, tmp_path)
    assert page.target.read_text("utf-8") == page.text(), "run bench/weft-bench pages"
    for drawn in page.drawn:
        # But for the version of the library that drew it.
        kept = ROOT / "docs/figures" / drawn.name
        assert texts(kept) == texts(drawn), "run bench/weft-bench pages"
    assert page.used


def test_all_pages_of_measurements_are_made_and_linked():
    made = {page.target.stem for page in pages.pages(ROOT) if not page.in_readme}
    assert made == {path.stem for path in (ROOT / "docs/performance").glob("*.md")}
    leading = (ROOT / "docs/performance.md").read_text("utf-8")
    listed = re.findall(r"^performance/(\S+)$", leading, re.M)
    assert sorted(listed) == sorted(made)


def test_the_page_that_leads_to_them_has_no_figures_of_its_own():
    assert bare_figures.find((ROOT / "docs/performance.md").read_text("utf-8")) == []


def test_every_picture_is_on_a_page():
    shown = "\n".join(path.read_text("utf-8") for path in written(ROOT))
    kept = {path.name for path in (ROOT / "docs/figures").iterdir()}
    assert kept and {name for name in kept if f"figures/{name})" not in shown} == set()


@pytest.mark.parametrize(("source", "found"), [
    ("It takes 274 ms.", ["274 ms"]),
    ("It takes 73.8 on two ranks.", ["73.8"]),
    ("Twice: 1.9 times as fast", ["1.9", "1.9 times"]),
    ("1,234 s and 12%", ["1,234 s", "12%"]),
    ("150 GB/s, 3 TB/s, 2 GFLOP/s", ["150 GB/s", "2 GFLOP/s", "3 TB/s"]),
    ("635 W, 6 J", ["6 J", "635 W"]),
    ("an error of 2e-16", ["2e-16"]),
    ("| 512^3 | 235 | 1,204 |", ["1,204", "235"]),
    ("`274 ms`", ["274 ms"]),
    ("{{ 274 | ms }}", ["274"]),
    ("{{ 'about ' ~ '274' }}", ["'274'"]),
    ("{% set weft = 0.274 %}{{ weft | ms }}", ["0.274"]),
    ("{% for time in [235, 219] %}{{ time }}{% endfor %}", ["219", "235"]),
    ("{{ '274 ms' }}", ["274 ms"]),
    ("{{ table(rows, down={'case': 'shape'}, across={'weft, 274 ms': {}}) }}", ["274 ms"]),
    ("{{ '%d' | format(274) }}", ["274"]),
])
def test_figures_written_by_hand_are_found(source, found):
    assert sorted(text for _, text in bare_figures.find(source)) == found


@pytest.mark.parametrize("source", [
    "512^3 c2c on 32 ranks of 2 threads, 96^3, 2^24 points, k^-5/3, links of 400 Mbit/s, 16 bits",
    "FFTW 3.3.10, `tolerance = 1e-6`, 1 MiB of cache, 2026-11-23, axis 0, H200",
    "| a | b |\n|---|---|\n| 512^3 | {{ rows.best(ranks=32, tolerance=1e-6).pair | ms }} |",
    "{{ table(rows, down={'': 'shape'}, across={'32 ranks': {'ranks': [32, 64]}}) }}",
    "{% if rows.fastest(ranks=2) is none %}none{% endif %}",
])
def test_what_was_chosen_may_be_written(source):
    assert bare_figures.find(source) == []


def test_a_line_is_named():
    assert bare_figures.find("# Title\n\nIt is fast.\nIt takes 2 ms.\n") == [(4, "2 ms")]


def line(library: str, seconds: float, **changes) -> dict:
    five = [seconds * factor for factor in (0.9, 0.95, 1, 1.1, 2)]
    made = {"library": library, "shape": [64, 64, 64], "kind": "c2c", "ranks": 2, "status": "ok",
            "date": "2026-11-23", "settings": {"exchange": "p2p"},
            "pooled": {"forward": five, "backward": five, "pair": [2 * time for time in five]},
            "blocks": [{"round": 0}, {"round": 1}]}
    return {**made, **changes}


@pytest.fixture
def root(tmp_path) -> Path:
    for folder in ("bench/pages", "bench/results", "docs"):
        (tmp_path / folder).mkdir(parents=True)
    found = [line("weft", 1e-3), line("weft", 2e-3, settings={"exchange": "alltoallv"}),
             line("other", 4e-3), line("wrong", 1e-4, blocks=[{"status": "wrong"}, {}]),
             line("other", 5e-3, ranks=4),
             {"library": "bench", "shape": [8, 4], "blocks": [
                 {"forward_seconds": {"median": 1.0}, "backward_seconds": {"median": 2.0}},
                 {"forward_seconds": {"median": 0.5}, "backward_seconds": {"median": 0.25}}]}]
    text = "".join(json.dumps(one) + "\n" for one in found)
    (tmp_path / "bench/results/study.jsonl").write_text(text)
    begin, end = pages.BEGIN.format("bench/pages/README.md.j2"), pages.END
    (tmp_path / "README.md").write_text(f"before\n{begin}\nold\n{end}\nafter\n")
    return tmp_path


def rendered(root: Path, source: str, name: str = "page.md.j2") -> str:
    template = root / "bench/pages" / name
    template.write_text("{% set rows = records('study.jsonl') %}\n" + source)
    return pages.Page(root, template, root / "figures").text()


def test_look_ups(root):
    assert "2.00 ms, p2p" in rendered(
        root, "{% set row = rows.best(library='weft') %}{{ row.pair | ms }} ms, {{ row.exchange }}")
    assert "4.00" in rendered(root, "{{ rows.one(exchange='alltoallv').pair | ms }}")
    assert "750 of 8x4" in rendered(root, "{{ rows.best(library='bench').pair | ms }} of 8x4")
    assert "2, 4" in rendered(root, "{{ rows.all_of('ranks') | join(', ') }}")
    assert "2026-11-23, `bench/results/study.jsonl`" in rendered(
        root, "{{ rows.where(library='weft').day() }}, {{ sources() }}")
    assert ">0.25<" in rendered(root, "{% set other = rows.best(library='other', ranks=2) %}\n"
                                ">{{ (rows.best(library='weft').pair / other.pair) | ratio }}<")


def test_a_table(root):
    table = rendered(root, "{% set weft, other = {'library': 'weft'}, {'library': 'other'} %}\n"
                     "{{ table(rows, down={'case': 'shape kind', 'on': 'ranks'},"
                     " across={'weft': weft, 'other': other, 'wrong': {'library': 'wrong'}},"
                     " ratios={'share': (weft, other)}) }}")
    assert "| case | on | weft | other | wrong | share |\n| --- | --- | --- |" in table
    assert "| 64^3 c2c | 2 | 2.00 | 8.00 |  | 0.25 |\n| 64^3 c2c | 4 |  | 10.0 |  |  |" in table


def test_forward_and_backward_apart(root):
    rows = lookup.load(root / "bench/results", ["study.jsonl"])
    table = page_table.times(rows, {"": "shape"}, {"time": {"library": "bench"}}, each=True)
    assert table.endswith("| 8x4 | 500 / 250 |")


@pytest.mark.parametrize(("source", "words"), [
    ("{{ rows.best(library='none').pair | ms }}", "study.jsonl: library='none': no correct result"),
    ("{{ rows.best(library='wrong').pair | ms }}", "library='wrong': no correct result"),
    ("{{ rows.one(library='weft').pair | ms }}", "library='weft': 2 lines instead of one"),
    ("{{ rows.all_of('color') }}", "all lines: no color"),
    ("{{ rows.day() }}", "a line has no date"),
    ("{{ rows.best(library='weft').speed }}", "has no attribute 'speed'"),
    ("{{ records('gone.jsonl') }}", "gone.jsonl is not in bench/results"),
    ("{{ table(rows, down={'': 'shape'}, across={'x': {'ranks': 9}}) }}", "no line of the table"),
    ("{{ rows.best(library='weft' }}", "unexpected '}'"),
    ("It takes 274 ms.", "line 2: 274 ms"),
])
def test_what_no_record_supports_is_an_error(root, source, words):
    with pytest.raises(PageError, match=re.escape(words)) as error:
        rendered(root, source)
    assert "bench/pages/page.md.j2: " in str(error.value)


def test_another_record_makes_another_page(root):
    source = "{{ rows.best(library='weft').pair | ms }}"
    before = rendered(root, source)
    records = root / "bench/results/study.jsonl"
    records.write_text(records.read_text().replace("0.0019, 0.002,", "0.0019, 0.003,"))
    assert before.endswith("2.00") and rendered(root, source).endswith("3.00")


def test_tables_have_rows_too(root):
    """Empty cells are no fields."""
    table = root / "bench/results/table.csv"
    table.write_text("# said of it\n# and more\nname,points,error\na,16,1e-3\n\"b, c\",x,\n")
    rows = lookup.load(root / "bench/results", ["table.csv"])
    assert rows.one(name="a").fields == {"name": "a", "points": 16, "error": 1e-3}
    assert rows.one(name="b, c").fields == {"name": "b, c", "points": "x"}
    for line in ("a,16", "a,16,1,2"):
        table.write_text(f"name,points,error\n{line}\n")
        with pytest.raises(LookupFailed, match="table.csv: not as long as the header"):
            lookup.load(root / "bench/results", ["table.csv"])


@pytest.mark.parametrize("text", ["{", '{"pooled": {"pair": [1]}}', '{"machine": 3}'])
def test_a_damaged_record_is_an_error(root, text):
    (root / "bench/results/study.jsonl").write_text(text + "\n")
    with pytest.raises(LookupFailed, match="study.jsonl:1: "):
        lookup.load(root / "bench/results", ["study.jsonl"])


def test_the_part_of_the_readme(root):
    source = "{{ rows.best(library='weft').pair | ms }} ms"
    text = rendered(root, source, "README.md.j2")
    begin = pages.BEGIN.format("bench/pages/README.md.j2")
    assert text == f"before\n{begin}\n\n2.00 ms\n\n{pages.END}\nafter\n"
    (root / "README.md").write_text("no such part")
    with pytest.raises(PageError, match="README.md needs one line <!-- measured: begin"):
        rendered(root, source, "README.md.j2")


def test_pages_are_written_all_or_none(root):
    rendered(root, "{{ rows.best(library='weft').pair | ms }}", "a.md.j2")
    rendered(root, "fine", "b.md.j2")
    assert [path.name for path in pages.write(root)] == ["a.md", "b.md"]
    written_text = (root / "docs/performance/a.md").read_text()
    assert written_text.startswith("<!-- Made from bench/pages/a.md.j2")
    (root / "docs/performance/a.md").write_text("kept")
    (root / "bench/pages/b.md.j2").write_text("274 ms")
    with pytest.raises(PageError, match="b.md.j2"):
        pages.write(root)
    assert (root / "docs/performance/a.md").read_text() == "kept"
