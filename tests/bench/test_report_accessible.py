"""The pages that weft writes, for those who use a screen reader or the keyboard: axe-core finds
nothing to mend, in light and dark, and a phone need not scroll sideways."""

import os
import shutil
import subprocess

import pytest
import synthetic
from drawn import bench_case, demo_page
from harness_build import real_build
from weft_bench import builds, report

axe = pytest.importorskip("axe_playwright_python.sync_playwright")
sync_api = pytest.importorskip("playwright.sync_api")

CHROMIUM = shutil.which("chromium")

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed")


def harness_report(folder):
    """Every section and every sort of row, but few of them."""
    return report.write(synthetic.full_study(lengths=(64,))[::12], folder / "study")[0]


def demo_report(folder):
    return demo_page(folder, bench_case(folder))


def command_page(folder, *arguments):
    path = folder / "page.html"
    subprocess.run([real_build() / "bin/weft", *arguments, "--html", path], check=True, timeout=60,
                   stdout=subprocess.DEVNULL, env=os.environ | builds.environment(1))
    return path


def prediction(folder):
    return command_page(folder, "predict", "64x64x64", "--nodes", "1,2,4", "--ranks-per-node", "2")


def tuning(folder):
    return command_page(folder, "tune", "16x16x16", "--tune-seconds", "2")


@pytest.mark.parametrize("written", [harness_report, demo_report, prediction, tuning])
def test_pages_are_accessible(tmp_path, written):
    path = written(tmp_path)
    with sync_api.sync_playwright() as playwright:
        # Containers have no user namespaces, and the pages are our own.
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        for width, scheme in ((1400, "dark"), (360, "light")):
            page = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
            page.goto(path.as_uri())
            if written is harness_report:
                page.wait_for_selector("html[data-tables=ready]")
            results = axe.Axe().run(page)
            assert not results.violations_count, f"{width} {scheme}: {results.generate_report()}"
            assert page.evaluate("document.documentElement.scrollWidth") <= width
            page.close()
        browser.close()
