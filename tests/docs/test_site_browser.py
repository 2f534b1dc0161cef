"""The pages in a browser: no errors, nothing wider than a phone, a search that finds.

Drives Debian's Chromium. With WEFT_SCREENSHOTS=FOLDER it leaves pictures there to look at.
"""

import os
from pathlib import Path

import pytest

SIZES = {
    "desktop": {"width": 1400, "height": 900},
    "small": {"width": 1100, "height": 800},
    "tablet": {"width": 800, "height": 1100},
    "phone": {"width": 360, "height": 780},
}
PAGES = [
    "index",
    "install",
    "guide/layouts",
    "performance",
    "performance/gpus",
    "architecture",
    "reference/cpp/plan",
    "reference/c/plan",
    "reference/command-line",
]


@pytest.fixture
def open_page(browser, address):
    """Opens a page, and fails the test on any error, or when it asks for anything elsewhere."""
    opened, problems = [], []

    def open_it(path, **options):
        page = browser.new_page(**options)
        opened.append(page)
        page.on("console", lambda message: problems.append(f"{message.type}: {message.text}"))
        page.on("pageerror", lambda error: problems.append(f"error: {error}"))
        page.on(
            "requestfailed",  # or given up, as the next page is opened
            lambda request: request.failure == "net::ERR_ABORTED"
            or problems.append(f"failed: {request.url[:200]}"),
        )
        page.on(
            "request",
            lambda request: request.url.startswith((address, "data:"))
            or problems.append(f"elsewhere: {request.url[:200]}"),
        )
        page.goto(f"{address}/{path}")
        return page

    yield open_it
    for page in opened:
        page.close()
    assert problems == []


@pytest.mark.parametrize(
    ("size", "scheme"),
    [("desktop", "light"), ("desktop", "dark"), ("small", "light"), ("tablet", "light"),
     ("phone", "light"), ("phone", "dark")],
)
def test_pages_fit_the_screen(open_page, address, size, scheme):
    page = open_page("index.html", viewport=SIZES[size], color_scheme=scheme)
    for name in PAGES:
        page.goto(f"{address}/{name}.html")
        assert page.evaluate("document.documentElement.scrollWidth") <= SIZES[size]["width"], name
        folder = os.environ.get("WEFT_SCREENSHOTS")
        if folder:
            picture = f"{name.replace('/', '-')}-{size}-{scheme}.png"
            page.screenshot(path=Path(folder, picture))


def test_the_start_page_is_one_screen(open_page):
    page = open_page("index.html", viewport=SIZES["desktop"])
    cards = page.locator(".sd-card")
    assert cards.count() == 4
    assert cards.last.bounding_box()["y"] < SIZES["desktop"]["height"]
    page.locator(".sd-tab-label", has_text="Command line").click()
    assert page.get_by_text("mpirun -n 4 weft transform").is_visible()


def test_the_search_finds_a_member(open_page):
    page = open_page("search.html?q=overwrite_input", viewport=SIZES["desktop"])
    page.wait_for_selector("#search-results ul.search li a")
    links = page.locator("#search-results ul.search li a")
    found = [link.get_attribute("href") for link in links.all()]
    assert any("reference/cpp/options.html" in link for link in found)
