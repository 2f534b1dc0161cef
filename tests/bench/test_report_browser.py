"""The report in a browser: it works without errors, on a desktop, on a phone and on paper.

Drives Debian's Chromium. With WEFT_SCREENSHOTS=FOLDER it leaves pictures there to look at.
"""

import os
import shutil
from pathlib import Path

import pytest
import synthetic
from drawn import bench_case, demo_page, harness_page, steps_of
from weft_bench import report

sync_api = pytest.importorskip("playwright.sync_api")

CHROMIUM = shutil.which("chromium")
DESKTOP = {"width": 1280, "height": 900}
PHONE = {"width": 375, "height": 812}
RANKING = "#m1-table-ranking"

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed")


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    path = tmp_path_factory.mktemp("page") / "study"
    return report.write(synthetic.full_study(lengths=(64, 512)), path)[0].as_uri()


@pytest.fixture(scope="module")
def browser():
    with sync_api.sync_playwright() as playwright:
        # Containers have no user namespaces, and the page is our own.
        found = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield found
        found.close()


@pytest.fixture
def open_page(browser, address):
    """Opens the report with a viewport, and fails the test on any error of the page."""
    pages, problems = [], []

    def opened(viewport):
        page = browser.new_page(viewport=viewport)
        pages.append(page)
        page.on("console", lambda message: problems.append(f"{message.type}: {message.text}"))
        page.on("pageerror", lambda error: problems.append(f"error: {error}"))
        page.on("requestfailed", lambda request: problems.append(f"failed: {request.url[:200]}"))
        page.on(
            "request",
            lambda request: problems.extend(
                [f"network: {request.url[:200]}"] * request.url.startswith(("http", "ws"))
            ),
        )
        page.goto(address)
        page.wait_for_selector("html[data-tables=ready]")
        return page

    yield opened
    for page in pages:
        page.close()
    assert problems == []


def column(page, number, table=RANKING):
    """The visible texts of a column, without the smaller lines."""
    return page.eval_on_selector_all(
        f"{table} tbody tr td:nth-child({number})",
        "cells => cells.map(cell => cell.firstChild.textContent)",
    )


def picture(page, name, **options):
    folder = os.environ.get("WEFT_SCREENSHOTS")
    if folder:
        page.screenshot(path=Path(folder, f"{name}.png"), **options)


def test_no_errors_on_a_desktop(open_page):
    page = open_page(DESKTOP)
    assert page.locator("figure svg").count() > 15
    assert page.locator("h1").inner_text() == "Distributed FFT libraries: synthetic"
    picture(page, "desktop", full_page=True)


def test_clicking_a_header_sorts_by_number(open_page):
    page = open_page(DESKTOP)
    before = column(page, 5)
    header = page.locator(f"{RANKING} thead th", has_text="Total, ms")
    header.click()
    page.wait_for_selector(f"{RANKING} th[aria-sort=ascending]")
    rising = column(page, 5)
    numbers = [float(text) for text in rising if text != "–"]
    assert rising != before
    assert numbers == sorted(numbers)
    assert rising[-1] == "–", "what has no number comes last"
    header.click()
    page.wait_for_selector(f"{RANKING} th[aria-sort=descending]")
    falling = [float(text) for text in column(page, 5) if text != "–"]
    assert falling == sorted(numbers, reverse=True)


def test_filtering_leaves_the_matching_rows(open_page):
    page = open_page(DESKTOP)
    everything = len(column(page, 3))
    field = page.locator("#m1-ranking").get_by_label("Filter")
    field.fill("heffte 512")
    libraries, transforms = column(page, 3), column(page, 1)
    assert 0 < len(libraries) < everything
    assert set(libraries) == {"heffte"}
    assert all(text.startswith("512³") for text in transforms)
    field.fill("no such library")
    assert "No row matches the filter." in page.locator(RANKING).inner_text()
    field.fill("")
    assert len(column(page, 3)) == everything


def test_the_command_lines_unfold(open_page):
    page = open_page(DESKTOP)
    command = page.locator("#m1-commands code").first
    assert not command.is_visible()
    page.locator("#m1-commands summary").click()
    assert command.is_visible()
    assert command.inner_text().startswith("mpirun -n ")


def test_a_phone_scrolls_only_within_tables(open_page):
    page = open_page(PHONE)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    box = page.locator("#m1-ratios .dt-layout-table > div").first
    assert box.evaluate("box => box.scrollWidth > box.clientWidth")
    for chart in page.locator("figure svg").all():
        assert chart.bounding_box()["width"] <= PHONE["width"]
    picture(page, "phone")


