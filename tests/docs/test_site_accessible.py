"""The pages for those who use a screen reader or the keyboard: axe-core finds nothing to mend."""

import pytest
from axe_playwright_python.sync_playwright import Axe

#: One of each sort: cards and tabs, wide tables, programs, figures, members, no heading.
PAGES = [
    "index",
    "install",
    "guide",
    "guide/start",
    "performance/gpus",
    "architecture",
    "reference/cpp/plan",
    "reference/command-line",
    "search",
]


@pytest.mark.parametrize(
    ("width", "scheme"), [(1400, "light"), (1400, "dark"), (360, "light")]
)
def test_pages_are_accessible(browser, address, width, scheme):
    page = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
    found = []
    for name in PAGES:
        page.goto(f"{address}/{name}.html")
        results = Axe().run(page)
        if results.violations_count:
            found.append(f"{name}: {results.generate_report()}")
    page.close()
    assert not found, "\n".join(found)


def test_what_is_wrong_is_found(browser):
    """A page with faults of the kinds that are mended in docs/_extensions/accessible.py."""
    page = browser.new_page()
    page.set_content("<p role=heading>Use</p><table><tr><th></th></tr></table>"
                     "<p style='color: #bbb'>text")
    found = {violation["id"] for violation in Axe().run(page).response["violations"]}
    page.close()
    assert {"aria-required-attr", "empty-table-header", "color-contrast"} <= found