@pytest.mark.parametrize("media", ["screen", "print"])
def test_every_row_can_be_seen(open_page, media):
    page = open_page(DESKTOP)
    page.emulate_media(media=media)
    hidden = page.eval_on_selector_all(
        f"{RANKING} tbody tr", "rows => rows.filter(row => row.offsetHeight === 0).length"
    )
    assert hidden == 0


@pytest.mark.parametrize("viewport", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_no_table_is_cut_without_a_sign(open_page, viewport):
    page = open_page(viewport)
    page.locator("#m1-commands summary").click()
    page.evaluate("""() => new Promise(  // sizes are observed between layout and painting
        done => requestAnimationFrame(() => requestAnimationFrame(done)))""")
    boxes = page.evaluate("""() => [...document.querySelectorAll(".scroll table")].map(table => {
        const box = table.parentElement, style = getComputedStyle(box, "::before");
        return { name: table.id, below: box.scrollHeight - box.clientHeight,
                 rows: table.rows.length, beside: table.offsetWidth - box.clientWidth,
                 sign: style.content, scrolls: getComputedStyle(box).overflowX,
                 shown: box.offsetHeight > 0 };
    }).filter(box => box.shown)""")
    assert len(boxes) > 5 and max(box["rows"] for box in boxes) > 100
    for box in boxes:
        assert box["scrolls"] != "auto" or box["below"] <= 0, box
        if box["beside"] > 0:
            assert "more columns" in box["sign"] and box["scrolls"] == "auto", box
        else:
            assert box["sign"] == "none", box
    assert viewport is DESKTOP or any(box["beside"] > 0 for box in boxes)


def test_bars_are_as_long_as_the_steps_of_the_record(browser, tmp_path):
    """Of `weft bench` as scripts/demo runs it: pixels against seconds, within 2%."""
    case = bench_case(tmp_path, shape=[64, 64, 64])
    told = steps_of(case["stages"])
    assert told[1] > 0
    page = browser.new_page(viewport=DESKTOP)
    page.goto(demo_page(tmp_path, case).as_uri())
    bars = page.eval_on_selector_all(".bar", """bars => bars.map(bar => ({
        moves: bar.classList.contains("moves"), width: bar.getBoundingClientRect().width,
        hatched: getComputedStyle(bar).backgroundImage.includes("gradient"),
        name: bar.closest("tr").cells[0].textContent, room: bar.parentElement.offsetWidth }))""")
    assert sorted(bar["name"] for bar in bars) == sorted(s["name"] for s in case["stages"])
    pixels = max(bar["width"] for bar in bars) / max(s["seconds"] for s in case["stages"])
    for bar, stage in zip(bars, case["stages"]):  # forward, then backward
        assert (bar["name"], bar["moves"]) == (stage["name"], stage["moves_data"])
        assert bar["hatched"] == stage["moves_data"] and bar["width"] <= bar["room"] + 0.5
        assert bar["width"] == pytest.approx(stage["seconds"] * pixels, rel=0.02, abs=0.5)
    picture(page, "demo", full_page=True)

    page.goto(harness_page(tmp_path, case["stages"]).as_uri())
    chart = "figure svg[aria-label^='Part of the time'] path[clip-path]"
    widths = page.eval_on_selector_all(chart, """paths => paths.filter(path =>
        path.style.fill && path.style.fill !== "none").map(path => ({
        width: path.getBBox().width, hatched: path.style.fill.startsWith("url") }))""")
    drawn = [sum(w["width"] for w in widths if w["hatched"] == hatched)
             for hatched in (False, True)]
    assert drawn[1] / sum(drawn) == pytest.approx(told[1] / sum(told), abs=0.02)
    page.locator("#m1-breakdown").scroll_into_view_if_needed()
    if os.environ.get("WEFT_SCREENSHOTS"):
        page.locator("#m1-breakdown").screenshot(
            path=Path(os.environ["WEFT_SCREENSHOTS"], "breakdown.png"))
    page.close()


def test_paper_shows_whole_tables(open_page, tmp_path):
    page = open_page(DESKTOP)
    page.emulate_media(media="print")
    page.set_viewport_size({"width": 1030, "height": 720})  # A4 in landscape, within its margins
    for box in page.locator("table:visible").all():
        assert box.evaluate("table => table.getBoundingClientRect().right") <= 1030
    clipped = page.eval_on_selector_all(
        ".scroll, .dt-layout-table > div",
        "boxes => boxes.filter(box => getComputedStyle(box).overflowY !== 'visible').length",
    )
    assert clipped == 0
    target = tmp_path / "report.pdf"
    page.pdf(path=target, prefer_css_page_size=True)
    assert target.read_bytes().startswith(b"%PDF")
    assert target.stat().st_size > 100_000
    folder = os.environ.get("WEFT_SCREENSHOTS")
    if folder:
        shutil.copy(target, Path(folder, "report.pdf"))
